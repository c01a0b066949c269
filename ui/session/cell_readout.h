// SPDX-License-Identifier: GPL-3.0-or-later
// Everything that is said of one cell, in words: the status strip, the inspector, screen readers and the copy actions
// all read it from here, so they never disagree.
#pragma once

#include "core/document/document.h"
#include "core/render/figure/heatmap_figure.h"
#include "core/render/pool/cell_state.h"
#include "ui/session/view_state.h"

#include <QString>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace maskscope::ui {

class Session;

// The overlay mask's own cell under the cursor.
struct MaskCell {
    EntryId mask = EntryId::none;
    QString name;       // "keep_mask"
    QString indexText;  // "[0, 21]"
    QString valueText;  // "False"
    document::MaskConvention convention = document::MaskConvention::keep;
    bool hides = false;
};

// Texts are for the screen (U+2212 minus); copyText is ASCII.
struct CellReadout {
    bool known = false;  // false: no such cell, or its tensor is still loading; stateText then says which
    EntryId entry = EntryId::none;
    render::CellIndex cell;
    std::vector<std::int64_t> index;  // one per dim

    render::CellState state = render::CellState::outside;
    QString stateText;  // "value", "true zero", "masked", "NaN"
    double value = 0;
    QString valueText;  // exact: shortest text that reads back as the stored value
    QString bitsText;   // "0x388F"
    QString dtypeText;  // "f16"

    QString indexText;    // "[0, 3, 14, 13]"
    QString addressText;  // "attn_probs[0, 3, 14, 13]"
    QString axisText;     // "query 14 lay → key 13 dog"
    QString rowToken;     // "lay", empty without labels
    QString colToken;
    QString tokensText;  // "lay → dog", empty without labels

    bool hidden = false;  // by the mask or by its own value
    QString maskText;     // "visible", "no mask", "hidden: keep_mask[0, 21] is False (keep)"
    std::optional<MaskCell> maskCell;

    QString copyText;  // "attn_probs[0, 3, 14, 13] = 0.57"
    QString spoken;    // one sentence for screen readers
};

// What readCell looks at, without a session.
struct CellSource {
    const document::Entry* entry = nullptr;
    Tensor tensor;
    const document::Entry* mask_entry = nullptr;  // null: no mask laid over
    Tensor mask;
    document::MaskConvention convention = document::MaskConvention::keep;
    int row_dim = 0;  // out of range: the tensor has no such axis
    int col_dim = 1;
    std::vector<std::int64_t> index;
    std::vector<std::string> row_tokens;
    std::vector<std::string> col_tokens;
};
CellReadout readCell(const CellSource& source, render::CellIndex cell);
CellReadout readCell(Session& session, EntryId entry, render::CellIndex cell);

QString textOf(std::string_view utf8);
// '-' as U+2212 where it is a sign: "-1e-05" -> "−1e−05".
QString withMinusSign(QString number);
// "[0, 3, 14, 13]"
QString indexText(const std::vector<std::int64_t>& index);
// "query", or "dim 2" for a dimension without a name.
QString dimName(const document::Entry& entry, int dim);

}  // namespace maskscope::ui
