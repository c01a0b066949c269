// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/attention/attention_panel.h"

#include "ui/canvas/figure_spec.h"
#include "ui/canvas/heatmap_canvas.h"
#include "ui/panels/attention/head_strip.h"
#include "ui/panels/attention/legend_strip.h"
#include "ui/panels/attention/row_profile_view.h"
#include "ui/panels/attention/view_header.h"

#include <QFileInfo>
#include <QSplitter>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace maskscope::ui {

AttentionPanel::AttentionPanel(Session& session, Style& style, QWidget* parent)
    : QWidget(parent),
      session_(session),
      style_(style),
      header_(new ViewHeader(session, style, this)),
      strip_(new HeadStrip(session, style, this)),
      canvas_(new HeatmapCanvas(session, style)),
      profile_(new RowProfileView(session, style)),
      legend_(new LegendStrip(session, style, this)),
      splitter_(new QSplitter(Qt::Horizontal, this)) {
    setProperty("surface", "view");
    setAttribute(Qt::WA_StyledBackground);
    splitter_->addWidget(canvas_);
    splitter_->addWidget(profile_);
    splitter_->setChildrenCollapsible(false);
    splitter_->setStretchFactor(0, 5);
    splitter_->setStretchFactor(1, 4);
    splitter_->setHandleWidth(1);
    splitter_->setSizes({540, 460});  // a share, not pixels

    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(header_);
    column->addWidget(strip_);
    column->addWidget(splitter_, 1);
    column->addWidget(legend_);

    connect(header_, &ViewHeader::zoomRequested, canvas_, &HeatmapCanvas::zoom);
    connect(header_, &ViewHeader::fitRequested, canvas_, &HeatmapCanvas::fit);
    connect(header_, &ViewHeader::exportRequested, canvas_, &HeatmapCanvas::exportRequested);
    connect(header_, &ViewHeader::allRequested, this, [this] { setIsolated(false); });
    connect(canvas_, &HeatmapCanvas::pitchChanged, header_, &ViewHeader::setPitch);
    connect(canvas_, &HeatmapCanvas::exportRequested, this, &AttentionPanel::exportRequested);
    connect(canvas_, &HeatmapCanvas::doubleClicked, this, [this] { setIsolated(false); });
    connect(strip_, &HeadStrip::isolateRequested, this, [this] { setIsolated(!isolated_); });
    connect(strip_, &HeadStrip::sliceCountChanged, this, &AttentionPanel::showParts);
    connect(profile_, &RowProfileView::cellChosen, canvas_, &HeatmapCanvas::goTo);
    connect(legend_, &LegendStrip::cellChosen, canvas_, &HeatmapCanvas::goTo);
    showParts();
}

void AttentionPanel::setEntry(EntryId id) {
    id_ = id;
    header_->setEntry(id);
    strip_->setEntry(id);
    canvas_->setEntry(id);
    profile_->setEntry(id);
    legend_->setEntry(id);
    header_->setPitch(canvas_->pitch());
    showParts();
}

void AttentionPanel::setIsolated(bool isolated) {
    if (isolated_ == isolated) return;
    isolated_ = isolated;
    showParts();
}

void AttentionPanel::showParts() {
    strip_->setVisible(!isolated_ && strip_->sliceCount() > 1);
    profile_->setVisible(!isolated_);
    header_->setIsolated(isolated_);
}

render::DisplayList AttentionPanel::figure(double width, double height) const {
    const auto* state = session_.view(id_);
    const auto* entry = session_.document().find(id_);
    const auto plane = state != nullptr ? session_.heatmap(id_) : nullptr;
    if (!plane || entry == nullptr || plane->plane().rows() == 0 || plane->plane().cols() == 0) return {};
    auto spec = figureSpec(session_, id_, style_.themeId());
    spec.width = width > 0 ? width : canvas_->width();
    spec.height = height > 0 ? height : canvas_->height() + 96;  // title and legend come on top
    spec.title = sliceTitle(session_, id_).toStdString();
    const auto file = QFileInfo(QString::fromStdString(entry->path)).fileName().toStdString();
    spec.subtitle = file + ", " + std::string(name_of(plane->plane().tensor.dtype()));
    if (!state->cursor_pinned) spec.cursor.reset();  // where the mouse happened to be is not part of the picture

    const auto layout = render::lay_out(*plane, spec);
    auto viewport = render::fit(*plane, layout, spec);
    if (!state->fit) {
        const auto& seen = canvas_->viewport();
        const double scale = std::min(1.0 * viewport.width / seen.width, 1.0 * viewport.height / seen.height);
        viewport.col0 = seen.col0;
        viewport.row0 = seen.row0;
        const double pitch = seen.pitch * scale;
        viewport.pitch = pitch >= 1 ? std::floor(pitch) : pitch;
    }
    return render::draw(*plane, plane->pool(viewport, poolRule(*state)), viewport, layout, spec);
}

}  // namespace maskscope::ui
