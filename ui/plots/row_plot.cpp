// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/row_plot.h"

#include "core/tensor/convert.h"
#include "ui/plots/cell_strip.h"
#include "ui/session/cell_readout.h"

#include <qcustomplot.h>

#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <limits>

namespace maskscope::ui {

using render::Token;

namespace {

constexpr int kLeftMargin = 52;
constexpr int kTopMargin = 20;  // room for what the dashed line is
constexpr int kRightMargin = 8;
constexpr int kPlotHeight = 112;

QColor mixed(const QColor& colour, const QColor& with, double share) {
    const auto mix = [&](int a, int b) { return static_cast<int>(std::lround(a * share + b * (1 - share))); };
    return {mix(colour.red(), with.red()), mix(colour.green(), with.green()), mix(colour.blue(), with.blue())};
}

QString numberText(double value) {
    const double size = std::abs(value);
    if (value != 0 && (size < 1e-4 || size >= 1e5))
        return withMinusSign(QString::fromStdString(short_text_of(value, 3)));
    return withMinusSign(QString::number(value, 'f', 4));
}

}  // namespace

struct RowPlot::Private {
    Private(RowPlot* self, Style& look) : style(look) {
        plot = new QCustomPlot(self);
        strip = new CellStrip(look, self);
        auto* column = new QVBoxLayout(self);
        column->setContentsMargins(0, 0, 0, 0);
        column->setSpacing(0);
        column->addWidget(plot, 1);
        column->addWidget(strip);

        bars = new QCPBars(plot->xAxis, plot->yAxis);
        cursor_bar = new QCPBars(plot->xAxis, plot->yAxis);
        mean = plot->addGraph();
        mean->setLineStyle(QCPGraph::lsStepCenter);
        label = new QCPItemText(plot);
        mean_label = new QCPItemText(plot);
        mean_dash = new QCPItemLine(plot);
        for (auto* item : {static_cast<QCPAbstractItem*>(label), static_cast<QCPAbstractItem*>(mean_label),
                           static_cast<QCPAbstractItem*>(mean_dash)})
            item->setClipToAxisRect(false);
        log_ticker.reset(new QCPAxisTickerLog);
        linear_ticker.reset(new QCPAxisTicker);
        linear_ticker->setTickCount(4);
        auto* rect = plot->axisRect();
        rect->setAutoMargins(QCP::msNone);
        plot->xAxis->setTicks(false);
        plot->xAxis->setTickLabels(false);
        plot->xAxis->grid()->setVisible(false);
        plot->yAxis->setTickLength(0, 0);
        plot->yAxis->setSubTicks(false);
        plot->yAxis->grid()->setZeroLinePen(Qt::NoPen);
        plot->setNoAntialiasingOnDrag(true);
        plot->setAccessibleName(RowPlot::tr("Row profile"));
    }

    Private(const Private&) = delete;
    Private& operator=(const Private&) = delete;

    void restyle();
    void replot();
    void placeLabels();
    void placeCursorLabel(std::int64_t col, double value);
    double heightOf(double value) const;
    double highest(double from, double to) const;
    double floorOf(double smallest) const;

    Style& style;
    QCustomPlot* plot = nullptr;
    CellStrip* strip = nullptr;
    QCPBars* bars = nullptr;
    QCPBars* cursor_bar = nullptr;
    QCPGraph* mean = nullptr;
    QCPItemText* label = nullptr;
    QCPItemText* mean_label = nullptr;
    QCPItemLine* mean_dash = nullptr;
    QSharedPointer<QCPAxisTickerLog> log_ticker;
    QSharedPointer<QCPAxisTicker> linear_ticker;
    RowPlotContent content;
    std::optional<std::int64_t> cursor;
    bool log = false;
};

void RowPlot::Private::restyle() {
    const auto text = style.colour(Token::text_2);
    const auto bar = style.colour(Token::plot_1);
    const auto background = style.colour(Token::bg_view);
    plot->setBackground(background);
    plot->setMinimumHeight(style.px(kPlotHeight));
    plot->axisRect()->setMargins(QMargins(style.px(kLeftMargin), style.px(kTopMargin), style.px(kRightMargin), 0));
    for (auto* axis : {plot->xAxis, plot->yAxis}) {
        axis->setBasePen(QPen(style.colour(Token::line_strong), 1));
        axis->setTickLabelFont(style.ui(10));
        axis->setTickLabelColor(text);
        axis->setLabelFont(style.ui(10));
        axis->setLabelColor(text);
    }
    plot->yAxis->grid()->setPen(QPen(style.colour(Token::plot_grid), 1));
    bars->setPen(Qt::NoPen);
    bars->setBrush(mixed(bar, background, 0.6));
    cursor_bar->setPen(Qt::NoPen);
    cursor_bar->setBrush(bar);
    QPen dashed(text, 1);
    dashed.setDashPattern({3, 2});
    mean->setPen(dashed);
    mean->setAntialiased(false);
    mean_dash->setPen(dashed);
    label->setFont(style.ui(11, 600));
    label->setColor(style.colour(Token::text));
    mean_label->setFont(style.ui(10));
    mean_label->setColor(text);
}

// A log axis begins at the power of ten below the smallest positive value, six at most below the largest.
double RowPlot::Private::floorOf(double smallest) const {
    const double largest = content.profile.max.value_or(1);
    return std::max(std::pow(10, std::floor(std::log10(smallest))), std::pow(10, std::floor(std::log10(largest)) - 6));
}

void RowPlot::Private::replot() {
    const auto& profile = content.profile;
    const auto cols = static_cast<std::int64_t>(profile.values.size());
    double top = 0;
    double bottom = 0;
    double smallest = std::numeric_limits<double>::infinity();
    const auto widen = [&](double value) {
        if (!std::isfinite(value)) return;
        top = std::max(top, value);
        bottom = std::min(bottom, value);
        if (value > 0) smallest = std::min(smallest, value);
    };

    // One bar a pixel at the most: the largest value stands for its bucket.
    const auto width = std::max(1, plot->axisRect()->width());
    const auto row = render::pool_row(profile, std::max(width, 1));
    const auto count = static_cast<std::int64_t>(row.values.size());
    const double step = count > 0 ? static_cast<double>(cols) / static_cast<double>(count) : 1;
    QVector<double> keys;
    QVector<double> values;
    for (std::int64_t i = 0; i < count; ++i) {
        const auto at = static_cast<std::size_t>(i);
        if (row.states[at] == render::CellState::masked || !std::isfinite(row.values[at])) continue;
        keys.append((static_cast<double>(i) + 0.5) * step);
        values.append(row.values[at]);
        widen(row.values[at]);
    }
    QVector<double> mean_keys;
    QVector<double> mean_values;
    for (std::size_t i = 0; i < content.mean.size(); ++i) {
        mean_keys.append(static_cast<double>(i) + 0.5);
        mean_values.append(content.mean[i]);
        widen(content.mean[i]);
    }
    if (top <= bottom) top = bottom + 1;

    const bool logarithmic = log && std::isfinite(smallest);
    auto* y = plot->yAxis;
    y->setScaleType(logarithmic ? QCPAxis::stLogarithmic : QCPAxis::stLinear);
    if (logarithmic) {
        y->setTicker(log_ticker);
        y->setNumberFormat(QStringLiteral("eb"));
        y->setNumberPrecision(0);
        y->setRange(floorOf(smallest), top * 2);
        y->setLabel(RowPlot::tr("%1, log axis").arg(content.value_name));
        bars->setBaseValue(y->range().lower);
        cursor_bar->setBaseValue(y->range().lower);
    } else {
        y->setTicker(linear_ticker);
        y->setNumberFormat(QStringLiteral("gb"));
        y->setNumberPrecision(3);
        const double air = (top - bottom) * 0.12;
        y->setRange(bottom < 0 ? bottom - air : 0, top + air);
        y->setLabel(content.value_name);
        bars->setBaseValue(0);
        cursor_bar->setBaseValue(0);
    }
    const double bar_width = step * (width / std::max(1.0, static_cast<double>(count)) >= 4 ? 0.84 : 1.0);
    bars->setWidth(bar_width);
    cursor_bar->setWidth(std::max(bar_width, 2.0 * static_cast<double>(cols) / width));
    bars->setData(keys, values, true);
    mean->setData(mean_keys, mean_values, true);
    plot->xAxis->setRange(0, std::max<double>(1, static_cast<double>(cols)));
    placeLabels();
    const auto* rect = plot->axisRect();
    strip->setSpan(rect->left(), rect->left() + rect->width());
    plot->replot(QCustomPlot::rpQueuedReplot);
}

void RowPlot::Private::placeLabels() {
    const auto& profile = content.profile;
    const auto cols = static_cast<std::int64_t>(profile.values.size());
    const auto col = cursor.value_or(-1);
    const bool known = col >= 0 && col < cols;
    const double value = known ? profile.values[static_cast<std::size_t>(col)] : 0;
    const bool bar =
        known && std::isfinite(value) && profile.states[static_cast<std::size_t>(col)] != render::CellState::masked;
    cursor_bar->data()->clear();
    if (bar) cursor_bar->addData(static_cast<double>(col) + 0.5, value);

    label->setVisible(bar);
    if (bar) placeCursorLabel(col, value);

    // What the dashed line is, said in the corner that the cursor's label leaves free.
    const bool has_mean = !content.mean.empty() && !content.mean_label.isEmpty();
    mean_label->setVisible(has_mean);
    mean_dash->setVisible(has_mean);
    if (!has_mean) return;
    mean_label->setText(content.mean_label);
    mean_label->setPositionAlignment(Qt::AlignTop | Qt::AlignRight);
    mean_label->position->setType(QCPItemPosition::ptAbsolute);
    const auto* rect = plot->axisRect();
    const QFontMetrics metrics(style.ui(10));
    const int x = rect->right();
    const int y = 0;
    mean_label->position->setCoords(x, y);
    const int dash_right = x - metrics.horizontalAdvance(content.mean_label) - style.px(8);
    for (auto* end : {mean_dash->start, mean_dash->end}) end->setType(QCPItemPosition::ptAbsolute);
    mean_dash->start->setCoords(dash_right - style.px(18), y + metrics.height() / 2.0);
    mean_dash->end->setCoords(dash_right, y + metrics.height() / 2.0);
}

// Beside the bar at its top, or above what stands there when that is higher; on the side where it stays closer.
void RowPlot::Private::placeCursorLabel(std::int64_t col, double value) {
    const auto at = static_cast<std::size_t>(col);
    const auto name = at < content.tokens.size() ? QString::fromStdString(content.tokens[at]) : QString::number(col);
    label->setText(QStringLiteral("%1 %2").arg(name, numberText(value)));
    const QFontMetrics metrics(style.ui(11, 600));
    const double gap = style.px(5);
    const double width = metrics.horizontalAdvance(label->text()) + gap;
    const auto* rect = plot->axisRect();
    const double bar_left = plot->xAxis->coordToPixel(static_cast<double>(col));
    const double bar_right = plot->xAxis->coordToPixel(static_cast<double>(col) + 1);

    const double beside = heightOf(value);
    const auto above = [&](double from, double to) {
        return std::min(beside, highest(from, to) - metrics.height() - 1);
    };
    const bool fits_left = bar_left - width >= rect->left();
    const bool fits_right = bar_right + width <= rect->right();
    const double left_top = above(bar_left - width, bar_left);
    const double right_top = above(bar_right, bar_right + width);
    const bool right = fits_right && (!fits_left || right_top >= left_top);
    label->setPositionAlignment(Qt::AlignTop | (right ? Qt::AlignLeft : Qt::AlignRight));
    label->position->setType(QCPItemPosition::ptAbsolute);
    label->position->setCoords(right ? bar_right + gap : bar_left - gap, std::max(0.0, right ? right_top : left_top));
}

double RowPlot::Private::heightOf(double value) const {
    const auto range = plot->yAxis->range();
    return plot->yAxis->coordToPixel(std::clamp(value, range.lower, range.upper));
}

// The top of what is drawn between two pixel columns, as a pixel row.
double RowPlot::Private::highest(double from, double to) const {
    const auto& profile = content.profile;
    const auto cols = static_cast<std::int64_t>(profile.values.size());
    double top = plot->axisRect()->bottom();
    const auto first = std::max<std::int64_t>(0, static_cast<std::int64_t>(plot->xAxis->pixelToCoord(from + 1)));
    const auto last = std::min(cols - 1, static_cast<std::int64_t>(plot->xAxis->pixelToCoord(to - 1)));
    for (auto col = first; col <= last; ++col) {
        const auto i = static_cast<std::size_t>(col);
        if (profile.states[i] != render::CellState::masked && std::isfinite(profile.values[i]))
            top = std::min(top, heightOf(profile.values[i]));
        if (i < content.mean.size() && std::isfinite(content.mean[i])) top = std::min(top, heightOf(content.mean[i]));
    }
    return top;
}

RowPlot::RowPlot(Style& style, QWidget* parent) : QWidget(parent), d_(std::make_unique<Private>(this, style)) {
    connect(d_->strip, &CellStrip::columnClicked, this, &RowPlot::columnClicked);
    connect(d_->plot, &QCustomPlot::mousePress, this, [this](QMouseEvent* event) {
        const double col = std::floor(d_->plot->xAxis->pixelToCoord(event->position().x()));
        if (col >= 0 && col < static_cast<double>(d_->content.profile.values.size()))
            emit columnClicked(static_cast<qint64>(col));
    });
    style.follow(this, [this] {
        d_->restyle();
        d_->replot();
    });
}

RowPlot::~RowPlot() = default;

void RowPlot::setContent(RowPlotContent content) {
    d_->content = std::move(content);
    d_->strip->setRow(&d_->content.profile, &d_->content.tokens, d_->content.look);
    d_->replot();
}

void RowPlot::setCursor(std::optional<std::int64_t> col) {
    if (d_->cursor == col) return;
    d_->cursor = col;
    d_->strip->setMarked(col);
    d_->replot();
}

void RowPlot::setLog(bool log) {
    if (d_->log == log) return;
    d_->log = log;
    d_->replot();
}

void RowPlot::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    // QCustomPlot lays its axis rectangle out when it replots.
    d_->plot->replot();
    d_->replot();
}

}  // namespace maskscope::ui
