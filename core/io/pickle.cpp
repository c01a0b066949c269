// SPDX-License-Identifier: Apache-2.0
#include "core/io/pickle.h"

#include "core/base/utf8.h"
#include "core/io/limits.h"
#include "core/io/pickle_opcodes.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <unordered_map>
#include <utility>

namespace maskscope::io::pickle {
namespace {

// Objects, stack entries and remembered objects, each. Far above any real file and below what would fill the memory.
constexpr std::size_t kMaxValues = 8U << 20U;
constexpr std::size_t kMaxIntegerBytes = 256;
constexpr std::size_t kMaxNameBytes = 512;

// Little-endian two's complement of any length as decimal digits.
std::string decimal(std::string_view little_endian) {
    std::vector<std::uint32_t> magnitude;  // little-endian base 2^32
    const bool negative = (static_cast<std::uint8_t>(little_endian.back()) & 0x80U) != 0;
    std::uint32_t carry = negative ? 1 : 0;
    for (std::size_t i = 0; i < little_endian.size(); i += 4) {
        std::uint32_t word = 0;
        for (std::size_t k = 0; k < 4; ++k) {
            std::uint8_t byte = negative ? 0xff : 0;
            if (i + k < little_endian.size()) byte = static_cast<std::uint8_t>(little_endian[i + k]);
            word |= std::uint32_t{byte} << (8 * k);
        }
        if (negative) {
            const std::uint64_t sum = std::uint64_t{~word} + carry;
            word = static_cast<std::uint32_t>(sum);
            carry = static_cast<std::uint32_t>(sum >> 32U);
        }
        magnitude.push_back(word);
    }
    std::string digits;
    while (!magnitude.empty()) {
        std::uint64_t rest = 0;
        for (std::size_t i = magnitude.size(); i-- > 0;) {
            const std::uint64_t value = (rest << 32U) | magnitude[i];
            magnitude[i] = static_cast<std::uint32_t>(value / 10);
            rest = value % 10;
        }
        digits.insert(digits.begin(), static_cast<char>('0' + rest));
        while (!magnitude.empty() && magnitude.back() == 0) magnitude.pop_back();
    }
    return negative ? "-" + digits : digits;
}

class Reader {
public:
    explicit Reader(Pickle& pickle) : pickle_(pickle) {}

    Result<void> run() {
        while (!stopped_) {
            op_offset_ = position_;
            if (auto done = step(); !done) {
                auto error = std::move(done).error();
                if (!error.where.offset) error.where.offset = op_offset_;
                return error;
            }
        }
        return {};
    }

private:
    Result<void> step() {
        MS_TRY(op, number(1));
        switch (static_cast<Op>(op)) {
            case kProtocol: {
                MS_TRY(protocol, number(1));
                if (protocol < 2 || protocol > 5)
                    return input_error(MS_TEXT("the pickle has protocol {}; 2 to 5 are read"), protocol);
                return {};
            }
            case kFrame:
                // Frames only tell a reader how much to prefetch.
                return skip(number(8));
            case kStop:
                return stop();
            case kMark:
                if (marks_.size() >= static_cast<std::size_t>(kMaxPickleDepth))
                    return input_error(MS_TEXT("the pickle is nested more than {} deep"), kMaxPickleDepth);
                marks_.push_back(stack_.size());
                return {};
            case kPop:
                return skip(pop());
            case kPopMark:
                return skip(pop_to_mark());
            case kNone:
                return push({.kind = Kind::none, .integer = 0, .text = {}, .children = {}});
            case kNewTrue:
                return push_integer(1, Kind::boolean);
            case kNewFalse:
                return push_integer(0, Kind::boolean);
            case kBinInt: {
                MS_TRY(bits, number(4));
                return push_integer(static_cast<std::int32_t>(static_cast<std::uint32_t>(bits)));
            }
            case kBinInt1:
                return push_unsigned(1);
            case kBinInt2:
                return push_unsigned(2);
            case kLong1:
                return push_long(1);
            case kLong4:
                return push_long(4);
            case kBinFloat:
                return push_real();
            case kBinUnicode:
            case kBinString:
                return push_text(4, Kind::text);
            case kShortBinUnicode:
            case kShortBinString:
                return push_text(1, Kind::text);
            case kBinUnicode8:
                return push_text(8, Kind::text);
            case kBinBytes:
                return push_text(4, Kind::bytes);
            case kShortBinBytes:
                return push_text(1, Kind::bytes);
            case kBinBytes8:
                return push_text(8, Kind::bytes);
            case kEmptyList:
                return push_container(Kind::list, {});
            case kEmptyDict:
                return push_container(Kind::dict, {});
            case kEmptyTuple:
                return push_container(Kind::tuple, {});
            case kTuple1:
                return push_tuple(1);
            case kTuple2:
                return push_tuple(2);
            case kTuple3:
                return push_tuple(3);
            case kTuple: {
                MS_TRY(items, pop_to_mark());
                return push_container(Kind::tuple, std::move(items));
            }
            case kAppend:
                return add_items(Kind::list, 1);
            case kAppends:
                return add_marked_items(Kind::list);
            case kSetItem:
                return add_items(Kind::dict, 2);
            case kSetItems:
                return add_marked_items(Kind::dict);
            case kBinPut: {
                MS_TRY(index, number(1));
                return remember(static_cast<std::uint32_t>(index));
            }
            case kLongBinPut: {
                MS_TRY(index, number(4));
                return remember(static_cast<std::uint32_t>(index));
            }
            case kMemoize:
                return remember(static_cast<std::uint32_t>(memo_.size()));
            case kBinGet: {
                MS_TRY(index, number(1));
                return recall(static_cast<std::uint32_t>(index));
            }
            case kLongBinGet: {
                MS_TRY(index, number(4));
                return recall(static_cast<std::uint32_t>(index));
            }
            case kGlobal:
                return push_global_lines();
            case kStackGlobal:
                return push_stack_global();
            case kReduce:
                return reduce();
            case kBuild:
                return build();
            case kBinPersistentId:
                return persistent_id();
        }
        return input_error(MS_TEXT("the pickle uses the instruction 0x{}, which no tensor file needs"),
                           fmt::format("{:02x}", op));
    }

    template <class T>
    static Result<void> skip(const Result<T>& result) {
        if (!result) return result.error();
        return {};
    }

    std::size_t left() const { return pickle_.bytes.size() - position_; }

    Result<std::string_view> take(std::uint64_t count) {
        if (count > left()) return input_error(MS_TEXT("the pickle ends in the middle of an instruction"));
        const auto* begin = reinterpret_cast<const char*>(pickle_.bytes.data() + position_);
        position_ += static_cast<std::size_t>(count);
        return std::string_view(begin, static_cast<std::size_t>(count));
    }

    // Unsigned, little-endian.
    Result<std::uint64_t> number(std::size_t width) {
        MS_TRY(text, take(width));
        std::uint64_t value = 0;
        for (std::size_t i = 0; i < width; ++i) value |= std::uint64_t{static_cast<std::uint8_t>(text[i])} << (8 * i);
        return value;
    }

    Result<std::string_view> line() {
        const auto* begin = reinterpret_cast<const char*>(pickle_.bytes.data() + position_);
        const std::size_t reach = std::min(left(), kMaxNameBytes);
        const auto* end = reach == 0 ? nullptr : static_cast<const char*>(std::memchr(begin, '\n', reach));
        if (end == nullptr) return input_error(MS_TEXT("the pickle has a name without an end"));
        const std::string_view text(begin, static_cast<std::size_t>(end - begin));
        position_ += text.size() + 1;
        return text;
    }

    Result<void> push_id(ValueId id) {
        if (stack_.size() >= kMaxValues) return too_many();
        stack_.push_back(id);
        return {};
    }
    Result<void> push(Value value) {
        if (pickle_.values.size() >= kMaxValues) return too_many();
        pickle_.values.push_back(std::move(value));
        return push_id(static_cast<ValueId>(pickle_.values.size() - 1));
    }
    static Error too_many() { return input_error(MS_TEXT("the pickle holds more than {} objects"), kMaxValues); }

    Result<void> push_integer(std::int64_t integer, Kind kind = Kind::integer) {
        return push({.kind = kind, .integer = integer, .text = {}, .children = {}});
    }
    Result<void> push_unsigned(std::size_t width) {
        MS_TRY(value, number(width));
        return push_integer(static_cast<std::int64_t>(value));
    }
    Result<void> push_long(std::size_t width) {
        MS_TRY(length, number(width));
        MS_TRY(text, take(length));
        if (text.size() > kMaxIntegerBytes)
            return input_error(MS_TEXT("the pickle holds an integer of {} bytes"), text.size());
        if (text.size() > 8) {
            pickle_.made_texts.push_back(decimal(text));
            return push({.kind = Kind::big_integer, .integer = 0, .text = pickle_.made_texts.back(), .children = {}});
        }
        std::uint64_t bits = 0;
        for (std::size_t i = 0; i < text.size(); ++i)
            bits |= std::uint64_t{static_cast<std::uint8_t>(text[i])} << (8 * i);
        const auto unused = static_cast<unsigned>(64 - 8 * text.size());
        if (text.empty()) return push_integer(0);
        return push_integer(static_cast<std::int64_t>(bits << unused) >> unused);
    }
    Result<void> push_real() {
        MS_TRY(bits, number(8));
        std::uint64_t swapped = 0;  // stored big-endian
        for (unsigned i = 0; i < 8; ++i) swapped |= ((bits >> (8 * i)) & 0xffU) << (8 * (7 - i));
        return push({.kind = Kind::real, .real = std::bit_cast<double>(swapped), .text = {}, .children = {}});
    }
    Result<void> push_text(std::size_t width, Kind kind) {
        MS_TRY(length, number(width));
        MS_TRY(text, take(length));
        // Python 2 wrote bytes as texts.
        if (kind == Kind::text && first_invalid_utf8(text)) kind = Kind::bytes;
        return push({.kind = kind, .integer = 0, .text = text, .children = {}});
    }
    Result<void> push_container(Kind kind, std::vector<ValueId> children) {
        return push({.kind = kind, .integer = 0, .text = {}, .children = std::move(children)});
    }
    Result<void> push_tuple(std::size_t count) {
        MS_CHECK(need(count));
        std::vector<ValueId> items(stack_.end() - static_cast<std::ptrdiff_t>(count), stack_.end());
        stack_.resize(stack_.size() - count);
        return push_container(Kind::tuple, std::move(items));
    }

    std::size_t floor() const { return marks_.empty() ? 0 : marks_.back(); }
    Result<void> need(std::size_t count) const {
        if (stack_.size() - floor() < count)
            return input_error(MS_TEXT("the pickle takes an object that it never made"));
        return {};
    }
    Result<ValueId> pop() {
        MS_CHECK(need(1));
        const ValueId id = stack_.back();
        stack_.pop_back();
        return id;
    }
    Result<std::vector<ValueId>> pop_to_mark() {
        if (marks_.empty()) return input_error(MS_TEXT("the pickle closes a group that it never opened"));
        std::vector<ValueId> items(stack_.begin() + static_cast<std::ptrdiff_t>(marks_.back()), stack_.end());
        stack_.resize(marks_.back());
        marks_.pop_back();
        return items;
    }

    Result<void> add(Kind kind, const std::vector<ValueId>& items) {
        MS_CHECK(need(1));
        Value& container = pickle_.values[stack_.back()];
        if (container.kind != kind || (kind == Kind::dict && items.size() % 2 != 0))
            return input_error(MS_TEXT("the pickle adds items to something that is no container for them"));
        container.children.insert(container.children.end(), items.begin(), items.end());
        return {};
    }
    Result<void> add_items(Kind kind, std::size_t count) {
        MS_CHECK(need(count + 1));
        const std::vector<ValueId> items(stack_.end() - static_cast<std::ptrdiff_t>(count), stack_.end());
        stack_.resize(stack_.size() - count);
        return add(kind, items);
    }
    Result<void> add_marked_items(Kind kind) {
        MS_TRY(items, pop_to_mark());
        return add(kind, items);
    }

    Result<void> remember(std::uint32_t index) {
        MS_CHECK(need(1));
        if (memo_.size() >= kMaxValues) return too_many();
        memo_[index] = stack_.back();
        return {};
    }
    Result<void> recall(std::uint32_t index) {
        const auto found = memo_.find(index);
        if (found == memo_.end()) return input_error(MS_TEXT("the pickle asks for an object that it never kept"));
        return push_id(found->second);
    }

    Result<void> push_global_lines() {
        MS_TRY(module_name, line());
        MS_TRY(name, line());
        return push_global(module_name, name);
    }
    Result<void> push_stack_global() {
        MS_CHECK(need(2));
        const Value& name = pickle_.values[stack_.back()];
        const Value& module_name = pickle_.values[stack_[stack_.size() - 2]];
        if (name.kind != Kind::text || module_name.kind != Kind::text || name.text.size() > kMaxNameBytes ||
            module_name.text.size() > kMaxNameBytes)
            return input_error(MS_TEXT("the pickle has a name that is no text"));
        const std::string_view name_text = name.text;
        const std::string_view module_text = module_name.text;
        stack_.resize(stack_.size() - 2);
        return push_global(module_text, name_text);
    }
    Result<void> push_global(std::string_view module_name, std::string_view name) {
        std::string full = fmt::format("{}.{}", module_name, name);
        if (!find_global(full))
            return input_error(MS_TEXT("the file asks for {}, and Maskscope runs no code from a file"), in_quotes(full))
                .with_hint(MS_TEXT("It reads tensors in dicts, lists and tuples: in Python save "
                                   "model.state_dict() in place of the model, or the tensors alone"));
        pickle_.made_texts.push_back(std::move(full));
        return push({.kind = Kind::global, .integer = 0, .text = pickle_.made_texts.back(), .children = {}});
    }

    Result<void> reduce() {
        MS_CHECK(need(2));
        const Value& arguments = pickle_.values[stack_.back()];
        const Value& callee = pickle_.values[stack_[stack_.size() - 2]];
        stack_.resize(stack_.size() - 2);
        if (callee.kind != Kind::global || arguments.kind != Kind::tuple)
            return input_error(MS_TEXT("the pickle calls something that is no function"));
        MS_TRY(value, apply(pickle_, callee, arguments));
        return push(std::move(value));
    }
    // Attributes of an OrderedDict or a parameter hold versions and hooks, no tensors that the file shows: dropped.
    Result<void> build() {
        MS_CHECK(need(2));
        stack_.pop_back();
        const Kind kind = pickle_.values[stack_.back()].kind;
        if (kind != Kind::dict && kind != Kind::tensor)
            return input_error(MS_TEXT("the pickle sets attributes of something that has none"));
        return {};
    }
    Result<void> persistent_id() {
        MS_TRY(id, pop());
        MS_TRY(storage, storage_from_id(pickle_, pickle_.values[id]));
        pickle_.storages.push_back(storage);
        return push_integer(static_cast<std::int64_t>(pickle_.storages.size() - 1), Kind::storage);
    }
    Result<void> stop() {
        MS_TRY(id, pop());
        pickle_.root = id;
        stopped_ = true;
        return {};
    }

    Pickle& pickle_;
    std::size_t position_ = 0;
    std::size_t op_offset_ = 0;
    bool stopped_ = false;
    std::vector<ValueId> stack_;
    std::vector<std::size_t> marks_;
    std::unordered_map<std::uint32_t, ValueId> memo_;
};

}  // namespace

Result<Pickle> read(std::vector<std::byte> bytes) {
    if (bytes.size() > kMaxPickleBytes)
        return input_error(MS_TEXT("the pickle holds {} bytes; at most {} are read"), bytes.size(), kMaxPickleBytes);
    Pickle pickle;
    pickle.bytes = std::move(bytes);
    MS_CHECK(Reader(pickle).run());
    return pickle;
}

}  // namespace maskscope::io::pickle
