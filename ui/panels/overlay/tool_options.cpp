// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/overlay/tool_options.h"

#include "core/mask/labels.h"
#include "ui/kit/label_swatch.h"
#include "ui/kit/segmented.h"
#include "ui/kit/tool_button.h"
#include "ui/kit/value_slider.h"
#include "ui/panels/overlay/option_row.h"
#include "ui/panels/overlay/tool_catalog.h"
#include "ui/session/layer_labels.h"

#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QSignalBlocker>
#include <QSlider>
#include <QSpinBox>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace maskscope::ui {

namespace {

constexpr int kMostLabels = 512;  // a list longer than that is no help; the table has them all
constexpr int kWidestBand = 1 << 20;

}  // namespace

ToolOptions::ToolOptions(Session& session, Style& style, QWidget* parent)
    : QWidget(parent),
      session_(session),
      style_(style),
      header_(new PanelHeader(style, tr("Tool"), this)),
      key_(new QLabel(this)),
      rows_(new QVBoxLayout),
      label_(new QComboBox(this)),
      value_(new ValueSlider(style, tr("Value painted"), ValueSlider::Grain::linear, this)),
      shape_(new Segmented(style, tr("Shape"), {tr("Round"), tr("Square")}, this)),
      size_(new ValueSlider(style, tr("Size"), ValueSlider::Grain::logarithmic, this)),
      fill_by_(new Segmented(style, tr("Fill by"), {tr("Label"), tr("Image")}, this)),
      tolerance_(new ValueSlider(style, tr("Tolerance"), ValueSlider::Grain::linear, this)),
      neighbours_(new Segmented(style, tr("Neighbours"), {tr("4"), tr("8")}, this)),
      lower_(new QSpinBox(this)),
      upper_(new QSpinBox(this)),
      anywhere_(new QCheckBox(tr("Anywhere in the image"), this)),
      empty_only_(new QCheckBox(tr("Empty pixels only"), this)),
      hint_(new QLabel(this)) {
    key_->setProperty("tone", "text2");
    header_->addWidget(key_);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(header_);
    column->addLayout(rows_);
    build();
    style.follow(this, [this] {
        rows_->setContentsMargins(style_.px(8), style_.px(8), style_.px(8), style_.px(8));
        rows_->setSpacing(style_.px(4));
        label_->setFixedHeight(style_.px(24));
        label_->setIconSize({style_.px(12), style_.px(12)});
        for (auto* box : {lower_, upper_}) box->setFixedHeight(style_.px(24));
        fillLabels();
    });
    connect(&session.edits(), &EditSession::toolsChanged, this, &ToolOptions::refresh);
    connect(&LayerLabels::of(session), &LayerLabels::changed, this, &ToolOptions::fillLabels);
    connect(&session, &Session::overlayChanged, this, [this](EntryId id) {
        if (id == id_) fillLabels();
    });
    refresh();
}

QWidget* ToolOptions::addRow(const QString& word, QWidget* control) {
    auto* row = new OptionRow(style_, word, control, this);
    rows_->addWidget(row);
    return row;
}

void ToolOptions::build() {
    label_->setAccessibleName(tr("Label painted"));
    label_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    label_row_ = addRow(tr("Label"), label_);
    value_row_ = addRow(tr("Value"), value_);
    shape_row_ = addRow(tr("Shape"), shape_);
    size_row_ = addRow(tr("Size"), size_);
    fill_by_row_ = addRow(tr("Fill by"), fill_by_);
    tolerance_row_ = addRow(tr("Tolerance"), tolerance_);
    neighbours_row_ = addRow(tr("Joined by"), neighbours_);
    lower_row_ = addRow(tr("From"), lower_);
    upper_row_ = addRow(tr("To"), upper_);
    rows_->addWidget(anywhere_);
    rows_->addWidget(empty_only_);
    rows_->addWidget(hint_);
    hint_->setProperty("type", "secondary");
    hint_->setWordWrap(true);
    value_->setRange(0, 1, 2, 0.05);
    size_->setRange(1, mask::kMaxBrushSize, 0, 1);
    size_->setSuffix(tr(" px"));
    size_->setBoxWidth(72);
    tolerance_->setRange(0, 255, 0, 1);
    neighbours_->setChoiceToolTip(0, tr("Pixels that share an edge"));
    neighbours_->setChoiceToolTip(1, tr("Pixels that share an edge or a corner"));
    for (auto* box : {lower_, upper_}) {
        box->setRange(-kWidestBand, kWidestBand);
        box->setKeyboardTracking(false);
        box->setToolTip(tr("Key minus query: 0 is the diagonal, below 0 what came before"));
    }
    lower_->setAccessibleName(tr("Band from"));
    upper_->setAccessibleName(tr("Band to"));

    connect(label_, &QComboBox::activated, this, &ToolOptions::chooseLabel);
    connect(value_, &ValueSlider::valueChanged, this,
            [this](double value) { change([value](ToolState& state) { state.label = value; }); });
    connect(shape_, &Segmented::chosen, this, [this](int shape) {
        change([shape](ToolState& state) { state.brush.shape = static_cast<mask::BrushShape>(shape); });
    });
    connect(size_, &ValueSlider::valueChanged, this, [this](double size) {
        change([size](ToolState& state) { state.brush.size = static_cast<int>(std::lround(size)); });
    });
    connect(fill_by_, &Segmented::chosen, this,
            [this](int by) { change([by](ToolState& state) { state.fill_by_image = by == 1; }); });
    connect(tolerance_, &ValueSlider::valueChanged, this,
            [this](double value) { change([value](ToolState& state) { state.tolerance = value; }); });
    connect(neighbours_, &Segmented::chosen, this, [this](int which) {
        change([which](ToolState& state) { state.neighbours = static_cast<mask::Neighbours>(which); });
    });
    connect(lower_, &QSpinBox::valueChanged, this,
            [this](int value) { change([value](ToolState& state) { state.band_lower = value; }); });
    connect(upper_, &QSpinBox::valueChanged, this,
            [this](int value) { change([value](ToolState& state) { state.band_upper = value; }); });
    connect(anywhere_, &QCheckBox::clicked, this,
            [this](bool on) { change([on](ToolState& state) { state.anywhere = on; }); });
    connect(empty_only_, &QCheckBox::clicked, this,
            [this](bool on) { change([on](ToolState& state) { state.empty_only = on; }); });
}

void ToolOptions::change(const std::function<void(ToolState&)>& what) {
    session_.edits().changeTools(what);
}

void ToolOptions::setEntry(EntryId id) {
    id_ = id;
    fillLabels();
}

void ToolOptions::fillLabels() {
    const auto layer = activeLayer(session_, id_);
    const QSignalBlocker quiet(label_);
    label_->clear();
    if (layer) {
        const double in_hand = session_.edits().tools().label;
        std::vector<double> labels{in_hand};
        for (const auto& one : LayerLabels::of(session_).labels()) {
            if (static_cast<int>(labels.size()) < kMostLabels) labels.push_back(one.label);
        }
        std::sort(labels.begin(), labels.end());
        labels.erase(std::unique(labels.begin(), labels.end()), labels.end());
        const double ratio = devicePixelRatioF();
        for (const double label : labels) {
            label_->addItem(labelSwatch(style_, label, ratio), labelName(session_, layer->mask, layer->plane, label),
                            label);
            if (label == in_hand) label_->setCurrentIndex(label_->count() - 1);
        }
        const auto* entry = session_.document().find(layer->mask);
        if (entry != nullptr && entry->item.dtype != DType::boolean)
            label_->addItem(style_.icon(QStringLiteral("plus")), tr("New label"));
    }
    refresh();
}

void ToolOptions::chooseLabel(int row) {
    const auto label = label_->itemData(row);
    if (label.isValid()) {
        change([&](ToolState& state) { state.label = label.toDouble(); });
        return;
    }
    const auto layer = activeLayer(session_, id_);
    const auto* plane = layer ? session_.edits().plane(layer->mask, layer->plane) : nullptr;
    if (plane == nullptr) return fillLabels();
    const auto free = mask::free_label(*plane);
    if (free) {
        const double unused = mask::value_of(*free, plane->dtype());
        change([unused](ToolState& state) { state.label = unused; });
    }
    fillLabels();
}

void ToolOptions::refresh() {
    const auto& state = session_.edits().tools();
    const auto& info = infoOf(state.tool);
    const auto layer = activeLayer(session_, id_);
    const bool soft = layer && isSoft(session_, layer->mask);
    header_->setTitle(titleOf(info));
    key_->setText(QLatin1String(info.key));

    const Tool tool = state.tool;
    const bool looks = tool == Tool::pan || tool == Tool::pick;
    const bool paints = !looks && tool != Tool::eraser;
    const bool sized = tool == Tool::brush || tool == Tool::eraser || tool == Tool::line;
    const bool by_image = tool == Tool::wand || (tool == Tool::fill && state.fill_by_image);
    label_row_->setVisible(paints && !soft);
    value_row_->setVisible(paints && soft);
    shape_row_->setVisible(sized);
    size_row_->setVisible(sized);
    fill_by_row_->setVisible(tool == Tool::fill);
    tolerance_row_->setVisible(by_image);
    neighbours_row_->setVisible(tool == Tool::fill || tool == Tool::wand);
    lower_row_->setVisible(tool == Tool::band);
    upper_row_->setVisible(tool == Tool::band);
    anywhere_->setVisible(tool == Tool::wand);
    empty_only_->setVisible(paints);
    const auto problem = layer ? session_.edits().problem(layer->mask) : QString();
    hint_->setText(!layer && !looks                   ? tr("Make a mask for this image, or open one, to paint on")
                   : !problem.isEmpty() && !looks     ? problem
                   : layer && layer->locked && !looks ? tr("The layer is locked")
                                                      : hintOf(info));

    if (const int at = label_->findData(state.label); at >= 0) {
        const QSignalBlocker quiet(label_);
        label_->setCurrentIndex(at);
    } else if (layer && label_->count() > 0 && !soft) {
        label_->insertItem(0, labelSwatch(style_, state.label, devicePixelRatioF()),
                           labelName(session_, layer->mask, layer->plane, state.label), state.label);
        label_->setCurrentIndex(0);
    }
    value_->setValue(state.label);
    shape_->setCurrent(static_cast<int>(state.brush.shape));
    size_->setValue(state.brush.size);
    fill_by_->setCurrent(state.fill_by_image ? 1 : 0);
    tolerance_->setValue(state.tolerance);
    neighbours_->setCurrent(static_cast<int>(state.neighbours));
    const QSignalBlocker quiet_lower(lower_);
    const QSignalBlocker quiet_upper(upper_);
    lower_->setValue(state.band_lower);
    upper_->setValue(state.band_upper);
    anywhere_->setChecked(state.anywhere);
    empty_only_->setChecked(state.empty_only);
}

}  // namespace maskscope::ui
