// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/labels/labels_panel.h"

#include "ui/kit/tab_bar.h"
#include "ui/panels/labels/label_table.h"
#include "ui/session/cell_readout.h"

#include <QHBoxLayout>
#include <QInputDialog>
#include <QItemSelectionModel>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QSpinBox>
#include <QVBoxLayout>
#include <QWidgetAction>

#include <algorithm>
#include <cmath>

namespace maskscope::ui {

LabelsPanel::LabelsPanel(Session& session, Style& style, QWidget* parent)
    : QWidget(parent),
      session_(session),
      style_(style),
      changes_(session),
      tabs_(new TabBar(style, TabBar::Kind::panels, this)),
      table_(new LabelTable(session, style, this)),
      note_(new QLabel(this)),
      new_(new QPushButton(tr("New label"), this)),
      merge_(new QPushButton(tr("Merge"), this)),
      relabel_(new QPushButton(tr("Relabel…"), this)),
      shape_(new QPushButton(tr("Shape"), this)),
      combine_(new QPushButton(tr("Combine"), this)),
      threshold_(new QPushButton(tr("Threshold to a mask"), this)),
      shape_menu_(new QMenu(this)) {
    setAttribute(Qt::WA_StyledBackground);
    setProperty("surface", "panel");
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(buildHeader());
    column->addWidget(table_, 1);
    buildShapeMenu();

    connect(table_, &LabelTable::seenClicked, this,
            [this](double label) { toggle(label, &LayerState::hidden_labels); });
    connect(table_, &LabelTable::lockClicked, this,
            [this](double label) { toggle(label, &LayerState::locked_labels); });
    connect(table_, &LabelTable::zoomClicked, this, &LabelsPanel::zoomRequested);
    connect(table_, &LabelTable::labelClicked, this, [this](double label) {
        if (table_->selected().size() != 1 || LayerLabels::of(session_).soft()) return;
        followed_ = label;
        session_.edits().changeTools([label](ToolState& state) { state.label = label; });
    });
    connect(table_->selectionModel(), &QItemSelectionModel::selectionChanged, this, &LabelsPanel::enable);
    connect(new_, &QPushButton::clicked, this, [this] {
        const auto label = changes_.takeFree();
        if (!label) emit failed(textOf(label.error().message.text()));
    });
    connect(merge_, &QPushButton::clicked, this, [this] {
        const auto labels = table_->selected();
        if (labels.size() < 2) return;
        const double in_hand = session_.edits().tools().label;
        const bool among = std::find(labels.begin(), labels.end(), in_hand) != labels.end();
        changes_.merge(labels, among ? in_hand : *std::min_element(labels.begin(), labels.end()));
    });
    connect(relabel_, &QPushButton::clicked, this, &LabelsPanel::askRelabel);
    connect(threshold_, &QPushButton::clicked, this, [this] { changes_.thresholdToMask(); });
    connect(&LayerLabels::of(session), &LayerLabels::changed, this, &LabelsPanel::refresh);
    connect(&session, &Session::overlayChanged, this, [this](EntryId id) {
        if (id == session_.current()) refresh();
    });
    connect(&session.edits(), &EditSession::toolsChanged, this, [this] {
        const double label = session_.edits().tools().label;
        if (label != followed_) {
            followed_ = label;
            table_->selectLabels({label});
        }
        table_->viewport()->update();
    });
    refresh();
}

QWidget* LabelsPanel::buildHeader() {
    auto* header = new QWidget(this);
    header->setProperty("surface", "panel");
    auto* row = new QHBoxLayout(header);
    tabs_->addTab(tr("Labels"));
    tabs_->setAccessibleName(tr("Bottom panels"));
    row->addWidget(tabs_);
    row->addStretch(1);
    note_->setProperty("type", "secondary");
    note_->setTextFormat(Qt::PlainText);
    row->addWidget(note_);
    for (auto* button : {new_, merge_, relabel_, shape_, combine_, threshold_}) {
        button->setProperty("kind", "small");
        button->setAccessibleName(button->text());
        button->setAutoDefault(false);
        row->addWidget(button);
    }
    new_->setIcon(style_.icon(QStringLiteral("plus")));
    merge_->setToolTip(tr("Give the selected labels one id: that of the label in hand, else the smallest"));
    shape_->setToolTip(tr("Dilate, erode, open, close, holes and islands of the selected label"));
    combine_->setToolTip(tr("The label in hand with another layer: unite, subtract, intersect"));
    threshold_->setToolTip(tr("A mask of its own: 1 from the layer's threshold on"));
    shape_->setMenu(shape_menu_);
    auto* combine = new QMenu(this);
    combine_->setMenu(combine);
    connect(combine, &QMenu::aboutToShow, this, [this, combine] { fillCombineMenu(*combine); });
    style_.follow(header, [this, header, row] {
        header->setFixedHeight(style_.px(32));
        row->setContentsMargins(0, 0, style_.px(8), 0);
        row->setSpacing(style_.px(6));
        new_->setIconSize({style_.px(10), style_.px(10)});
    });
    return header;
}

QSpinBox* LabelsPanel::addNumber(QMenu& menu, const QString& word, int least, int most, int value) {
    auto* line = new QWidget(&menu);
    auto* row = new QHBoxLayout(line);
    auto* label = new QLabel(word, line);
    auto* box = new QSpinBox(line);
    box->setRange(least, most);
    box->setValue(value);
    box->setSuffix(tr(" px"));
    box->setAccessibleName(word);
    row->addWidget(label, 1);
    row->addWidget(box);
    style_.follow(line, [this, row, box] {
        row->setContentsMargins(style_.px(30), style_.px(2), style_.px(12), style_.px(2));
        row->setSpacing(style_.px(12));
        box->setFixedSize(style_.px(72), style_.px(24));
    });
    auto* action = new QWidgetAction(&menu);
    action->setDefaultWidget(line);
    menu.addAction(action);
    return box;
}

void LabelsPanel::buildShapeMenu() {
    constexpr int kWidest = 512;
    constexpr int kLargestIsland = 1000000;
    auto& menu = *shape_menu_;
    radius_ = addNumber(menu, tr("Radius"), 1, kWidest, 1);
    const std::pair<mask::Morph, QString> ways[] = {{mask::Morph::dilate, tr("Dilate")},
                                                    {mask::Morph::erode, tr("Erode")},
                                                    {mask::Morph::open, tr("Open")},
                                                    {mask::Morph::close, tr("Close")}};
    for (const auto& [how, name] : ways) {
        menu.addAction(name, this, [this, how = how] {
            withChosen([&](double label) { changes_.morph(label, how, radius_->value()); });
        });
    }
    menu.addSeparator();
    menu.addAction(tr("Fill holes"), this, [this] { withChosen([this](double label) { changes_.fillHoles(label); }); });
    menu.addAction(tr("Keep the largest island"), this,
                   [this] { withChosen([this](double label) { changes_.keepLargest(label); }); });
    menu.addSeparator();
    island_ = addNumber(menu, tr("Islands below"), 2, kLargestIsland, 16);
    menu.addAction(tr("Delete small islands"), this, [this] {
        withChosen([this](double label) { changes_.removeIslandsBelow(label, island_->value()); });
    });
}

void LabelsPanel::fillCombineMenu(QMenu& menu) {
    menu.clear();
    const auto* state = session_.overlay(session_.current());
    const auto labels = chosen();
    if (state == nullptr || labels.size() != 1) return;
    const auto size = session_.imageSize(session_.current());
    for (int i = 0; i < static_cast<int>(state->layers.size()); ++i) {
        const auto layer = state->layers[static_cast<std::size_t>(i)];
        if (i == state->active || !(session_.imageSize(layer.mask) == size)) continue;
        auto* with = menu.addMenu(layerName(session_, layer));
        const auto add = [&](const QString& name, LabelChanges::Combine how) {
            with->addAction(name, this,
                            [this, layer, how, label = labels.front()] { changes_.combine(label, layer, how); });
        };
        add(tr("Unite"), LabelChanges::Combine::unite);
        add(tr("Subtract"), LabelChanges::Combine::subtract);
        add(tr("Intersect"), LabelChanges::Combine::intersect);
    }
    if (menu.isEmpty()) menu.addAction(tr("No other layer of this size"))->setEnabled(false);
}

std::vector<double> LabelsPanel::chosen() const {
    auto labels = table_->selected();
    const double in_hand = session_.edits().tools().label;
    if (labels.empty() && LayerLabels::of(session_).find(in_hand) != nullptr) labels.push_back(in_hand);
    return labels;
}

void LabelsPanel::withChosen(const std::function<void(double)>& what) {
    if (const auto labels = chosen(); labels.size() == 1) what(labels.front());
}

void LabelsPanel::toggle(double label, std::set<std::int64_t> LayerState::*which) {
    session_.changeOverlay(session_.current(), [&](OverlayState& state) {
        if (state.active < 0 || state.active >= static_cast<int>(state.layers.size())) return;
        auto& set = state.layers[static_cast<std::size_t>(state.active)].*which;
        const auto id = std::llround(label);
        if (!set.erase(id)) set.insert(id);
    });
}

void LabelsPanel::askRelabel() {
    const auto labels = chosen();
    if (labels.size() != 1) return;
    constexpr int kLargest = 2147483647;
    bool fine = false;
    const int to =
        QInputDialog::getInt(this, tr("Relabel"), tr("New id for label %1 (0 erases it)").arg(labels.front()),
                             static_cast<int>(labels.front()), 0, kLargest, 1, &fine);
    if (fine) changes_.relabel(labels.front(), to);
}

void LabelsPanel::setUnder(std::optional<double> label) {
    table_->labels().setUnder(label);
}

void LabelsPanel::refresh() {
    const auto before = table_->selected();
    table_->labels().refresh();
    if (table_->selected().empty() && !before.empty()) table_->selectLabels(before);
    const auto& labels = LayerLabels::of(session_);
    const auto count = labels.labels().size();
    tabs_->setTabText(0, count > 0 ? tr("Labels  %1").arg(count) : tr("Labels"));
    enable();
}

void LabelsPanel::enable() {
    const auto& labels = LayerLabels::of(session_);
    const bool layer = activeLayer(session_, session_.current()).has_value();
    const auto problem = changes_.problem();
    const bool works = problem.isEmpty() && !labels.soft();
    const auto selected = table_->selected().size();
    note_->setText(!problem.isEmpty()            ? problem
                   : labels.soft()               ? tr("A soft mask has shares, not labels")
                   : !labels.problem().isEmpty() ? labels.problem()
                                                 : QString());
    const auto* mask = session_.document().find(labels.mask());
    const bool several = mask != nullptr && mask->item.dtype != DType::boolean;
    new_->setEnabled(works && several);
    merge_->setEnabled(works && selected >= 2);
    relabel_->setEnabled(works && several && chosen().size() == 1);
    shape_->setEnabled(works && chosen().size() == 1);
    const auto* state = session_.overlay(session_.current());
    combine_->setEnabled(works && chosen().size() == 1 && state != nullptr && state->layers.size() > 1);
    for (auto* button : {new_, merge_, relabel_, shape_, combine_}) button->setVisible(!labels.soft());
    threshold_->setVisible(layer && labels.soft());
    threshold_->setEnabled(problem.isEmpty());
}

}  // namespace maskscope::ui
