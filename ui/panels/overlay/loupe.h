// SPDX-License-Identifier: GPL-3.0-or-later
// 24 x 24 pixels around the cursor, each 8 x 8, drawn by the functions that draw the view.
#pragma once

#include "core/render/overlay/label_pool.h"
#include "ui/kit/style.h"
#include "ui/session/session.h"

#include <QWidget>

#include <map>
#include <memory>
#include <optional>
#include <utility>

namespace maskscope::ui {

class Loupe : public QWidget {
    Q_OBJECT
public:
    Loupe(Session& session, Style& style, QWidget* parent = nullptr);
    void setEntry(EntryId id);
    // The pixel in the middle; where the cursor has left the image the last one stays.
    void setCentre(std::int64_t row, std::int64_t col);
    QImage picture();  // as drawn, without the mark in the middle

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    render::Viewport viewport() const;
    void drawLayer(const LayerState& layer, const OverlayState& state, const render::Viewport& view, QImage& into);
    void drawMarks(QPainter& painter) const;

    Session& session_;
    Style& style_;
    EntryId id_ = EntryId::none;
    std::optional<std::pair<std::int64_t, std::int64_t>> centre_;
    render::LabelPool pool_;
};

}  // namespace maskscope::ui
