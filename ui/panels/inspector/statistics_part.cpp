// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/inspector/statistics_part.h"

#include "ui/kit/section.h"
#include "ui/panels/inspector/state_swatch.h"
#include "ui/session/cell_readout.h"

#include <QLocale>
#include <QVBoxLayout>

namespace maskscope::ui {

using render::CellState;

namespace {

QString grouped(std::int64_t count) {
    return QLocale::c().toString(static_cast<qlonglong>(count));
}

}  // namespace

StatisticsPart::StatisticsPart(Session& session, Style& style, QWidget* parent)
    : InspectorPart(session, style, parent), section_(new Section(style, tr("Statistics of the slice"), this)) {
    column()->addWidget(section_);
    const auto add = [&](const QString& name) {
        auto* row = new FactRow(style_, name, section_);
        section_->body()->addWidget(row);
        return row;
    };
    min_ = add(tr("Smallest visible value"));
    max_ = add(tr("Largest visible value"));
    for (const auto state : {CellState::value, CellState::masked, CellState::true_zero, CellState::nan,
                             CellState::posinf, CellState::neginf}) {
        auto* row = add(withMinusSign(textOf(render::name_of(state))));
        auto* swatch = new StateSwatch(style_, 14, row);
        if (state == CellState::value) {
            swatch->setValue(0.5, {});
        } else {
            swatch->setState(state);
        }
        row->addFront(swatch);
        counts_[state] = row;
    }
    subnormal_ = add(tr("of the values, subnormal"));
    style.follow(this, [this] { section_->body()->setSpacing(0); });
}

void StatisticsPart::refresh(Change change) {
    if (change == Change::cursor) return;
    const auto plane = session_.heatmap(entry_);
    const bool known = plane && plane->prepared();
    const auto counting = entry() != nullptr && !entry()->error.empty() ? tr("not loaded") : tr("counting");
    const auto& names = counts_;
    if (!known) {
        min_->setFact(tr("Smallest visible value"), counting);
        max_->setFact(tr("Largest visible value"), counting);
        for (const auto& [state, row] : names) row->setFact(withMinusSign(textOf(render::name_of(state))), counting);
        subnormal_->hide();
        return;
    }
    const auto& stats = plane->stats();
    min_->setFact(tr("Smallest visible value"), stats.finite > 0 ? shownNumber(stats.min, 6) : tr("none"));
    max_->setFact(tr("Largest visible value"), stats.finite > 0 ? shownNumber(stats.max, 6) : tr("none"));
    for (const auto& [state, row] : names) {
        const auto count = stats.counts[static_cast<std::size_t>(state)];
        row->setFact(withMinusSign(textOf(render::name_of(state))), grouped(count));
        row->setQuiet(count == 0);
    }
    subnormal_->setVisible(stats.subnormal > 0);
    subnormal_->setFact(tr("of the values, subnormal"), grouped(stats.subnormal));
}

}  // namespace maskscope::ui
