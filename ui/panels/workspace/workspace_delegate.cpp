// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/workspace/workspace_delegate.h"

#include "ui/kit/badge.h"
#include "ui/panels/workspace/thumbnails.h"
#include "ui/panels/workspace/workspace_model.h"
#include "ui/session/cell_readout.h"

#include <QFileInfo>
#include <QPainter>
#include <QTreeView>

namespace maskscope::ui {

using render::Token;

namespace {

void paint_nan_mark(QPainter& painter, const Style& style, const QRectF& box) {
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(style.colour(Token::st_nan));
    painter.drawRoundedRect(box, style.pxf(2), style.pxf(2));
    painter.setPen(QPen(style.colour(Token::st_nan_ink), style.pxf(1.5), Qt::SolidLine, Qt::RoundCap));
    const double arm = box.width() * 0.22;
    const auto c = box.center();
    painter.drawLine(c + QPointF(-arm, -arm), c + QPointF(arm, arm));
    painter.drawLine(c + QPointF(-arm, arm), c + QPointF(arm, -arm));
}

}  // namespace

QString entryFacts(const document::Entry& entry) {
    if (entry.item.labels) {
        const auto& rows = entry.item.labels->rows;
        const auto count = rows.empty() ? std::size_t{0} : rows.front().size();
        return rows.size() > 1 ? WorkspaceModel::tr("%1 × %2 labels").arg(rows.size()).arg(count)
                               : WorkspaceModel::tr("%1 labels").arg(count);
    }
    return textOf(short_name_of(entry.item.dtype)) + QLatin1Char(' ') + textOf(text_of(entry.item.shape));
}

WorkspaceDelegate::WorkspaceDelegate(Session& session, Style& style, WorkspaceModel& model, Thumbnails& thumbnails,
                                     QObject* parent)
    : QStyledItemDelegate(parent), session_(session), style_(style), model_(model), thumbnails_(thumbnails) {}

QSize WorkspaceDelegate::sizeHint(const QStyleOptionViewItem& /*option*/, const QModelIndex& index) const {
    return {style_.px(120), style_.px(model_.kind(index) == WorkspaceModel::Kind::entry ? 40 : 28)};
}

void WorkspaceDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
    painter->save();
    if (model_.kind(index) == WorkspaceModel::Kind::entry) {
        paintEntry(*painter, option, index);
    } else {
        paintFolder(*painter, option, index);
    }
    if (option.state.testFlag(QStyle::State_HasFocus) && option.state.testFlag(QStyle::State_KeyboardFocusChange)) {
        painter->setRenderHint(QPainter::Antialiasing, false);
        painter->setBrush(Qt::NoBrush);
        painter->setPen(QPen(style_.colour(Token::line_focus), 2));
        painter->drawRect(option.rect.adjusted(1, 1, -1, -1));
    }
    painter->restore();
}

void WorkspaceDelegate::paintFolder(QPainter& painter, const QStyleOptionViewItem& option,
                                    const QModelIndex& index) const {
    const auto row = option.rect;
    if (option.state.testFlag(QStyle::State_MouseOver)) painter.fillRect(row, style_.colour(Token::bg_hover));
    const auto* tree = qobject_cast<const QTreeView*>(option.widget);
    const bool open = tree == nullptr || tree->isExpanded(index);
    const bool group = model_.kind(index) == WorkspaceModel::Kind::group;
    int x = row.left() + style_.px(8 + (group ? 0 : 12 * (model_.depth(index) + 1)));
    const auto ratio = painter.device()->devicePixelRatioF();
    const auto arrow = style_.pixmap(open ? QStringLiteral("down") : QStringLiteral("right"), Token::text_2, 12, ratio);
    painter.drawPixmap(QPointF(x, row.center().y() - style_.pxf(6) + 0.5), arrow);
    x += style_.px(16);

    const auto count = QString::number(model_.count(index));
    const QFont font = style_.ui(12, group ? 500 : 400);
    const QFont count_font = style_.ui(12);
    const int count_width = QFontMetrics(count_font).horizontalAdvance(count);
    const QFontMetrics metrics(font);
    const int room = row.right() - style_.px(8) - count_width - style_.px(6) - x;
    const auto name = metrics.elidedText(model_.name(index), Qt::ElideMiddle, room);
    painter.setFont(font);
    painter.setPen(style_.colour(group ? Token::text_2 : Token::text));
    painter.drawText(QRect(x, row.top(), room, row.height()), Qt::AlignLeft | Qt::AlignVCenter, name);
    painter.setFont(count_font);
    painter.setPen(style_.colour(Token::text_3));
    painter.drawText(QRect(x + metrics.horizontalAdvance(name) + style_.px(6), row.top(), count_width, row.height()),
                     Qt::AlignLeft | Qt::AlignVCenter, count);
}

void WorkspaceDelegate::paintEntry(QPainter& painter, const QStyleOptionViewItem& option,
                                   const QModelIndex& index) const {
    const auto* entry = session_.document().find(model_.id(index));
    if (entry == nullptr) return;
    const auto row = option.rect;
    const bool shown = entry->id == session_.current();
    if (shown) {
        painter.fillRect(row, style_.colour(Token::bg_selected));
        painter.fillRect(QRect(row.left(), row.top(), style_.px(2), row.height()), style_.colour(Token::accent));
    } else if (option.state.testFlag(QStyle::State_MouseOver)) {
        painter.fillRect(row, style_.colour(Token::bg_hover));
    }

    const int left = row.left() + style_.px(12 + 12 * model_.depth(index));
    const int side = style_.px(32);
    const QRect box(left, row.top() + (row.height() - side) / 2, side, side);
    paintThumbnail(painter, box, *entry);

    const int edge = row.right() + 1 - style_.px(8);
    const auto badges = paintBadges(painter, edge, row, *entry);
    const int right = badges.name_right - style_.px(6);
    const int facts_right = badges.facts_right - (badges.facts_right < edge ? style_.px(6) : 0);
    const int text_left = box.right() + 1 + style_.px(8);
    const int line = style_.px(16);
    const int top = row.top() + (row.height() - 2 * line) / 2;
    const bool failed = !entry->error.empty();
    const bool nan = model_.hasNan(entry->id);
    const bool unsaved = session_.edits().changed(entry->id);
    const int mark = failed || nan || unsaved ? style_.px(14) + style_.px(4) : 0;

    const QFont name_font = style_.ui(12, 500);
    const QFontMetrics metrics(name_font);
    const auto name = metrics.elidedText(model_.name(index), Qt::ElideMiddle, right - text_left - mark);
    painter.setFont(name_font);
    painter.setPen(style_.colour(Token::text));
    painter.drawText(QRect(text_left, top, right - text_left, line), Qt::AlignLeft | Qt::AlignVCenter, name);
    if (mark > 0) {
        const double size = style_.pxf(14);
        const QPointF corner(text_left + metrics.horizontalAdvance(name) + style_.px(4), top + (line - size) / 2);
        if (unsaved && !failed) {
            painter.setRenderHint(QPainter::Antialiasing);
            painter.setPen(Qt::NoPen);
            painter.setBrush(style_.colour(Token::text_2));
            painter.drawEllipse(corner + QPointF(size / 2, size / 2), style_.pxf(3), style_.pxf(3));
            painter.setRenderHint(QPainter::Antialiasing, false);
        } else if (failed) {
            painter.drawPixmap(corner, style_.pixmap(QStringLiteral("error"), Token::error, 14,
                                                     painter.device()->devicePixelRatioF()));
        } else {
            painter.save();
            paint_nan_mark(painter, style_, QRectF(corner, QSizeF(size, size)).adjusted(1, 1, -1, -1));
            painter.restore();
        }
    }

    // Two of one name are told apart by their files.
    if (model_.isAmbiguous(entry->id)) {
        const int left_of_file = text_left + metrics.horizontalAdvance(name) + mark + style_.px(6);
        paintFileName(painter, QRect(left_of_file, top, right - left_of_file, line), *entry);
    }

    auto facts = entryFacts(*entry);
    painter.setFont(style_.mono(11));
    painter.setPen(style_.colour(Token::text_2));
    facts = painter.fontMetrics().elidedText(facts, Qt::ElideRight, facts_right - text_left);
    painter.drawText(QRect(text_left, top + line, facts_right - text_left, line), Qt::AlignLeft | Qt::AlignVCenter,
                     facts);
}

void WorkspaceDelegate::paintFileName(QPainter& painter, const QRect& room, const document::Entry& entry) const {
    if (room.width() < style_.px(24)) return;
    painter.setFont(style_.ui(11));
    painter.setPen(style_.colour(Token::text_3));
    const auto file = QFileInfo(QString::fromStdString(entry.path)).fileName();
    painter.drawText(room, Qt::AlignLeft | Qt::AlignVCenter,
                     painter.fontMetrics().elidedText(file, Qt::ElideRight, room.width()));
}

void WorkspaceDelegate::paintThumbnail(QPainter& painter, const QRect& box, const document::Entry& entry) const {
    const auto ratio = painter.device()->devicePixelRatioF();
    const bool image = entry.role.value == document::Role::image && session_.overlay(entry.id) != nullptr &&
                       entry.item.tensor.defined() && entry.error.empty();
    const auto picture = image ? imageThumbnail(entry.id, box.size() * ratio) : thumbnails_.pixmap(entry.id, 32, ratio);
    painter.fillRect(box, style_.colour(Token::bg_sunken));
    if (!picture.isNull()) {
        painter.drawPixmap(box, picture);
    } else {
        const auto icon = entry.item.labels                           ? QStringLiteral("book")
                          : entry.role.value == document::Role::image ? QStringLiteral("image")
                                                                      : QStringLiteral("tensor");
        painter.drawPixmap(QPointF(box.center()) - QPointF(style_.pxf(7), style_.pxf(7)) + QPointF(0.5, 0.5),
                           style_.pixmap(icon, Token::text_3, 14, ratio));
    }
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(style_.colour(Token::line_strong), 1));
    painter.drawRoundedRect(QRectF(box).adjusted(0.5, 0.5, -0.5, -0.5), style_.pxf(2), style_.pxf(2));
}

// An image looks like itself; without its levels, which come with its first view, that would read all of it.
QPixmap WorkspaceDelegate::imageThumbnail(EntryId id, QSize size) const {
    const auto pixels = session_.imageData(id);
    if (!pixels || !pixels->prepared() || pixels->rows() == 0 || pixels->cols() == 0) return {};
    render::Viewport view;
    view.pitch = render::fitting_pitch(pixels->rows(), pixels->cols(), size.width(), size.height());
    view.width = size.width();
    view.height = size.height();
    view.col0 = (static_cast<double>(pixels->cols()) - size.width() / view.pitch) / 2;
    view.row0 = (static_cast<double>(pixels->rows()) - size.height() / view.pitch) / 2;
    QImage out(size, QImage::Format_RGB32);
    pixels->pool(view, 0, 0, size.width(), size.height(), pixels->natural_tone(), style_.theme()[Token::bg_sunken],
                 reinterpret_cast<render::Rgb*>(out.bits()), static_cast<int>(out.bytesPerLine() / 4));
    return QPixmap::fromImage(out);
}

WorkspaceDelegate::Badges WorkspaceDelegate::paintBadges(QPainter& painter, int right, const QRect& row,
                                                         const document::Entry& entry) const {
    const auto role = badgeOf(entry.role.value);
    const auto above = badgeSize(style_, role);
    const int gap = style_.px(2);
    const int top = row.top() + (row.height() - 2 * above.height() - gap) / 2;
    paintBadge(painter, style_, {right - above.width(), top}, role);
    if (!entry.convention) return {right - above.width(), right};
    // A mask over an image holds labels: neither keep nor drop.
    if (session_.showsAsImage(entry.id) && !session_.showsCells(entry.id)) {
        const Badge labels{QStringLiteral("LABELS"), BadgeKind::labels};
        const auto below_role = badgeSize(style_, labels);
        paintBadge(painter, style_, {right - below_role.width(), top + above.height() + gap}, labels);
        return {right - above.width(), right - below_role.width()};
    }
    auto convention = badgeOf(entry.convention->value);
    if (entry.convention->guess) convention.text += QLatin1Char('?');
    const auto below = badgeSize(style_, convention);
    paintBadge(painter, style_, {right - below.width(), top + above.height() + gap}, convention);
    return {right - above.width(), right - below.width()};
}

}  // namespace maskscope::ui
