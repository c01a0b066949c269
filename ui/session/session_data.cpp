// SPDX-License-Identifier: GPL-3.0-or-later
// What is drawn of an open entry: its slice, mask, tokens and colour range.
#include "core/document/mask_link.h"
#include "core/render/pool/value_summary.h"
#include "core/tensor/broadcast.h"
#include "core/tensor/find_nan.h"
#include "ui/session/session_private.h"

#include <QFileInfo>

#include <algorithm>
#include <cmath>

namespace maskscope::ui {
namespace {

// Slices up to this many cells are prepared while the user waits: it takes about a millisecond.
constexpr std::int64_t kPrepareAtOnce = 1 << 17;
// A first NaN is looked for in what is read in about a second.
constexpr std::size_t kNanScanBytes = std::size_t{1} << 30U;
constexpr std::int64_t kSentinelBudget = 1 << 17;
constexpr std::int64_t kRangeSample = 1 << 24;

bool isTokenDim(const std::string& name) {
    return name != "batch" && name != "layer" && name != "head" && name != "feature" && name != "channel";
}

// The planes of a tensor one after another, with the mask that lies on each.
template <class Visit>
Result<void> eachPlane(const Tensor& tensor, const std::optional<Tensor>& mask, const ViewState& view,
                       std::optional<double> maskedValue, Visit visit) {
    std::vector<std::int64_t> index(view.index.size(), 0);
    for (;;) {
        const render::Plane plane{plane_of(tensor, view.row_dim, view.col_dim, index), maskedValue};
        std::optional<render::MaskPlane> over;
        if (mask) over = {plane_of(*mask, view.row_dim, view.col_dim, index), view.overlay.convention};
        MS_CHECK(visit(plane, over ? &*over : nullptr));
        int dim = tensor.rank() - 1;
        for (; dim >= 0; --dim) {
            if (dim == view.row_dim || dim == view.col_dim) continue;
            auto& at = index[static_cast<std::size_t>(dim)];
            if (++at < tensor.size(dim)) break;
            at = 0;
        }
        if (dim < 0) return {};
    }
}

Result<std::pair<double, double>> wholeRange(const Tensor& tensor, const std::optional<Tensor>& mask,
                                             const ViewState& view, std::optional<double> maskedValue,
                                             const JobContext& context) {
    if (tensor.numel() == 0) return std::pair{0.0, 1.0};
    if (view.colour.range != render::RangeKind::robust) {
        render::ValueSummary all;
        MS_CHECK(eachPlane(tensor, mask, view, maskedValue,
                           [&](const render::Plane& plane, const render::MaskPlane* over) -> Result<void> {
                               MS_TRY(part, render::summarise(plane, over, context));
                               all.merge(part);
                               return {};
                           }));
        if (all.count == 0) return std::pair{0.0, 1.0};
        if (view.colour.range == render::RangeKind::minmax) return std::pair{all.min, all.max};
        return std::pair{all.mean - 3 * all.deviation(), all.mean + 3 * all.deviation()};
    }
    std::vector<float> values;
    const std::int64_t step = tensor.numel() / kRangeSample + 1;
    MS_CHECK(eachPlane(tensor, mask, view, maskedValue, [&](const render::Plane& plane, const render::MaskPlane* over) {
        return render::collect_values(plane, over, step, values, context);
    }));
    if (values.empty()) return std::pair{0.0, 1.0};
    const auto quantile = [&values](double fraction) {
        const auto place =
            values.begin() + static_cast<std::ptrdiff_t>(fraction * static_cast<double>(values.size() - 1));
        std::nth_element(values.begin(), place, values.end());
        return static_cast<double>(*place);
    };
    const double lo = quantile(0.01);
    return std::pair{lo, quantile(0.99)};
}

}  // namespace

std::optional<Tensor> Session::tensor(EntryId id) {
    const auto* entry = document_.find(id);
    if (entry == nullptr || entry->item.labels) return std::nullopt;
    if (edits_->ahead(id)) {
        // Cells that nobody else holds are brought up to date in place; else they would be copied.
        d_->planes.drop(id);
        document_.set_loaded(id, {});
        if (auto edited = edits_->tensor(id)) {
            document_.set_loaded(id, *std::move(edited));
            edits_->caughtUp(id);
        }
    }
    if (entry->item.tensor.defined()) return entry->item.tensor;
    if (!entry->error.empty() || !entry->item.load || d_->loading.contains(id)) return std::nullopt;
    d_->loading.insert(id);
    jobs_.run<Tensor>(
        QString("load:%1").arg(static_cast<uint>(id)), tr("Loading %1").arg(QString::fromStdString(entry->name)),
        [load = entry->item.load](const JobContext& context) { return load(context); },
        [this, id](Result<Tensor> loaded) {
            d_->loading.erase(id);
            if (loaded) {
                document_.set_loaded(id, std::move(*loaded));
                if (view(id) != nullptr) findFirstNan(id);
            } else {
                document_.set_error(id, loaded.error().text());
                const auto* failed = document_.find(id);
                fail(tr("Cannot load %1").arg(QString::fromStdString(failed ? failed->name : "")), loaded.error());
            }
            emit documentChanged();
            emit dataChanged(id);
            // Views that lie this one over themselves as a mask.
            for (const EntryId tab : std::as_const(tabs_)) {
                const auto& view = d_->views.at(tab);
                if (view.overlay.mask != id) continue;
                d_->planes.drop(id);
                emit dataChanged(tab);
            }
        });
    return std::nullopt;
}

std::optional<render::MaskPlane> Session::maskPlaneOf(const document::Entry& entry, const ViewState& view) {
    if (!view.overlay.mask || *view.overlay.mask == EntryId::none || !entry.item.tensor.defined()) return std::nullopt;
    const auto* maskEntry = document_.find(*view.overlay.mask);
    const auto mask = tensor(*view.overlay.mask);
    if (maskEntry == nullptr || !mask) return std::nullopt;
    const auto map = document::map_axes(entry.item.tensor, entry.dims.value, *mask, maskEntry->dims.value);
    if (!map) return std::nullopt;
    auto laid = document::lay_over(entry.item.tensor, *mask, *map);
    if (!laid) return std::nullopt;
    return render::MaskPlane{plane_of(*laid, view.row_dim, view.col_dim, view.index), view.overlay.convention};
}

std::optional<render::MaskPlane> Session::maskPlane(EntryId id) {
    const auto* state = view(id);
    const auto* entry = document_.find(id);
    return entry && state ? maskPlaneOf(*entry, *state) : std::nullopt;
}

std::shared_ptr<render::HeatmapData> Session::plane(EntryId id, const ViewState& state, const QString& slot) {
    const auto loaded = tensor(id);
    if (!loaded) return nullptr;
    const PlaneKey key = key_of(state, id);
    auto data = d_->planes.find(key);
    if (!data) {
        const auto* entry = document_.find(id);
        if (!entry->masked_value_known) {
            document_.set_masked_value(id, document::find_masked_value(*loaded, kSentinelBudget));
            entry = document_.find(id);
        }
        render::Plane cells{plane_of(*loaded, state.row_dim, state.col_dim, state.index), entry->masked_value};
        data = std::make_shared<render::HeatmapData>(std::move(cells), maskPlaneOf(*entry, state));
        d_->planes.put(key, data);
    }
    if (data->prepared()) return data;
    const auto& plane = data->plane();
    if (plane.rows() * plane.cols() <= kPrepareAtOnce) {
        if (auto done = data->prepare(JobContext{}, Lane::ui); !done) fail(tr("Cannot show the tensor"), done.error());
        return data;
    }
    const auto running = d_->preparing.find(data.get());
    if (running != d_->preparing.end() && jobs_.isRunning(running->second)) return data;
    // The slot's former slice, if any, is cancelled by the new job.
    std::erase_if(d_->preparing, [&slot](const auto& item) { return item.second == slot; });
    d_->preparing[data.get()] = slot;
    jobs_.run<void>(
        slot, tr("Reading %1").arg(QString::fromStdString(document_.find(id)->name)),
        [data](const JobContext& context) { return data->prepare(context, Lane::background); },
        [this, id, data](Result<void> done) {
            d_->preparing.erase(data.get());
            if (!done) fail(tr("Cannot show the tensor"), done.error());
            emit dataChanged(id);
        });
    return data;
}

std::shared_ptr<const render::HeatmapData> Session::heatmap(EntryId id) {
    const auto* state = view(id);
    return state ? plane(id, *state, QString("prepare:%1").arg(static_cast<uint>(id))) : nullptr;
}

std::shared_ptr<const render::HeatmapData> Session::heatmapAt(EntryId id, int dim, std::int64_t index) {
    const auto* state = view(id);
    if (state == nullptr || dim < 0 || dim >= static_cast<int>(state->index.size())) return nullptr;
    ViewState other = *state;
    other.index[static_cast<std::size_t>(dim)] = index;
    return plane(id, other, QString("strip:%1:%2:%3").arg(static_cast<uint>(id)).arg(dim).arg(index));
}

std::vector<std::string> Session::tokens(EntryId id, int dim) const {
    const auto* entry = document_.find(id);
    const auto* state = view(id);
    if (entry == nullptr || !entry->tokens || dim < 0 || dim >= entry->item.shape.rank()) return {};
    const auto* labels = document_.find(entry->tokens->value);
    if (labels == nullptr || !labels->item.labels || labels->item.labels->rows.empty()) return {};
    const auto& rows = labels->item.labels->rows;
    const auto& names = entry->dims.value;
    if (static_cast<std::int64_t>(rows.front().size()) != entry->item.shape[dim]) return {};
    if (!isTokenDim(names[static_cast<std::size_t>(dim)])) return {};
    if (rows.size() == 1) return rows.front();
    // Which sentence: the dim named batch, else the first other dim with as many entries as there are label rows.
    int batch = -1;
    for (int d = entry->item.shape.rank() - 1; d >= 0; --d) {
        if (d == dim || entry->item.shape[d] != static_cast<std::int64_t>(rows.size())) continue;
        if (batch < 0 || names[static_cast<std::size_t>(batch)] != "batch") batch = d;
    }
    const bool mapped = state != nullptr && (batch == state->row_dim || batch == state->col_dim);
    if (batch < 0 || mapped) return {};
    return rows[state ? static_cast<std::size_t>(state->index[static_cast<std::size_t>(batch)]) : 0];
}

void Session::findFirstNan(EntryId id) {
    const auto loaded = tensor(id);
    if (!loaded || !is_floating(loaded->dtype()) || loaded->byte_size() > kNanScanBytes) return;
    using Found = std::optional<std::vector<std::int64_t>>;
    jobs_.run<Found>(
        QString("nan:%1").arg(static_cast<uint>(id)), tr("Looking for NaN"),
        [cells = *loaded](const JobContext& context) -> Result<Found> { return find_first_nan(cells, context); },
        [this, id](Result<Found> found) {
            const auto* state = view(id);
            if (!found || !*found || state == nullptr || d_->touched.contains(id)) return;
            const auto index = **found;
            changeView(id, [&index](ViewState& changed) {
                changed.index = index;
                const auto at = [&index](int dim) { return dim < 0 ? 0 : index[static_cast<std::size_t>(dim)]; };
                changed.cursor = render::CellIndex{at(changed.row_dim), at(changed.col_dim)};
                changed.cursor_pinned = true;
            });
        });
}

render::ColourScale Session::scale(EntryId id) {
    const auto* state = view(id);
    const auto data = heatmap(id);
    if (state == nullptr || !data) return {};
    const auto& colour = state->colour;
    const auto& stats = data->stats();
    double lo = stats.min;
    double hi = stats.max;
    if (colour.range == render::RangeKind::fixed) {
        lo = colour.fixed_lo;
        hi = colour.fixed_hi;
    } else if (colour.range == render::RangeKind::unit) {
        lo = 0;
        hi = 1;
    } else if (colour.range != render::RangeKind::minmax || colour.whole_tensor) {
        startRange(id, *state);
        const auto& range = d_->ranges[id];
        if (range.ready) {
            lo = range.lo;
            hi = range.hi;
        }
    }
    return render::make_scale(colour.scale, lo, hi, render::is_diverging(colour.map), stats.smallest_positive);
}

bool Session::counting(EntryId id) {
    const auto* state = view(id);
    const auto data = heatmap(id);
    if (state == nullptr || !data) return false;
    if (!data->prepared()) return true;
    const auto kind = state->colour.range;
    if (kind == render::RangeKind::fixed || kind == render::RangeKind::unit) return false;
    if (kind == render::RangeKind::minmax && !state->colour.whole_tensor) return false;
    startRange(id, *state);
    return !d_->ranges[id].ready;
}

void Session::startRange(EntryId id, const ViewState& state) {
    auto& range = d_->ranges[id];
    PlaneKey key = key_of(state, id);
    if (state.colour.whole_tensor) std::fill(key.index.begin(), key.index.end(), 0);
    if (range.key == key && range.kind == state.colour.range && range.whole == state.colour.whole_tensor) return;
    const auto loaded = tensor(key.entry);
    const auto data = heatmap(id);
    if (!loaded || !data || (!state.colour.whole_tensor && !data->prepared())) return;
    range = {key, state.colour.range, state.colour.whole_tensor, false, range.lo, range.hi};
    const auto* entry = document_.find(key.entry);
    std::optional<Tensor> mask;
    if (const auto* maskEntry = state.overlay.mask ? document_.find(*state.overlay.mask) : nullptr) {
        if (const auto cells = tensor(maskEntry->id)) {
            const auto map = document::map_axes(*loaded, entry->dims.value, *cells, maskEntry->dims.value);
            if (map) {
                auto laid = document::lay_over(*loaded, *cells, *map);
                if (laid) mask = *laid;
            }
        }
    }
    using Ends = std::pair<double, double>;
    jobs_.run<Ends>(
        QString("range:%1").arg(static_cast<uint>(id)), tr("Counting"),
        [data, cells = *loaded, mask, state, masked = entry->masked_value](const JobContext& context) -> Result<Ends> {
            if (state.colour.whole_tensor) return wholeRange(cells, mask, state, masked, context);
            if (state.colour.range == render::RangeKind::robust) {
                MS_TRY(ends, data->percentiles({0.01, 0.99}, context));
                return Ends{ends[0], ends[1]};
            }
            MS_TRY(all, render::summarise(data->plane(), data->mask(), context));
            return Ends{all.mean - 3 * all.deviation(), all.mean + 3 * all.deviation()};
        },
        [this, id](Result<Ends> ends) {
            auto& known = d_->ranges[id];
            if (ends) {
                known.lo = ends->first;
                known.hi = ends->second;
            }
            known.ready = true;
            emit dataChanged(id);
        });
}

QString Session::axisMapText(EntryId id) const {
    const auto* entry = document_.find(id);
    const auto* state = view(id);
    const auto* mask = state && state->overlay.mask ? document_.find(*state->overlay.mask) : nullptr;
    if (entry == nullptr || mask == nullptr) return {};
    const auto map = document::map_axes(entry->item.shape, entry->dims.value, mask->item.shape, mask->dims.value);
    if (map) return QString::fromStdString(map->text) + (map->by_name ? tr(" (by name)") : tr(" (right-aligned)"));
    return QString::fromStdString(map.error().text());
}

bool Session::maskFits(EntryId id, EntryId mask) const {
    const auto* entry = document_.find(id);
    const auto* other = document_.find(mask);
    if (entry == nullptr || other == nullptr || other->item.labels || id == mask) return false;
    return document::map_axes(entry->item.shape, entry->dims.value, other->item.shape, other->dims.value).ok();
}

}  // namespace maskscope::ui
