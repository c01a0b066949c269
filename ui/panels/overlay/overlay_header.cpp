// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/overlay/overlay_header.h"

#include "ui/kit/segmented.h"
#include "ui/kit/tool_button.h"
#include "ui/kit/value_label.h"
#include "ui/kit/view_title.h"
#include "ui/session/cell_readout.h"

#include <QFrame>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QSignalBlocker>
#include <QSlider>

#include <algorithm>
#include <cmath>
#include <utility>

namespace maskscope::ui {

using render::Token;

namespace {

constexpr int kHeight = 40;
constexpr int kWideHeader = 720;  // narrower: the word beside the slider goes

QFrame* divider(Style& style, QWidget* parent) {
    auto* line = new QFrame(parent);
    line->setProperty("surface", "line");
    style.follow(line, [line, &style] {
        line->setFixedSize(1, style.px(20));
        line->setStyleSheet(QStringLiteral("background: %1").arg(style.colour(Token::line).name()));
    });
    return line;
}

}  // namespace

OverlayHeader::OverlayHeader(Session& session, Style& style, QWidget* parent)
    : QWidget(parent),
      session_(session),
      style_(style),
      title_(new ViewTitle(style, this)),
      mode_(new Segmented(style, tr("Mode"), {tr("Edit"), tr("Wipe"), tr("Flicker")}, this)),
      opacity_label_(new QLabel(tr("Opacity"), this)),
      opacity_(new QSlider(Qt::Horizontal, this)),
      opacity_value_(new ValueLabel(style, QStringLiteral("100 %"), this)),
      pitch_(new ValueLabel(style, QStringLiteral("6400 %"), this)),
      rulers_(new IconButton(style, QStringLiteral("ruler"), tr("Rulers"), this)) {
    mode_->setChoiceToolTip(1, tr("Another layer, or the bare image, left of a line that you drag"));
    mode_->setChoiceToolTip(2, tr("Another layer, or the bare image, in turn with the active one"));
    opacity_label_->setProperty("tone", "text2");
    opacity_label_->setBuddy(opacity_);
    opacity_->setAccessibleName(tr("Opacity of the masks"));
    opacity_->setRange(0, 100);
    opacity_->setPageStep(10);
    pitch_->setAlignment(Qt::AlignCenter);
    pitch_->setToolTip(tr("Device pixels an image pixel"));
    rulers_->setCheckable(true);
    auto* minus = new IconButton(style, QStringLiteral("minus"), tr("Zoom out (−)"), this);
    auto* plus = new IconButton(style, QStringLiteral("plus"), tr("Zoom in (+)"), this);
    auto* whole = new IconButton(style, QStringLiteral("fit"), tr("Fit the whole image (Ctrl+F)"), this);
    auto* save = new IconButton(style, QStringLiteral("export"), tr("Export the picture"), this);
    connect(minus, &QToolButton::clicked, this, [this] { emit zoomRequested(-1); });
    connect(plus, &QToolButton::clicked, this, [this] { emit zoomRequested(1); });
    connect(whole, &QToolButton::clicked, this, &OverlayHeader::fitRequested);
    connect(save, &QToolButton::clicked, this, &OverlayHeader::exportRequested);
    connect(mode_, &Segmented::chosen, this, &OverlayHeader::setMode);
    connect(opacity_, &QSlider::valueChanged, this, [this](int percent) {
        session_.changeOverlay(id_, [percent](OverlayState& state) { state.opacity = percent / 100.0; });
    });
    connect(rulers_, &QToolButton::clicked, this,
            [this](bool on) { session_.changeOverlay(id_, [on](OverlayState& state) { state.rulers = on; }); });

    auto* row = new QHBoxLayout(this);
    row->addWidget(title_, 1);
    row->addWidget(mode_);
    row->addWidget(divider(style, this));
    row->addWidget(opacity_label_);
    row->addWidget(opacity_);
    row->addWidget(opacity_value_);
    row->addWidget(divider(style, this));
    for (QWidget* widget : {static_cast<QWidget*>(minus), static_cast<QWidget*>(pitch_), static_cast<QWidget*>(plus),
                            static_cast<QWidget*>(whole), static_cast<QWidget*>(rulers_), static_cast<QWidget*>(save)})
        row->addWidget(widget);
    style.follow(this, [this, row] {
        setFixedHeight(style_.px(kHeight));
        row->setContentsMargins(style_.px(16), 0, style_.px(12), 0);
        row->setSpacing(style_.px(6));
        makeRoom();
        refresh();
    });
    const auto ofThis = [this](EntryId id) {
        if (id == id_) refresh();
    };
    connect(&session_, &Session::overlayChanged, this, ofThis);
    connect(&session_, &Session::dataChanged, this, ofThis);
    connect(&session_, &Session::documentChanged, this, &OverlayHeader::refresh);
}

void OverlayHeader::setEntry(EntryId id) {
    id_ = id;
    refresh();
}

void OverlayHeader::setPitch(double pitch) {
    const double percent = pitch * 100;
    pitch_->setText(percent >= 10 || percent == 0 ? tr("%1 %").arg(percent, 0, 'f', 0)
                                                  : tr("%1 %").arg(percent, 0, 'f', 1));
}

void OverlayHeader::setMode(int mode) {
    session_.changeOverlay(id_, [mode](OverlayState& state) { state.compare = static_cast<CompareMode>(mode); });
}

void OverlayHeader::refresh() {
    const auto* entry = session_.document().find(id_);
    const auto* state = session_.overlay(id_);
    if (entry == nullptr || state == nullptr) return;
    const auto& shape = entry->item.shape;
    // Leading dims of a stack of planes are no part of the size; a trailing one of up to four is channels.
    const bool channels =
        entry->role.value == document::Role::image && shape.rank() >= 3 && shape[shape.rank() - 1] <= 4;
    const int last = shape.rank() - (channels ? 2 : 1);
    std::vector<Badge> badges{badgeOf(entry->item.dtype)};
    if (last >= 1) badges.push_back(planeBadge(shape[last - 1], shape[last]));
    title_->setTitle(textOf(entry->name));
    title_->setBadges(std::move(badges));
    mode_->setCurrent(static_cast<int>(state->compare));
    const bool comparable = !state->layers.empty();
    mode_->setChoiceEnabled(1, comparable);
    mode_->setChoiceEnabled(2, comparable);
    const QSignalBlocker quiet(opacity_);
    const int percent = static_cast<int>(std::lround(state->opacity * 100));
    opacity_->setValue(percent);
    opacity_value_->setText(tr("%1 %").arg(percent));
    rulers_->setChecked(state->rulers);
}

void OverlayHeader::resizeEvent(QResizeEvent*) {
    makeRoom();
}

void OverlayHeader::makeRoom() {
    const bool wide = width() >= style_.px(kWideHeader);
    opacity_label_->setVisible(wide);
    opacity_->setFixedWidth(style_.px(wide ? 88 : 56));
}

void OverlayHeader::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), style_.colour(Token::bg_panel));
    painter.fillRect(0, height() - 1, width(), 1, style_.colour(Token::line));
}

}  // namespace maskscope::ui
