// SPDX-License-Identifier: GPL-3.0-or-later
// Fusion with flat drawings in the theme's colours for what a style sheet cannot draw without image files.
#pragma once

#include <QProxyStyle>
#include <QStyleOption>

namespace maskscope::ui {

class Style;

class FusionStyle : public QProxyStyle {
    Q_OBJECT
public:
    explicit FusionStyle(const Style& style);

    using QProxyStyle::polish;
    void polish(QWidget* widget) override;

    void drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                       const QWidget* widget) const override;
    void drawControl(ControlElement element, const QStyleOption* option, QPainter* painter,
                     const QWidget* widget) const override;
    void drawComplexControl(ComplexControl control, const QStyleOptionComplex* option, QPainter* painter,
                            const QWidget* widget) const override;
    QRect subControlRect(ComplexControl control, const QStyleOptionComplex* option, SubControl part,
                         const QWidget* widget) const override;
    QSize sizeFromContents(ContentsType type, const QStyleOption* option, const QSize& size,
                           const QWidget* widget) const override;
    int pixelMetric(PixelMetric metric, const QStyleOption* option, const QWidget* widget) const override;
    QPixmap generatedIconPixmap(QIcon::Mode mode, const QPixmap& pixmap, const QStyleOption* option) const override;
    int styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget,
                  QStyleHintReturn* data) const override;

private:
    void drawFrame(QPainter& painter, const QStyleOption& option) const;
    void drawIcon(QPainter& painter, const QString& name, const QRect& box, bool enabled) const;
    void drawSlider(const QStyleOptionSlider& option, QPainter& painter) const;
    const Style& style_;
};

}  // namespace maskscope::ui
