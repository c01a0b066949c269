// SPDX-License-Identifier: Apache-2.0
// Reading JSON as a stream of events with byte offsets: nothing is built for what is not wanted, and depth costs one
// bit a level instead of stack.
#pragma once

#include "core/base/result.h"

#include <nlohmann/json.hpp>

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>

namespace maskscope::io {

// Walks the text and tells how far it came.
class JsonCursor {
public:
    using iterator_category = std::forward_iterator_tag;
    using value_type = char;
    using difference_type = std::ptrdiff_t;
    using pointer = const char*;
    using reference = const char&;

    JsonCursor() = default;
    JsonCursor(const char* at, const char** reached) : at_(at), reached_(reached) {}

    reference operator*() const { return *at_; }
    JsonCursor& operator++() {
        *reached_ = ++at_;
        return *this;
    }
    JsonCursor operator++(int) {
        JsonCursor before = *this;
        ++*this;
        return before;
    }
    friend bool operator==(const JsonCursor& a, const JsonCursor& b) { return a.at_ == b.at_; }

private:
    const char* at_ = nullptr;
    const char** reached_ = nullptr;
};

// Base of the handlers. Each event that a derived class does not take is refused with `unexpected`. To refuse something
// itself it calls fail(), which gives the error the place reached so far: behind the value, or one further for a
// number, which ends only with the character behind it.
class JsonHandler : public nlohmann::json_sax<nlohmann::json> {
public:
    JsonHandler(std::string_view text, std::uint64_t offset)
        : begin_(text.data()), end_(text.data() + text.size()), reached_(text.data()), offset_(offset) {}

    // Runs over the whole text.
    Result<void> run() {
        const bool done = nlohmann::json::sax_parse(JsonCursor(begin_, &reached_), JsonCursor(end_, &reached_), this);
        if (failed_) return std::move(*failed_);
        if (!done) return input_error(MS_TEXT("the JSON cannot be read")).at(place());
        return {};
    }

    bool null() override { return unexpected("null"); }
    bool boolean(bool /*value*/) override { return unexpected("true or false"); }
    bool number_integer(number_integer_t /*value*/) override { return unexpected("a negative number"); }
    bool number_unsigned(number_unsigned_t /*value*/) override { return unexpected("a number"); }
    bool number_float(number_float_t /*value*/, const string_t& /*text*/) override { return unexpected("a fraction"); }
    bool string(string_t& /*value*/) override { return unexpected("a string"); }
    bool binary(binary_t& /*value*/) override { return unexpected("binary data"); }
    bool start_object(std::size_t /*count*/) override { return unexpected("an object"); }
    bool key(string_t& /*value*/) override { return unexpected("a key"); }
    bool end_object() override { return true; }
    bool start_array(std::size_t /*count*/) override { return unexpected("an array"); }
    bool end_array() override { return true; }
    bool parse_error(std::size_t position, const std::string& /*token*/,
                     const nlohmann::detail::exception& error) override {
        // The library's sentence between its bracketed id and the text it quotes, which may be long: "syntax error
        // while parsing value - invalid literal".
        std::string_view what = error.what();
        what = what.substr(0, what.find("; last read"));
        if (const auto bracket = what.find("] "); bracket != std::string_view::npos) what.remove_prefix(bracket + 2);
        if (const auto syntax = what.find("syntax error"); syntax != std::string_view::npos) what.remove_prefix(syntax);
        what = what.substr(0, 160);
        failed_ = input_error(MS_TEXT("this is not JSON: {}"), what).at(offset_ + (position == 0 ? 0 : position - 1));
        return false;
    }

protected:
    std::uint64_t place() const { return offset_ + static_cast<std::uint64_t>(reached_ - begin_); }

    bool fail(Error error) {
        failed_ = std::move(error).at(place());
        return false;
    }
    bool unexpected(const char* what) { return fail(input_error(MS_TEXT("the JSON has {} where none belongs"), what)); }

private:
    const char* begin_;
    const char* end_;
    const char* reached_;
    std::uint64_t offset_;
    std::optional<Error> failed_;
};

}  // namespace maskscope::io
