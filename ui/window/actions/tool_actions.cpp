// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/actions/tool_actions.h"

#include "ui/canvas/image_canvas.h"
#include "ui/panels/overlay/tool_catalog.h"
#include "ui/panels/overlay/tool_column.h"
#include "ui/window/document_area.h"

#include <QActionGroup>
#include <QMenu>

#include <algorithm>

namespace maskscope::ui {

ToolActions::ToolActions(const ActionContext& context, QObject* parent)
    : QObject(parent),
      context_(context),
      group_(new QActionGroup(this)),
      swap_(makeAction(context, {}, tr("S&wap label and background"), tr("X"), [this] { swapLabels(); })),
      hide_(makeAction(context, QStringLiteral("eyeoff"), tr("&Hide the masks"), tr("V"), [this] { hideMasks(); })) {
    for (const auto& info : toolCatalog()) {
        auto* action =
            makeAction(context, QLatin1String(info.icon), titleOf(info), QKeySequence(QLatin1String(info.key)),
                       [this, tool = info.tool] {
                           context_.session.edits().changeTools([tool](ToolState& state) { state.tool = tool; });
                           if (auto* canvas = context_.area.imageCanvas()) canvas->setFocus();
                       });
        action->setCheckable(true);
        group_->addAction(action);
        tools_[info.tool] = action;
    }
    constexpr int kDigits = 9;
    for (int digit = 1; digit <= kDigits; ++digit) {
        digits_ << makeAction(
            context, {}, tr("Label %1").arg(digit), QKeySequence(QString::number(digit)), [this, digit] {
                context_.session.edits().changeTools([digit](ToolState& state) { state.label = digit; });
            });
    }
    hide_->setCheckable(true);
    connect(&context_.session, &Session::currentChanged, this, &ToolActions::enable);
    connect(&context_.session, &Session::documentChanged, this, &ToolActions::enable);
    connect(&context_.session, &Session::overlayChanged, this, &ToolActions::enable);
    connect(&context_.session.edits(), &EditSession::toolsChanged, this, &ToolActions::enable);
    enable();
}

void ToolActions::fill(QMenu& menu) {
    for (const auto& info : toolCatalog()) menu.addAction(tools_.at(info.tool));
    menu.addSeparator();
    auto* labels = menu.addMenu(tr("&Label in hand"));
    labels->addActions(digits_);
    menu.addAction(swap_);
    menu.addAction(hide_);
}

void ToolActions::swapLabels() {
    const double now = context_.session.edits().tools().label;
    const double next = now == 0 && other_label_ == 0 ? 1 : other_label_;
    other_label_ = now;
    context_.session.edits().changeTools([next](ToolState& state) { state.label = next; });
}

void ToolActions::hideMasks() {
    const bool hidden = hide_->isChecked();
    context_.session.changeOverlay(context_.session.current(), [hidden](OverlayState& state) {
        for (auto& layer : state.layers) layer.visible = !hidden;
    });
}

void ToolActions::enable() {
    auto& session = context_.session;
    const EntryId id = session.current();
    const bool image = session.showsAsImage(id);
    const auto* state = session.overlay(id);
    const bool layers = image && state != nullptr && !state->layers.empty();
    for (const auto& [tool, action] : tools_) {
        const bool works = image && toolWorks(session, id, tool);
        action->setEnabled(works);
        action->setVisible(!infoOf(tool).attention || works);
        action->setChecked(session.edits().tools().tool == tool);
    }
    for (auto* action : std::as_const(digits_)) action->setEnabled(layers);
    swap_->setEnabled(layers);
    hide_->setEnabled(layers);
    hide_->setChecked(layers && std::none_of(state->layers.begin(), state->layers.end(),
                                             [](const LayerState& layer) { return layer.visible; }));
}

}  // namespace maskscope::ui
