// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/cell_readout.h"

#include "core/document/mask_link.h"
#include "ui/session/session.h"

namespace maskscope::ui {
namespace {

using render::CellState;

std::vector<std::int64_t> full_index(const CellSource& source, render::CellIndex cell) {
    std::vector<std::int64_t> index = source.index;
    index.resize(static_cast<std::size_t>(source.tensor.rank()), 0);
    for (int dim = 0; dim < source.tensor.rank(); ++dim) {
        if (dim == source.row_dim) index[static_cast<std::size_t>(dim)] = cell.row;
        if (dim == source.col_dim) index[static_cast<std::size_t>(dim)] = cell.col;
    }
    return index;
}

bool inside(const Tensor& tensor, const std::vector<std::int64_t>& index) {
    for (int dim = 0; dim < tensor.rank(); ++dim) {
        const auto i = index[static_cast<std::size_t>(dim)];
        if (i < 0 || i >= tensor.size(dim)) return false;
    }
    return true;
}

// One cell as a plane of its own, so that the state comes from the rule that draws it.
Tensor cell_plane(Tensor tensor, const std::vector<std::int64_t>& index) {
    for (const auto i : index) tensor = tensor.select(0, i);
    return tensor.unsqueeze(0).unsqueeze(0);
}

QString token_at(const std::vector<std::string>& tokens, std::int64_t i) {
    if (i < 0 || i >= static_cast<std::int64_t>(tokens.size())) return {};
    return textOf(tokens[static_cast<std::size_t>(i)]);
}

QString axis_part(const CellSource& source, int dim, std::int64_t i, const QString& token) {
    if (dim < 0 || dim >= source.tensor.rank()) return {};
    QString part = dimName(*source.entry, dim) + QStringLiteral(" %1").arg(i);
    if (!token.isEmpty()) part += QLatin1Char(' ') + token;
    return part;
}

QString joined(const QString& row, const QString& col) {
    if (row.isEmpty() || col.isEmpty()) return row + col;
    return row + QStringLiteral(" → ") + col;
}

QString hex(std::uint64_t bits, DType dtype) {
    const auto digits = static_cast<int>(2 * size_of(dtype));
    return QStringLiteral("0x") + QString::number(bits, 16).toUpper().rightJustified(digits, QLatin1Char('0'));
}

// The mask's cell that lies on `index`, or nullopt when the shapes do not go together.
std::optional<std::vector<std::int64_t>> mask_index(const CellSource& source, const std::vector<std::int64_t>& index) {
    const auto map =
        document::map_axes(source.tensor, source.entry->dims.value, source.mask, source.mask_entry->dims.value);
    if (!map) return std::nullopt;
    std::vector<std::int64_t> out(static_cast<std::size_t>(source.mask.rank()), 0);
    for (std::size_t dim = 0; dim < index.size() && dim < map->mask_dim.size(); ++dim) {
        const int on = map->mask_dim[dim];
        if (on >= 0 && source.mask.size(on) > 1) out[static_cast<std::size_t>(on)] = index[dim];
    }
    return inside(source.mask, out) ? std::optional(out) : std::nullopt;
}

void read_mask(const CellSource& source, CellReadout& out) {
    if (source.mask_entry == nullptr || !source.mask.defined()) {
        out.maskText = QStringLiteral("no mask");
        return;
    }
    const auto index = mask_index(source, out.index);
    if (!index) {
        out.maskText = QStringLiteral("%1 does not fit").arg(textOf(source.mask_entry->name));
        return;
    }
    MaskCell cell;
    cell.mask = source.mask_entry->id;
    cell.name = textOf(source.mask_entry->name);
    cell.indexText = indexText(*index);
    cell.valueText = withMinusSign(textOf(text_of(source.mask.at(*index), source.mask.dtype())));
    cell.convention = source.convention;
    cell.hides = render::hides(render::MaskPlane{cell_plane(source.mask, *index), source.convention}, 0, 0);
    out.hidden = cell.hides;
    out.maskText = cell.hides ? QStringLiteral("hidden: %1%2 is %3 (%4)")
                                    .arg(cell.name, cell.indexText, cell.valueText, textOf(name_of(cell.convention)))
                              : QStringLiteral("visible");
    out.maskCell = cell;
}

}  // namespace

QString textOf(std::string_view utf8) {
    return QString::fromUtf8(QByteArrayView(utf8));
}

QString withMinusSign(QString number) {
    return number.replace(QLatin1Char('-'), QChar(0x2212));
}

QString indexText(const std::vector<std::int64_t>& index) {
    QStringList parts;
    for (const auto i : index) parts << QString::number(i);
    return QStringLiteral("[%1]").arg(parts.join(QStringLiteral(", ")));
}

QString dimName(const document::Entry& entry, int dim) {
    const auto& names = entry.dims.value;
    const auto at = static_cast<std::size_t>(dim);
    if (dim >= 0 && at < names.size() && !names[at].empty()) return textOf(names[at]);
    return QStringLiteral("dim %1").arg(dim);
}

CellReadout readCell(const CellSource& source, render::CellIndex cell) {
    CellReadout out;
    out.cell = cell;
    if (source.entry == nullptr) {
        out.stateText = QStringLiteral("no cell");
        return out;
    }
    out.entry = source.entry->id;
    if (!source.tensor.defined()) {
        out.stateText = source.entry->error.empty() ? QStringLiteral("loading") : QStringLiteral("not loaded");
        return out;
    }
    out.index = full_index(source, cell);
    if (!inside(source.tensor, out.index)) {
        out.stateText = QStringLiteral("outside");
        return out;
    }
    out.known = true;
    const auto dtype = source.tensor.dtype();
    const auto scalar = source.tensor.at(out.index);
    const auto ascii_value = textOf(text_of(scalar, dtype));
    out.value = to_double(scalar);
    out.valueText = withMinusSign(ascii_value);
    out.bitsText = hex(load_bits(source.tensor.address_of(out.index), dtype), dtype);
    out.dtypeText = textOf(short_name_of(dtype));

    out.indexText = indexText(out.index);
    out.addressText = textOf(source.entry->name) + out.indexText;
    out.rowToken = token_at(source.row_tokens, cell.row);
    out.colToken = token_at(source.col_tokens, cell.col);
    out.tokensText = joined(out.rowToken, out.colToken);
    out.axisText = joined(axis_part(source, source.row_dim, cell.row, out.rowToken),
                          axis_part(source, source.col_dim, cell.col, out.colToken));

    read_mask(source, out);
    const render::Plane plane{cell_plane(source.tensor, out.index), source.entry->masked_value};
    std::optional<render::MaskPlane> mask;
    if (out.maskCell) {
        mask = render::MaskPlane{cell_plane(source.mask, *mask_index(source, out.index)), source.convention};
    }
    out.state = render::state_of(plane, mask ? &*mask : nullptr, 0, 0);
    out.stateText = textOf(name_of(out.state));
    if (out.state == CellState::masked && !out.hidden) {
        out.hidden = true;
        out.maskText = QStringLiteral("hidden: %1 stands for masked here").arg(out.valueText);
    }

    out.copyText = QStringLiteral("%1 = %2").arg(out.addressText, ascii_value);
    out.spoken = QStringLiteral("%1: %2 at %3, %4").arg(out.stateText, out.valueText, out.axisText, out.maskText);
    return out;
}

CellReadout readCell(Session& session, EntryId entry, render::CellIndex cell) {
    CellSource source;
    source.entry = session.document().find(entry);
    const auto* view = session.view(entry);
    if (source.entry == nullptr || view == nullptr) return readCell(CellSource{}, cell);
    if (const auto tensor = session.tensor(entry)) source.tensor = *tensor;
    source.row_dim = view->row_dim;
    source.col_dim = view->col_dim;
    source.index = view->index;
    source.row_tokens = session.tokens(entry, view->row_dim);
    source.col_tokens = session.tokens(entry, view->col_dim);
    source.convention = view->overlay.convention;
    if (view->overlay.mask) {
        source.mask_entry = session.document().find(*view->overlay.mask);
        if (const auto mask = session.tensor(*view->overlay.mask)) source.mask = *mask;
    }
    return readCell(source, cell);
}

}  // namespace maskscope::ui
