// SPDX-License-Identifier: Apache-2.0
// Walks JSON text in place and tells where each value stands: what is not asked for is checked and skipped, nothing is
// copied. After the first false, error() says what was wrong and where; nothing else may be called then.
#pragma once

#include "core/base/function_ref.h"
#include "core/base/result.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace maskscope::io {

class JsonScanner {
public:
    // `offset` is where the text begins in the file, for errors.
    explicit JsonScanner(std::string_view text, std::uint64_t offset = 0) : text_(text), offset_(offset) {}

    std::size_t at() const { return at_; }
    // UTF-8's byte order mark, where there is one at the front.
    void skip_mark() {
        if (at_ == 0 && text_.starts_with("\xEF\xBB\xBF")) at_ = 3;
    }
    // The character that the next value or sign begins with; 0 at the end.
    char peek();
    // "a string", "an object": of the next value, for sentences.
    const char* kind();

    // Calls body for each member or element; body walks over the value. The key is valid until the body walks
    // over another object.
    bool object(FunctionRef<bool(std::string_view key)> body);
    bool array(FunctionRef<bool(std::size_t index)> body);
    bool string(std::string& out);
    // JSON's numbers, and Python's NaN, Infinity and -Infinity.
    bool number(double& out);
    bool skip_number() {
        std::string_view token;
        return number_token(token);
    }
    // A whole number, also one written as 3.0. `name` is what the sentence calls it.
    bool whole(std::int64_t& out, std::string_view name);
    // Any value, nested up to 512 deep.
    bool skip();
    // Where it begins and ends.
    bool skip(std::array<std::size_t, 2>& bytes);
    // Nothing but space is left.
    bool end();

    // false, true, 0 or 1.
    bool flag(bool& out, std::string_view name);

    bool fail(Error error) { return fail_at(std::move(error), at_); }
    bool fail_at(Error error, std::size_t at) {
        error_ = std::move(error).at(offset_ + at);
        return false;
    }
    Error take_error() { return std::move(*error_); }

private:
    bool expect(char c, const char* what);
    bool skip_string();
    bool skip_key();
    bool skip_escape();
    bool skip_scalar();
    bool number_token(std::string_view& out);
    bool word(std::string_view word);
    bool unexpected(const char* wanted);

    std::string_view text_;
    std::size_t at_ = 0;
    std::uint64_t offset_;
    std::string key_;
    std::optional<Error> error_;
};

}  // namespace maskscope::io
