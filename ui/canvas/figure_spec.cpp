// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/figure_spec.h"

#include "ui/session/cell_readout.h"

namespace maskscope::ui {

std::vector<int> outerDims(const ViewState& state, const Shape& shape) {
    std::vector<int> out;
    for (int dim = shape.rank() - 1; dim >= 0; --dim) {
        if (dim != state.row_dim && dim != state.col_dim && shape[dim] > 1) out.push_back(dim);
    }
    return out;
}

render::FigureSpec figureSpec(Session& session, EntryId id, render::ThemeId theme) {
    render::FigureSpec spec;
    const auto* entry = session.document().find(id);
    const auto* state = session.view(id);
    if (entry == nullptr || state == nullptr) return spec;
    spec.rows.title = dimName(*entry, state->row_dim).toStdString();
    spec.cols.title = dimName(*entry, state->col_dim).toStdString();
    spec.rows.tokens = session.tokens(id, state->row_dim);
    spec.cols.tokens = session.tokens(id, state->col_dim);
    spec.look.theme = theme;
    spec.look.map = state->colour.map;
    spec.look.scale = session.scale(id);
    spec.look.mask_style = state->overlay.style;
    spec.look.mask_opacity = state->overlay.opacity;
    spec.mask_outline = state->overlay.outline;
    spec.cursor = state->cursor;
    spec.legend_title = entry->name;
    if (state->colour.scale != render::ScaleKind::linear) {
        spec.legend_title += ", ";
        spec.legend_title += render::name_of(state->colour.scale);
    }
    return spec;
}

render::PoolRule poolRule(const ViewState& state) {
    return render::is_diverging(state.colour.map) ? render::PoolRule::magnitude : render::PoolRule::largest;
}

QString sliceTitle(const Session& session, EntryId id) {
    const auto* entry = session.document().find(id);
    const auto* state = session.view(id);
    if (entry == nullptr || state == nullptr) return {};
    return QString::fromStdString(entry->name + slice_text(*state));
}

}  // namespace maskscope::ui
