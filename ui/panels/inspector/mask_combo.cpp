// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/inspector/mask_combo.h"

#include <QAbstractItemView>
#include <QPainter>
#include <QStylePainter>
#include <QStyledItemDelegate>

namespace maskscope::ui {
namespace {

constexpr int kIdRole = Qt::UserRole;
constexpr int kConventionRole = Qt::UserRole + 1;

// The name, cut where it must be, and the badge right behind it.
void paint_mask(QPainter& painter, const Style& style, const QRect& room, const QString& name,
                const std::optional<Badge>& badge) {
    const int gap = style.px(8);
    const auto size = badge ? badgeSize(style, *badge) : QSize();
    const int name_room = room.width() - (badge ? size.width() + gap : 0);
    const QFontMetrics metrics(painter.font());
    const auto shown = metrics.elidedText(name, Qt::ElideMiddle, name_room);
    painter.drawText(room, Qt::AlignLeft | Qt::AlignVCenter, shown);
    if (!badge) return;
    paintBadge(painter, style,
               {room.left() + metrics.horizontalAdvance(shown) + gap, room.center().y() + 1 - size.height() / 2},
               *badge);
}

class MaskDelegate : public QStyledItemDelegate {
public:
    MaskDelegate(const Style& style, QObject* parent) : QStyledItemDelegate(parent), style_(style) {}

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        painter->save();
        const bool here = option.state.testFlag(QStyle::State_Selected);
        painter->fillRect(option.rect, style_.colour(here ? render::Token::bg_selected : render::Token::bg_raised));
        painter->setFont(style_.ui(12));
        painter->setPen(style_.colour(render::Token::text));
        paint_mask(*painter, style_, option.rect.adjusted(style_.px(8), 0, -style_.px(8), 0),
                   index.data(Qt::DisplayRole).toString(), MaskCombo::badgeAt(index));
        painter->restore();
    }
    QSize sizeHint(const QStyleOptionViewItem& /*option*/, const QModelIndex& /*index*/) const override {
        return {style_.px(120), style_.px(24)};
    }

private:
    const Style& style_;
};

}  // namespace

MaskCombo::MaskCombo(Style& style, QWidget* parent) : QComboBox(parent), style_(style) {
    setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    setMinimumContentsLength(8);
    setItemDelegate(new MaskDelegate(style, this));
    style.follow(this, [this] { setFixedHeight(style_.px(24)); });
}

void MaskCombo::addMask(const QString& name, document::EntryId id, std::optional<document::MaskConvention> convention) {
    addItem(name, QVariant::fromValue(static_cast<qulonglong>(id)));
    if (convention) setItemData(count() - 1, static_cast<int>(*convention), kConventionRole);
    setItemData(count() - 1, name, Qt::ToolTipRole);
}

document::EntryId MaskCombo::idAt(int index) const {
    return static_cast<document::EntryId>(itemData(index, kIdRole).toULongLong());
}

int MaskCombo::find(document::EntryId id) const {
    for (int i = 0; i < count(); ++i) {
        if (idAt(i) == id) return i;
    }
    return -1;
}

std::optional<Badge> MaskCombo::badgeAt(const QModelIndex& index) {
    const auto convention = index.data(kConventionRole);
    if (!convention.isValid()) return std::nullopt;
    return badgeOf(static_cast<document::MaskConvention>(convention.toInt()));
}

void MaskCombo::paintEvent(QPaintEvent* /*event*/) {
    QStylePainter painter(this);
    QStyleOptionComboBox option;
    initStyleOption(&option);
    option.currentText.clear();
    painter.drawComplexControl(QStyle::CC_ComboBox, option);
    painter.drawControl(QStyle::CE_ComboBoxLabel, option);
    if (currentIndex() < 0) return;
    painter.setFont(style_.ui(12));
    painter.setPen(style_.colour(isEnabled() ? render::Token::text : render::Token::text_disabled));
    paint_mask(painter, style_, rect().adjusted(style_.px(8), 0, -style_.px(24), 0), currentText(),
               badgeAt(model()->index(currentIndex(), 0)));
}

}  // namespace maskscope::ui
