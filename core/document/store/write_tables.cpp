// SPDX-License-Identifier: Apache-2.0
#include "core/document/store/tables.h"
#include "core/mask/tile_pack.h"

#include <fmt/format.h>

#include <chrono>
#include <utility>

namespace maskscope::document::store {

namespace {

std::int64_t bits(std::uint64_t value) {
    return static_cast<std::int64_t>(value);
}

std::int64_t seconds_now() {
    using std::chrono::system_clock;
    return std::chrono::duration_cast<std::chrono::seconds>(system_clock::now().time_since_epoch()).count();
}

std::string shape_text(const Shape& shape) {
    std::string out;
    for (const auto size : shape) out += (out.empty() ? "" : ",") + std::to_string(size);
    return out;
}

Result<void> write_session(Database& database, const State& state) {
    return database.run("INSERT OR REPLACE INTO session VALUES (1, ?, ?, ?, ?)",
                        {static_cast<std::int64_t>(state.standing()), static_cast<std::int64_t>(state.unsaved),
                         seconds_now(), std::string_view(state.msk)});
}

Result<void> write_files(Database& database, const State& state) {
    if (!state.files_dirty) return {};
    MS_CHECK(database.run("DELETE FROM file"));
    std::int64_t place = 0;
    for (const auto& file : state.files) {
        MS_CHECK(database.run("INSERT INTO file VALUES (?, ?, ?, ?, ?, ?)",
                              {++place, std::string_view(file.path), bits(file.size), file.mtime_ns, bits(file.device),
                               bits(file.inode)}));
    }
    return {};
}

Result<void> write_settings(Database& database, const State& state) {
    for (const auto& key : state.settings_dirty) {
        MS_CHECK(database.run("INSERT OR REPLACE INTO setting VALUES (?, ?)",
                              {std::string_view(key), std::string_view(state.settings.at(key))}));
    }
    return {};
}

Result<void> remove_masks(Database& database, const State& state) {
    for (const auto id : state.masks_gone) {
        MS_CHECK(database.run("DELETE FROM mask WHERE id = ?", {id}));
        MS_CHECK(database.run("DELETE FROM plane WHERE mask = ?", {id}));
        MS_CHECK(database.run("DELETE FROM tile WHERE mask = ?", {id}));
        MS_CHECK(database.run("DELETE FROM step WHERE mask = ?", {id}));
    }
    return {};
}

Result<void> write_tile(Database& database, std::int64_t mask, std::int64_t number, const mask::Plane& plane,
                        std::int64_t tile, std::size_t& bytes) {
    const auto packed = mask::pack(plane.tile(tile), plane.cell_bytes());
    bytes += packed.size();
    return database.run("INSERT OR REPLACE INTO tile VALUES (?, ?, ?, ?)",
                        {mask, number, tile, std::span<const std::byte>(packed)});
}

Result<void> write_plane(Database& database, std::int64_t mask, std::int64_t number, const StoredPlane& plane) {
    return database.run("INSERT OR REPLACE INTO plane VALUES (?, ?, ?, ?, ?)",
                        {mask, number, plane.cells.rows(), plane.cells.cols(), static_cast<std::int64_t>(plane.whole)});
}

Result<void> write_masks(Database& database, const State& state) {
    std::size_t bytes = 0;
    for (const auto& [id, mask] : state.masks) {
        if (mask.dirty) {
            const auto shape = shape_text(mask.shape);
            MS_CHECK(database.run("INSERT OR REPLACE INTO mask VALUES (?, ?, ?, ?, ?, ?)",
                                  {id, std::string_view(mask.path), std::string_view(mask.key), std::string_view(shape),
                                   name_of(mask.dtype), static_cast<std::int64_t>(mask.changed)}));
        }
        for (const auto& [number, plane] : mask.planes) {
            if (!plane.listed) MS_CHECK(write_plane(database, id, number, plane));
            for (const auto tile : plane.dirty) {
                MS_CHECK(write_tile(database, id, number, plane.cells, tile, bytes));
            }
        }
    }
    return {};
}

Result<void> write_steps(Database& database, const State& state) {
    const std::int64_t oldest = state.steps.empty() ? state.next_step : state.steps.front().number;
    MS_CHECK(database.run("DELETE FROM step WHERE number < ? OR number >= ?", {oldest, state.steps_dirty_from}));
    for (const auto number : state.steps_gone) MS_CHECK(database.run("DELETE FROM step WHERE number = ?", {number}));
    for (auto step = state.steps.rbegin(); step != state.steps.rend(); ++step) {
        if (step->number < state.steps_dirty_from) break;
        if (step->mask == 0) continue;
        MS_CHECK(database.run("INSERT INTO step VALUES (?, ?, ?, ?, ?, ?)",
                              {step->number, step->mask, step->plane, std::string_view(step->tool),
                               std::string_view(step->name), std::span<const std::byte>(step->delta)}));
    }
    return {};
}

Result<void> write_stroke(Database& database, const State& state) {
    if (!state.stroke_dirty) return {};
    MS_CHECK(database.run("DELETE FROM stroke"));
    if (!state.stroke) return {};
    const auto& stroke = *state.stroke;
    return database.run("INSERT INTO stroke VALUES (1, ?, ?, ?, ?, ?)",
                        {stroke.mask, stroke.plane, std::string_view(stroke.tool), std::string_view(stroke.name),
                         std::span<const std::byte>(stroke.delta)});
}

// How far the base has come, until the commit makes it true.
struct BaseProgress {
    StoredPlane* plane;
    std::int64_t base_written;
    bool whole;
};

Result<BaseProgress> write_base_of(Database& database, std::int64_t mask, std::int64_t number, StoredPlane& plane,
                                   std::size_t limit, std::size_t& bytes) {
    const auto count = plane.cells.tile_rows() * plane.cells.tile_cols();
    std::int64_t tile = plane.base_written;
    for (; tile < count && bytes < limit; ++tile) {
        const auto view = plane.cells.tile(tile);
        if (view.cells == nullptr && view.uniform == mask::Cell{}) continue;  // what is not there is zero
        MS_CHECK(write_tile(database, mask, number, plane.cells, tile, bytes));
    }
    const BaseProgress progress{&plane, tile, tile >= count};
    if (progress.whole) {
        MS_CHECK(database.run("UPDATE plane SET whole = 1 WHERE mask = ? AND number = ?", {mask, number}));
    }
    return progress;
}

Result<std::vector<BaseProgress>> write_bases(Database& database, State& state, std::size_t limit) {
    std::vector<BaseProgress> done;
    std::size_t bytes = 0;
    for (auto& [id, mask] : state.masks) {
        for (auto& [number, plane] : mask.planes) {
            if (plane.whole || bytes >= limit) continue;
            MS_TRY(progress, write_base_of(database, id, number, plane, limit, bytes));
            done.push_back(progress);
        }
    }
    return done;
}

void accept(const std::vector<BaseProgress>& done) {
    for (const auto& progress : done) {
        progress.plane->base_written = progress.base_written;
        progress.plane->whole = progress.whole;
    }
}

}  // namespace

Result<void> write_marked(Database& database, State& state, std::size_t base_bytes) {
    MS_TRY(transaction, Transaction::begin(database));
    MS_CHECK(write_session(database, state));
    MS_CHECK(write_files(database, state));
    MS_CHECK(write_settings(database, state));
    MS_CHECK(remove_masks(database, state));
    MS_CHECK(write_masks(database, state));
    MS_CHECK(write_steps(database, state));
    MS_CHECK(write_stroke(database, state));
    MS_TRY(done, write_bases(database, state, base_bytes));
    MS_CHECK(transaction.commit());
    state.mark_written();
    accept(done);
    return {};
}

Result<void> write_base(Database& database, State& state, std::size_t base_bytes) {
    MS_TRY(transaction, Transaction::begin(database));
    MS_TRY(done, write_bases(database, state, base_bytes));
    MS_CHECK(transaction.commit());
    accept(done);
    return {};
}

bool base_pending(const State& state) {
    for (const auto& [id, mask] : state.masks) {
        for (const auto& [number, plane] : mask.planes) {
            if (!plane.whole) return true;
        }
    }
    return false;
}

}  // namespace maskscope::document::store
