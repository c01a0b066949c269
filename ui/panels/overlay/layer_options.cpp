// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/overlay/layer_options.h"

#include "ui/kit/value_slider.h"
#include "ui/panels/overlay/option_row.h"
#include "ui/session/cell_readout.h"
#include "ui/session/layer_labels.h"

#include <QComboBox>
#include <QLabel>
#include <QSignalBlocker>
#include <QVBoxLayout>

namespace maskscope::ui {

using render::ResizeRule;

LayerOptions::LayerOptions(Session& session, Style& style, QWidget* parent)
    : QWidget(parent),
      session_(session),
      style_(style),
      hatch_(new QComboBox(this)),
      threshold_(new ValueSlider(style, tr("Threshold"), ValueSlider::Grain::linear, this)),
      resize_(new QComboBox(this)),
      with_(new QComboBox(this)),
      resize_about_(new QLabel(this)) {
    auto* rows = new QVBoxLayout(this);
    const auto add = [&](const QString& word, QWidget* control) {
        auto* row = new OptionRow(style, word, control, this);
        rows->addWidget(row);
        return row;
    };
    with_row_ = add(tr("Against"), with_);
    hatch_row_ = add(tr("Hatch"), hatch_);
    threshold_row_ = add(tr("From"), threshold_);
    resize_row_ = add(tr("Resize"), resize_);
    rows->addWidget(resize_about_);
    resize_about_->setProperty("type", "secondary");
    resize_about_->setWordWrap(true);
    hatch_->addItems({tr("None"), tr("Rising"), tr("Falling")});
    hatch_->setAccessibleName(tr("Hatch of the layer"));
    resize_->setAccessibleName(tr("How the layer is brought to the image's size"));
    with_->setAccessibleName(tr("Layer to compare with"));
    threshold_->setToolTip(tr("Shares from this on are mask"));
    threshold_->setBoxWidth(60);
    for (auto* box : {hatch_, resize_, with_}) box->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    connect(hatch_, &QComboBox::activated, this, [this](int hatch) {
        change([hatch](LayerState& layer) { layer.hatch = static_cast<render::Hatch>(hatch); });
    });
    connect(threshold_, &ValueSlider::valueChanged, this,
            [this](double value) { change([value](LayerState& layer) { layer.threshold = value; }); });
    connect(resize_, &QComboBox::activated, this, [this](int row) {
        const auto rule = static_cast<ResizeRule>(resize_->itemData(row).toInt());
        change([rule](LayerState& layer) { layer.resize = rule; });
    });
    connect(with_, &QComboBox::activated, this, [this](int row) {
        session_.changeOverlay(id_,
                               [this, row](OverlayState& state) { state.compare_with = with_->itemData(row).toInt(); });
    });
    style.follow(this, [this, rows] {
        rows->setContentsMargins(style_.px(8), style_.px(8), style_.px(8), style_.px(8));
        rows->setSpacing(style_.px(4));
        for (auto* box : {hatch_, resize_, with_}) box->setFixedHeight(style_.px(24));
    });
    connect(&session, &Session::overlayChanged, this, [this](EntryId id) {
        if (id == id_) refresh();
    });
    connect(&session, &Session::documentChanged, this, &LayerOptions::refresh);
    refresh();
}

void LayerOptions::setEntry(EntryId id) {
    id_ = id;
    refresh();
}

void LayerOptions::change(const std::function<void(LayerState&)>& what) {
    session_.changeOverlay(id_, [&](OverlayState& state) {
        if (state.active >= 0 && state.active < static_cast<int>(state.layers.size()))
            what(state.layers[static_cast<std::size_t>(state.active)]);
    });
}

void LayerOptions::refresh() {
    const auto* state = session_.overlay(id_);
    const auto layer = activeLayer(session_, id_);
    const auto* mask = layer ? session_.document().find(layer->mask) : nullptr;
    setVisible(mask != nullptr);
    if (mask == nullptr) return;
    const bool soft = is_floating(mask->item.dtype);
    const auto size = session_.imageSize(id_);
    const auto own = session_.imageSize(layer->mask);
    const bool other_size = size.rows != own.rows || size.cols != own.cols;

    with_row_->setVisible(state->compare != CompareMode::none);
    with_->clear();
    with_->addItem(tr("The bare image"), -1);
    for (int i = 0; i < static_cast<int>(state->layers.size()); ++i) {
        if (i == state->active) continue;
        with_->addItem(layerName(session_, state->layers[static_cast<std::size_t>(i)]), i);
    }
    with_->setCurrentIndex(std::max(0, with_->findData(state->compare_with)));

    hatch_->setCurrentIndex(static_cast<int>(layer->hatch));
    threshold_row_->setVisible(soft);
    threshold_->setValue(layer->threshold);
    resize_row_->setVisible(other_size);
    resize_about_->setVisible(other_size);
    resize_->clear();
    for (const auto rule :
         {ResizeRule::nearest_exact, ResizeRule::nearest, ResizeRule::bilinear, ResizeRule::bilinear_corners}) {
        const bool smooth = rule == ResizeRule::bilinear || rule == ResizeRule::bilinear_corners;
        if (!smooth || soft) resize_->addItem(textOf(render::name_of(rule)), static_cast<int>(rule));
    }
    resize_->setCurrentIndex(std::max(0, resize_->findData(static_cast<int>(layer->resize))));
    resize_about_->setText(textOf(render::about(layer->resize)));
}

}  // namespace maskscope::ui
