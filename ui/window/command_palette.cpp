// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/command_palette.h"

#include "ui/session/cell_readout.h"
#include "ui/window/fuzzy.h"
#include "ui/window/navigation.h"

#include <QAction>
#include <QApplication>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPainter>
#include <QStyledItemDelegate>
#include <QVBoxLayout>

#include <algorithm>

namespace maskscope::ui {

using render::Token;

namespace {

constexpr int kDetail = Qt::UserRole;
constexpr int kIcon = Qt::UserRole + 1;
constexpr int kMostShown = 60;

class RowDelegate : public QStyledItemDelegate {
public:
    RowDelegate(const Style& style, QObject* parent) : QStyledItemDelegate(parent), style_(style) {}

    QSize sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const override { return {100, style_.px(28)}; }
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        const bool selected = option.state & QStyle::State_Selected;
        const bool enabled = index.flags() & Qt::ItemIsEnabled;
        if (selected) {
            painter->fillRect(option.rect, style_.colour(Token::bg_selected));
        } else if (option.state & QStyle::State_MouseOver) {
            painter->fillRect(option.rect, style_.colour(Token::bg_hover));
        }
        const int pad = style_.px(12);
        QRect row = option.rect.adjusted(pad, 0, -pad, 0);
        const double ratio = painter->device()->devicePixelRatio();
        const QPixmap icon = style_.pixmap(index.data(kIcon).toString(), Token::text_2, 14, ratio);
        painter->drawPixmap(row.left(), row.center().y() - style_.px(7) + 1, icon);
        row.setLeft(row.left() + style_.px(24));
        painter->setFont(style_.mono(10));
        painter->setPen(style_.colour(Token::text_3));
        const QString detail = index.data(kDetail).toString();
        painter->drawText(row, Qt::AlignVCenter | Qt::AlignRight, detail);
        row.setRight(row.right() - painter->fontMetrics().horizontalAdvance(detail) - style_.px(12));
        painter->setFont(style_.ui(12));
        painter->setPen(style_.colour(enabled ? Token::text : Token::text_disabled));
        painter->drawText(row, Qt::AlignVCenter | Qt::AlignLeft,
                          painter->fontMetrics().elidedText(index.data().toString(), Qt::ElideRight, row.width()));
    }

private:
    const Style& style_;
};

// "View: Fit" without the mnemonic's ampersand and the dots.
QString titleOf(const QAction& action) {
    QString text = action.text();
    text.remove(QLatin1Char('&'));
    const QString menu = action.property("menu").toString();
    return menu.isEmpty() ? text : menu + QStringLiteral(": ") + text;
}

}  // namespace

CommandPalette::CommandPalette(Session& session, Style& style, std::function<QList<QAction*>()> actions,
                               QWidget* window)
    : QFrame(window),
      session_(session),
      style_(style),
      actions_(std::move(actions)),
      box_(new QLineEdit(this)),
      list_(new QListWidget(this)),
      note_(new QLabel(this)) {
    setProperty("surface", "popup");
    setAccessibleName(tr("Command palette"));
    auto* column = new QVBoxLayout(this);
    column->addWidget(box_);
    column->addWidget(note_);
    column->addWidget(list_, 1);
    box_->setPlaceholderText(tr("Tensor, command, or a cell such as [0, 3, 14, 13]"));
    box_->setAccessibleName(tr("Go to tensor, cell or command"));
    box_->installEventFilter(this);
    box_->setClearButtonEnabled(false);
    list_->setItemDelegate(new RowDelegate(style_, list_));
    list_->setFocusPolicy(Qt::NoFocus);
    list_->setMouseTracking(true);
    list_->setUniformItemSizes(true);
    list_->setProperty("surface", "raised");
    list_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    list_->setAccessibleName(tr("Matches"));
    note_->setProperty("tone", "error");
    note_->setWordWrap(true);
    note_->hide();
    hide();
    window->installEventFilter(this);
    connect(box_, &QLineEdit::textChanged, this, &CommandPalette::search);
    connect(list_, &QListWidget::itemClicked, this, &CommandPalette::run);
    style_.follow(this, [this, column] {
        column->setContentsMargins(style_.px(8), style_.px(8), style_.px(8), style_.px(8));
        column->setSpacing(style_.px(6));
        place();
    });
}

void CommandPalette::open(const QString& typed) {
    if (isHidden()) focus_before_ = QApplication::focusWidget();
    box_->setText(typed);
    search();
    place();
    show();
    raise();
    box_->setFocus(Qt::OtherFocusReason);
    box_->end(false);  // what is typed next goes behind the bracket
}

void CommandPalette::place() {
    const QWidget* window = parentWidget();
    const int width = std::min(style_.px(560), window->width() - style_.px(32));
    const int rows = std::clamp(list_->count(), 1, 11);
    const int note = note_->isHidden() ? 0 : note_->heightForWidth(width - style_.px(16)) + style_.px(6);
    const int height = style_.px(24 + 16 + 6) + rows * style_.px(28) + note + 4;
    setGeometry((window->width() - width) / 2, style_.px(72), width,
                std::min(height, window->height() - style_.px(96)));
}

void CommandPalette::addCell(QList<Choice>& choices, const QString& typed) {
    if (!looks_like_address(typed.toStdString())) return;
    // "name[0, 3]" means that tensor, a bare index the one shown.
    EntryId id = session_.current();
    const QString name = typed.section(QLatin1Char('['), 0, 0).trimmed();
    for (const EntryId tab : session_.tabs()) {
        const auto* entry = session_.document().find(tab);
        if (entry != nullptr && !name.isEmpty() && textOf(entry->name) == name) id = tab;
    }
    const auto context = addressContext(session_, id);
    if (!context) return;
    const auto address = cell_address(typed.toStdString(), *context);
    if (!address) {
        const QChar first = typed.trimmed().at(0);
        const bool meant = first.isDigit() || (first == QLatin1Char('[') && typed.trimmed().size() > 1);
        if (meant) note_->setText(textOf(address.error().message.text()));
        note_->setVisible(meant);
        return;
    }
    const auto& index = *address;
    choices.append({QStringLiteral("jump"), tr("Go to %1%2").arg(textOf(context->name), indexText(index)),
                    QStringLiteral("Enter"), 1 << 20, true, true,
                    [this, id, index] { goToIndex(session_, id, index); }});
}

void CommandPalette::addEntries(QList<Choice>& choices, const QString& typed) {
    for (const auto& entry : session_.document().entries()) {
        if (entry.role.value == document::Role::labels) continue;
        const QString name = textOf(entry.name);
        const int score = fuzzyScore(typed, name);
        if (score < 0) continue;
        const auto icon = entry.role.value == document::Role::mask    ? QStringLiteral("mask")
                          : entry.role.value == document::Role::image ? QStringLiteral("image")
                                                                      : QStringLiteral("tensor");
        choices.append({icon, name,
                        textOf(short_name_of(entry.item.dtype)) + QLatin1Char(' ') + textOf(text_of(entry.item.shape)),
                        score + 40, true, true, [this, id = entry.id] { session_.show(id); }});
    }
}

void CommandPalette::addMasks(QList<Choice>& choices, const QString& typed) {
    const EntryId current = session_.current();
    const auto* view = session_.view(current);
    if (view == nullptr) return;
    const auto add = [&](const QString& text, const QString& detail, std::optional<EntryId> mask) {
        const int score = fuzzyScore(typed, text);
        if (score < 0) return;
        choices.append({QStringLiteral("mask"), text, detail, score, true, false,
                        [this, current, mask] { session_.linkMask(current, mask); }});
    };
    for (const auto& entry : session_.document().entries()) {
        if (entry.role.value != document::Role::mask || !session_.maskFits(current, entry.id)) continue;
        add(tr("Lay %1 over").arg(textOf(entry.name)), textOf(text_of(entry.item.shape)), entry.id);
    }
    if (view->overlay.mask) add(tr("Take the mask off"), {}, std::nullopt);
}

void CommandPalette::addActions(QList<Choice>& choices, const QString& typed) {
    for (QAction* action : actions_()) {
        const QString title = titleOf(*action);
        const int score = fuzzyScore(typed, title);
        if (score < 0) continue;
        const QString shortcut = action->shortcut().toString(QKeySequence::NativeText);
        const QString icon =
            action->isCheckable() && action->isChecked() ? QStringLiteral("check") : QStringLiteral("right");
        choices.append({icon, title, shortcut, score, action->isEnabled(), false, [action] { action->trigger(); }});
    }
}

void CommandPalette::search() {
    const QString typed = box_->text();
    note_->hide();
    choices_.clear();
    addCell(choices_, typed);
    if (!typed.trimmed().startsWith(QLatin1Char('['))) {
        addEntries(choices_, typed);
        addMasks(choices_, typed);
        addActions(choices_, typed);
        std::stable_sort(choices_.begin(), choices_.end(), [](const Choice& a, const Choice& b) {
            return std::pair(a.enabled, a.score) > std::pair(b.enabled, b.score);
        });
    }
    if (choices_.size() > kMostShown) choices_.resize(kMostShown);
    list_->clear();
    for (const Choice& choice : std::as_const(choices_)) {
        auto* item = new QListWidgetItem(choice.text, list_);
        item->setData(kDetail, choice.detail);
        item->setData(kIcon, choice.icon);
        if (!choice.enabled) item->setFlags(item->flags() & ~Qt::ItemIsEnabled);
    }
    if (choices_.isEmpty() && note_->isHidden()) {
        const bool cell = typed.trimmed().startsWith(QLatin1Char('['));
        auto* item = new QListWidgetItem(
            cell ? tr("Type an index: every dimension, or row and column") : tr("Nothing has this in its name"), list_);
        item->setFlags(Qt::NoItemFlags);
        item->setData(kIcon, QStringLiteral("info"));
    }
    list_->setCurrentRow(0);
    place();
}

void CommandPalette::run() {
    const int row = list_->currentRow();
    if (row < 0 || row >= choices_.size() || !choices_[row].enabled) return;
    const Choice chosen = choices_[row];
    close();
    chosen.run();
    if (chosen.place) emit wentThere();
}

void CommandPalette::close() {
    hide();
    if (focus_before_ != nullptr) focus_before_->setFocus();
    focus_before_ = nullptr;
}

bool CommandPalette::eventFilter(QObject* watched, QEvent* event) {
    if (watched == parentWidget() && event->type() == QEvent::Resize) place();
    if (watched != box_) return QFrame::eventFilter(watched, event);
    if (event->type() == QEvent::FocusOut && isVisible()) {
        hide();
        focus_before_ = nullptr;
    }
    if (event->type() != QEvent::KeyPress) return QFrame::eventFilter(watched, event);
    const int rows = list_->count();
    const int row = list_->currentRow();
    switch (static_cast<QKeyEvent*>(event)->key()) {
        case Qt::Key_Escape:
            close();
            return true;
        case Qt::Key_Return:
        case Qt::Key_Enter:
            run();
            return true;
        case Qt::Key_Down:
            list_->setCurrentRow(row + 1 < rows ? row + 1 : 0);
            return true;
        case Qt::Key_Up:
            list_->setCurrentRow(row > 0 ? row - 1 : rows - 1);
            return true;
        case Qt::Key_PageDown:
            list_->setCurrentRow(std::min(row + 10, rows - 1));
            return true;
        case Qt::Key_PageUp:
            list_->setCurrentRow(std::max(row - 10, 0));
            return true;
        default:
            return QFrame::eventFilter(watched, event);
    }
}

}  // namespace maskscope::ui
