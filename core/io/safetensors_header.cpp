// SPDX-License-Identifier: Apache-2.0
#include "core/io/safetensors_header.h"

#include "core/base/utf8.h"
#include "core/io/json_events.h"
#include "core/io/limits.h"
#include "core/io/little_endian.h"

#include <set>
#include <string_view>

namespace maskscope::io {

namespace {

constexpr std::size_t kLengthBytes = 8;

// Follows {key: {"dtype": text, "shape": [n...], "data_offsets": [a, b]}, "__metadata__": {text: text}}.
class HeaderHandler : public JsonHandler {
public:
    using JsonHandler::JsonHandler;

    SafetensorsHeader take() { return std::move(header_); }

    bool start_object(std::size_t /*count*/) override {
        switch (level_) {
            case Level::outside:
                level_ = Level::keys;
                return true;
            case Level::keys:
                level_ = key_ == "__metadata__" ? Level::metadata : Level::entry;
                return true;
            default:
                return unexpected("an object");
        }
    }

    bool key(string_t& value) override {
        if (level_ == Level::keys) return start_key(value);
        if (level_ == Level::metadata) {
            if (header_.metadata.count(value) != 0) {
                return fail(input_error(MS_TEXT("__metadata__ has the key {} twice"), in_quotes(value)));
            }
            field_ = value;
            return true;
        }
        if (value != "dtype" && value != "shape" && value != "data_offsets") {
            return fail(input_error(MS_TEXT("tensor {} has the unknown field {}"), in_quotes(key_), in_quotes(value)));
        }
        if (!fields_.insert(value).second) {
            return fail(input_error(MS_TEXT("tensor {} has the field {} twice"), in_quotes(key_), in_quotes(value)));
        }
        field_ = value;
        return true;
    }

    bool string(string_t& value) override {
        if (level_ == Level::metadata) {
            header_.metadata.emplace(field_, value);
            return true;
        }
        if (level_ != Level::entry || field_ != "dtype") return unexpected("a string");
        entry_.dtype = value;
        return true;
    }

    bool start_array(std::size_t /*count*/) override {
        if (level_ != Level::entry || field_ == "dtype") return unexpected("an array");
        level_ = Level::list;
        offsets_ = 0;
        return true;
    }

    bool number_unsigned(number_unsigned_t value) override {
        if (level_ != Level::list) return unexpected("a number");
        if (value > INT64_MAX) {
            return fail(input_error(MS_TEXT("tensor {}: {} does not fit 63 bits"), in_quotes(key_), value));
        }
        if (field_ == "shape") {
            if (entry_.shape.rank() == kMaxRank) {
                return fail(input_error(MS_TEXT("tensor {} has more than {} dimensions, the most that are read"),
                                        in_quotes(key_), kMaxRank));
            }
            entry_.shape.push_back(static_cast<std::int64_t>(value));
            return true;
        }
        if (offsets_ == 0) entry_.begin = value;
        if (offsets_ == 1) entry_.end = value;
        if (++offsets_ > 2) return bad_offsets();
        return true;
    }

    bool end_array() override {
        level_ = Level::entry;
        return field_ != "data_offsets" || offsets_ == 2 || bad_offsets();
    }

    bool end_object() override {
        if (level_ == Level::entry) {
            for (const char* field : {"dtype", "shape", "data_offsets"}) {
                if (fields_.count(field) == 0) {
                    return fail(input_error(MS_TEXT("tensor {} has no {}"), in_quotes(key_), field));
                }
            }
            entry_.key = key_;
            entry_.stated_at = place();
            header_.entries.push_back(std::move(entry_));
        }
        level_ = level_ == Level::keys ? Level::outside : Level::keys;
        return true;
    }

private:
    enum class Level { outside, keys, entry, list, metadata };

    bool start_key(const std::string& value) {
        if (!keys_.insert(value).second) {
            return fail(input_error(MS_TEXT("two entries of the header are named {}"), in_quotes(value)));
        }
        if (keys_.size() > kMaxItems) {
            return fail(input_error(MS_TEXT("the header names more than {} tensors"), kMaxItems));
        }
        key_ = value;
        entry_ = {};
        fields_.clear();
        return true;
    }

    bool bad_offsets() {
        return fail(input_error(MS_TEXT("tensor {}: data_offsets must be two numbers"), in_quotes(key_)));
    }

    Level level_ = Level::outside;
    SafetensorsHeader header_;
    SafetensorsEntry entry_;
    std::string key_;
    std::string field_;
    std::set<std::string> fields_;
    std::set<std::string> keys_;
    int offsets_ = 0;
};

}  // namespace

Result<SafetensorsHeader> parse_safetensors_header(std::span<const std::byte> file) {
    if (file.size() < kLengthBytes) {
        return input_error(MS_TEXT("the file has {} bytes, too few for a safetensors header"), file.size()).at(0);
    }
    const auto length = load_le<std::uint64_t>(file, 0);
    if (length > kMaxHeaderBytes) {
        return input_error(MS_TEXT("the header claims {} bytes; the format allows {}"), length, kMaxHeaderBytes).at(0);
    }
    if (length > file.size() - kLengthBytes) {
        return input_error(MS_TEXT("the header claims {} bytes and the file has {} after its length"), length,
                           file.size() - kLengthBytes)
            .at(0);
    }
    const std::string_view text(reinterpret_cast<const char*>(file.data() + kLengthBytes), length);
    if (!text.starts_with('{')) return input_error(MS_TEXT("the header does not begin with '{{'")).at(kLengthBytes);
    HeaderHandler handler(text, kLengthBytes);
    MS_CHECK(handler.run());
    SafetensorsHeader header = handler.take();
    header.buffer_offset = kLengthBytes + length;
    return header;
}

}  // namespace maskscope::io
