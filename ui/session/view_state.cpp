// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/view_state.h"

namespace maskscope::ui {

std::string slice_text(const ViewState& state) {
    std::string out = "[";
    for (std::size_t dim = 0; dim < state.index.size(); ++dim) {
        const bool shown = static_cast<int>(dim) == state.row_dim || static_cast<int>(dim) == state.col_dim;
        out += (dim == 0 ? "" : ", ") + (shown ? ":" : std::to_string(state.index[dim]));
    }
    return out + "]";
}

}  // namespace maskscope::ui
