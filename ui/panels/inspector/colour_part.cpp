// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/inspector/colour_part.h"

#include "ui/kit/section.h"
#include "ui/kit/segmented.h"
#include "ui/panels/inspector/number_field.h"
#include "ui/panels/inspector/range_histogram.h"
#include "ui/session/cell_readout.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPointer>
#include <QVBoxLayout>

#include <algorithm>

namespace maskscope::ui {

using render::RangeKind;
using render::ScaleKind;

namespace {

constexpr int kBins = 56;
constexpr std::array kScales{ScaleKind::linear, ScaleKind::log, ScaleKind::symlog, ScaleKind::sqrt};
constexpr std::array kRanges{RangeKind::minmax, RangeKind::robust, RangeKind::sigma3, RangeKind::fixed,
                             RangeKind::unit};

template <class T, std::size_t N>
int place_of(const std::array<T, N>& all, T one) {
    return static_cast<int>(std::find(all.begin(), all.end(), one) - all.begin());
}

QString title_of(render::MapId map) {
    auto name = textOf(render::name_of(map));
    return name.left(1).toUpper() + name.mid(1);
}

QPixmap gradient(const Style& style, render::MapId map, double ratio) {
    const auto& colours = render::lut(map, style.themeId());
    QImage strip(static_cast<int>(colours.size()), 1, QImage::Format_RGB32);
    for (int i = 0; i < strip.width(); ++i) strip.setPixel(i, 0, colours[static_cast<std::size_t>(i)]);
    QPixmap out(QSize(style.px(112), style.px(12)) * ratio);
    out.setDevicePixelRatio(ratio);
    QPainter painter(&out);
    painter.drawImage(QRect(0, 0, style.px(112), style.px(12)), strip);
    return out;
}

}  // namespace

ColourPart::ColourPart(Session& session, Style& style, QWidget* parent)
    : InspectorPart(session, style, parent), section_(new Section(style, tr("Colour"), this)) {
    column()->addWidget(section_);
    buildMap();
    buildScale();
    buildRange();
    style.follow(this, [this] { section_->body()->setSpacing(style_.px(4)); });
}

void ColourPart::buildMap() {
    auto* row = new FieldRow(style_, tr("Map"), section_);
    map_ = new QComboBox(row);
    map_->setAccessibleName(tr("Colour map"));
    row->add(map_, 1);
    section_->body()->addWidget(row);
    for (int i = 0; i < render::kMapCount; ++i) map_->addItem(title_of(static_cast<render::MapId>(i)));
    style_.follow(map_, [this] { drawMaps(); });
    connect(map_, &QComboBox::activated, this, [this](int index) {
        session_.changeView(entry_, [=](ViewState& state) { state.colour.map = static_cast<render::MapId>(index); });
    });
}

void ColourPart::drawMaps() {
    map_->setIconSize({style_.px(112), style_.px(12)});
    map_->setFixedHeight(style_.px(24));
    for (int i = 0; i < map_->count(); ++i) {
        map_->setItemIcon(i, gradient(style_, static_cast<render::MapId>(i), devicePixelRatioF()));
    }
}

void ColourPart::buildScale() {
    auto* row = new FieldRow(style_, tr("Scale"), section_);
    scale_ = new Segmented(style_, tr("Scale"), {tr("Lin"), tr("Log"), tr("Sym"), tr("Sqrt")}, row);
    scale_->setChoiceToolTip(1, tr("Logarithm, for positive values"));
    scale_->setChoiceToolTip(2, tr("Symmetric logarithm, linear below max / 100"));
    scale_->setChoiceToolTip(3, tr("Square root"));
    row->add(scale_);
    row->addStretch();
    section_->body()->addWidget(row);
    connect(scale_, &Segmented::chosen, this, [this](int index) {
        session_.changeView(entry_,
                            [=](ViewState& state) { state.colour.scale = kScales[static_cast<std::size_t>(index)]; });
    });
}

void ColourPart::buildRange() {
    auto* row = new FieldRow(style_, tr("Range"), section_);
    over_ = new Segmented(style_, tr("Range over"), {tr("Slice"), tr("Whole tensor")}, row);
    row->add(over_);
    row->addStretch();
    section_->body()->addWidget(row);
    connect(over_, &Segmented::chosen, this, [this](int index) {
        session_.changeView(entry_, [=](ViewState& state) { state.colour.whole_tensor = index == 1; });
    });

    range_ =
        new Segmented(style_, tr("Range"), {tr("Min–max"), tr("Robust"), tr("3σ"), tr("Fixed"), tr("0–1")}, section_);
    range_->setChoiceToolTip(1, tr("1st to 99th percentile of the visible values"));
    range_->setChoiceToolTip(2, tr("Mean ± 3 standard deviations"));
    section_->body()->addWidget(range_, 0, Qt::AlignLeft);
    connect(range_, &Segmented::chosen, this, [this](int index) {
        const auto kind = kRanges[static_cast<std::size_t>(index)];
        const auto now = session_.scale(entry_);
        session_.changeView(entry_, [=](ViewState& state) {
            // A fixed range starts from what is on the screen.
            if (kind == RangeKind::fixed && state.colour.range != RangeKind::fixed) {
                state.colour.fixed_lo = now.lo;
                state.colour.fixed_hi = now.hi;
            }
            state.colour.range = kind;
        });
    });

    histogram_ = new RangeHistogram(style_, section_);
    section_->body()->addWidget(histogram_);
    connect(histogram_, &RangeHistogram::rangeDragged, this, &ColourPart::setFixed);

    auto* ends = new QWidget(section_);
    auto* boxes = new QHBoxLayout(ends);
    lo_ = new NumberField(style_, tr("Low end of the colour range"), ends);
    hi_ = new NumberField(style_, tr("High end of the colour range"), ends);
    auto* to = new QLabel(tr("to"), ends);
    to->setProperty("tone", "text2");
    boxes->addWidget(lo_, 1);
    boxes->addWidget(to);
    boxes->addWidget(hi_, 1);
    section_->body()->addWidget(ends);
    problem_ = new QLabel(section_);
    problem_->setWordWrap(true);
    problem_->setProperty("type", "secondary");
    problem_->setProperty("tone", "error");
    problem_->hide();
    section_->body()->addWidget(problem_);
    style_.follow(ends, [this, boxes] {
        boxes->setContentsMargins(0, 0, 0, 0);
        boxes->setSpacing(style_.px(8));
    });
    lo_->setCheck([this](double value) { return checkEnd(value, true); });
    hi_->setCheck([this](double value) { return checkEnd(value, false); });
    connect(lo_, &NumberField::entered, this, [this](double value) { setFixed(value, session_.scale(entry_).hi); });
    connect(hi_, &NumberField::entered, this, [this](double value) { setFixed(session_.scale(entry_).lo, value); });
    for (auto* field : {lo_, hi_}) {
        connect(field, &NumberField::problemChanged, this, [this] {
            problem_->setText(lo_->problem().isEmpty() ? hi_->problem() : lo_->problem());
            problem_->setVisible(!problem_->text().isEmpty());
        });
    }
}

QString ColourPart::checkEnd(double value, bool low) const {
    const auto now = session_.scale(entry_);
    if (now.kind == ScaleKind::log && value <= 0) return tr("A log scale needs ends above 0.");
    if (low && value >= now.hi) return tr("The low end must be below the high end, %1.").arg(shownNumber(now.hi));
    if (!low && value <= now.lo) return tr("The high end must be above the low end, %1.").arg(shownNumber(now.lo));
    return {};
}

void ColourPart::setFixed(double lo, double hi) {
    session_.changeView(entry_, [=](ViewState& state) {
        state.colour.range = RangeKind::fixed;
        state.colour.fixed_lo = lo;
        state.colour.fixed_hi = hi;
    });
}

void ColourPart::refresh(Change change) {
    const auto* state = view();
    if (state == nullptr || change == Change::cursor) return;
    if (change == Change::entry) {
        lo_->forget();
        hi_->forget();
    }
    map_->setCurrentIndex(static_cast<int>(state->colour.map));
    scale_->setCurrent(place_of(kScales, state->colour.scale));
    over_->setCurrent(state->colour.whole_tensor ? 1 : 0);
    range_->setCurrent(place_of(kRanges, state->colour.range));
    const bool computed = state->colour.range != RangeKind::fixed && state->colour.range != RangeKind::unit;
    over_->setEnabled(computed);
    showRange();
}

void ColourPart::showRange() {
    const bool counting = session_.counting(entry_);
    const auto scale = session_.scale(entry_);
    if (counting) {
        lo_->showNote(tr("counting"));
        hi_->showNote(tr("counting"));
    } else {
        lo_->showNumber(scale.lo);
        hi_->showNumber(scale.hi);
    }
    const auto plane = session_.heatmap(entry_);
    if (!plane || !plane->prepared()) {
        counted_ = {};
        histogram_->setNote(plane ? tr("counting") : tr("loading"));
        return;
    }
    if (plane->stats().finite == 0) {
        counted_ = {};
        histogram_->setNote(tr("no visible finite values"));
        return;
    }
    // While an end is dragged the axis stands still under the mouse.
    if (!histogram_->dragging() && !counting) countValues();
    histogram_->setRange(scale.lo, scale.hi);
}

void ColourPart::countValues() {
    const auto scale = session_.scale(entry_);
    const auto plane = session_.heatmap(entry_);
    const auto& stats = plane->stats();
    Counted wanted{plane, stats.min, stats.max, scale.kind == ScaleKind::log};
    if (wanted.log) wanted.lo = stats.smallest_positive > 0 ? stats.smallest_positive : scale.lo;
    // A range beyond the values must be seen as such.
    wanted.lo = std::min(wanted.lo, scale.lo);
    wanted.hi = std::max(wanted.hi, scale.hi);
    if (wanted.log && wanted.lo <= 0) wanted.lo = wanted.hi / 1e6;
    if (wanted == counted_ || !(wanted.lo < wanted.hi)) return;
    counted_ = wanted;
    histogram_->setAxis(wanted.lo, wanted.hi, wanted.log);
    histogram_->setNote(tr("counting"));
    using Counts = std::vector<std::int64_t>;
    session_.jobs().run<Counts>(
        QStringLiteral("inspector histogram"), tr("Counting values"),
        [wanted](const JobContext& context) {
            return wanted.data->histogram(wanted.lo, wanted.hi, wanted.log, kBins, context);
        },
        [self = QPointer(this), wanted](Result<Counts> counts) {
            if (!self || !(self->counted_ == wanted)) return;
            if (counts) {
                self->histogram_->setCounts(std::move(*counts));
            } else {
                self->histogram_->setNote(textOf(counts.error().message.text()));
            }
        });
}

}  // namespace maskscope::ui
