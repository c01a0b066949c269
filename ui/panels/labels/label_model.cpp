// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/labels/label_model.h"

#include "ui/session/cell_readout.h"

#include <QLocale>

#include <algorithm>
#include <cmath>

namespace maskscope::ui {

LabelModel::LabelModel(Session& session, Style& style, QObject* parent)
    : QAbstractTableModel(parent), session_(session), style_(style) {
    refresh();
}

// The same labels keep their rows, so that a stroke moves neither selection nor scroll bar.
void LabelModel::refresh() {
    const auto& next = LayerLabels::of(session_).labels();
    layer_ = activeLayer(session_, session_.current());
    const bool same =
        next.size() == rows_.size() && std::equal(next.begin(), next.end(), rows_.begin(),
                                                  [](const auto& a, const auto& b) { return a.label == b.label; });
    if (!same) beginResetModel();
    rows_ = next;
    most_ = 1;
    for (const auto& row : rows_) most_ = std::max(most_, row.cells);
    if (!same)
        endResetModel();
    else if (!rows_.empty())
        emit dataChanged(index(0, 0), index(rowCount() - 1, kColumns - 1));
}

void LabelModel::setUnder(std::optional<double> label) {
    if (under_ == label) return;
    under_ = label;
    if (!rows_.empty()) emit dataChanged(index(0, 0), index(rowCount() - 1, kColumns - 1), {under_role});
}

int LabelModel::rowOf(double label) const {
    const auto found = std::find_if(rows_.begin(), rows_.end(), [&](const auto& row) { return row.label == label; });
    return found != rows_.end() ? static_cast<int>(found - rows_.begin()) : -1;
}

int LabelModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

int LabelModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(kColumns);
}

bool LabelModel::isSeen(double label) const {
    return layer_ && !layer_->hidden_labels.contains(std::llround(label));
}

bool LabelModel::isLocked(double label) const {
    return layer_ && layer_->locked_labels.contains(std::llround(label));
}

QString LabelModel::text(const LabelCount& row, int column) const {
    const QLocale locale(QLocale::English, QLocale::UnitedStates);
    switch (column) {
        case id:
            return withMinusSign(QString::number(row.label, 'g', 10));
        case class_name: {
            const auto name = layer_ ? className(session_, layer_->mask, layer_->plane, row.label) : QString();
            return name.isEmpty() ? QStringLiteral("—") : name;
        }
        case pixels:
            return locale.toString(static_cast<qlonglong>(row.cells));
        case bounds:
            return QStringLiteral("%1 × %2 at [%3, %4]")
                .arg(row.bounds.rows)
                .arg(row.bounds.cols)
                .arg(row.bounds.row)
                .arg(row.bounds.col);
        case zoom:
            return tr("Zoom to");
        default:
            return {};
    }
}

QVariant LabelModel::sortValue(const LabelCount& row, int column) const {
    switch (column) {
        case seen:
            return isSeen(row.label);
        case locked:
            return isLocked(row.label);
        case class_name:
            return text(row, class_name);
        case pixels:
        case share:
            return static_cast<qlonglong>(row.cells);
        case bounds:
            return static_cast<qlonglong>(row.bounds.rows * row.bounds.cols);
        default:
            return row.label;
    }
}

QVariant LabelModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || index.row() >= rowCount()) return {};
    const auto& row = at(index.row());
    const int column = index.column();
    const bool number = column == id || column == pixels || column == bounds;
    switch (role) {
        case Qt::DisplayRole:
            return text(row, column);
        case Qt::FontRole:
            return number ? style_.mono(11) : style_.ui(12);
        case Qt::TextAlignmentRole:
            return static_cast<int>(
                (column == id || column == pixels || column == zoom ? Qt::AlignRight : Qt::AlignLeft) |
                Qt::AlignVCenter);
        case Qt::ToolTipRole:
            if (column == seen) return isSeen(row.label) ? tr("Hide the label") : tr("Show the label");
            if (column == locked) return isLocked(row.label) ? tr("Unlock the label") : tr("Lock the label");
            return {};
        case sort_role:
            return sortValue(row, column);
        case label_role:
            return row.label;
        case on_role:
            return column == seen ? isSeen(row.label) : isLocked(row.label);
        case under_role:
            return under_ == row.label;
        case in_hand_role:
            return session_.edits().tools().label == row.label;
        case share_role:
            return static_cast<double>(row.cells) / static_cast<double>(most_);
        default:
            return {};
    }
}

QVariant LabelModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal) return {};
    if (role == Qt::TextAlignmentRole)
        return static_cast<int>((section == id || section == pixels ? Qt::AlignRight : Qt::AlignLeft) |
                                Qt::AlignVCenter);
    if (role != Qt::DisplayRole) return {};
    const auto name = title(section);
    if (section != sorted_ || name.isEmpty()) return name;
    return name + (order_ == Qt::AscendingOrder ? QStringLiteral(" ↑") : QStringLiteral(" ↓"));
}

void LabelModel::setSorted(int column, Qt::SortOrder order) {
    sorted_ = column;
    order_ = order;
    emit headerDataChanged(Qt::Horizontal, 0, kColumns - 1);
}

QString LabelModel::title(int column) {
    switch (column) {
        case id:
            return tr("id");
        case class_name:
            return tr("Class");
        case pixels:
            return tr("Pixels");
        case share:
            return tr("Size");
        case bounds:
            return tr("Bounds");
        default:
            return {};
    }
}

}  // namespace maskscope::ui
