// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/labels/label_table.h"

#include "ui/kit/label_swatch.h"

#include <QHeaderView>
#include <QItemSelectionModel>
#include <QKeyEvent>
#include <QPainter>
#include <QStyledItemDelegate>

#include <algorithm>
#include <cmath>

namespace maskscope::ui {

using render::Token;

namespace {

constexpr int kRowHeight = 24;
constexpr int kBarHeight = 7;

class LabelDelegate : public QStyledItemDelegate {
public:
    LabelDelegate(Style& style, QObject* parent) : QStyledItemDelegate(parent), style_(style) {}

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        painter->save();
        const bool chosen = option.state.testFlag(QStyle::State_Selected);
        const bool under =
            index.data(LabelModel::under_role).toBool() || option.state.testFlag(QStyle::State_MouseOver);
        if (chosen || under)
            painter->fillRect(option.rect, style_.colour(chosen ? Token::bg_selected : Token::bg_hover));
        painter->fillRect(option.rect.left(), option.rect.bottom(), option.rect.width(), 1, style_.colour(Token::line));
        auto room = option.rect.adjusted(style_.px(8), 0, -style_.px(8), -1);
        switch (index.column()) {
            case LabelModel::seen:
            case LabelModel::locked:
                paintSwitch(*painter, option.rect, index);
                break;
            case LabelModel::share:
                paintBar(*painter, room, index);
                break;
            case LabelModel::class_name: {
                const double side = style_.pxf(12);
                paintLabelSwatch(*painter, style_, {room.left() + 0.0, room.center().y() - side / 2 + 0.5, side, side},
                                 index.data(LabelModel::label_role).toDouble());
                room.setLeft(room.left() + style_.px(20));
                paintText(*painter, room, index);
                break;
            }
            default:
                paintText(*painter, room, index);
                break;
        }
        painter->restore();
    }

private:
    void paintSwitch(QPainter& painter, QRect box, const QModelIndex& index) const {
        const bool seen = index.column() == LabelModel::seen;
        const bool on = index.data(LabelModel::on_role).toBool();
        const auto name = seen ? (on ? QStringLiteral("eye") : QStringLiteral("eyeoff"))
                               : (on ? QStringLiteral("lock") : QStringLiteral("unlock"));
        const auto ink = seen == on ? Token::text_2 : seen ? Token::text_3 : on ? Token::text_2 : Token::line_strong;
        const double side = style_.pxf(14);
        painter.drawPixmap(QPointF(box.center().x() - side / 2 + 0.5, box.center().y() - side / 2 + 0.5),
                           style_.pixmap(name, ink, 14, painter.device()->devicePixelRatioF()));
    }
    void paintBar(QPainter& painter, QRect room, const QModelIndex& index) const {
        const QRect groove(room.left(), room.center().y() - style_.px(kBarHeight) / 2, room.width(),
                           style_.px(kBarHeight));
        painter.fillRect(groove, style_.colour(Token::bg_sunken));
        auto bar = groove;
        const double share = std::clamp(index.data(LabelModel::share_role).toDouble(), 0.0, 1.0);
        bar.setWidth(std::max(1, static_cast<int>(std::lround(groove.width() * share))));
        painter.fillRect(bar, style_.colour(Token::plot_1));
    }
    void paintText(QPainter& painter, QRect room, const QModelIndex& index) const {
        auto font = index.data(Qt::FontRole).value<QFont>();
        if (index.data(LabelModel::in_hand_role).toBool() && index.column() <= LabelModel::class_name)
            font.setWeight(QFont::DemiBold);
        painter.setFont(font);
        painter.setPen(style_.colour(index.column() == LabelModel::zoom ? Token::text_link : Token::text));
        painter.drawText(room, index.data(Qt::TextAlignmentRole).toInt(),
                         painter.fontMetrics().elidedText(index.data().toString(), Qt::ElideRight, room.width()));
    }

    Style& style_;
};

}  // namespace

LabelTable::LabelTable(Session& session, Style& style, QWidget* parent)
    : QTableView(parent),
      style_(style),
      model_(new LabelModel(session, style, this)),
      sorted_(new QSortFilterProxyModel(this)) {
    sorted_->setSourceModel(model_);
    sorted_->setSortRole(LabelModel::sort_role);
    setModel(sorted_);
    setItemDelegate(new LabelDelegate(style, this));
    setAccessibleName(tr("Labels of the active layer"));
    setShowGrid(false);
    setFrameShape(QFrame::NoFrame);
    setSelectionBehavior(SelectRows);
    setSelectionMode(ExtendedSelection);
    setVerticalScrollMode(ScrollPerPixel);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setTabKeyNavigation(false);
    setWordWrap(false);
    setMouseTracking(true);
    setSortingEnabled(true);
    sortByColumn(LabelModel::id, Qt::AscendingOrder);
    horizontalHeader()->setSortIndicatorShown(false);
    connect(horizontalHeader(), &QHeaderView::sortIndicatorChanged, model_, &LabelModel::setSorted);
    verticalHeader()->hide();
    verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    horizontalHeader()->setHighlightSections(false);
    horizontalHeader()->setMinimumSectionSize(1);
    horizontalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    connect(this, &QTableView::clicked, this, &LabelTable::clickedAt);
    style.follow(this, [this] {
        verticalHeader()->setDefaultSectionSize(style_.px(kRowHeight));
        horizontalHeader()->setFixedHeight(style_.px(kRowHeight));
        layOutColumns();
    });
}

void LabelTable::clickedAt(const QModelIndex& index) {
    const auto source = sorted_->mapToSource(index);
    if (!source.isValid()) return;
    const auto row = model_->at(source.row());
    switch (source.column()) {
        case LabelModel::seen:
            emit seenClicked(row.label);
            break;
        case LabelModel::locked:
            emit lockClicked(row.label);
            break;
        case LabelModel::zoom:
            emit zoomClicked(row.bounds);
            break;
        default:
            emit labelClicked(row.label);
            break;
    }
}

std::vector<double> LabelTable::selected() const {
    std::vector<double> labels;
    auto rows = selectionModel()->selectedRows();
    std::sort(rows.begin(), rows.end(), [](const auto& a, const auto& b) { return a.row() < b.row(); });
    for (const auto& row : rows) labels.push_back(row.data(LabelModel::label_role).toDouble());
    return labels;
}

void LabelTable::selectLabels(const std::vector<double>& labels) {
    QItemSelection selection;
    for (const double label : labels) {
        const int row = model_->rowOf(label);
        if (row < 0) continue;
        const auto index = sorted_->mapFromSource(model_->index(row, 0));
        selection.select(index, index);
    }
    selectionModel()->select(selection, QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
    if (!selection.isEmpty()) scrollTo(selection.indexes().first());
}

void LabelTable::keyPressEvent(QKeyEvent* event) {
    if ((event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) && currentIndex().isValid()) {
        const auto source = sorted_->mapToSource(currentIndex());
        emit zoomClicked(model_->at(source.row()).bounds);
        return;
    }
    QTableView::keyPressEvent(event);
}

void LabelTable::resizeEvent(QResizeEvent* event) {
    QTableView::resizeEvent(event);
    layOutColumns();
}

// The bar takes what the others leave, up to a width that the eye still follows, and goes where that is too little.
void LabelTable::layOutColumns() {
    const int fixed[] = {28, 28, 56, 152, 88, 0, 196, 76};
    int left = viewport()->width();
    for (int column = 0; column < LabelModel::kColumns; ++column) {
        if (column == LabelModel::share) continue;
        const int width = style_.px(fixed[column]);
        setColumnWidth(column, width);
        left -= width;
    }
    const int bar = std::min(left, style_.px(240));
    setColumnHidden(LabelModel::share, bar < style_.px(60));
    setColumnWidth(LabelModel::share, std::max(1, bar));
    if (left > bar) setColumnWidth(LabelModel::bounds, style_.px(fixed[LabelModel::bounds]) + left - bar);
}

}  // namespace maskscope::ui
