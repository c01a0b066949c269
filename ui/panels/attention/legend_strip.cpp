// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/attention/legend_strip.h"

#include "core/render/figure/cell_glyphs.h"
#include "core/render/figure/number_text.h"
#include "core/tensor/convert.h"
#include "ui/canvas/figure_spec.h"
#include "ui/session/cell_readout.h"

#include <QHBoxLayout>
#include <QLocale>
#include <QPainter>
#include <QPolygonF>

#include <algorithm>
#include <cmath>

namespace maskscope::ui {

using render::CellState;
using render::Token;

namespace {

constexpr int kHeight = 40;
constexpr int kBarWidth = 184;
constexpr int kShortBarWidth = 104;
constexpr int kBarHeight = 10;
constexpr int kTriangle = 6;
constexpr int kSwatch = 14;
constexpr CellState kStates[] = {CellState::masked, CellState::true_zero, CellState::underflow,
                                 CellState::nan,    CellState::posinf,    CellState::neginf};

QString endText(double value) {
    if (value == 0) return QStringLiteral("0");
    return withMinusSign(QString::fromStdString(short_text_of(value, 3)));
}

}  // namespace

ColourBar::ColourBar(Style& style, QWidget* parent) : QWidget(parent), style_(style) {
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
}

void ColourBar::setScale(const QString& title, const render::Look& look, bool below, bool above) {
    title_ = title;
    look_ = look;
    below_ = below;
    above_ = above;
    setToolTip(tr("%1: %2 to %3").arg(title, endText(look.scale.lo), endText(look.scale.hi)) +
               (below || above ? tr("\nValues outside take the colour of the end with the triangle.") : QString()));
    setAccessibleName(toolTip());
    updateGeometry();
    update();
}

int ColourBar::titleWidth() const {
    return std::min(QFontMetrics(style_.ui(11)).horizontalAdvance(title_) + style_.px(2), style_.px(140));
}

int ColourBar::barWidth() const {
    return style_.px(short_ ? kShortBarWidth : kBarWidth);
}

void ColourBar::setShort(bool is_short) {
    if (short_ == is_short) return;
    short_ = is_short;
    updateGeometry();
    update();
}

QSize ColourBar::sizeHint() const {
    return {titleWidth() + barWidth() + style_.px(36), style_.px(kHeight) - 1};
}
QSize ColourBar::minimumSizeHint() const {
    return sizeHint();
}

void ColourBar::paintTicks(QPainter& painter, const QRect& bar) {
    painter.setFont(style_.ui(10));
    painter.setPen(style_.colour(Token::text_2));
    const QFontMetrics metrics(painter.font());
    const int gap = style_.px(8);
    double free_from = bar.left() - style_.px(10);
    auto values = render::ticks(look_.scale, bar.width());
    auto texts = render::tick_texts(values);
    if (values.size() < 2) {
        values = {look_.scale.lo, look_.scale.hi};
        texts = {endText(values[0]).toStdString(), endText(values[1]).toStdString()};
    }
    for (std::size_t i = 0; i < values.size(); ++i) {
        const double x = bar.left() + render::position_of(look_.scale, values[i]) * bar.width();
        const auto text = QString::fromStdString(texts[i]);
        const int width = metrics.horizontalAdvance(text);
        // A label stays near the bar, and one that would touch its neighbour is left out.
        const double left =
            std::clamp(x - width / 2.0, bar.left() - 1.0 * style_.px(10), bar.right() + 1.0 * style_.px(12) - width);
        if (left < free_from) continue;
        painter.drawText(QPointF(left, bar.bottom() + style_.px(4) + metrics.ascent() - 1), text);
        free_from = left + width + gap;
    }
}

void ColourBar::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setFont(style_.ui(11));
    painter.setPen(style_.colour(Token::text_2));
    const QRect title(0, 0, titleWidth(), height());
    painter.drawText(title, Qt::AlignLeft | Qt::AlignVCenter,
                     QFontMetrics(painter.font()).elidedText(title_, Qt::ElideMiddle, title.width()));

    const QRect bar(titleWidth() + style_.px(18), style_.px(8), barWidth(), style_.px(kBarHeight));
    const auto& table = render::lut(look_.map, look_.theme);
    QImage image(static_cast<int>(table.size()), 1, QImage::Format_RGB32);
    std::copy(table.begin(), table.end(), reinterpret_cast<render::Rgb*>(image.bits()));
    painter.drawImage(bar, image);
    painter.setPen(QPen(style_.colour(Token::line_strong), 1));
    painter.drawRect(QRectF(bar).adjusted(0.5, 0.5, -0.5, -0.5));

    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    const auto triangle = [&](double base, double tip, render::Rgb colour) {
        painter.setBrush(QColor::fromRgb(colour));
        painter.drawPolygon(QPolygonF({QPointF(base, bar.top()), QPointF(base, bar.top() + bar.height()),
                                       QPointF(tip, bar.top() + bar.height() / 2.0)}));
    };
    const int right = bar.left() + bar.width();
    if (below_) triangle(bar.left() - 1, bar.left() - 1 - style_.px(kTriangle), table.front());
    if (above_) triangle(right + 1, right + 1 + style_.px(kTriangle), table.back());
    paintTicks(painter, bar);
}

StateButton::StateButton(Style& style, CellState state, QWidget* parent)
    : QAbstractButton(parent), style_(style), painter_(style), state_(state), name_(textOf(render::name_of(state))) {
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    setFocusPolicy(Qt::TabFocus);
    setCursor(Qt::PointingHandCursor);
}

QString StateButton::countText() const {
    return count_ < 0 ? tr("…") : QLocale(QLocale::English).toString(count_);
}

void StateButton::setCount(const QString& name, std::int64_t count) {
    name_ = name;
    count_ = count;
    setEnabled(count > 0);
    setAccessibleName(count < 0 ? tr("%1: counting").arg(name) : tr("%1: %2 cells").arg(name).arg(count));
    setToolTip(count > 0 ? tr("%1: %2 cells. Click to walk through them.").arg(name, countText())
                         : (count < 0 ? tr("%1: counting").arg(name) : tr("%1: none in this slice").arg(name)));
    updateGeometry();
    update();
}

void StateButton::setNamed(bool named) {
    named_ = named;
    updateGeometry();
    update();
}

int StateButton::widthWith(bool named) const {
    const int name = named ? QFontMetrics(style_.ui(11)).horizontalAdvance(name_) + style_.px(5) : 0;
    return style_.px(4 + kSwatch + 6 + 4) + name + QFontMetrics(style_.ui(11, 600)).horizontalAdvance(countText());
}

QSize StateButton::sizeHint() const {
    return {widthWith(named_), style_.px(24)};
}

void StateButton::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    if (underMouse() && isEnabled()) {
        painter.setPen(Qt::NoPen);
        painter.setBrush(style_.colour(isDown() ? Token::accent_soft : Token::bg_hover));
        painter.drawRoundedRect(rect(), style_.px(4), style_.px(4));
    }
    if (hasFocus()) {
        painter.setPen(QPen(style_.colour(Token::line_focus), 2));
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), style_.px(4), style_.px(4));
    }
    const auto& theme = style_.theme();
    const double side = style_.px(kSwatch);
    const render::Box box{1.0 * style_.px(4), std::floor((height() - side) / 2), side, side};
    const auto detail = render::glyph_detail(side);
    render::DisplayList swatch;
    swatch.items.emplace_back(render::RectItem{box, render::fill_of(state_, detail, theme), 0, 1, 0});
    swatch.items.emplace_back(
        render::GlyphItem{box, state_, render::ink_of(state_, theme), render::hatch_spacing(side)});
    if (state_ == CellState::true_zero)
        swatch.items.emplace_back(
            render::RectItem{{box.x + 0.5, box.y + 0.5, side - 1, side - 1}, 0, theme[Token::st_zero_line], 1, 0});
    painter_.paint(painter, swatch);

    int x = static_cast<int>(box.right()) + style_.px(6);
    const auto write = [&](const QFont& font, Token colour, const QString& text) {
        painter.setFont(font);
        painter.setPen(style_.colour(colour));
        painter.drawText(QRect(x, 0, width() - x, height()), Qt::AlignLeft | Qt::AlignVCenter, text);
        x += QFontMetrics(font).horizontalAdvance(text) + style_.px(5);
    };
    if (named_) write(style_.ui(11), count_ == 0 ? Token::text_3 : Token::text, name_);
    write(style_.ui(11, count_ == 0 ? 400 : 600), count_ == 0 ? Token::text_3 : Token::text, countText());
}

LegendStrip::LegendStrip(Session& session, Style& style, QWidget* parent)
    : QWidget(parent), session_(session), style_(style), bar_(new ColourBar(style, this)) {
    auto* row = new QHBoxLayout(this);
    row->addWidget(bar_);
    row->addStretch(1);
    for (const auto state : kStates) {
        auto* button = new StateButton(style, state, this);
        connect(button, &StateButton::clicked, this, [this, state] { walk(state); });
        states_.push_back(button);
        row->addWidget(button);
    }
    style.follow(this, [this, row] {
        setFixedHeight(style_.px(kHeight));
        row->setContentsMargins(style_.px(16), 1, style_.px(8), 0);
        row->setSpacing(style_.px(4));
        refresh();
    });
    connect(&session_, &Session::viewChanged, this, [this](EntryId id) {
        if (id == id_) refresh();
    });
    connect(&session_, &Session::dataChanged, this, [this](EntryId id) {
        if (id == id_) refresh();
    });
}

void LegendStrip::setEntry(EntryId id) {
    id_ = id;
    refresh();
}

void LegendStrip::refresh() {
    const auto plane = session_.view(id_) != nullptr ? session_.heatmap(id_) : nullptr;
    setEnabled(plane != nullptr);
    const bool known = plane && plane->prepared();
    if (plane) {
        const auto spec = figureSpec(session_, id_, style_.themeId());
        const auto& stats = plane->stats();
        const bool any = known && stats.finite > 0;
        auto title = QString::fromStdString(spec.legend_title);
        if (session_.counting(id_)) title += tr(", counting");
        bar_->setScale(title, spec.look, any && stats.min < spec.look.scale.lo, any && stats.max > spec.look.scale.hi);
    }
    for (auto* button : states_) {
        auto name = withMinusSign(textOf(render::name_of(button->state())));
        if (button->state() == CellState::masked && plane && plane->mask() == nullptr && plane->plane().masked_value)
            name = tr("masked by value");
        button->setCount(name, known ? plane->stats().counts[static_cast<std::size_t>(button->state())] : -1);
    }
    makeRoom();
}

// Where room is short the bar is shortened, then the states without cells lose their names, then all do.
void LegendStrip::makeRoom() {
    const auto room = [this] { return width() - bar_->sizeHint().width() - style_.px(40 + 4 * 6); };
    const auto needed = [this](auto named) {
        int sum = 0;
        for (const auto* button : states_) sum += button->widthWith(named(*button));
        return sum;
    };
    const auto all = [](const StateButton&) { return true; };
    const auto some = [](const StateButton& button) { return button.count() != 0; };
    bar_->setShort(false);
    if (needed(all) > room()) bar_->setShort(true);
    const int level = needed(all) <= room() ? 0 : (needed(some) <= room() ? 1 : 2);
    for (auto* button : states_) button->setNamed(level == 0 || (level == 1 && some(*button)));
}

void LegendStrip::walk(CellState state) {
    const auto* view = session_.view(id_);
    const auto plane = view != nullptr ? session_.heatmap(id_) : nullptr;
    if (!plane) return;
    const auto from = view->cursor.value_or(render::CellIndex{0, -1});
    if (const auto next = plane->next_of(state, from.row, from.col)) emit cellChosen({next->first, next->second});
}

void LegendStrip::resizeEvent(QResizeEvent*) {
    makeRoom();
}

void LegendStrip::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), style_.colour(Token::bg_panel));
    painter.fillRect(0, 0, width(), 1, style_.colour(Token::line));
}

}  // namespace maskscope::ui
