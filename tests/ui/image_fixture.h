// SPDX-License-Identifier: GPL-3.0-or-later
// A picture of 48 x 64 pixels with a mask of three labels over it, opened from files in a folder of its own.
//   label 1: rows 4 to 11, columns 4 to 19: 128 px
//   label 2: rows 20 to 29, columns 10 to 29, without the 2 x 2 px at [24, 15]: 196 px
//   label 3: 3 x 3 px at [34, 40] and one at [40, 60]: 10 px in two islands
#pragma once

#include "ui/session/layer_labels.h"
#include "ui/session/session.h"

#include <QImage>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

namespace maskscope::ui {

inline constexpr int kRows = 48;
inline constexpr int kCols = 64;

class ImageFixture {
public:
    ImageFixture() {
        QImage picture(kCols, kRows, QImage::Format_RGB888);
        QImage labels(kCols, kRows, QImage::Format_Indexed8);
        labels.setColorTable({qRgb(0, 0, 0), qRgb(128, 0, 0), qRgb(0, 128, 0), qRgb(128, 128, 0)});
        labels.fill(0);
        const auto fill = [&](int row, int col, int rows, int cols, uint label) {
            for (int y = row; y < row + rows; ++y) {
                for (int x = col; x < col + cols; ++x) labels.setPixel(x, y, label);
            }
        };
        fill(4, 4, 8, 16, 1);
        fill(20, 10, 10, 20, 2);
        fill(24, 15, 2, 2, 0);
        fill(34, 40, 3, 3, 3);
        fill(40, 60, 1, 1, 3);
        for (int y = 0; y < kRows; ++y) {
            for (int x = 0; x < kCols; ++x) picture.setPixelColor(x, y, QColor(4 * x, 5 * y, 90));
        }
        picture.save(path("photo.png"));
        labels.save(path("photo_mask.png"));
    }

    QString path(const char* name) const { return folder_.filePath(QLatin1String(name)); }

    // Opens both, says what they are, and shows the picture with the mask over it.
    void open() {
        QSignalSpy settled(&session, &Session::filesSettled);
        session.openFiles({path("photo.png"), path("photo_mask.png")});
        QVERIFY(settled.wait(10000));
        for (const auto& entry : session.document().entries()) {
            const bool is_mask = entry.path == path("photo_mask.png").toStdString();
            (is_mask ? mask : image) = entry.id;
        }
        session.setRole(image, document::Role::image);
        session.setRole(mask, document::Role::mask);
        session.show(image);
        if (session.overlay(image)->layers.empty()) {
            session.changeOverlay(image, [this](OverlayState& state) {
                LayerState layer;
                layer.mask = mask;
                state.layers = {layer};
                state.active = 0;
            });
        }
        QCOMPARE(session.overlay(image)->layers.size(), std::size_t{1});
        QTRY_VERIFY(session.edits().plane(mask, 0) != nullptr);
        QTRY_COMPARE(LayerLabels::of(session).labels().size(), std::size_t{3});
        QTRY_VERIFY(session.jobs().running().isEmpty());
    }

    // One step: a rectangle painted with a label.
    void paint(const mask::Rect& cells, double label, const QString& name) {
        session.edits().changeTools([label](ToolState& state) { state.label = label; });
        QVERIFY(session.edits().begin({mask, 0, image}, name));
        session.edits().paint(mask::Region::of_rect(cells));
        session.edits().commit();
    }

    std::int64_t cellsOf(double label) {
        const auto* plane = session.edits().plane(mask, 0);
        const auto cell = mask::cell_of(label, plane->dtype());
        return cell ? plane->where(*cell).count() : -1;
    }

    Session session;
    EntryId image = EntryId::none;
    EntryId mask = EntryId::none;

private:
    QTemporaryDir folder_;
};

}  // namespace maskscope::ui
