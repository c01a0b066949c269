// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/overlay/tool_column.h"

#include "ui/kit/tool_button.h"
#include "ui/panels/overlay/tool_catalog.h"
#include "ui/session/layer_labels.h"

#include <QPainter>
#include <QVBoxLayout>

#include <algorithm>

namespace maskscope::ui {

using render::Token;

bool toolWorks(const Session& session, EntryId image, Tool tool) {
    if (tool == Tool::pan) return true;
    const auto layer = activeLayer(session, image);
    if (!layer) return false;
    if (infoOf(tool).attention) {
        const auto* mask = session.document().find(layer->mask);
        const bool of_picture = mask == nullptr || mask->item.image || mask->item.coco ||
                                (!mask->dims.value.empty() && mask->dims.value.back() == "width");
        return !of_picture && layer->mask == image;
    }
    return (tool != Tool::wand && tool != Tool::grab_cut) || layer->mask != image;
}

ToolColumn::ToolColumn(Session& session, Style& style, QWidget* parent)
    : QWidget(parent),
      session_(session),
      style_(style),
      hide_(new IconButton(style, QStringLiteral("eyeoff"), tr("Hide the masks (V)"), this)) {
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Expanding);
    auto* column = new QVBoxLayout(this);
    for (const auto& info : toolCatalog()) {
        auto* button = new IconButton(style, QLatin1String(info.icon), titleWithKey(info), this);
        button->setToolTip(titleWithKey(info) + QLatin1Char('\n') + hintOf(info));
        button->setCheckable(true);
        connect(button, &QToolButton::clicked, this, [this, tool = info.tool] {
            session_.edits().changeTools([tool](ToolState& state) { state.tool = tool; });
            refresh();
        });
        buttons_[info.tool] = button;
        column->addWidget(button);
    }
    column->addStretch(1);
    hide_->setCheckable(true);
    connect(hide_, &QToolButton::clicked, this, [this](bool hidden) {
        session_.changeOverlay(id_, [hidden](OverlayState& state) {
            for (auto& layer : state.layers) layer.visible = !hidden;
        });
    });
    column->addWidget(hide_);
    style.follow(this, [this, column] {
        setFixedWidth(style_.px(40));
        column->setContentsMargins(style_.px(8), style_.px(8), style_.px(8), style_.px(8));
        column->setSpacing(style_.px(4));
    });
    connect(&session.edits(), &EditSession::toolsChanged, this, &ToolColumn::refresh);
    connect(&session, &Session::overlayChanged, this, [this](EntryId id) {
        if (id == id_) refresh();
    });
    connect(&session, &Session::documentChanged, this, &ToolColumn::refresh);
    refresh();
}

void ToolColumn::setEntry(EntryId id) {
    id_ = id;
    refresh();
}

QToolButton* ToolColumn::button(Tool tool) const {
    const auto found = buttons_.find(tool);
    return found != buttons_.end() ? found->second : nullptr;
}

void ToolColumn::refresh() {
    const Tool in_hand = session_.edits().tools().tool;
    for (const auto& [tool, button] : buttons_) {
        const bool works = toolWorks(session_, id_, tool);
        button->setChecked(tool == in_hand);
        button->setEnabled(works);
        button->setVisible(works || !infoOf(tool).attention);
    }
    const auto* state = session_.overlay(id_);
    const bool some = state != nullptr && !state->layers.empty();
    hide_->setEnabled(some);
    hide_->setChecked(some && std::none_of(state->layers.begin(), state->layers.end(),
                                           [](const LayerState& layer) { return layer.visible; }));
}

void ToolColumn::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), style_.colour(Token::bg_panel));
    painter.fillRect(width() - 1, 0, 1, height(), style_.colour(Token::line));
}

}  // namespace maskscope::ui
