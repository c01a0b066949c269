// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/attention/row_profile_view.h"

#include "core/render/pool/row_profile.h"
#include "core/tensor/convert.h"
#include "ui/canvas/figure_spec.h"
#include "ui/kit/segmented.h"
#include "ui/panels/attention/token_table.h"
#include "ui/plots/row_plot.h"
#include "ui/session/cell_readout.h"

#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLocale>
#include <QPainter>
#include <QTimer>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace maskscope::ui {

using render::Token;

namespace {

constexpr int kHeaderHeight = 32;
// Reading one row of more cells than this in every slice would hold a moving cursor up.
constexpr std::int64_t kMeanCells = 1 << 20;
// Half precision sums of a softmax row stay within this of 1.
constexpr double kSumTolerance = 0.005;

QString number(double value) {
    if (std::isnan(value)) return QStringLiteral("NaN");
    const double size = std::abs(value);
    if (!std::isfinite(value) || (value != 0 && (size < 1e-4 || size >= 1e5)))
        return withMinusSign(QString::fromStdString(short_text_of(value, 4)));
    return withMinusSign(QString::number(value, 'f', 4));
}

}  // namespace

RowProfileView::RowProfileView(Session& session, Style& style, QWidget* parent)
    : QWidget(parent),
      session_(session),
      style_(style),
      filling_(new QTimer(this)),
      row_name_(new QLabel(this)),
      scale_(new Segmented(style, tr("Value axis"), {tr("Lin"), tr("Log")}, this)),
      plot_(new RowPlot(style, this)),
      table_(new TokenTable(style, this)) {
    filling_->setSingleShot(true);
    filling_->setInterval(0);
    connect(filling_, &QTimer::timeout, this, &RowProfileView::fill);

    auto* column = new QVBoxLayout(this);
    column->setSpacing(0);
    column->addWidget(makeHeader());
    column->addWidget(makeMetrics());
    column->addWidget(plot_, 1);
    column->addWidget(table_, 1);
    style.follow(this, [this, column] {
        column->setContentsMargins(style_.px(16), 0, style_.px(16), 0);
        table_->setMinimumHeight(style_.px(96));
        setMinimumWidth(style_.px(288));
    });

    scale_->setChoiceToolTip(1, tr("Logarithmic value axis: positive values only"));
    connect(scale_, &Segmented::chosen, this, [this](int index) { plot_->setLog(index == 1); });
    const auto choose = [this](qint64 col) { emit cellChosen({row_, col}); };
    connect(plot_, &RowPlot::columnClicked, this, choose);
    connect(table_, &TokenTable::columnClicked, this, choose);
    connect(&session_, &Session::viewChanged, this, [this](EntryId id) {
        if (id == id_) invalidate();
    });
    connect(&session_, &Session::dataChanged, this, [this](EntryId id) {
        if (id == id_) invalidate();
    });
    connect(&session_, &Session::documentChanged, this, [this] { invalidate(); });
    connect(&session_, &Session::cursorChanged, this, [this](EntryId id) {
        if (id == id_) follow();
    });
    connect(&style, &Style::changed, this, [this] { invalidate(); });
}

QWidget* RowProfileView::makeHeader() {
    auto* header = new QWidget(this);
    auto* row = new QHBoxLayout(header);
    auto* title = new QLabel(tr("Row profile"), header);
    title->setProperty("type", "strong");
    row_name_->setProperty("tone", "text2");
    row_name_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    row->addWidget(title);
    row->addWidget(row_name_, 1);
    row->addWidget(scale_);
    style_.follow(header, [this, header, row] {
        header->setFixedHeight(style_.px(kHeaderHeight));
        row->setContentsMargins(0, style_.px(4), 0, 0);
        row->setSpacing(style_.px(8));
    });
    return header;
}

QWidget* RowProfileView::makeMetrics() {
    auto* box = new QWidget(this);
    auto* grid = new QGridLayout(box);
    const struct {
        QString name;
        QString tip;
    } texts[] = {
        {tr("Row sum"), tr("Sum of the visible cells of this row, in double precision. A softmax row sums to 1.")},
        {tr("Entropy"), tr("−Σ p log₂ p over the visible cells, with p = cell / row sum: 0 bit when one key takes all, "
                           "log₂ n when n keys take the same. A dash when the row is no distribution.")},
        {tr("Visible keys"), tr("Cells of this row that no mask hides, of all its cells.")},
        {tr("Max"), tr("The largest finite visible value of this row.")},
    };
    int column = 0;
    for (const auto& text : texts) {
        Metric metric{new QLabel(text.name, box), new QLabel(box)};
        metric.name->setProperty("type", "secondary");
        metric.value->setProperty("type", "metric");
        for (auto* label : {metric.name, metric.value}) label->setToolTip(text.tip);
        grid->addWidget(metric.name, 0, column);
        grid->addWidget(metric.value, 1, column);
        grid->setColumnStretch(column, 1);
        metrics_.push_back(metric);
        ++column;
    }
    style_.follow(box, [this, grid] {
        grid->setContentsMargins(0, style_.px(6), 0, style_.px(4));
        grid->setHorizontalSpacing(style_.px(8));
        grid->setVerticalSpacing(0);
    });
    return box;
}

void RowProfileView::setEntry(EntryId id) {
    if (id != id_) row_ = 0;
    id_ = id;
    follow();
    invalidate();
}

void RowProfileView::invalidate() {
    stale_ = true;
    if (isVisible()) filling_->start();
}

void RowProfileView::showEvent(QShowEvent*) {
    if (stale_) filling_->start();
}

void RowProfileView::follow() {
    const auto* state = session_.view(id_);
    if (state == nullptr) return;
    if (state->cursor && state->cursor->row != row_) {
        row_ = state->cursor->row;
        invalidate();
        return;
    }
    if (stale_) return;  // fill() sets it
    const auto col = state->cursor ? std::optional(state->cursor->col) : std::nullopt;
    plot_->RowPlot::setCursor(col);
    table_->TokenTable::setCursor(col);
}

std::vector<double> RowProfileView::meanOverSlices(QString& label) const {
    const auto* state = session_.view(id_);
    const auto* entry = session_.document().find(id_);
    const auto tensor = session_.tensor(id_);
    if (state == nullptr || entry == nullptr || !tensor || state->row_dim < 0 || state->col_dim < 0) return {};
    const auto dims = outerDims(*state, tensor->shape());
    if (dims.empty()) return {};
    const int dim = dims.front();
    if (tensor->size(dim) * tensor->size(state->col_dim) > kMeanCells) return {};
    // [slice, column]: every other dim at its index, the last ones first so that the numbers of the rest hold.
    Tensor stack = *tensor;
    int slice_dim = dim;
    int col_dim = state->col_dim;
    for (int at = tensor->rank() - 1; at >= 0; --at) {
        if (at == dim || at == state->col_dim) continue;
        stack = stack.select(at, at == state->row_dim ? row_ : state->index[static_cast<std::size_t>(at)]);
        if (at < dim) --slice_dim;
        if (at < state->col_dim) --col_dim;
    }
    if (slice_dim > col_dim) stack = stack.transpose(0, 1);
    const auto plane = session_.heatmap(id_);
    std::vector<render::CellState> states;
    if (plane) states = render::row_profile(plane->plane(), plane->mask(), row_).states;
    label = tr("mean of %1 %2s").arg(tensor->size(dim)).arg(dimName(*entry, dim));
    return render::mean_over_slices(stack, plane ? plane->plane().masked_value : std::nullopt, states);
}

void RowProfileView::fill() {
    const auto* state = session_.view(id_);
    const auto* entry = session_.document().find(id_);
    const auto plane = state != nullptr ? session_.heatmap(id_) : nullptr;
    if (!isVisible() || entry == nullptr || !plane || plane->plane().rows() == 0 || plane->plane().cols() == 0) {
        setEnabled(false);
        return;
    }
    setEnabled(true);
    stale_ = false;
    row_ = std::clamp<std::int64_t>(row_, 0, plane->plane().rows() - 1);
    const auto spec = figureSpec(session_, id_, style_.themeId());

    auto name = QString::fromStdString(spec.rows.title) + QStringLiteral(" %1").arg(row_);
    if (static_cast<std::size_t>(row_) < spec.rows.tokens.size())
        name += QStringLiteral(" “%1”").arg(QString::fromStdString(spec.rows.tokens[static_cast<std::size_t>(row_)]));
    full_name_ = name;
    nameRow();

    RowPlotContent content;
    content.profile = render::row_profile(plane->plane(), plane->mask(), row_);
    content.mean = meanOverSlices(content.mean_label);
    content.tokens = spec.cols.tokens;
    content.value_name = QString::fromStdString(entry->name).section(QLatin1Char('.'), -1);
    content.look = spec.look;
    const auto profile = content.profile;
    table_->tokens().setValueName(tr("value"));
    table_->tokens().setRow(profile, spec.cols.tokens);
    table_->setTokensShown(!spec.cols.tokens.empty());
    plot_->setContent(std::move(content));

    const bool sums_to_one = is_floating(plane->plane().tensor.dtype()) && plane->prepared() &&
                             plane->stats().min >= 0 && plane->stats().max <= 1.5 && profile.entropy_bits;
    const bool odd = sums_to_one && std::abs(profile.sum - 1) > kSumTolerance;
    const auto locale = QLocale(QLocale::English);
    metrics_[0].value->setText(number(profile.sum));
    Style::mark(metrics_[0].value, "tone", odd || std::isnan(profile.sum) ? QVariant("warn") : QVariant());
    metrics_[1].value->setText(profile.entropy_bits ? tr("%1 bit").arg(*profile.entropy_bits, 0, 'f', 2)
                                                    : QStringLiteral("–"));
    metrics_[2].value->setText(tr("%1 / %2").arg(locale.toString(static_cast<qlonglong>(profile.visible)),
                                                 locale.toString(static_cast<qlonglong>(profile.values.size()))));
    metrics_[3].value->setText(profile.max ? number(*profile.max) : QStringLiteral("–"));
    follow();
}

void RowProfileView::nameRow() {
    row_name_->setToolTip(full_name_);
    row_name_->setText(row_name_->fontMetrics().elidedText(full_name_, Qt::ElideRight, row_name_->width()));
}

// The label's width follows its words' layout, which is made after this.
void RowProfileView::resizeEvent(QResizeEvent*) {
    QTimer::singleShot(0, this, &RowProfileView::nameRow);
}

void RowProfileView::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), style_.colour(Token::bg_view));
}

}  // namespace maskscope::ui
