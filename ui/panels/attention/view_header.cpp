// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/attention/view_header.h"

#include "ui/kit/tool_button.h"
#include "ui/kit/value_label.h"
#include "ui/kit/view_title.h"
#include "ui/session/cell_readout.h"

#include <QComboBox>
#include <QFrame>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>

#include <algorithm>
#include <utility>

namespace maskscope::ui {

using render::Token;

namespace {
constexpr int kHeight = 40;
constexpr int kWideHeader = 760;  // narrower: the words beside the combo boxes go
}  // namespace

ViewHeader::ViewHeader(Session& session, Style& style, QWidget* parent)
    : QWidget(parent),
      session_(session),
      style_(style),
      title_(new ViewTitle(style, this)),
      rows_label_(new QLabel(tr("Rows"), this)),
      cols_label_(new QLabel(tr("Columns"), this)),
      rows_(new QComboBox(this)),
      cols_(new QComboBox(this)),
      pitch_(new ValueLabel(style, QStringLiteral("0.00 px"), this)),
      all_(new IconButton(style, QStringLiteral("back"), tr("Show strip and profile again"), this)) {
    rows_->setAccessibleName(tr("Dimension along the rows"));
    cols_->setAccessibleName(tr("Dimension along the columns"));
    rows_label_->setBuddy(rows_);
    cols_label_->setBuddy(cols_);
    for (auto* label : {rows_label_, cols_label_}) label->setProperty("tone", "text2");
    pitch_->setAlignment(Qt::AlignCenter);
    pitch_->setToolTip(tr("Size of a cell in device pixels"));
    auto* line = new QFrame(this);
    auto* minus = new IconButton(style, QStringLiteral("minus"), tr("Zoom out (−)"), this);
    auto* plus = new IconButton(style, QStringLiteral("plus"), tr("Zoom in (+)"), this);
    auto* whole = new IconButton(style, QStringLiteral("fit"), tr("Fit the whole slice (Ctrl+F)"), this);
    auto* save = new IconButton(style, QStringLiteral("export"), tr("Export the picture"), this);
    connect(minus, &QToolButton::clicked, this, [this] { emit zoomRequested(-1); });
    connect(plus, &QToolButton::clicked, this, [this] { emit zoomRequested(1); });
    connect(whole, &QToolButton::clicked, this, &ViewHeader::fitRequested);
    connect(save, &QToolButton::clicked, this, &ViewHeader::exportRequested);
    connect(all_, &QToolButton::clicked, this, &ViewHeader::allRequested);
    connect(rows_, &QComboBox::activated, this, [this](int dim) { chooseAxis(true, dim); });
    connect(cols_, &QComboBox::activated, this, [this](int dim) { chooseAxis(false, dim); });

    auto* row = new QHBoxLayout(this);
    row->addWidget(all_);
    row->addWidget(title_, 1);
    row->addWidget(rows_label_);
    row->addWidget(rows_);
    row->addSpacing(4);
    row->addWidget(cols_label_);
    row->addWidget(cols_);
    row->addSpacing(4);
    row->addWidget(line);
    for (QWidget* widget : {static_cast<QWidget*>(minus), static_cast<QWidget*>(pitch_), static_cast<QWidget*>(plus),
                            static_cast<QWidget*>(whole), static_cast<QWidget*>(save)})
        row->addWidget(widget);
    all_->hide();

    style.follow(this, [this, row, line] {
        setFixedHeight(style_.px(kHeight));
        row->setContentsMargins(style_.px(16), 0, style_.px(12), 0);
        row->setSpacing(style_.px(6));
        line->setFixedSize(1, style_.px(20));
        line->setStyleSheet(QStringLiteral("background: %1").arg(style_.colour(Token::line).name()));
        for (auto* box : {rows_, cols_}) box->setFixedHeight(style_.px(24));
        makeRoom();
        refresh();
    });
    connect(&session_, &Session::viewChanged, this, [this](EntryId id) {
        if (id == id_) refresh();
    });
    connect(&session_, &Session::dataChanged, this, [this](EntryId id) {
        if (id == id_) refresh();
    });
    connect(&session_, &Session::documentChanged, this, [this] { fillAxes(); });
}

void ViewHeader::setEntry(EntryId id) {
    id_ = id;
    fillAxes();
    refresh();
}

void ViewHeader::fillAxes() {
    const auto* entry = session_.document().find(id_);
    for (auto* box : {rows_, cols_}) {
        box->clear();
        const int rank = entry != nullptr ? entry->item.shape.rank() : 0;
        for (int dim = 0; dim < rank; ++dim) box->addItem(dimName(*entry, dim));
        box->setEnabled(rank >= 2);
    }
    refresh();
}

void ViewHeader::refresh() {
    const auto* entry = session_.document().find(id_);
    const auto* state = session_.view(id_);
    if (entry == nullptr || state == nullptr) return;
    title_->setTitle(QString::fromStdString(entry->name), QString::fromStdString(slice_text(*state)));
    rows_->setCurrentIndex(state->row_dim);
    cols_->setCurrentIndex(state->col_dim);
    const auto& shape = entry->item.shape;
    std::vector<Badge> badges{badgeOf(entry->item.dtype), planeBadge(state->row_dim < 0 ? 1 : shape[state->row_dim],
                                                                     state->col_dim < 0 ? 1 : shape[state->col_dim])};
    if (const auto plane = session_.heatmap(id_); plane && plane->prepared()) {
        const auto nan = plane->stats().counts[static_cast<std::size_t>(render::CellState::nan)];
        if (nan > 0) badges.push_back(nanBadge(nan));
    }
    title_->setBadges(std::move(badges));
}

void ViewHeader::chooseAxis(bool rows, int dim) {
    session_.changeView(id_, [&](ViewState& state) {
        int& axis = rows ? state.row_dim : state.col_dim;
        int& other = rows ? state.col_dim : state.row_dim;
        if (axis == dim) return;
        if (other == dim) other = axis;  // the two change places
        axis = dim;
        state.fit = true;
        state.cursor.reset();
        state.cursor_pinned = false;
    });
    refresh();
}

void ViewHeader::setPitch(double pitch) {
    pitch_->setText(pitch >= 1 || pitch == 0 ? tr("%1 px").arg(pitch, 0, 'f', 0) : tr("%1 px").arg(pitch, 0, 'f', 2));
}

void ViewHeader::setIsolated(bool isolated) {
    all_->setVisible(isolated);
}

void ViewHeader::resizeEvent(QResizeEvent*) {
    makeRoom();
}

void ViewHeader::makeRoom() {
    const bool wide = width() >= style_.px(kWideHeader);
    rows_label_->setVisible(wide);
    cols_label_->setVisible(wide);
    for (auto* box : {rows_, cols_}) box->setFixedWidth(style_.px(wide ? 86 : 72));
}

void ViewHeader::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), style_.colour(Token::bg_panel));
    painter.fillRect(0, height() - 1, width(), 1, style_.colour(Token::line));
}

}  // namespace maskscope::ui
