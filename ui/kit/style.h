// SPDX-License-Identifier: GPL-3.0-or-later
// The look of the window: theme, interface size, fonts, icons. One object, owned by main, handed to every panel.
//
// Widgets get their looks from one style sheet through dynamic properties (set them before the widget is shown):
//   QLabel       "type":    "secondary" 11 text.2 | "tertiary" 11 text.3 | "strong" 600 | "medium" 500 | "name" 13/600
//   |
//                           "metric" 16/600 | "mono" 11 | "mono2" 11 text.2 | "ticks" 10 text.2
//                "tone":    "error" | "warn" | "ok" | "info" | "accent" | "text2" | "text3"   (colour only)
//   QPushButton  "kind":    "primary" (one a view) | "small" (20 high) | "link" ; without: 28 high dialog button
//   QLineEdit    "face":    "mono" ; "invalid": true (error frame)
//   QWidget      "surface": "window" | "panel" | "view" | "raised" | "sunken" | "header"
// Everything else is painted by Fusion with our drawings on top (combo boxes, check boxes, sliders, scroll bars).
#pragma once

#include "core/render/look/theme.h"

#include <QColor>
#include <QFont>
#include <QIcon>
#include <QObject>
#include <QPixmap>

#include <functional>
#include <map>
#include <memory>

class QApplication;
class QSvgRenderer;
class QWidget;

namespace maskscope::ui {

class Style : public QObject {
    Q_OBJECT
public:
    // Loads the bundled fonts; needs a QApplication.
    explicit Style(QObject* parent = nullptr);
    ~Style() override;

    render::ThemeId themeId() const { return theme_; }
    const render::Theme& theme() const { return render::Theme::get(theme_); }
    void setTheme(render::ThemeId theme);

    // Interface size in percent, 80 to 250.
    int interfaceSize() const { return size_; }
    void setInterfaceSize(int percent);

    // Puts fonts, palette and style sheet on the application, now and after every change.
    void apply();

    QColor colour(render::Token token) const;
    // Device-independent pixels of a length at 100 %.
    int px(double logical) const;
    double pxf(double logical) const { return logical * size_ / 100.0; }

    // `size` at 100 % in pixels; weights 400, 500, 600.
    QFont ui(double size = 12, int weight = 400) const;
    QFont mono(double size = 11, int weight = 400) const;

    // "open" is resources/icons/open.svg: text.2, accent when on, text.disabled when off. Follows the theme by itself.
    QIcon icon(const QString& name) const;
    // One colour, `size` at 100 %.
    QPixmap pixmap(const QString& name, render::Token token, double size, double device_ratio) const;
    QPixmap pixmap(const QString& name, const QColor& colour, const QSizeF& size, double device_ratio) const;

    // Calls `change` now and after each change of theme or size, for as long as `context` lives.
    void follow(QObject* context, const std::function<void()>& change);
    // Sets a dynamic property and restyles the widget when it is on the screen already.
    static void mark(QWidget* widget, const char* property, const QVariant& value);

signals:
    void changed();  // theme or interface size

private:
    render::ThemeId theme_ = render::ThemeId::light;
    int size_ = 100;
    QString ui_family_;
    QString mono_family_;
    bool applied_ = false;
    mutable std::map<QString, std::unique_ptr<QSvgRenderer>> drawings_;
};

}  // namespace maskscope::ui
