// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/inspector/inspector_panel.h"

#include "ui/kit/cards.h"
#include "ui/kit/tool_button.h"
#include "ui/panels/inspector/cell_part.h"
#include "ui/panels/inspector/colour_part.h"
#include "ui/panels/inspector/dimensions_part.h"
#include "ui/panels/inspector/file_part.h"
#include "ui/panels/inspector/header_part.h"
#include "ui/panels/inspector/image_part.h"
#include "ui/panels/inspector/mask_part.h"
#include "ui/panels/inspector/statistics_part.h"

#include <QFrame>
#include <QScrollArea>
#include <QVBoxLayout>

namespace maskscope::ui {

InspectorPanel::InspectorPanel(Session& session, Style& style, QWidget* parent)
    : QWidget(parent), session_(session), style_(style) {
    setAttribute(Qt::WA_StyledBackground);
    setProperty("surface", "panel");
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(new PanelHeader(style, tr("Inspector"), this));

    nothing_ = new QWidget(this);
    auto* empty = new QVBoxLayout(nothing_);
    empty->addWidget(new EmptyCard(style, QStringLiteral("tensor"), tr("Nothing is shown"),
                                   tr("Open a tensor to see its dimensions, colours, mask and cells here"), nothing_));
    empty->addStretch(1);
    layout->addWidget(nothing_, 1);

    auto* scroll = new QScrollArea(this);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    auto* inside = new QWidget;
    inside->setAttribute(Qt::WA_StyledBackground);
    inside->setProperty("surface", "panel");
    auto* column = new QVBoxLayout(inside);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    parts_ = {{new HeaderPart(session, style, inside), nullptr, true, true},
              {new ImagePart(session, style, inside), nullptr, false, true},
              {new DimensionsPart(session, style, inside), nullptr, true, false},
              {new ColourPart(session, style, inside), nullptr, true, false},
              {new MaskPart(session, style, inside), nullptr, true, false},
              {new CellPart(session, style, inside), nullptr, true, false},
              {new StatisticsPart(session, style, inside), nullptr, true, false},
              {new FilePart(session, style, inside), nullptr, true, true}};
    for (auto& [part, below, tensors, images] : parts_) {
        column->addWidget(part);
        auto* line = new QFrame(inside);
        line->setFixedHeight(1);
        style.follow(line, [line, &style] {
            auto palette = line->palette();
            palette.setColor(QPalette::Window, style.colour(render::Token::line));
            line->setPalette(palette);
            line->setAutoFillBackground(true);
        });
        column->addWidget(line);
        below = line;
    }
    column->addStretch(1);
    scroll->setWidget(inside);
    layout->addWidget(scroll, 1);
    content_ = scroll;

    style.follow(this, [this, empty] {
        setMinimumWidth(style_.px(296));
        empty->setContentsMargins(style_.px(12), style_.px(12), style_.px(12), style_.px(12));
    });
    const auto tell = [this](Change change) {
        return [this, change](EntryId id) {
            if (id == session_.current()) refresh(change);
        };
    };
    connect(&session, &Session::currentChanged, this, &InspectorPanel::showEntry);
    connect(&session, &Session::viewChanged, this, [this](EntryId id) {
        if (id == session_.current() && isNewView()) refresh(Change::view);
    });
    connect(&session, &Session::cursorChanged, this, tell(Change::cursor));
    connect(&session, &Session::dataChanged, this, tell(Change::data));
    connect(&session, &Session::documentChanged, this, [this] { refresh(Change::document); });
    showEntry(session.current());
}

InspectorPanel::~InspectorPanel() = default;

void InspectorPanel::showEntry(EntryId id) {
    const bool some = session_.document().find(id) != nullptr && session_.view(id) != nullptr;
    content_->setVisible(some);
    nothing_->setVisible(!some);
    if (!some) return;
    isNewView();
    const bool image = session_.showsAsImage(id);
    for (const auto& place : parts_) {
        const bool shown = isShown(place, image);
        place.part->setVisible(shown);
        place.line->setVisible(shown);
        if (shown) place.part->setEntry(id);
    }
}

// Panning and zooming change nothing that stands here.
bool InspectorPanel::isNewView() {
    auto view = *session_.view(session_.current());
    view.viewport = {};
    view.fit = true;
    view.cursor.reset();
    view.cursor_pinned = false;
    if (seen_ == view) return false;
    seen_ = std::move(view);
    return true;
}

void InspectorPanel::refresh(Change change) {
    if (!content_->isVisibleTo(this)) return;
    const bool image = session_.showsAsImage(session_.current());
    for (const auto& place : parts_) {
        if (isShown(place, image)) place.part->refresh(change);
    }
}

}  // namespace maskscope::ui
