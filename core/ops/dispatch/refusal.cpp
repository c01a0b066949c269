// SPDX-License-Identifier: Apache-2.0
#include "core/ops/dispatch/refusal.h"

#include "core/ops/dispatch/admit.h"
#include "core/ops/dispatch/torch_error.h"

#include <algorithm>
#include <unordered_map>

namespace maskscope::ops {
namespace {

bool is_python(const Overload& overload) {
    return (overload.traits & kPythonDefined) != 0;
}

// Python names a method by its class.
std::string python_name(const Call& call) {
    return (call.is_method() ? "Tensor." : "") + call.name;
}

// A method of C without parameters has its own words.
bool takes_nothing(const Call& call, const Overload& overload) {
    return call.is_method() && call.candidates.size() == 1 && overload.schema->parameters.size() == 1;
}

std::size_t required_count(const Schema& schema) {
    return static_cast<std::size_t>(std::count_if(schema.parameters.begin(), schema.parameters.end(),
                                                  [](const Parameter& p) { return p.required; }));
}

bool names(const Schema& schema, const std::string& name) {
    return std::any_of(schema.parameters.begin(), schema.parameters.end(),
                       [&](const Parameter& p) { return p.name == name; });
}

// "'a', 'b' and 'c'" as Python lists missing parameters.
std::string python_list(const std::vector<std::string>& words) {
    std::string out;
    for (std::size_t i = 0; i < words.size(); ++i) {
        if (i > 0) out += words.size() == 2 ? " and " : i + 1 == words.size() ? ", and " : ", ";
        out += "'" + words[i] + "'";
    }
    return out;
}

// torch keeps keywords in a hash table and lists them in its order.
std::unordered_map<std::string, std::string> named_in_torchs_order(const Call& call) {
    std::unordered_map<std::string, std::string> out;
    for (const auto& [name, value] : call.named) out.emplace(name, shown_type(value));
    return out;
}

// "(Tensor, int, value=str)"
std::string got(const Call& call) {
    std::string out = "(";
    for (std::size_t i = call.first(); i < call.positional.size(); ++i)
        out += (i == call.first() ? "" : ", ") + shown_type(call.positional[i]);
    const bool any = call.positional.size() > call.first();
    bool comma = any;
    for (const auto& [name, type] : named_in_torchs_order(call)) {
        out += (comma ? ", " : "") + name + "=" + type;
        comma = true;
    }
    // torch leaves this comma behind when there are names only.
    if (!any && !call.named.empty()) out += ", ";
    return out + ")";
}

// torch explains by the names of types: a Number never is what an int calls itself, nor is a type with a default.
bool is_named_type(const Parameter& parameter, const Value& value) {
    if (!parameter.required) return false;
    return parameter.kind == Kind::integers ? admits(parameter, value) : shown_type(value) == parameter.type;
}

// The types as given, those that do not fit between exclamation marks.
std::string got_against(const Call& call, const Schema& schema) {
    std::string out = "(";
    const auto add = [&](const Parameter* parameter, const Value& value, const std::string& prefix) {
        if (out.size() > 1) out += ", ";
        const bool fits = parameter != nullptr && is_named_type(*parameter, value);
        const std::string type = prefix + (fits ? shown_type(value) : shown_type_in_full(value));
        out += fits ? type : "!" + type + "!";
    };
    for (std::size_t i = call.first(); i < call.positional.size(); ++i)
        add(i < schema.parameters.size() ? &schema.parameters[i] : nullptr, call.positional[i], "");
    for (const auto& [name, value] : call.named) {
        const auto found = std::find_if(schema.parameters.begin(), schema.parameters.end(),
                                        [&, &written = name](const Parameter& p) { return p.name == written; });
        add(found == schema.parameters.end() ? nullptr : &*found, value, name + "=");
    }
    return out + ")";
}

// torch explains an option when as many arguments were given as its listing has words between commas.
bool is_explained(const Call& call, const Schema& schema) {
    const std::string listing = schema.listing(call.is_method());
    const auto words = static_cast<std::size_t>(std::count(listing.begin(), listing.end(), ',')) + 1;
    return words == call.positional.size() - call.first() + call.named.size();
}

}  // namespace

std::size_t positional_count(const Schema& schema) {
    return static_cast<std::size_t>(std::count_if(schema.parameters.begin(), schema.parameters.end(),
                                                  [](const Parameter& p) { return !p.keyword_only; }));
}

const Overload* plausible(const Call& call) {
    const bool alone = call.candidates.size() == 1 && (call.candidates.front()->traits & kHasDeprecatedForm) == 0;
    if (alone) return call.candidates.front();
    const Overload* found = nullptr;
    const std::size_t given = call.positional.size() + call.named.size();
    for (const auto* overload : call.candidates) {
        const auto& parameters = overload->schema->parameters;
        const bool has_out = call.is_method() && std::any_of(parameters.begin(), parameters.end(),
                                                             [](const Parameter& p) { return p.name == "out"; });
        const std::size_t most = parameters.size() - (has_out ? 1 : 0);
        if (given < required_count(*overload->schema) || given > most) continue;
        if (found != nullptr) return nullptr;
        found = overload;
    }
    return found;
}

Error too_many(const Call& call, const Overload& overload) {
    const Schema& schema = *overload.schema;
    const bool python = is_python(overload);
    // Python counts self, torch's parser does not.
    const std::size_t skip = python ? 0 : call.first();
    const std::size_t given = call.positional.size() - skip;
    if (!python && takes_nothing(call, overload))
        return type_error("TensorBase.{}() takes no arguments ({} given)", call.name, given);
    const std::size_t most = positional_count(schema) - skip;
    // torch counts required keywords too.
    std::size_t least = required_count(schema);
    least -= std::min(least, skip);
    const std::string name = python ? python_name(call) : call.name;
    const char* were = given == 1 && least == most ? "was" : "were";
    if (least == most)
        return type_error("{}() takes {} positional argument{} but {} {} given", name, most, most == 1 ? "" : "s",
                          given, were);
    return type_error("{}() takes from {} to {} positional arguments but {} {} given", name, least, most, given, were);
}

Error missing(const Call& call, const Overload& overload, std::size_t parameter) {
    std::vector<std::string> words;
    const auto& parameters = overload.schema->parameters;
    for (std::size_t i = parameter; i < parameters.size(); ++i) {
        const bool named = std::any_of(call.named.begin(), call.named.end(),
                                       [&](const Named& n) { return n.first == parameters[i].name; });
        if (parameters[i].required && !named) words.push_back(parameters[i].name);
    }
    if (is_python(overload))
        return type_error("{}() missing {} required positional argument{}: {}", python_name(call), words.size(),
                          words.size() == 1 ? "" : "s", python_list(words));
    std::string list;
    for (const auto& word : words) list += (list.empty() ? "\"" : ", \"") + word + "\"";
    // The plural is the wrong way round in torch.
    return type_error("{}() missing {} required positional argument{}: {}", call.name, words.size(),
                      words.size() == 1 ? "s" : "", list);
}

Error given_twice(const Call& call, const Overload& overload, const std::string& name) {
    return type_error("{}() got multiple values for argument '{}'", is_python(overload) ? python_name(call) : call.name,
                      name);
}

Error wrong_type(const Call& call, const Overload& overload, std::size_t parameter, const Value& value, bool by_place) {
    const Parameter& wanted = overload.schema->parameters[parameter];
    const std::string place =
        by_place || is_python(overload) ? fmt::format(" (position {})", parameter + 1 - call.first()) : "";
    if (wanted.kind == Kind::integers) {
        const auto* items = value.sequence();
        if (items != nullptr && !items->empty())
            return type_error("{}(): argument '{}'{} must be {}, but found element of type {} at pos 0", call.name,
                              wanted.name, place, wanted.type, shown_type(items->front()));
    }
    return type_error("{}(): argument '{}'{} must be {}, not {}", call.name, wanted.name, place, wanted.type,
                      shown_type(value));
}

Error unknown_name(const Call& call, const Overload& overload) {
    if (!is_python(overload) && takes_nothing(call, overload))
        return type_error("TensorBase.{}() takes no keyword arguments", call.name);
    const std::string name = is_python(overload) ? python_name(call) : call.name;
    for (const auto& [written, value] : call.named)
        if (!names(*overload.schema, written))
            return type_error("{}() got an unexpected keyword argument '{}'", name, written);
    // Known, and given by place as well or through an alias.
    return type_error("{}() got multiple values for argument '{}'", name, call.named.front().first);
}

// The same with one signature to show.
static Error alone_combination(const Call& call) {
    const Schema& schema = *call.candidates.front()->schema;
    std::string strange;
    for (const auto& [name, value] : call.named)
        if (!names(schema, name) || (call.is_method() && name == "input"))
            strange += (strange.empty() ? "" : ", ") + name;
    const std::string begin = call.name + "() received an invalid combination of arguments - got ";
    if (!strange.empty()) return type_error("{}", begin + "unrecognized keyword arguments: " + strange);
    return type_error("{}", begin + (is_explained(call, schema) ? got_against(call, schema) : got(call)) +
                                ", but expected " + schema.listing(call.is_method()));
}

Error invalid_combination(const Call& call) {
    std::string text =
        call.name + "() received an invalid combination of arguments - got " + got(call) + ", but expected ";
    if (call.candidates.size() == 1) return alone_combination(call);
    text += "one of:\n";
    for (const auto* overload : call.candidates) {
        const Schema& schema = *overload->schema;
        text += " * " + schema.listing(call.is_method()) + "\n";
        if (!is_explained(call, schema)) continue;
        std::string strange;
        for (const auto& [name, type] : named_in_torchs_order(call))
            if (!names(schema, name)) strange += (strange.empty() ? "" : ", ") + name;
        text += strange.empty() ? "      didn't match because some of the arguments have invalid types: " +
                                      got_against(call, schema) + "\n"
                                : "      didn't match because some of the keywords were incorrect: " + strange + "\n";
    }
    return type_error("{}", text);
}

}  // namespace maskscope::ops
