// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/kit/style.h"

#include "resources/resources.h"
#include "ui/kit/fusion_style.h"
#include "ui/kit/style_sheet.h"

#include <QApplication>
#include <QFontDatabase>
#include <QIconEngine>
#include <QPainter>
#include <QPalette>
#include <QPixmapCache>
#include <QPointer>
#include <QSvgRenderer>
#include <QWidget>

#include <algorithm>

namespace maskscope::ui {

using render::Token;

namespace {

// Families of the bundled faces, or the fallback when the machine's font engine refuses them.
QString loadFamily(std::initializer_list<std::string_view> files, const QString& wanted, const QString& fallback) {
    bool all = true;
    for (const auto file : files) {
        const auto bytes = resource(file);
        const auto data =
            QByteArray::fromRawData(reinterpret_cast<const char*>(bytes.data()), static_cast<qsizetype>(bytes.size()));
        all = all && !bytes.empty() && QFontDatabase::addApplicationFontFromData(data) >= 0;
    }
    return all ? wanted : fallback;
}

// Draws an icon in the theme's colours each time, so that a change of theme needs no new icons.
class TintedIcon : public QIconEngine {
public:
    TintedIcon(const Style* style, QString name) : style_(style), name_(std::move(name)) {}

    void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State state) override {
        const double ratio = painter->device() ? painter->device()->devicePixelRatio() : 1.0;
        painter->drawPixmap(rect, scaledPixmap(rect.size() * ratio, mode, state, ratio));
    }
    QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) override {
        return scaledPixmap(size, mode, state, 1.0);
    }
    QPixmap scaledPixmap(const QSize& size, QIcon::Mode mode, QIcon::State state, qreal scale) override {
        if (!style_) return {};
        const auto token = mode == QIcon::Disabled ? Token::text_disabled
                           : state == QIcon::On    ? Token::accent
                                                   : Token::text_2;
        return style_->pixmap(name_, style_->colour(token), QSizeF(size) / scale, scale);
    }
    QString key() const override { return QStringLiteral("maskscope"); }
    bool isNull() override { return false; }
    QIconEngine* clone() const override { return new TintedIcon(style_, name_); }

private:
    QPointer<const Style> style_;
    QString name_;
};

}  // namespace

Style::Style(QObject* parent)
    : QObject(parent),
      ui_family_(loadFamily({"fonts/Inter-Regular.otf", "fonts/Inter-Medium.otf", "fonts/Inter-SemiBold.otf"},
                            QStringLiteral("Inter"), QStringLiteral("DejaVu Sans"))),
      mono_family_(loadFamily({"fonts/JetBrainsMono-Regular.ttf", "fonts/JetBrainsMono-Bold.ttf"},
                              QStringLiteral("JetBrains Mono"), QStringLiteral("DejaVu Sans Mono"))) {}

Style::~Style() = default;

void Style::setTheme(render::ThemeId theme) {
    if (theme_ == theme) return;
    theme_ = theme;
    if (applied_) apply();
    emit changed();
}

void Style::setInterfaceSize(int percent) {
    percent = std::clamp(percent, 80, 250);
    if (size_ == percent) return;
    size_ = percent;
    if (applied_) apply();
    emit changed();
}

void Style::apply() {
    applied_ = true;
    if (!qobject_cast<FusionStyle*>(QApplication::style())) QApplication::setStyle(new FusionStyle(*this));
    QPalette palette;
    const auto set = [&](QPalette::ColorRole role, Token token) { palette.setColor(role, colour(token)); };
    set(QPalette::Window, Token::bg_window);
    set(QPalette::Base, Token::bg_view);
    set(QPalette::AlternateBase, Token::bg_sunken);
    set(QPalette::Button, Token::bg_raised);
    set(QPalette::ToolTipBase, Token::bg_raised);
    set(QPalette::WindowText, Token::text);
    set(QPalette::Text, Token::text);
    set(QPalette::ButtonText, Token::text);
    set(QPalette::BrightText, Token::on_accent);
    set(QPalette::ToolTipText, Token::text);
    set(QPalette::PlaceholderText, Token::text_3);
    set(QPalette::Highlight, Token::bg_selected);
    set(QPalette::HighlightedText, Token::text);
    set(QPalette::Link, Token::text_link);
    set(QPalette::LinkVisited, Token::text_link);
    set(QPalette::Light, Token::bg_raised);
    set(QPalette::Midlight, Token::bg_hover);
    set(QPalette::Mid, Token::line);
    set(QPalette::Dark, Token::line_strong);
    set(QPalette::Shadow, Token::line_strong);
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText, QPalette::HighlightedText})
        palette.setColor(QPalette::Disabled, role, colour(Token::text_disabled));
    QApplication::setPalette(palette);
    QApplication::setFont(ui());
    qApp->setStyleSheet(styleSheet(*this));
}

QColor Style::colour(Token token) const {
    return QColor::fromRgb(theme()[token]);
}

int Style::px(double logical) const {
    return logical > 0 ? std::max(1, qRound(pxf(logical))) : qRound(pxf(logical));
}

QFont Style::ui(double size, int weight) const {
    QFont font(ui_family_);
    font.setPixelSize(std::max(1, px(size)));
    font.setWeight(static_cast<QFont::Weight>(weight));
    return font;
}

QFont Style::mono(double size, int weight) const {
    QFont font(mono_family_);
    font.setPixelSize(std::max(1, px(size)));
    font.setWeight(static_cast<QFont::Weight>(weight));
    font.setStyleHint(QFont::Monospace);
    font.setFixedPitch(true);
    font.setStyleStrategy(QFont::PreferNoShaping);  // no ligatures: "->" and "!=" stay what was typed
    return font;
}

QIcon Style::icon(const QString& name) const {
    return QIcon(new TintedIcon(this, name));
}

QPixmap Style::pixmap(const QString& name, Token token, double size, double device_ratio) const {
    return pixmap(name, colour(token), QSizeF(px(size), px(size)), device_ratio);
}

QPixmap Style::pixmap(const QString& name, const QColor& colour, const QSizeF& size, double device_ratio) const {
    const QSize device_size = (size * device_ratio).toSize().expandedTo({1, 1});
    const QString key = QStringLiteral("ms:%1:%2:%3x%4@%5")
                            .arg(name, colour.name())
                            .arg(device_size.width())
                            .arg(device_size.height())
                            .arg(device_ratio);
    QPixmap pixmap;
    if (QPixmapCache::find(key, &pixmap)) return pixmap;
    auto& drawing = drawings_[name];
    if (!drawing) {
        const auto text = resource_text("icons/" + name.toStdString() + ".svg");
        drawing =
            std::make_unique<QSvgRenderer>(QByteArray::fromRawData(text.data(), static_cast<qsizetype>(text.size())));
    }
    QImage image(device_size, QImage::Format_ARGB32_Premultiplied);
    image.fill(Qt::transparent);
    QPainter painter(&image);
    painter.setRenderHint(QPainter::Antialiasing);
    if (drawing->isValid()) drawing->render(&painter, QRectF(QPointF(0, 0), QSizeF(device_size)));
    painter.setCompositionMode(QPainter::CompositionMode_SourceIn);
    painter.fillRect(image.rect(), colour);
    painter.end();
    pixmap = QPixmap::fromImage(std::move(image));
    pixmap.setDevicePixelRatio(device_ratio);
    QPixmapCache::insert(key, pixmap);
    return pixmap;
}

void Style::follow(QObject* context, const std::function<void()>& change) {
    change();
    connect(this, &Style::changed, context, change);
}

void Style::mark(QWidget* widget, const char* property, const QVariant& value) {
    if (widget->property(property) == value) return;
    widget->setProperty(property, value);
    if (!widget->testAttribute(Qt::WA_WState_Polished)) return;
    widget->style()->unpolish(widget);
    widget->style()->polish(widget);
    widget->update();
}

}  // namespace maskscope::ui
