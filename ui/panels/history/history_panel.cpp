// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/history/history_panel.h"

#include "ui/kit/tool_button.h"
#include "ui/session/cell_readout.h"

#include <QLabel>
#include <QListView>
#include <QLocale>
#include <QPainter>
#include <QStyledItemDelegate>
#include <QVBoxLayout>

#include <map>

namespace maskscope::ui {

using render::Token;

namespace {

QString iconOf(const std::string& tool) {
    static const std::map<std::string, const char*> icons = {
        {"brush", "brush"},     {"eraser", "eraser"},    {"line", "line"},        {"rectangle", "rectangle"},
        {"ellipse", "ellipse"}, {"polygon", "poly"},     {"lasso", "lasso"},      {"fill", "bucket"},
        {"wand", "wand"},       {"grab_cut", "grabcut"}, {"cells", "cells"},      {"rows", "rows"},
        {"columns", "columns"}, {"band", "band"},        {"morphology", "morph"}, {"threshold", "filter"},
    };
    const auto found = icons.find(tool);
    return QLatin1String(found != icons.end() ? found->second : "morph");
}

// "+398 px"; a step that only changes labels among themselves says how many.
QString amountOf(const mask::MaskDelta& delta) {
    const auto net = delta.gained - delta.lost;
    const QLocale locale(QLocale::English, QLocale::UnitedStates);
    if (net == 0) return HistoryPanel::tr("%1 px").arg(locale.toString(static_cast<qlonglong>(delta.changed)));
    const auto number = locale.toString(static_cast<qlonglong>(std::abs(net)));
    return (net > 0 ? QStringLiteral("+") : QString(QChar(0x2212))) + HistoryPanel::tr("%1 px").arg(number);
}

class StepDelegate : public QStyledItemDelegate {
public:
    StepDelegate(Style& style, QObject* parent) : QStyledItemDelegate(parent), style_(style) {}

    QSize sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const override { return {80, style_.px(24)}; }

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        painter->save();
        const bool now = index.data(HistoryModel::current_role).toBool();
        const bool undone = index.data(HistoryModel::undone_role).toBool();
        const auto row = option.rect;
        if (now)
            painter->fillRect(row, style_.colour(Token::bg_selected));
        else if (option.state.testFlag(QStyle::State_MouseOver))
            painter->fillRect(row, style_.colour(Token::bg_hover));
        const auto ink = undone ? Token::text_disabled : Token::text;
        const int icon = style_.px(14);
        const auto picture =
            style_.pixmap(index.data(HistoryModel::icon_role).toString(), undone ? Token::text_disabled : Token::text_2,
                          14, painter->device()->devicePixelRatioF());
        painter->drawPixmap(QPointF(row.left() + style_.px(12), row.top() + (row.height() - icon) / 2.0), picture);
        const auto amount = index.data(HistoryModel::amount_role).toString();
        painter->setFont(style_.mono(11));
        painter->setPen(style_.colour(undone ? Token::text_disabled : Token::text_2));
        const int width = painter->fontMetrics().horizontalAdvance(amount);
        painter->drawText(row.adjusted(0, 0, -style_.px(12), 0), Qt::AlignRight | Qt::AlignVCenter, amount);
        const QRect room = row.adjusted(style_.px(34), 0, -style_.px(20) - width, 0);
        painter->setFont(style_.ui(12, now ? 600 : 400));
        painter->setPen(style_.colour(ink));
        painter->drawText(room, Qt::AlignLeft | Qt::AlignVCenter,
                          painter->fontMetrics().elidedText(index.data().toString(), Qt::ElideRight, room.width()));
        if (option.state.testFlag(QStyle::State_HasFocus) && option.state.testFlag(QStyle::State_KeyboardFocusChange)) {
            painter->setPen(QPen(style_.colour(Token::line_focus), 2));
            painter->drawRect(row.adjusted(1, 1, -1, -1));
        }
        painter->restore();
    }

private:
    Style& style_;
};

}  // namespace

HistoryModel::HistoryModel(Session& session, QObject* parent) : QAbstractListModel(parent), session_(session) {
    refresh();
}

int HistoryModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : rows_;
}

void HistoryModel::refresh() {
    beginResetModel();
    const auto steps = session_.edits().history().steps().size();
    rows_ = steps > 0 ? static_cast<int>(steps) + 1 : 0;
    endResetModel();
}

QVariant HistoryModel::first(int role) const {
    const auto& history = session_.edits().history();
    switch (role) {
        case Qt::DisplayRole:
        case Qt::AccessibleTextRole:
            return history.dropped() > 0 ? tr("%1 older steps").arg(history.dropped()) : tr("As opened");
        case icon_role:
            return QStringLiteral("open");
        case current_role:
            return history.position() == 0;
        case undone_role:
            return false;
        default:
            return {};
    }
}

QVariant HistoryModel::data(const QModelIndex& index, int role) const {
    const auto& history = session_.edits().history();
    const auto at = static_cast<std::size_t>(index.row());
    if (!index.isValid() || at > history.steps().size()) return {};
    if (at == 0) return first(role);
    const auto& step = history.steps()[at - 1];
    switch (role) {
        case Qt::DisplayRole:
            return textOf(step.name);
        case Qt::AccessibleTextRole:
            return textOf(step.name) + QStringLiteral(", ") + amountOf(step.delta);
        case Qt::ToolTipRole: {
            const auto* entry = session_.document().find(step.entry);
            return entry != nullptr ? tr("%1 in %2").arg(textOf(step.name), textOf(entry->name)) : textOf(step.name);
        }
        case icon_role:
            return iconOf(step.tool);
        case amount_role:
            return amountOf(step.delta);
        case undone_role:
            return at > history.position();
        case current_role:
            return at == history.position();
        default:
            return {};
    }
}

HistoryPanel::HistoryPanel(Session& session, Style& style, QWidget* parent)
    : QWidget(parent),
      session_(session),
      style_(style),
      model_(new HistoryModel(session, this)),
      list_(new QListView(this)),
      undo_(new IconButton(style, QStringLiteral("undo"), tr("Undo (Ctrl+Z)"), this)),
      redo_(new IconButton(style, QStringLiteral("redo"), tr("Redo (Ctrl+Shift+Z)"), this)),
      footer_(new QLabel(this)) {
    setAttribute(Qt::WA_StyledBackground);
    setProperty("surface", "panel");
    auto* header = new PanelHeader(style, tr("History"), this);
    header->addWidget(undo_);
    header->addWidget(redo_);
    list_->setModel(model_);
    list_->setItemDelegate(new StepDelegate(style, list_));
    list_->setAccessibleName(tr("Steps, the oldest first"));
    list_->setFrameShape(QFrame::NoFrame);
    list_->setUniformItemSizes(true);
    list_->setSelectionMode(QAbstractItemView::NoSelection);
    list_->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    list_->setMouseTracking(true);
    footer_->setProperty("type", "secondary");
    footer_->setTextFormat(Qt::PlainText);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(header);
    column->addWidget(list_, 1);
    column->addWidget(footer_);
    connect(undo_, &QToolButton::clicked, this, [this] { session_.edits().undo(); });
    connect(redo_, &QToolButton::clicked, this, [this] { session_.edits().redo(); });
    const auto jump = [this](const QModelIndex& index) {
        session_.edits().jump(static_cast<std::size_t>(index.row()));
    };
    connect(list_, &QListView::clicked, this, jump);
    connect(list_, &QListView::activated, this, [this, jump](const QModelIndex& index) {
        if (static_cast<std::size_t>(index.row()) != session_.edits().history().position()) jump(index);
    });
    connect(&session.edits(), &EditSession::historyChanged, this, &HistoryPanel::refresh);
    style.follow(this, [this] {
        footer_->setContentsMargins(style_.px(12), style_.px(4), style_.px(12), style_.px(6));
        setMinimumHeight(style_.px(112));
        refresh();
    });
}

QString HistoryPanel::footer() const {
    return footer_->text();
}

void HistoryPanel::refresh() {
    const auto& history = session_.edits().history();
    model_->refresh();
    undo_->setEnabled(session_.edits().canUndo());
    redo_->setEnabled(session_.edits().canRedo());
    const auto mib = [](std::size_t bytes) { return static_cast<double>(bytes) / (1024.0 * 1024.0); };
    footer_->setText(history.steps().empty() ? tr("No steps yet")
                                             : tr("%1 of %2 steps, %3 of %4 MiB")
                                                   .arg(history.position())
                                                   .arg(history.steps().size())
                                                   .arg(mib(history.bytes()), 0, 'f', 1)
                                                   .arg(mib(history.byte_limit()), 0, 'f', 0));
    const auto now = model_->index(static_cast<int>(history.position()));
    if (now.isValid()) list_->scrollTo(now);
}

}  // namespace maskscope::ui
