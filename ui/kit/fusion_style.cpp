// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/kit/fusion_style.h"

#include "ui/kit/style.h"

#include <QComboBox>
#include <QMenu>
#include <QPainter>
#include <QSlider>
#include <QStyleOption>
#include <QStyledItemDelegate>
#include <QWidget>

namespace maskscope::ui {

using render::Token;

FusionStyle::FusionStyle(const Style& style) : QProxyStyle(QStringLiteral("Fusion")), style_(style) {}

void FusionStyle::polish(QWidget* widget) {
    QProxyStyle::polish(widget);
    // The combo box's own delegate takes neither heights nor padding from a style sheet.
    auto* combo = qobject_cast<QComboBox*>(widget);
    if (combo != nullptr && combo->itemDelegate()->inherits("QComboBoxDelegate")) {
        combo->setItemDelegate(new QStyledItemDelegate(combo));
    }
}

// Frame of a control: 1 px line.strong, or 2 px line.focus inside the same box.
void FusionStyle::drawFrame(QPainter& painter, const QStyleOption& option) const {
    const bool enabled = option.state & State_Enabled;
    const bool focus = enabled && (option.state & State_HasFocus);
    const bool hover = enabled && (option.state & State_MouseOver);
    const double width = focus ? 2 : 1;
    const auto token = focus ? Token::line_focus : !enabled ? Token::line : hover ? Token::text_3 : Token::line_strong;
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(style_.colour(token), width));
    painter.setBrush(style_.colour(enabled ? Token::bg_view : Token::bg_window));
    const double inset = width / 2;
    painter.drawRoundedRect(QRectF(option.rect).adjusted(inset, inset, -inset, -inset), style_.pxf(4), style_.pxf(4));
    painter.restore();
}

void FusionStyle::drawIcon(QPainter& painter, const QString& name, const QRect& box, bool enabled) const {
    const int side = qMin(style_.px(12), qMin(box.width(), box.height()));
    const double ratio = painter.device()->devicePixelRatio();
    const QPixmap icon =
        style_.pixmap(name, style_.colour(enabled ? Token::text_2 : Token::text_disabled), QSizeF(side, side), ratio);
    painter.drawPixmap(box.center().x() - side / 2 + 1, box.center().y() - side / 2 + 1, icon);
}

void FusionStyle::drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                                const QWidget* widget) const {
    const bool enabled = option->state & State_Enabled;
    switch (element) {
        case PE_IndicatorCheckBox:
        case PE_IndicatorRadioButton:
        case PE_IndicatorMenuCheckMark: {
            const bool on = option->state & State_On;
            const bool partly = option->state & State_NoChange;
            if (element == PE_IndicatorMenuCheckMark && !on) return;
            const bool focus = option->state & State_HasFocus;
            const int side = style_.px(14);
            QRectF box(0, 0, side, side);
            box.moveCenter(QRectF(option->rect).center());
            box.moveTopLeft(QPointF(qRound(box.x()), qRound(box.y())));
            painter->save();
            painter->setRenderHint(QPainter::Antialiasing);
            const auto fill = !enabled ? Token::bg_window : on || partly ? Token::accent : Token::bg_view;
            const auto frame = focus          ? Token::line_focus
                               : !enabled     ? Token::line
                               : on || partly ? Token::accent
                                              : Token::line_strong;
            painter->setBrush(style_.colour(fill));
            painter->setPen(QPen(style_.colour(frame), focus ? 2 : 1));
            const double radius = element == PE_IndicatorRadioButton ? side / 2.0 : style_.pxf(3);
            painter->drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), radius, radius);
            if (on || partly) {
                const auto ink = style_.colour(enabled ? Token::on_accent : Token::text_disabled);
                const double inner = side - style_.pxf(2);
                const auto name = partly                               ? QStringLiteral("minus")
                                  : element == PE_IndicatorRadioButton ? QStringLiteral("dot")
                                                                       : QStringLiteral("check");
                painter->drawPixmap(box.topLeft() + QPointF(style_.pxf(1), style_.pxf(1)),
                                    style_.pixmap(name, ink, {inner, inner}, painter->device()->devicePixelRatio()));
            }
            painter->restore();
            return;
        }
        case PE_IndicatorArrowDown:
            return drawIcon(*painter, QStringLiteral("down"), option->rect, enabled);
        case PE_IndicatorArrowUp:
            return drawIcon(*painter, QStringLiteral("up"), option->rect, enabled);
        case PE_IndicatorArrowLeft:
            return drawIcon(*painter, QStringLiteral("left"), option->rect, enabled);
        case PE_IndicatorArrowRight:
            return drawIcon(*painter, QStringLiteral("right"), option->rect, enabled);
        case PE_IndicatorBranch:
            if (!(option->state & State_Children)) return;
            return drawIcon(*painter, option->state & State_Open ? QStringLiteral("down") : QStringLiteral("right"),
                            option->rect, enabled);
        case PE_FrameFocusRect:
            painter->save();
            painter->setPen(style_.colour(Token::line_focus));
            painter->setBrush(Qt::NoBrush);
            painter->drawRect(option->rect.adjusted(0, 0, -1, -1));
            painter->restore();
            return;
        case PE_FrameStatusBarItem:
            return;
        default:
            return QProxyStyle::drawPrimitive(element, option, painter, widget);
    }
}

void FusionStyle::drawControl(ControlElement element, const QStyleOption* option, QPainter* painter,
                              const QWidget* widget) const {
    if (element == CE_ComboBoxLabel) {
        const auto* combo = qstyleoption_cast<const QStyleOptionComboBox*>(option);
        if (!combo || combo->editable) return QProxyStyle::drawControl(element, option, painter, widget);
        QRect box = subControlRect(CC_ComboBox, combo, SC_ComboBoxEditField, widget);
        if (!combo->currentIcon.isNull()) {
            const QSize icon = combo->iconSize;
            painter->drawPixmap(box.left(), box.center().y() - icon.height() / 2 + 1,
                                combo->currentIcon.pixmap(icon, painter->device()->devicePixelRatio()));
            box.setLeft(box.left() + icon.width() + style_.px(6));
        }
        painter->setPen(style_.colour(option->state & State_Enabled ? Token::text : Token::text_disabled));
        painter->drawText(box, Qt::AlignVCenter | Qt::AlignLeft,
                          combo->fontMetrics.elidedText(combo->currentText, Qt::ElideRight, box.width()));
        return;
    }
    QProxyStyle::drawControl(element, option, painter, widget);
}

void FusionStyle::drawSlider(const QStyleOptionSlider& option, QPainter& painter) const {
    const bool enabled = option.state & State_Enabled;
    const bool focus = option.state & State_HasFocus;
    const QRectF groove = proxy()->subControlRect(CC_Slider, &option, SC_SliderGroove, nullptr);
    const QRectF handle = proxy()->subControlRect(CC_Slider, &option, SC_SliderHandle, nullptr);
    const bool flat = option.orientation == Qt::Horizontal;
    const double half = style_.pxf(2);
    QRectF bar = flat ? QRectF(groove.left(), groove.center().y() - half, groove.width(), 2 * half)
                      : QRectF(groove.center().x() - half, groove.top(), 2 * half, groove.height());
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(style_.colour(enabled ? Token::line_strong : Token::line));
    painter.drawRoundedRect(bar, half, half);
    if (flat) {
        bar.setRight(handle.center().x());
    } else {
        bar.setTop(handle.center().y());
    }
    painter.setBrush(style_.colour(enabled ? Token::accent : Token::text_disabled));
    painter.drawRoundedRect(bar, half, half);
    const double radius = style_.pxf(7);
    if (focus) {
        painter.setBrush(style_.colour(Token::accent_soft));
        painter.drawEllipse(handle.center(), radius + style_.pxf(2), radius + style_.pxf(2));
    }
    const bool pressed = option.activeSubControls & SC_SliderHandle && option.state & State_Sunken;
    painter.setPen(QPen(style_.colour(enabled ? Token::accent : Token::text_disabled), style_.pxf(2)));
    painter.setBrush(style_.colour(pressed ? Token::accent_soft : Token::bg_view));
    painter.drawEllipse(handle.center(), radius - style_.pxf(1), radius - style_.pxf(1));
    painter.restore();
}

void FusionStyle::drawComplexControl(ComplexControl control, const QStyleOptionComplex* option, QPainter* painter,
                                     const QWidget* widget) const {
    const bool enabled = option->state & State_Enabled;
    if (control == CC_ComboBox) {
        drawFrame(*painter, *option);
        drawIcon(*painter, QStringLiteral("down"), subControlRect(control, option, SC_ComboBoxArrow, widget), enabled);
        return;
    }
    if (control == CC_SpinBox) {
        drawFrame(*painter, *option);
        const auto* spin = qstyleoption_cast<const QStyleOptionSpinBox*>(option);
        if (!spin || spin->buttonSymbols == QAbstractSpinBox::NoButtons) return;
        const QRect up = subControlRect(control, option, SC_SpinBoxUp, widget);
        const QRect down = subControlRect(control, option, SC_SpinBoxDown, widget);
        const bool can_up = enabled && spin->stepEnabled & QAbstractSpinBox::StepUpEnabled;
        const bool can_down = enabled && spin->stepEnabled & QAbstractSpinBox::StepDownEnabled;
        drawIcon(*painter, QStringLiteral("up"), up, can_up);
        drawIcon(*painter, QStringLiteral("down"), down, can_down);
        return;
    }
    if (control == CC_Slider) {
        const auto* slider = qstyleoption_cast<const QStyleOptionSlider*>(option);
        if (slider) return drawSlider(*slider, *painter);
    }
    QProxyStyle::drawComplexControl(control, option, painter, widget);
}

QRect FusionStyle::subControlRect(ComplexControl control, const QStyleOptionComplex* option, SubControl part,
                                  const QWidget* widget) const {
    const QRect box = option->rect;
    if (control == CC_ComboBox) {
        const int arrow = style_.px(22);
        if (part == SC_ComboBoxArrow) return {box.right() - arrow + 1, box.top(), arrow, box.height()};
        if (part == SC_ComboBoxEditField) return box.adjusted(style_.px(8), 1, -arrow, -1);
    }
    if (control == CC_SpinBox) {
        const auto* spin = qstyleoption_cast<const QStyleOptionSpinBox*>(option);
        const int buttons = spin && spin->buttonSymbols == QAbstractSpinBox::NoButtons ? 2 : style_.px(16);
        const QRect column(box.right() - buttons, box.top() + 1, buttons, box.height() - 2);
        if (part == SC_SpinBoxUp) return {column.left(), column.top(), column.width(), column.height() / 2};
        if (part == SC_SpinBoxDown)
            return {column.left(), column.top() + column.height() / 2, column.width(), column.height() / 2};
        if (part == SC_SpinBoxEditField) return box.adjusted(style_.px(4), 2, -buttons - 1, -2);
    }
    if (control == CC_Slider) {
        const auto* slider = qstyleoption_cast<const QStyleOptionSlider*>(option);
        if (slider && part == SC_SliderHandle) {
            const int side = style_.px(14);
            const bool flat = slider->orientation == Qt::Horizontal;
            const int span = (flat ? box.width() : box.height()) - side;
            const int at = sliderPositionFromValue(slider->minimum, slider->maximum, slider->sliderPosition, span,
                                                   slider->upsideDown);
            return flat ? QRect(box.left() + at, box.center().y() - side / 2, side, side)
                        : QRect(box.center().x() - side / 2, box.top() + at, side, side);
        }
        if (slider && part == SC_SliderGroove) return box;
    }
    return QProxyStyle::subControlRect(control, option, part, widget);
}

QSize FusionStyle::sizeFromContents(ContentsType type, const QStyleOption* option, const QSize& size,
                                    const QWidget* widget) const {
    QSize wanted = QProxyStyle::sizeFromContents(type, option, size, widget);
    if (type == CT_ComboBox) {
        wanted.setHeight(style_.px(24));
        wanted.setWidth(size.width() + style_.px(8 + 22));
    } else if (type == CT_SpinBox) {
        wanted.setHeight(style_.px(24));
    } else if (type == CT_Slider) {
        const auto* slider = qstyleoption_cast<const QStyleOptionSlider*>(option);
        if (!slider || slider->orientation == Qt::Horizontal) wanted.setHeight(style_.px(18));
    } else if (type == CT_CheckBox) {
        wanted.setHeight(qMax(wanted.height(), style_.px(20)));
    }
    return wanted;
}

int FusionStyle::pixelMetric(PixelMetric metric, const QStyleOption* option, const QWidget* widget) const {
    switch (metric) {
        case PM_IndicatorWidth:
        case PM_IndicatorHeight:
        case PM_ExclusiveIndicatorWidth:
        case PM_ExclusiveIndicatorHeight:
            return style_.px(14);
        case PM_CheckBoxLabelSpacing:
            return style_.px(8);
        case PM_SmallIconSize:
        case PM_ButtonIconSize:
        case PM_ToolBarIconSize:
        case PM_ListViewIconSize:
        case PM_TabBarIconSize:
            return style_.px(16);
        case PM_SliderLength:
        case PM_SliderControlThickness:
            return style_.px(14);
        case PM_SliderThickness:
            return style_.px(18);
        case PM_LayoutLeftMargin:
        case PM_LayoutRightMargin:
        case PM_LayoutTopMargin:
        case PM_LayoutBottomMargin:
            return style_.px(12);
        case PM_LayoutHorizontalSpacing:
        case PM_LayoutVerticalSpacing:
            return style_.px(8);
        case PM_DockWidgetSeparatorExtent:
        case PM_SplitterWidth:
        case PM_MenuPanelWidth:
            return 1;
        case PM_FocusFrameHMargin:
        case PM_FocusFrameVMargin:
            return 0;
        default:
            return QProxyStyle::pixelMetric(metric, option, widget);
    }
}

// A selected row must not tint a colormap or a picture in it.
QPixmap FusionStyle::generatedIconPixmap(QIcon::Mode mode, const QPixmap& pixmap, const QStyleOption* option) const {
    return mode == QIcon::Selected ? pixmap : QProxyStyle::generatedIconPixmap(mode, pixmap, option);
}

int FusionStyle::styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget,
                           QStyleHintReturn* data) const {
    switch (hint) {
        case SH_Slider_AbsoluteSetButtons:
            return Qt::LeftButton;  // a click goes there, as the hand expects
        case SH_ComboBox_Popup:
            return 0;
        case SH_UnderlineShortcut:
            return qobject_cast<const QMenu*>(widget) != nullptr;  // not on resting surfaces
        case SH_EtchDisabledText:
        case SH_DitherDisabledText:
            return 0;
        case SH_ToolTip_WakeUpDelay:
            return 500;
        default:
            return QProxyStyle::styleHint(hint, option, widget, data);
    }
}

}  // namespace maskscope::ui
