// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/navigation.h"

#include <algorithm>
#include <utility>

namespace maskscope::ui {

std::optional<AddressContext> addressContext(const Session& session, EntryId id) {
    const auto* entry = session.document().find(id);
    const auto* view = session.view(id);
    if (entry == nullptr || view == nullptr) return std::nullopt;
    return AddressContext{entry->name, entry->item.shape, entry->dims.value, view->index, view->row_dim, view->col_dim};
}

void goToIndex(Session& session, EntryId id, const std::vector<std::int64_t>& index) {
    session.show(id);
    session.changeView(id, [&](ViewState& view) {
        if (index.size() != view.index.size()) return;
        const auto along = [&](int dim) { return dim < 0 ? std::int64_t{0} : index[static_cast<std::size_t>(dim)]; };
        view.index = index;
        view.cursor = render::CellIndex{along(view.row_dim), along(view.col_dim)};
        view.cursor_pinned = true;
    });
}

std::vector<int> steppedDims(const Session& session, EntryId id) {
    std::vector<int> dims;
    const auto* entry = session.document().find(id);
    const auto* view = session.view(id);
    if (entry == nullptr || view == nullptr) return dims;
    for (int dim = entry->item.shape.rank() - 1; dim >= 0; --dim) {
        if (dim != view->row_dim && dim != view->col_dim && entry->item.shape[dim] > 1) dims.push_back(dim);
    }
    return dims;
}

void stepDim(Session& session, EntryId id, int which, std::int64_t steps) {
    const auto dims = steppedDims(session, id);
    if (which < 0 || which >= static_cast<int>(dims.size())) return;
    const auto dim = static_cast<std::size_t>(dims[static_cast<std::size_t>(which)]);
    session.changeView(id, [&](ViewState& view) { view.index[dim] += steps; });
}

void swapRowsAndColumns(Session& session, EntryId id) {
    session.changeView(id, [](ViewState& view) {
        if (view.row_dim < 0 || view.col_dim < 0) return;
        std::swap(view.row_dim, view.col_dim);
        if (view.cursor) std::swap(view.cursor->row, view.cursor->col);
        view.fit = true;
    });
}

void goToNext(Session& session, EntryId id, render::CellState state) {
    const auto data = session.heatmap(id);
    const auto* view = session.view(id);
    if (!data || view == nullptr) return;
    const auto from = view->cursor.value_or(render::CellIndex{0, -1});
    using Found = std::optional<std::pair<std::int64_t, std::int64_t>>;
    session.jobs().run<Found>(
        QStringLiteral("next-state"), QObject::tr("Looking for the next cell"),
        [data, state, from](const JobContext&) -> Result<Found> { return data->next_of(state, from.row, from.col); },
        [&session, id](Result<Found> found) {
            if (!found || !*found) return;
            const auto [row, col] = **found;
            session.changeView(id, [row = row, col = col](ViewState& changed) {
                changed.cursor = render::CellIndex{row, col};
                changed.cursor_pinned = true;
            });
        });
}

}  // namespace maskscope::ui
