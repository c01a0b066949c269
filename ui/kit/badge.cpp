// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/kit/badge.h"

#include <QLocale>
#include <QPainter>

#include <optional>

namespace maskscope::ui {

using render::Token;

namespace {

struct Looks {
    std::optional<Token> fill;
    std::optional<Token> frame;
    Token ink;
};

Looks looksOf(BadgeKind kind) {
    switch (kind) {
        case BadgeKind::tensor_role:
            return {Token::bg_sunken, {}, Token::role_tensor};
        case BadgeKind::mask_role:
            return {Token::bg_sunken, {}, Token::role_mask};
        case BadgeKind::image_role:
            return {Token::bg_sunken, {}, Token::role_image};
        case BadgeKind::script_role:
            return {Token::bg_sunken, {}, Token::role_script};
        case BadgeKind::keep:
            return {{}, Token::conv_keep, Token::conv_keep};
        case BadgeKind::drop:
            return {{}, Token::conv_drop, Token::conv_drop};
        case BadgeKind::additive:
            return {{}, Token::conv_add, Token::conv_add};
        case BadgeKind::labels:
            return {{}, Token::text_2, Token::text_2};
        case BadgeKind::mono:
            return {{}, Token::line_strong, Token::text_2};
        case BadgeKind::nan:
            return {Token::st_nan, {}, Token::st_nan_ink};
        case BadgeKind::error:
            return {Token::error_soft, {}, Token::error};
        case BadgeKind::warn:
            return {Token::warn_soft, {}, Token::warn};
        case BadgeKind::ok:
            return {Token::ok_soft, {}, Token::ok};
        case BadgeKind::info:
            return {Token::info_soft, {}, Token::info};
        case BadgeKind::neutral:
            return {Token::bg_hover, {}, Token::text_2};
    }
    return {{}, Token::line_strong, Token::text_2};
}

QFont fontOf(const Style& style, BadgeKind kind) {
    return kind == BadgeKind::mono ? style.mono(10) : style.ui(10, 600);
}

QString fromView(std::string_view text) {
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

}  // namespace

Badge badgeOf(document::Role role) {
    switch (role) {
        case document::Role::tensor:
            return {QStringLiteral("tensor"), BadgeKind::tensor_role};
        case document::Role::mask:
            return {QStringLiteral("mask"), BadgeKind::mask_role};
        case document::Role::image:
            return {QStringLiteral("image"), BadgeKind::image_role};
        case document::Role::labels:
            return {QStringLiteral("labels"), BadgeKind::script_role};
    }
    return {};
}

Badge badgeOf(document::MaskConvention convention) {
    switch (convention) {
        case document::MaskConvention::keep:
            return {QStringLiteral("KEEP"), BadgeKind::keep};
        case document::MaskConvention::drop:
            return {QStringLiteral("DROP"), BadgeKind::drop};
        case document::MaskConvention::additive:
            return {QStringLiteral("ADDITIVE"), BadgeKind::additive};
    }
    return {};
}

Badge badgeOf(DType dtype) {
    return {fromView(short_name_of(dtype)), BadgeKind::mono};
}

Badge planeBadge(std::int64_t rows, std::int64_t cols) {
    return {QStringLiteral("%1 × %2").arg(rows).arg(cols), BadgeKind::mono};
}

Badge nanBadge(std::int64_t count) {
    return {QLocale(QLocale::English, QLocale::UnitedStates).toString(static_cast<qlonglong>(count)) +
                QStringLiteral(" NaN"),
            BadgeKind::nan};
}

QSize badgeSize(const Style& style, const Badge& badge) {
    const int padding = style.px(badge.kind == BadgeKind::tensor_role || badge.kind == BadgeKind::mask_role ||
                                         badge.kind == BadgeKind::image_role || badge.kind == BadgeKind::script_role
                                     ? 6
                                     : 5);
    const int width = QFontMetrics(fontOf(style, badge.kind)).horizontalAdvance(badge.text) + 2 * padding;
    const int height = style.px(16);
    return {qMax(width, height), height};
}

QRect paintBadge(QPainter& painter, const Style& style, QPoint corner, const Badge& badge) {
    const QRect box(corner, badgeSize(style, badge));
    const Looks looks = looksOf(badge.kind);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setBrush(looks.fill ? QBrush(style.colour(*looks.fill)) : QBrush(Qt::NoBrush));
    painter.setPen(looks.frame ? QPen(style.colour(*looks.frame), 1) : QPen(Qt::NoPen));
    const double radius = style.pxf(badge.kind == BadgeKind::neutral ? 8 : 3);
    const double inset = looks.frame ? 0.5 : 0;
    painter.drawRoundedRect(QRectF(box).adjusted(inset, inset, -inset, -inset), radius, radius);
    painter.setFont(fontOf(style, badge.kind));
    painter.setPen(style.colour(looks.ink));
    painter.drawText(box, Qt::AlignCenter, badge.text);
    painter.restore();
    return box;
}

BadgeLabel::BadgeLabel(Style& style, const Badge& badge, QWidget* parent) : QWidget(parent), style_(style) {
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    style.follow(this, [this] {
        updateGeometry();
        update();
    });
    setBadge(badge);
}

void BadgeLabel::setBadge(const Badge& badge) {
    badge_ = badge;
    setAccessibleName(badge.text);
    updateGeometry();
    update();
}

QSize BadgeLabel::sizeHint() const {
    return badgeSize(style_, badge_);
}

void BadgeLabel::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    paintBadge(painter, style_, {0, 0}, badge_);
}

}  // namespace maskscope::ui
