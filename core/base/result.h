// SPDX-License-Identifier: Apache-2.0
// A value or the Error that stands in its place. (std::expected arrives with C++23.)
#pragma once

#include "core/base/error.h"

#include <cassert>
#include <utility>
#include <variant>

namespace maskscope {

template <class T>
class [[nodiscard]] Result {
public:
    Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
    Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}

    explicit operator bool() const { return state_.index() == 0; }
    bool ok() const { return state_.index() == 0; }

    T& operator*() & { return value(); }
    const T& operator*() const& { return value(); }
    T&& operator*() && { return std::move(value()); }
    T* operator->() { return &value(); }
    const T* operator->() const { return &value(); }

    T& value() {
        assert(ok());
        return *std::get_if<0>(&state_);
    }
    const T& value() const {
        assert(ok());
        return *std::get_if<0>(&state_);
    }
    Error& error() & {
        assert(!ok());
        return *std::get_if<1>(&state_);
    }
    Error&& error() && {
        assert(!ok());
        return std::move(*std::get_if<1>(&state_));
    }
    const Error& error() const& {
        assert(!ok());
        return *std::get_if<1>(&state_);
    }

private:
    std::variant<T, Error> state_;
};

template <>
class [[nodiscard]] Result<void> {
public:
    Result() = default;
    Result(Error error) : error_(std::move(error)) {}

    explicit operator bool() const { return !error_.has_value(); }
    bool ok() const { return !error_.has_value(); }
    Error& error() & { return *error_; }
    Error&& error() && { return std::move(*error_); }
    const Error& error() const& { return *error_; }

private:
    std::optional<Error> error_;
};

}  // namespace maskscope

// Takes the value of a Result into `name`, or returns its Error from the enclosing function.
#define MS_TRY(name, expression)                                 \
    auto name##_result = (expression);                           \
    if (!name##_result) return std::move(name##_result).error(); \
    auto& name = *name##_result

// The same for Result<void>.
#define MS_CHECK(expression) \
    if (auto checked_result = (expression); !checked_result) return std::move(checked_result).error()
