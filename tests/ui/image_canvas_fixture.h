// SPDX-License-Identifier: GPL-3.0-or-later
// An image with a mask over it in a canvas, and a hand that works on it.
#pragma once

#include "ui/canvas/image_canvas.h"

#include "core/io/format.h"
#include "core/mask/shapes.h"

#include <QApplication>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QWheelEvent>

#include <cmath>
#include <cstring>
#include <set>

namespace maskscope::ui {

using Cells = std::set<std::pair<int, int>>;  // row, col

inline Cells cellsOf(const mask::Region& region) {
    Cells out;
    for (const auto& run : region.runs()) {
        for (int col = run.begin; col < run.end; ++col) out.insert({run.row, col});
    }
    return out;
}

class ImageCanvasFixture {
protected:
    QTemporaryDir folder_;
    std::unique_ptr<Style> style_;
    std::unique_ptr<Session> session_;
    std::unique_ptr<ImageCanvas> canvas_;
    EntryId image_ = EntryId::none;
    EntryId mask_ = EntryId::none;

    EditSession& edits() { return session_->edits(); }
    const mask::Plane& plane() { return *edits().plane(mask_, 0); }
    const ViewState& view() const { return *session_->view(image_); }

    EntryId openTensor(const QString& name, const Tensor& tensor) {
        const auto path = folder_.filePath(name);
        if (!io::save_file(path.toStdString(), std::vector<io::NamedTensor>{{"", tensor}})) return EntryId::none;
        QSignalSpy settled(session_.get(), &Session::filesSettled);
        session_->openFiles({path});
        if (settled.count() == 0 && !settled.wait()) return EntryId::none;
        for (const auto& entry : session_->document().entries()) {
            if (entry.path == path.toStdString()) return entry.id;
        }
        return EntryId::none;
    }

    // A grey image and an empty label mask over it, in a canvas of 656 x 496 (640 x 480 beside the rulers).
    void open(std::int64_t rows, std::int64_t cols, DType dtype = DType::u8) {
        canvas_.reset();
        session_ = std::make_unique<Session>();
        auto pixels = Tensor::zeros({rows, cols}, DType::u8);
        for (std::int64_t i = 0; i < pixels->numel(); ++i) {
            pixels->writable_as<std::uint8_t>()[i] = static_cast<std::uint8_t>(i * 37 % 251);
        }
        mask_ = openTensor(QStringLiteral("photo_mask.npy"), *Tensor::zeros({rows, cols}, dtype));
        image_ = openTensor(QStringLiteral("photo.npy"), *pixels);
        session_->setRole(mask_, document::Role::mask);
        session_->setRole(image_, document::Role::image);
        session_->show(image_);
        QCOMPARE(session_->overlay(image_)->active, 0);
        canvas_ = std::make_unique<ImageCanvas>(*session_, *style_);
        canvas_->resize(656, 496);
        canvas_->setEntry(image_);
        canvas_->show();
        QVERIFY(QTest::qWaitForWindowExposed(canvas_.get()));
        canvas_->setFocus();
        edits().changeTools([](ToolState& tools) { tools = {}; });
        QTRY_VERIFY(session_->imageData(image_)->prepared());
    }

    void take(Tool tool, int size = 1, double label = 1) {
        edits().changeTools([&](ToolState& tools) {
            tools.tool = tool;
            tools.brush.size = size;
            tools.label = label;
        });
    }

    // Widget positions are fractions; events carry them as they are.
    void mouse(QEvent::Type type, mask::Position at, Qt::MouseButton button, Qt::KeyboardModifiers keys = {}) {
        const auto place = canvas_->widgetPosition(at);
        const auto buttons = type == QEvent::MouseButtonRelease ? Qt::MouseButtons() : Qt::MouseButtons(button);
        QMouseEvent event(type, place, canvas_->mapToGlobal(place), type == QEvent::MouseMove ? Qt::NoButton : button,
                          buttons, keys);
        QApplication::sendEvent(canvas_.get(), &event);
    }
    void press(mask::Position at, Qt::KeyboardModifiers keys = {}, Qt::MouseButton button = Qt::LeftButton) {
        mouse(QEvent::MouseButtonPress, at, button, keys);
    }
    void move(mask::Position at, Qt::KeyboardModifiers keys = {}, Qt::MouseButton button = Qt::LeftButton) {
        mouse(QEvent::MouseMove, at, button, keys);
    }
    void release(mask::Position at, Qt::KeyboardModifiers keys = {}, Qt::MouseButton button = Qt::LeftButton) {
        mouse(QEvent::MouseButtonRelease, at, button, keys);
    }
    void click(mask::Position at, Qt::KeyboardModifiers keys = {}) {
        press(at, keys);
        release(at, keys);
    }
    void dragTo(mask::Position from, mask::Position to, Qt::KeyboardModifiers keys = {}) {
        press(from, keys);
        move(to, keys);
        release(to, keys);
    }
    void wheel(int steps, Qt::KeyboardModifiers keys = {}) {
        const QPointF at(300, 200);
        QWheelEvent event(at, canvas_->mapToGlobal(at), {}, {0, 120 * steps}, Qt::NoButton, keys, Qt::NoScrollPhase,
                          false);
        QApplication::sendEvent(canvas_.get(), &event);
    }

    Cells painted(double label) {
        Cells out;
        for (std::int64_t row = 0; row < plane().rows(); ++row) {
            for (std::int64_t col = 0; col < plane().cols(); ++col) {
                if (plane().value_at(row, col) == label) out.insert({static_cast<int>(row), static_cast<int>(col)});
            }
        }
        return out;
    }
    // Even-odd by ray casting at the pixels' centres: what a polygon should fill.
    Cells inside(const std::vector<std::vector<mask::Position>>& rings) {
        Cells out;
        for (int row = 0; row < plane().rows(); ++row) {
            for (int col = 0; col < plane().cols(); ++col) {
                bool in = false;
                for (const auto& ring : rings) {
                    for (std::size_t i = 0, j = ring.size() - 1; i < ring.size(); j = i++) {
                        const auto& a = ring[i];
                        const auto& b = ring[j];
                        const double y = row + 0.5;
                        if ((a.y > y) == (b.y > y)) continue;
                        if (col + 0.5 < (b.x - a.x) * (y - a.y) / (b.y - a.y) + a.x) in = !in;
                    }
                }
                if (in) out.insert({row, col});
            }
        }
        return out;
    }
};

}  // namespace maskscope::ui
