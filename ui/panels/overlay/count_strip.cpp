// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/overlay/count_strip.h"

#include "ui/session/layer_labels.h"

#include <QCheckBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLocale>
#include <QPainter>

namespace maskscope::ui {

using render::Token;

namespace {

QString counted(std::int64_t number) {
    return QLocale(QLocale::English, QLocale::UnitedStates).toString(static_cast<qlonglong>(number));
}

}  // namespace

CountStrip::CountStrip(Session& session, Style& style, QWidget* parent)
    : QWidget(parent),
      session_(session),
      style_(style),
      layer_(new QLabel(this)),
      pixels_(new QLabel(this)),
      share_(new QLabel(this)),
      labels_(new QLabel(this)),
      outlines_(new QCheckBox(tr("Outlines"), this)),
      ids_(new QCheckBox(tr("Ids"), this)) {
    layer_->setProperty("type", "strong");
    for (auto* label : {pixels_, share_, labels_}) label->setProperty("tone", "text2");
    for (auto* label : {layer_, pixels_, share_, labels_}) {
        label->setTextFormat(Qt::PlainText);
        label->setMinimumWidth(1);
    }
    auto* row = new QHBoxLayout(this);
    for (auto* label : {layer_, pixels_, share_, labels_}) row->addWidget(label);
    row->addStretch(1);
    row->addWidget(outlines_);
    row->addWidget(ids_);
    connect(outlines_, &QCheckBox::clicked, this,
            [this](bool on) { session_.changeOverlay(id_, [on](OverlayState& state) { state.outlines = on; }); });
    connect(ids_, &QCheckBox::clicked, this,
            [this](bool on) { session_.changeOverlay(id_, [on](OverlayState& state) { state.ids = on; }); });
    style.follow(this, [this, row] {
        setFixedHeight(style_.px(32));
        row->setContentsMargins(style_.px(16), 0, style_.px(12), 0);
        row->setSpacing(style_.px(16));
        update();
    });
    connect(&LayerLabels::of(session), &LayerLabels::changed, this, &CountStrip::refresh);
    connect(&session, &Session::overlayChanged, this, [this](EntryId id) {
        if (id == id_) refresh();
    });
    refresh();
}

void CountStrip::setEntry(EntryId id) {
    id_ = id;
    refresh();
}

QString CountStrip::text() const {
    QStringList words;
    for (const auto* label : {layer_, pixels_, share_, labels_}) {
        if (!label->isHidden()) words << label->text();
    }
    return words.join(QStringLiteral(", "));
}

void CountStrip::refresh() {
    const auto* state = session_.overlay(id_);
    if (state != nullptr) {
        outlines_->setChecked(state->outlines);
        ids_->setChecked(state->ids);
    }
    const auto layer = activeLayer(session_, id_);
    const auto& labels = LayerLabels::of(session_);
    const bool here = layer && labels.image() == id_;
    layer_->setText(layer ? layerName(session_, *layer) : tr("No layer"));
    for (auto* label : {pixels_, share_, labels_}) label->setVisible(here);
    if (!here) return;
    if (!labels.problem().isEmpty()) {
        pixels_->setText(labels.problem());
        share_->hide();
        labels_->hide();
        return;
    }
    const auto size = session_.imageSize(layer->mask);
    const double all = static_cast<double>(size.rows) * static_cast<double>(size.cols);
    const auto cells = labels.cells();
    pixels_->setText(tr("%1 px").arg(counted(cells)));
    share_->setText(all > 0 ? tr("%1 % of the image").arg(100.0 * static_cast<double>(cells) / all, 0, 'f', 1)
                            : QString());
    const auto count = static_cast<int>(labels.labels().size());
    labels_->setText(labels.soft() ? tr("from %1").arg(layer->threshold, 0, 'f', 2)
                     : count == 1  ? tr("1 label")
                                   : tr("%1 labels").arg(counted(count)));
}

void CountStrip::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), style_.colour(Token::bg_panel));
    painter.fillRect(0, 0, width(), 1, style_.colour(Token::line));
}

}  // namespace maskscope::ui
