// SPDX-License-Identifier: Apache-2.0
#include "app/cli/edit_ops.h"

#include "core/mask/fill.h"
#include "core/mask/labels.h"
#include "core/mask/mask_edit.h"
#include "core/mask/morphology.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <functional>
#include <optional>

namespace maskscope::cli {
namespace {

using Kind = EditOp::Kind;
using mask::Cell;
using mask::Plane;
using mask::Region;

struct OpRow {
    Kind kind;
    const char* name;
    const char* argument;  // "" for none
    const char* about;
};
constexpr std::array<OpRow, 9> kOps = {{
    {Kind::dilate, "dilate", "N", "grows by a disc of N pixels, 1 to 512, into background only"},
    {Kind::erode, "erode", "N", "shrinks by it; the mask's border eats nothing"},
    {Kind::open, "open", "N", "erode, then dilate: drops what is thinner"},
    {Kind::close, "close", "N", "dilate, then erode: closes what is narrower"},
    {Kind::fill_holes, "fill_holes", "", "fills background that no path of four neighbours joins to the border"},
    {Kind::islands, "islands", "N", "keeps parts of at least N cells, joined over eight neighbours"},
    {Kind::invert, "invert", "",
     "background becomes the mask's one label (1 if it has several or none), the rest zero"},
    {Kind::threshold, "threshold", "T", "values from T up become 1, others and NaN 0; the result is uint8"},
    {Kind::relabel, "relabel", "A=B", "cells that hold A hold B"},
}};

std::string written(const OpRow& row) {
    return *row.argument == '\0' ? row.name : fmt::format("{}:{}", row.name, row.argument);
}

template <class T>
std::optional<T> number_of(std::string_view text) {
    T value{};
    const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (text.empty() || status != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return value;
}

Result<void> read_amount(EditOp& op, std::string_view argument) {
    const bool radius = op.kind != Kind::islands;
    const auto amount = number_of<std::int64_t>(argument);
    if (!amount || *amount < 1 || (radius && *amount > mask::kMaxMorphRadius))
        return radius ? usage_error(MS_TEXT("{}: the radius is a whole number from 1 to {}"), op.text,
                                    mask::kMaxMorphRadius)
                      : usage_error(MS_TEXT("{}: the number of cells is a whole number from 1 up"), op.text);
    op.amount = *amount;
    return {};
}

Result<void> read_argument(EditOp& op, std::string_view argument) {
    switch (op.kind) {
        case Kind::fill_holes:
        case Kind::invert:
            return {};
        case Kind::threshold: {
            const auto value = number_of<double>(argument);
            if (!value || std::isnan(*value)) return usage_error(MS_TEXT("{}: the threshold is a number"), op.text);
            op.value = *value;
            return {};
        }
        case Kind::relabel: {
            const auto equals = argument.find('=');
            const auto from = number_of<double>(argument.substr(0, equals));
            const auto to =
                equals == std::string_view::npos ? std::nullopt : number_of<double>(argument.substr(equals + 1));
            if (!from || !to) return usage_error(MS_TEXT("{}: write two labels, as in relabel:2=5"), op.text);
            op.value = *from;
            op.into = *to;
            return {};
        }
        default:
            return read_amount(op, argument);
    }
}

Result<Region> shaped(const EditOp& op, const Region& region, const mask::Rect& plane, const JobContext& context) {
    const auto morph = [&](mask::Morph how) {
        return mask::morph(region, plane, how, static_cast<int>(op.amount), mask::Element::disc, context);
    };
    switch (op.kind) {
        case Kind::dilate:
            return morph(mask::Morph::dilate);
        case Kind::erode:
            return morph(mask::Morph::erode);
        case Kind::open:
            return morph(mask::Morph::open);
        case Kind::close:
            return morph(mask::Morph::close);
        case Kind::fill_holes:
            return mask::fill_holes(region, plane, 0, context);
        default:
            return mask::without_small_islands(region, op.amount, mask::Neighbours::eight, context);
    }
}

void add(EditCount& count, const mask::MaskDelta& delta) {
    count.changed += delta.changed;
    count.gained += delta.gained;
    count.lost += delta.lost;
}

// Each label on its own: what it leaves becomes background, and it grows into nothing but background.
Result<void> shape_labels(const EditOp& op, Plane& plane, EditCount& count, const JobContext& context) {
    MS_TRY(labels, mask::split_labels(plane, context));
    mask::MaskEdit edit(plane);
    for (const auto& [label, region] : labels) {
        MS_TRY(shape, shaped(op, region, plane.bounds(), context));
        mask::PaintRule rule;
        edit.paint(mask::subtract(region, shape), rule);
        rule.value = label;
        rule.empty_only = true;
        edit.paint(mask::subtract(shape, region), rule);
    }
    add(count, edit.commit());
    return {};
}

// The mask's one label, so that 0 and 255 stay 0 and 255.
Result<Cell> label_for_background(const std::vector<Plane>& planes) {
    std::optional<Cell> only;
    for (const auto& plane : planes) {
        for (const auto& [cell, cells, bounds] : plane.counts()) {
            if (cell.bits == 0) continue;
            if (only && *only != cell) return mask::cell_of(1, plane.dtype());
            only = cell;
        }
    }
    if (only) return *only;
    return mask::cell_of(1, planes.front().dtype());
}

Region cells_of_value(const Plane& plane, double value) {
    const auto cell = mask::cell_of(value, plane.dtype());
    return cell ? plane.where(*cell) : Region();
}

Plane thresholded(const Plane& plane, double value, EditCount& count) {
    const auto above = mask::threshold(plane, value);
    Plane out(plane.rows(), plane.cols(), DType::u8);
    mask::PaintRule rule;
    rule.value = Cell{1};
    mask::MaskEdit edit(out);
    edit.paint(above, rule);
    edit.commit();

    auto zeros = cells_of_value(plane, 0.0);
    if (is_floating(plane.dtype())) zeros = mask::unite(zeros, cells_of_value(plane, -0.0));
    const auto gained = mask::intersect(above, zeros).count();
    const auto kept_zero = zeros.count() - gained;
    const auto kept_one = mask::intersect(above, cells_of_value(plane, 1.0)).count();
    const auto all = plane.rows() * plane.cols();
    count.gained += gained;
    count.lost += all - above.count() - kept_zero;
    count.changed += all - kept_zero - kept_one;
    return out;
}

}  // namespace

Result<EditOp> parse_edit_op(const std::string& text) {
    const auto colon = text.find(':');
    const auto name = text.substr(0, colon);
    const auto row = std::find_if(kOps.begin(), kOps.end(), [&](const OpRow& r) { return name == r.name; });
    if (row == kOps.end()) {
        std::string all;
        for (const auto& r : kOps) all += (all.empty() ? "" : ", ") + written(r);
        return usage_error(MS_TEXT("there is no op \"{}\""), text)
            .with_hint(MS_TEXT("There are: {}. The mask stands before --op"), all);
    }
    const bool wants = *row->argument != '\0';
    if (wants != (colon != std::string::npos))
        return wants ? usage_error(MS_TEXT("{} needs its argument: {}"), name, written(*row))
                     : usage_error(MS_TEXT("{} takes no argument"), name);
    EditOp op;
    op.kind = row->kind;
    op.text = text;
    MS_CHECK(read_argument(op, wants ? std::string_view(text).substr(colon + 1) : std::string_view()));
    return op;
}

std::string edit_ops_help() {
    std::string out;
    for (const auto& row : kOps) out += fmt::format("  {:<14}{}\n", written(row), row.about);
    return out;
}

DType dtype_after(const EditOp& op, DType before) {
    return op.kind == Kind::threshold ? DType::u8 : before;
}

Result<EditCount> apply(const EditOp& op, std::vector<Plane>& planes, const JobContext& context) {
    EditCount count;
    if (planes.empty()) return count;
    const auto dtype = planes.front().dtype();
    std::function<void(mask::MaskEdit&)> whole;
    if (op.kind == Kind::invert) {
        MS_TRY(one, label_for_background(planes));
        whole = [one = one](mask::MaskEdit& edit) { mask::invert(edit, one); };
    } else if (op.kind == Kind::relabel) {
        MS_TRY(from, mask::cell_of(op.value, dtype));
        MS_TRY(to, mask::cell_of(op.into, dtype));
        whole = [from = from, to = to](mask::MaskEdit& edit) { mask::relabel(edit, from, to); };
    }
    for (auto& plane : planes) {
        if (context.cancelled()) return cancelled_error();
        if (whole) {
            mask::MaskEdit edit(plane);
            whole(edit);
            add(count, edit.commit());
        } else if (op.kind == Kind::threshold) {
            plane = thresholded(plane, op.value, count);
        } else {
            MS_CHECK(shape_labels(op, plane, count, context));
        }
    }
    return count;
}

}  // namespace maskscope::cli
