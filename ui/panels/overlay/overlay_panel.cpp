// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/overlay/overlay_panel.h"

#include "ui/canvas/image_canvas.h"
#include "ui/kit/tool_button.h"
#include "ui/panels/overlay/count_strip.h"
#include "ui/panels/overlay/layer_list.h"
#include "ui/panels/overlay/layer_options.h"
#include "ui/panels/overlay/loupe.h"
#include "ui/panels/overlay/overlay_header.h"
#include "ui/panels/overlay/tool_column.h"
#include "ui/panels/overlay/tool_options.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QScrollArea>
#include <QVBoxLayout>

namespace maskscope::ui {

namespace {
constexpr int kSideWidth = 208;
}

OverlayPanel::OverlayPanel(Session& session, Style& style, QWidget* parent)
    : QWidget(parent),
      session_(session),
      style_(style),
      header_(new OverlayHeader(session, style, this)),
      tools_(new ToolColumn(session, style, this)),
      canvas_(new ImageCanvas(session, style, this)),
      options_(new ToolOptions(session, style)),
      loupe_(new Loupe(session, style)),
      layers_(new LayerList(session, style)),
      layer_options_(new LayerOptions(session, style)),
      counts_(new CountStrip(session, style, this)) {
    setProperty("surface", "view");
    setAttribute(Qt::WA_StyledBackground);
    auto* middle = new QHBoxLayout;
    middle->setContentsMargins(0, 0, 0, 0);
    middle->setSpacing(0);
    middle->addWidget(tools_);
    middle->addWidget(canvas_, 1);
    middle->addWidget(buildSide());
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(header_);
    column->addLayout(middle, 1);
    column->addWidget(counts_);

    connect(header_, &OverlayHeader::zoomRequested, canvas_, &ImageCanvas::zoom);
    connect(header_, &OverlayHeader::fitRequested, canvas_, &ImageCanvas::fit);
    connect(header_, &OverlayHeader::exportRequested, this, &OverlayPanel::exportRequested);
    connect(canvas_, &ImageCanvas::exportRequested, this, &OverlayPanel::exportRequested);
    connect(canvas_, &ImageCanvas::pitchChanged, header_, &OverlayHeader::setPitch);
    connect(canvas_, &ImageCanvas::underChanged, this, [this] {
        if (const auto under = canvas_->under()) loupe_->setCentre(under->row, under->col);
    });
    connect(layers_, &LayerList::newMaskRequested, this, &OverlayPanel::newMaskRequested);
    connect(&session, &Session::overlayChanged, this, [this](EntryId id) {
        if (id == id_) showLoupe();
    });
    connect(&session, &Session::dataChanged, this, [this](EntryId id) {
        if (id == id_) header_->setPitch(canvas_->pitch());
    });
}

QWidget* OverlayPanel::buildSide() {
    auto* inside = new QWidget;
    inside->setProperty("surface", "panel");
    inside->setAttribute(Qt::WA_StyledBackground);
    auto* column = new QVBoxLayout(inside);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(options_);

    auto* header = new PanelHeader(style_, tr("Loupe"), inside);
    auto* facts = new QLabel(tr("24 × 24 px, 8×"), header);
    facts->setProperty("type", "secondary");
    header->addWidget(facts);
    loupe_pin_ = new IconButton(style_, QStringLiteral("pin"), tr("Show the loupe"), header);
    loupe_pin_->setCheckable(true);
    header->addWidget(loupe_pin_);
    connect(loupe_pin_, &QToolButton::clicked, this,
            [this](bool on) { session_.changeOverlay(id_, [on](OverlayState& state) { state.loupe = on; }); });
    column->addWidget(header);
    loupe_box_ = new QWidget(inside);
    auto* around = new QHBoxLayout(loupe_box_);
    around->addWidget(loupe_, 0, Qt::AlignCenter);
    column->addWidget(loupe_box_);
    column->addWidget(layers_);
    column->addWidget(layer_options_);
    column->addStretch(1);

    auto* side = new QScrollArea;
    side->setWidget(inside);
    side->setWidgetResizable(true);
    side->setFrameShape(QFrame::NoFrame);
    side->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    side->setFocusPolicy(Qt::NoFocus);
    auto* framed = new QWidget(this);
    auto* line = new QWidget(framed);
    line->setAttribute(Qt::WA_StyledBackground);
    auto* row = new QHBoxLayout(framed);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(0);
    row->addWidget(line);
    row->addWidget(side, 1);
    style_.follow(framed, [this, framed, line, around] {
        framed->setFixedWidth(style_.px(kSideWidth));
        line->setFixedWidth(1);
        line->setStyleSheet(QStringLiteral("background: %1").arg(style_.colour(render::Token::line).name()));
        around->setContentsMargins(0, style_.px(8), 0, style_.px(8));
    });
    return framed;
}

void OverlayPanel::setEntry(EntryId id) {
    id_ = id;
    header_->setEntry(id);
    tools_->setEntry(id);
    canvas_->setEntry(id);
    options_->setEntry(id);
    loupe_->setEntry(id);
    layers_->setEntry(id);
    layer_options_->setEntry(id);
    counts_->setEntry(id);
    header_->setPitch(canvas_->pitch());
    showLoupe();
}

void OverlayPanel::showLoupe() {
    const auto* state = session_.overlay(id_);
    const bool shown = state != nullptr && state->loupe;
    loupe_pin_->setChecked(shown);
    loupe_box_->setVisible(shown);
}

}  // namespace maskscope::ui
