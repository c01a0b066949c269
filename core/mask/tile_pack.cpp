// SPDX-License-Identifier: Apache-2.0
#include "core/mask/tile_pack.h"

#include "core/mask/tile.h"

#include <array>
#include <cstring>

namespace maskscope::mask {
namespace {

// A piece begins with its cells' count times two; plus one when the cells follow as they are, else one cell follows.
constexpr std::uint64_t kAsTheyAre = 1;

class Packer {
public:
    Packer(const std::byte* cells, std::size_t cell_bytes) : cells_(cells), cell_bytes_(cell_bytes) {}

    std::vector<std::byte> packed() {
        with_cell_type(cell_bytes_, [&]<class T>(T) { cut<T>(); });
        return {out_.begin(), out_.end()};  // without the room that it grew by
    }

private:
    template <class T>
    static std::size_t run_length(const T* cells, std::size_t begin) {
        constexpr std::size_t kStep = 8 / sizeof(T);
        std::array<T, kStep> repeated;  // eight bytes are compared at once
        repeated.fill(cells[begin]);
        std::size_t end = begin + 1;
        while (end + kStep <= kTileCells && std::memcmp(cells + end, repeated.data(), 8) == 0) end += kStep;
        while (end < kTileCells && cells[end] == cells[begin]) ++end;
        return end - begin;
    }

    template <class T>
    void cut() {
        const auto* cells = reinterpret_cast<const T*>(cells_);
        std::size_t loose = 0;  // where cells begin that are not written yet
        for (std::size_t at = 0; at < kTileCells;) {
            const auto length = run_length(cells, at);
            if (length > 2) {
                as_they_are(loose, at);
                put_number(out_, length * 2);
                copy(at, at + 1);
                loose = at + length;
            }
            at += length;
        }
        as_they_are(loose, kTileCells);
    }

    void as_they_are(std::size_t begin, std::size_t end) {
        if (begin == end) return;
        put_number(out_, (end - begin) * 2 + kAsTheyAre);
        copy(begin, end);
    }
    void copy(std::size_t begin, std::size_t end) {
        out_.insert(out_.end(), cells_ + begin * cell_bytes_, cells_ + end * cell_bytes_);
    }

    const std::byte* cells_;
    std::size_t cell_bytes_;
    std::vector<std::byte> out_;
};

}  // namespace

std::vector<std::byte> pack(const Plane::TileView& tile, std::size_t cell_bytes) {
    if (tile.cells != nullptr) {
        Cell uniform;
        if (is_uniform(tile.cells, cell_bytes, uniform)) return pack({nullptr, uniform}, cell_bytes);
        return Packer(tile.cells, cell_bytes).packed();
    }
    std::vector<std::byte> out;
    if (tile.uniform == Cell{}) return out;
    out.reserve(2 + cell_bytes);
    put_number(out, std::uint64_t{kTileCells} * 2);
    out.resize(out.size() + cell_bytes);
    store_cell(out.data() + out.size() - cell_bytes, cell_bytes, tile.uniform);
    return out;
}

bool unpack(std::span<const std::byte> packed, std::size_t cell_bytes, std::byte* out) {
    if (packed.empty()) {
        std::memset(out, 0, cell_bytes * kTileCells);
        return true;
    }
    std::uint64_t room = kTileCells;
    while (!packed.empty()) {
        const auto head = take_number(packed);
        if (!head) return false;
        const auto count = *head / 2;
        const bool as_they_are = *head % 2 == kAsTheyAre;
        if (count == 0 || count > room) return false;
        const auto taken = cell_bytes * (as_they_are ? static_cast<std::size_t>(count) : 1);
        if (taken > packed.size()) return false;
        if (as_they_are)
            std::memcpy(out, packed.data(), taken);
        else
            fill_cells(out, cell_bytes, static_cast<std::int64_t>(count), load_cell(packed.data(), cell_bytes));
        out += cell_bytes * static_cast<std::size_t>(count);
        room -= count;
        packed = packed.subspan(taken);
    }
    return room == 0;
}

void put_number(std::vector<std::byte>& out, std::uint64_t value) {
    for (; value >= 0x80; value >>= 7) out.push_back(static_cast<std::byte>((value & 0x7f) | 0x80));
    out.push_back(static_cast<std::byte>(value));
}

std::optional<std::uint64_t> take_number(std::span<const std::byte>& bytes) {
    std::uint64_t value = 0;
    for (int shift = 0; shift < 64 && !bytes.empty(); shift += 7) {
        const auto next = static_cast<std::uint64_t>(bytes.front());
        bytes = bytes.subspan(1);
        const auto part = next & 0x7f;
        if ((part << shift) >> shift != part) return std::nullopt;
        value |= part << shift;
        if (next < 0x80) return value;
    }
    return std::nullopt;
}

}  // namespace maskscope::mask
