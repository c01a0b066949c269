// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/attention/token_table.h"

#include "core/tensor/convert.h"
#include "ui/session/cell_readout.h"

#include <QHeaderView>
#include <QPainter>
#include <QStyledItemDelegate>

#include <algorithm>
#include <cmath>
#include <utility>

namespace maskscope::ui {

using render::CellState;
using render::Token;

namespace {

constexpr int kRowHeight = 24;
constexpr int kBarHeight = 7;

// Rows with a line below; the share is a bar.
class TokenDelegate : public QStyledItemDelegate {
public:
    TokenDelegate(Style& style, QObject* parent) : QStyledItemDelegate(parent), style_(style) {}

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        painter->save();
        const bool chosen = option.state.testFlag(QStyle::State_Selected);
        const bool hover = option.state.testFlag(QStyle::State_MouseOver);
        if (chosen || hover)
            painter->fillRect(option.rect, style_.colour(chosen ? Token::bg_selected : Token::bg_hover));
        painter->fillRect(option.rect.left(), option.rect.bottom(), option.rect.width(), 1, style_.colour(Token::line));
        const auto room = option.rect.adjusted(style_.px(8), 0, -style_.px(8), -1);
        if (index.column() == TokenModel::share) {
            paintBar(*painter, room, index.data(TokenModel::share_role).toDouble());
        } else {
            painter->setFont(index.data(Qt::FontRole).value<QFont>());
            painter->setPen(style_.colour(Token::text));
            const auto text = QFontMetrics(painter->font())
                                  .elidedText(index.data(Qt::DisplayRole).toString(), Qt::ElideRight, room.width());
            painter->drawText(room, index.data(Qt::TextAlignmentRole).toInt(), text);
        }
        painter->restore();
    }

private:
    void paintBar(QPainter& painter, QRect room, double share) const {
        if (share < 0) return;
        const QRect groove(room.left(), room.center().y() - style_.px(kBarHeight) / 2, room.width(),
                           style_.px(kBarHeight));
        painter.fillRect(groove, style_.colour(Token::bg_sunken));
        auto bar = groove;
        bar.setWidth(static_cast<int>(std::lround(groove.width() * std::clamp(share, 0.0, 1.0))));
        painter.fillRect(bar, style_.colour(Token::plot_1));
    }

    Style& style_;
};

}  // namespace

TokenModel::TokenModel(Style& style, QObject* parent) : QAbstractTableModel(parent), style_(style) {}

void TokenModel::setRow(const render::RowProfile& profile, std::vector<std::string> tokens) {
    beginResetModel();
    tokens_ = std::move(tokens);
    rows_.clear();
    for (std::size_t col = 0; col < profile.values.size(); ++col) {
        if (profile.states[col] == CellState::masked) continue;
        rows_.push_back({static_cast<std::int64_t>(col), profile.values[col], 0});
    }
    std::stable_sort(rows_.begin(), rows_.end(), [](const Row& a, const Row& b) {
        const bool a_bad = !std::isfinite(a.value);
        const bool b_bad = !std::isfinite(b.value);
        if (a_bad != b_bad) return a_bad;
        return !a_bad && a.value > b.value;
    });
    sum_ = profile.sum;
    shares_ = profile.entropy_bits.has_value();
    double added = 0;
    row_of_.assign(profile.values.size(), -1);
    for (std::size_t i = 0; i < rows_.size(); ++i) {
        added += rows_[i].value;
        rows_[i].cumulative = added;
        row_of_[static_cast<std::size_t>(rows_[i].col)] = static_cast<int>(i);
    }
    endResetModel();
}

void TokenModel::setCursor(std::optional<std::int64_t> col) {
    if (cursor_ == col) return;
    cursor_ = col;
    if (!rows_.empty()) emit dataChanged(index(0, 0), index(rowCount() - 1, kColumns - 1), {Qt::FontRole});
}

void TokenModel::setValueName(const QString& name) {
    if (value_name_ == name) return;
    value_name_ = name;
    emit headerDataChanged(Qt::Horizontal, weight, weight);
}

int TokenModel::rowOf(std::int64_t col) const {
    return col >= 0 && col < static_cast<std::int64_t>(row_of_.size()) ? row_of_[static_cast<std::size_t>(col)] : -1;
}

std::int64_t TokenModel::columnOf(int row) const {
    return rows_[static_cast<std::size_t>(row)].col;
}

int TokenModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}
int TokenModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(kColumns);
}

QString TokenModel::text(const Row& row, int column) const {
    const auto percent = [this](double part) {
        return shares_ ? QStringLiteral("%1 %").arg(100 * part / sum_, 0, 'f', 1) : QStringLiteral("–");
    };
    switch (column) {
        case key:
            return QString::number(row.col);
        case token: {
            const auto at = static_cast<std::size_t>(row.col);
            return at < tokens_.size() ? QString::fromStdString(tokens_[at]) : QString();
        }
        case weight: {
            if (std::isnan(row.value)) return QStringLiteral("NaN");
            const double size = std::abs(row.value);
            if (row.value != 0 && std::isfinite(row.value) && (size < 1e-4 || size >= 1e5))
                return withMinusSign(QString::fromStdString(short_text_of(row.value, 3)));
            if (!std::isfinite(row.value)) return withMinusSign(QString::fromStdString(short_text_of(row.value, 3)));
            return withMinusSign(QString::number(row.value, 'f', 4));
        }
        case share:
            return percent(row.value);
        case cumulative:
            return percent(row.cumulative);
        default:
            return {};
    }
}

QVariant TokenModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || index.row() >= rowCount()) return {};
    const auto& row = rows_[static_cast<std::size_t>(index.row())];
    const bool words = index.column() == token;
    switch (role) {
        case Qt::DisplayRole:
            return text(row, index.column());
        case Qt::FontRole:
            if (words) return style_.ui(12, cursor_ == row.col ? 600 : 400);
            return style_.mono(11, cursor_ == row.col ? 600 : 400);
        case Qt::TextAlignmentRole:
            return static_cast<int>((words ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
        case share_role:
            return shares_ ? row.value / sum_ : -1.0;
        case column_role:
            return static_cast<qlonglong>(row.col);
        default:
            return {};
    }
}

QVariant TokenModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal) return {};
    if (role == Qt::TextAlignmentRole)
        return static_cast<int>((section == token || section == share ? Qt::AlignLeft : Qt::AlignRight) |
                                Qt::AlignVCenter);
    if (role != Qt::DisplayRole) return {};
    switch (section) {
        case key:
            return tr("key");
        case token:
            return tr("token");
        case weight:
            return value_name_;
        case share:
            return tr("share of row");
        case cumulative:
            return tr("cum.");
        default:
            return {};
    }
}

TokenTable::TokenTable(Style& style, QWidget* parent)
    : QTableView(parent), style_(style), model_(new TokenModel(style, this)) {
    setModel(model_);
    setItemDelegate(new TokenDelegate(style, this));
    setAccessibleName(tr("Keys of the row, the heaviest first"));
    setShowGrid(false);
    setFrameShape(QFrame::NoFrame);
    setSelectionBehavior(SelectRows);
    setSelectionMode(SingleSelection);
    setVerticalScrollMode(ScrollPerPixel);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setTabKeyNavigation(false);
    setWordWrap(false);
    setMouseTracking(true);
    verticalHeader()->hide();
    verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    horizontalHeader()->setSectionsClickable(false);
    horizontalHeader()->setHighlightSections(false);
    horizontalHeader()->setMinimumSectionSize(1);
    horizontalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    const auto choose = [this](const QModelIndex& index) { emit columnClicked(model_->columnOf(index.row())); };
    connect(this, &QTableView::clicked, this, choose);
    connect(this, &QTableView::activated, this, choose);
    style.follow(this, [this] {
        verticalHeader()->setDefaultSectionSize(style_.px(kRowHeight));
        horizontalHeader()->setFixedHeight(style_.px(kRowHeight));
        layOutColumns();
    });
}

void TokenTable::setCursor(std::optional<std::int64_t> col) {
    model_->setCursor(col);
    const int row = col ? model_->rowOf(*col) : -1;
    if (row < 0) {
        clearSelection();
        return;
    }
    selectRow(row);
    scrollTo(model_->index(row, 0));
}

// Token and bar share what the numbers leave; where that is too little, or there are no shares, the bar goes.
void TokenTable::layOutColumns() {
    const bool narrow = viewport()->width() < style_.px(320);
    const int key = style_.px(narrow ? 38 : 44);
    const int weight = style_.px(narrow ? 66 : 76);
    const int cumulative = model_->hasShares() ? style_.px(narrow ? 64 : 72) : 0;
    const int left = viewport()->width() - key - weight - cumulative;
    const bool bar = model_->hasShares() && left >= style_.px(150);
    const int token = isColumnHidden(TokenModel::token) ? 0 : (bar ? std::min(left * 2 / 5, style_.px(120)) : left);
    setColumnHidden(TokenModel::share, !bar);
    setColumnHidden(TokenModel::cumulative, !model_->hasShares());
    setColumnWidth(TokenModel::key, key);
    setColumnWidth(TokenModel::token, std::max(token, 1));
    setColumnWidth(TokenModel::weight, weight);
    setColumnWidth(TokenModel::share, std::max(left - token, 1));
    setColumnWidth(TokenModel::cumulative, std::max(cumulative, 1));
}

void TokenTable::setTokensShown(bool shown) {
    setColumnHidden(TokenModel::token, !shown);
    layOutColumns();
}

void TokenTable::resizeEvent(QResizeEvent* event) {
    QTableView::resizeEvent(event);
    layOutColumns();
}

}  // namespace maskscope::ui
