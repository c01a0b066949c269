// SPDX-License-Identifier: Apache-2.0
#include "core/base/checked.h"
#include "core/document/store/base_of_file.h"
#include "core/document/store/tables.h"
#include "core/mask/mask_edit.h"
#include "core/mask/tile_pack.h"

#include <fmt/format.h>

#include <charconv>
#include <utility>

namespace maskscope::document::store {

namespace {

constexpr std::int64_t kMostTiles = 1 << 24;         // of all planes together: 64 masks of 32,768 square
constexpr std::int64_t kMostNumber = 1LL << 62;      // of ids and steps, so that the next one exists
constexpr std::int64_t kMostSide = (1LL << 31) - 1;  // as Plane says
constexpr int kTilesAtOnce = 4096;

Error damaged(std::string_view what) {
    return input_error(MS_TEXT("{} in it is damaged"), what);
}

std::optional<Shape> shape_from(std::string_view text) {
    Shape out;
    while (!text.empty()) {
        std::int64_t size = 0;
        const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), size);
        if (failed != std::errc() || size < 0 || out.rank() == kMaxRank) return std::nullopt;
        out.push_back(size);
        text.remove_prefix(static_cast<std::size_t>(end - text.data()));
        if (text.empty()) break;
        if (text.front() != ',' || text.size() == 1) return std::nullopt;
        text.remove_prefix(1);
    }
    if (out.empty() || !element_count(out)) return std::nullopt;
    return out;
}

// Rows and columns that a plane of such a mask may have: a dim that repeats has one.
bool fits(const Shape& shape, std::int64_t number, std::int64_t rows, std::int64_t cols) {
    const int rank = shape.rank();
    const std::int64_t most_rows = rank > 1 ? shape[rank - 2] : 1;
    std::int64_t planes = 1;
    for (int i = 0; i + 2 < rank; ++i) planes *= shape[i];
    const bool sides = rows > 0 && cols > 0 && rows <= kMostSide && cols <= kMostSide;
    return sides && (rows == 1 || rows == most_rows) && (cols == 1 || cols == shape[rank - 1]) && number >= 0 &&
           number < planes;
}

class Reader {
public:
    Reader(Database& database, std::vector<std::string>* problems) : database_(database), problems_(problems) {}

    Result<State> read() {
        MS_CHECK(read_session());
        MS_CHECK(read_files());
        MS_CHECK(read_masks());
        MS_CHECK(read_planes());
        MS_CHECK(read_tiles());
        MS_CHECK(read_steps());
        MS_CHECK(read_stroke());
        state_.mark_written();
        return std::move(state_);
    }

private:
    // The first fault ends it, or is told and passed over.
    Result<void> fault(const Error& error) {
        if (problems_ == nullptr) return error;
        problems_->push_back(error.text());
        return {};
    }

    Result<void> read_session() {
        auto take = [&](const Row& row) -> Result<void> {
            position_ = row.integer(0);
            state_.unsaved = row.integer(1) != 0;
            state_.msk = row.text(2);
            return {};
        };
        return database_.each("SELECT position, unsaved, msk FROM session", {}, take);
    }

    Result<void> read_files() {
        auto take_file = [&](const Row& row) -> Result<void> {
            state_.files.push_back({row.text(0), static_cast<std::uint64_t>(row.integer(1)), row.integer(2),
                                    static_cast<std::uint64_t>(row.integer(3)),
                                    static_cast<std::uint64_t>(row.integer(4))});
            return {};
        };
        MS_CHECK(database_.each("SELECT path, size, mtime_ns, device, inode FROM file ORDER BY place", {}, take_file));
        auto take_setting = [&](const Row& row) -> Result<void> {
            state_.settings[row.text(0)] = row.text(1);
            return {};
        };
        return database_.each("SELECT key, value FROM setting", {}, take_setting);
    }

    Result<void> read_masks() {
        auto take = [&](const Row& row) -> Result<void> {
            const auto id = row.integer(0);
            const auto shape = shape_from(row.text(3));
            const auto dtype = dtype_from_name(row.text(4));
            if (id <= 0 || id >= kMostNumber || !shape || !dtype) {
                return fault(damaged(fmt::format("the mask {}::{}", row.text(1), row.text(2))));
            }
            auto& mask = state_.masks[id];
            mask.id = id;
            mask.path = row.text(1);
            mask.key = row.text(2);
            mask.shape = *shape;
            mask.dtype = *dtype;
            mask.changed = row.integer(5) != 0;
            state_.next_mask = std::max(state_.next_mask, id + 1);
            return {};
        };
        return database_.each("SELECT id, path, key, shape, dtype, changed FROM mask", {}, take);
    }

    Result<void> read_planes() {
        auto take = [&](const Row& row) -> Result<void> {
            const auto mask = state_.masks.find(row.integer(0));
            if (mask == state_.masks.end()) return fault(damaged("a plane without a mask"));
            return read_plane(mask->second, row.integer(1), row.integer(2), row.integer(3), row.integer(4) != 0);
        };
        return database_.each("SELECT mask, number, rows, cols, whole FROM plane ORDER BY mask, number", {}, take);
    }

    Result<void> read_plane(StoredMask& mask, std::int64_t number, std::int64_t rows, std::int64_t cols, bool whole) {
        const std::string name = fmt::format("the mask {}::{}", mask.path, mask.key);
        if (!fits(mask.shape, number, rows, cols)) return fault(damaged(name));
        const std::int64_t side = mask::kTileSide;
        tiles_ += ((rows + side - 1) / side) * ((cols + side - 1) / side);
        if (tiles_ > kMostTiles) {
            return input_error(MS_TEXT("its masks are larger together than a session holds ({} tiles)"), kMostTiles);
        }
        StoredPlane plane(mask::Plane(rows, cols, mask.dtype));
        plane.whole = whole;
        if (!whole) {
            if (problems_ == nullptr) return damaged(name);
            auto base = base_of_file(mask, number, state_.files);
            const bool same = base && base->rows() == rows && base->cols() == cols && base->dtype() == mask.dtype;
            if (same) plane.cells = *std::move(base);
            if (!same) {
                problems_->push_back(
                    fmt::format("{}: only what was painted could be kept, since its file is not what it was", name));
            }
        }
        mask.planes.emplace(number, std::move(plane));
        return {};
    }

    Result<void> read_tiles() {
        for (auto& [id, mask] : state_.masks) {
            for (auto& [number, plane] : mask.planes) {
                auto filled = read_tiles_of(id, number, plane.cells);
                if (!filled) MS_CHECK(fault(filled.error()));
            }
        }
        return {};
    }

    Result<void> read_tiles_of(std::int64_t id, std::int64_t number, mask::Plane& plane) {
        const auto count = plane.tile_rows() * plane.tile_cols();
        const std::size_t stride = mask::kTileSide * plane.cell_bytes();
        std::vector<std::byte> cells(mask::kTileCells * plane.cell_bytes());
        std::optional<mask::MaskEdit> edit;
        int open = 0;
        auto take = [&](const Row& row) -> Result<void> {
            const auto tile = row.integer(0);
            if (tile < 0 || tile >= count) return damaged("a tile of a mask");
            if (!mask::unpack(row.bytes(1), plane.cell_bytes(), cells.data())) return damaged("a tile of a mask");
            const mask::Rect whole{tile / plane.tile_cols() * mask::kTileSide,
                                   tile % plane.tile_cols() * mask::kTileSide, mask::kTileSide, mask::kTileSide};
            if (!edit) edit.emplace(plane);
            edit->write_rect(intersection(whole, plane.bounds()), cells.data(), stride);
            if (++open % kTilesAtOnce == 0) {
                static_cast<void>(edit->commit());
                edit.reset();
            }
            return {};
        };
        auto read = database_.each("SELECT number, cells FROM tile WHERE mask = ? AND plane = ? ORDER BY number",
                                   {id, number}, take);
        if (edit) static_cast<void>(edit->commit());
        return read;
    }

    Result<StoredStep> step_of(const Row& row) {
        const auto mask = state_.masks.find(row.integer(1));
        if (mask == state_.masks.end()) return damaged("a step of the history");
        const auto plane = mask->second.planes.find(row.integer(2));
        if (plane == mask->second.planes.end()) return damaged("a step of the history");
        const auto bytes = row.bytes(5);
        auto delta = mask::MaskDelta::parse(bytes, plane->second.cells);
        if (!delta) return damaged(fmt::format("the step \"{}\" of the history", row.text(4)));
        return StoredStep{row.integer(0), row.integer(1), row.integer(2),
                          row.text(3),    row.text(4),    {bytes.begin(), bytes.end()}};
    }

    Result<void> read_steps() {
        auto take = [&](const Row& row) -> Result<void> {
            MS_TRY(step, step_of(row));
            if (step.number <= 0 || step.number >= kMostNumber) return damaged("a step of the history");
            state_.next_step = step.number + 1;
            state_.steps.push_back(std::move(step));
            return {};
        };
        auto read = database_.each("SELECT number, mask, plane, tool, name, delta FROM step ORDER BY number", {}, take);
        const bool placed = position_ >= 0 && position_ <= static_cast<std::int64_t>(state_.steps.size());
        if (read && !placed) read = damaged("the history");
        state_.position = read ? static_cast<std::size_t>(position_) : 0;
        if (read) return {};
        // The steps hang together; the masks stand without them.
        state_.steps.clear();
        return fault(read.error());
    }

    Result<void> read_stroke() {
        auto take = [&](const Row& row) -> Result<void> {
            MS_TRY(stroke, step_of(row));
            state_.stroke = std::move(stroke);
            return {};
        };
        auto read = database_.each("SELECT 0, mask, plane, tool, name, delta FROM stroke", {}, take);
        if (!read) return fault(read.error());
        return {};
    }

    Database& database_;
    std::vector<std::string>* problems_;
    State state_;
    std::int64_t position_ = 0;
    std::int64_t tiles_ = 0;
};

}  // namespace

Result<State> read_state(Database& database, std::vector<std::string>* problems) {
    return Reader(database, problems).read();
}

}  // namespace maskscope::document::store
