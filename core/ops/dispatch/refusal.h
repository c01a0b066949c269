// SPDX-License-Identifier: Apache-2.0
// What the binder says to wrong arguments.
#pragma once

#include "core/ops/dispatch/op_spec.h"
#include "core/ops/dispatch/run.h"
#include "core/ops/dispatch/schema.h"

#include <span>
#include <string>
#include <vector>

namespace maskscope::ops {

struct Call {
    std::string name;  // as written: "masked_fill_"
    Form form = Form::function;
    std::span<const Value> positional;  // with self for methods
    std::span<const Named> named;
    std::vector<const Overload*> candidates;

    bool is_method() const { return form == Form::method || form == Form::in_place || form == Form::property; }
    // The index of the first argument that the user counts: self is none.
    std::size_t first() const { return is_method() ? 1 : 0; }
};

// Parameters that may be given by place.
std::size_t positional_count(const Schema& schema);
// The one overload that the number of arguments leaves, to tell what is wrong with it; null when several are left.
const Overload* plausible(const Call& call);

Error too_many(const Call& call, const Overload& overload);
Error missing(const Call& call, const Overload& overload, std::size_t parameter);
Error given_twice(const Call& call, const Overload& overload, const std::string& name);
Error wrong_type(const Call& call, const Overload& overload, std::size_t parameter, const Value& value, bool by_place);
Error unknown_name(const Call& call, const Overload& overload);
// "received an invalid combination of arguments - got (...), but expected one of: ..."
Error invalid_combination(const Call& call);

}  // namespace maskscope::ops
