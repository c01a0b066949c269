// SPDX-License-Identifier: Apache-2.0
// What to do about an error of an op: found from the shapes and dtypes that caused it.
#pragma once

#include "core/base/error.h"
#include "core/script/language/object.h"

#include <span>

namespace maskscope::script {

// `at` is the expression that called the op; its argument texts name things in the hint. May leave the error as it is.
void add_hint(Error& error, const ops::OpSpec& spec, std::span<const Value> positional, std::span<const Named> named,
              const Module& module, const Expr* at);

// Index forms that make `shape` broadcast with `other`, most likely first: "[:, None, :]" with the shape they give.
struct IndexForm {
    std::string text;
    Shape shape;
};
std::vector<IndexForm> index_forms_that_fit(const Shape& shape, const Shape& other);

}  // namespace maskscope::script
