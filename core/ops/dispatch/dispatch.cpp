// SPDX-License-Identifier: Apache-2.0
#include "core/ops/dispatch/dispatch.h"

#include "core/ops/dispatch/backend.h"
#include "core/ops/dispatch/in_place.h"
#include "core/ops/dispatch/out_argument.h"
#include "core/ops/dispatch/torch_error.h"
#include "core/ops/loops/copy.h"
#include "core/ops/loops/iteration.h"

#include <algorithm>
#include <exception>
#include <new>

namespace maskscope::ops {
namespace {

using Clock = std::chrono::steady_clock;

// Calls `visit` with every tensor among the arguments, those in lists too.
template <class Visit>
void each_tensor(const Args& args, Visit visit) {
    for (int i = 0; i < args.count(); ++i) {
        if (args[i].is_tensor()) visit(args.variable(i));
        if (const auto* items = args[i].sequence())
            for (const auto& item : *items)
                if (item.is_tensor()) visit(item.tensor());
    }
}

// What a library throws stays inside the op that called it.
template <class Compute>
auto guarded(Compute compute) -> decltype(compute()) {
    try {
        return compute();
    } catch (const std::bad_alloc&) {
        return make_error(ErrorKind::unavailable, MS_TEXT("there is not enough memory"));
    } catch (const std::exception& problem) {
        return make_error(ErrorKind::unavailable, "{}", problem.what());
    }
}

}  // namespace

Result<Value> Dispatch::go() {
    if (run_.context().cancelled()) return cancelled_error();
    if (run_.observer != nullptr && run_.depth_ == 0) run_.observer->starting(spec_, overload_, args_);
    const auto started = run_.observer != nullptr ? Clock::now() : Clock::time_point();
    if (const auto& deadline = run_.settings_.deadline; deadline && Clock::now() > *deadline)
        return make_error(ErrorKind::unavailable, MS_TEXT("the script used up the time it was given"));
    const std::size_t allocated = run_.bytes_allocated_;
    const std::size_t moved = run_.bytes_moved_;
    const double flops = run_.flops_;
    const Value out = out_argument(args_, overload_);
    if (!out.is_none()) MS_CHECK(refuse_out(out, args_, overload_, run_.grad_enabled));
    MS_TRY(result, compute());
    if (!out.is_none()) {
        MS_TRY(written, write_out(out, result, args_, overload_, run_));
        result = written;
    }
    if (run_.observer != nullptr) {
        const std::chrono::duration<double> seconds = Clock::now() - started;
        tell(result, seconds.count(), run_.bytes_allocated_ - allocated, run_.bytes_moved_ - moved,
             run_.flops_ - flops);
    }
    return std::move(result);
}

Result<Value> Dispatch::compute() {
    // As torch: a whole that cannot be written is refused before what would be written is looked at, a part after.
    if (writes_self()) {
        MS_CHECK(refuse_leaf(*args_.variable(0), run_.grad_enabled));
        if (!has(kUpdates)) MS_CHECK(refuse_overlap(*args_.variable(0), args_, overload_));
    }
    if (overload_.view != nullptr) {
        MS_TRY(view, overload_.view(args_));
        if (view) return compute_view(std::move(*view));
    }
    if (overload_.views != nullptr) {
        MS_TRY(views, overload_.views(args_));
        is_view_ = true;
        return packed(std::move(views));
    }
    return overload_.kernel != nullptr ? compute_kernel() : compute_composite();
}

Result<Value> Dispatch::compute_view(Tensor view) {
    is_view_ = true;
    return Value(result_of(std::move(view)));
}

Result<Value> Dispatch::compute_kernel() {
    const bool have_data = inputs_have_data();
    if (has(kDataDependent) && !have_data) return needs_data(std::string(spec_.name) + "()");
    MS_TRY(planned, overload_.shape(args_));
    bool with_data = have_data;
    double flops = 0;
    for (const auto& out : planned) flops += static_cast<double>(element_count(out.shape).value_or(0));
    if (overload_.flops != nullptr) flops = overload_.flops(args_, planned);
    if (run_.settings_.shapes_only) {
        with_data = have_data && flops <= static_cast<double>(run_.settings_.shapes_only_limit);
    } else if (!have_data) {
        return needs_data(std::string(spec_.name) + "()");
    }
    run_.flops_ += flops;
    each_tensor(args_, [&](const VariablePtr& input) { run_.bytes_moved_ += distinct_bytes(input->tensor); });
    if (writes_self()) return compute_in_place(planned.front(), with_data);
    MS_TRY(outputs, allocate(planned, with_data));
    for (const auto& out : outputs) run_.bytes_moved_ += out.byte_size();
    if (with_data) {
        if (has(kUpdates)) copy_elements(args_.tensor(0), outputs.front());
        MS_CHECK(run_kernel(args_, outputs));
    }
    return packed(std::move(outputs));
}

Result<Value> Dispatch::compute_in_place(const OutSpec& planned, bool with_data) {
    const auto& self = args_.variable(0);
    MS_CHECK(refuse_result(*self, planned));
    if (has(kUpdates)) MS_CHECK(refuse_overlap(*self, args_, overload_));
    if (!with_data) {
        self->tensor.storage()->forget();
        return finished_self();
    }
    MS_CHECK(self->tensor.storage()->make_writable());
    const bool direct = planned.dtype == self->tensor.dtype() && (has(kElementwise) || has(kUpdates));
    if (!direct) {
        MS_TRY(temporary, run_.allocate(planned.shape, planned.dtype));
        MS_CHECK(run_kernel(args_, std::span(&temporary, 1)));
        copy_elements(temporary, self->tensor);
        return finished_self();
    }
    // Changing parts of self in any order must not disturb an input that is self.
    std::vector<Value> inputs;
    for (int i = 0; i < args_.count(); ++i) {
        inputs.push_back(args_[i]);
        if (i == 0 || !has(kUpdates) || !args_[i].is_tensor()) continue;
        if (overlap_of(self->tensor, args_.tensor(i)) == Overlap::none) continue;
        MS_TRY(copy, run_.allocate(args_.tensor(i).shape(), args_.tensor(i).dtype()));
        copy_elements(args_.tensor(i), copy);
        inputs.back() = run_.wrap(std::move(copy));
    }
    const Args apart(std::move(inputs), args_.name(), args_.form());
    MS_CHECK(run_kernel(apart, std::span(&self->tensor, 1)));
    return finished_self();
}

Result<Value> Dispatch::compute_composite() {
    ++run_.depth_;
    auto result = guarded([&] { return overload_.composite(args_, run_); });
    --run_.depth_;
    if (!result) return result;
    if (!writes_self() || !result->is_tensor() || result->tensor() == args_.variable(0)) return result;
    return write_back(result->tensor());
}

Result<std::vector<Tensor>> Dispatch::allocate(const Outputs& planned, bool with_data) {
    std::vector<Tensor> outputs;
    for (const auto& out : planned) {
        const Strides* strides = out.strides ? &*out.strides : nullptr;
        if (!with_data) {
            MS_TRY(tensor, Tensor::shapes_only(out.shape, out.dtype, strides));
            outputs.push_back(std::move(tensor));
            continue;
        }
        const auto count = element_count(out.shape);
        MS_CHECK(run_.admit(static_cast<std::size_t>(count.value_or(0)) * size_of(out.dtype)));
        MS_TRY(tensor, Tensor::uninitialised(out.shape, out.dtype, strides));
        outputs.push_back(std::move(tensor));
    }
    return outputs;
}

Result<void> Dispatch::run_kernel(const Args& args, std::span<Tensor> outputs) {
    Backend* backend = run_.settings_.backend;
    if (backend != nullptr) {
        if (backend->supports(spec_, overload_, args)) {
            device_ = backend->device();
            return backend->run(spec_, overload_, args, outputs, run_);
        }
        run_.note(fmt::format("{} has no kernel for {}: it ran on the CPU", backend->device(), spec_.name));
    }
    return guarded([&] { return overload_.kernel(args, outputs, run_); });
}

Result<Value> Dispatch::write_back(const VariablePtr& computed) {
    const auto& self = args_.variable(0);
    MS_CHECK(refuse_result(*self, {computed->tensor.shape(), computed->tensor.dtype(), std::nullopt}));
    if (!computed->tensor.has_data() || !self->tensor.has_data()) {
        self->tensor.storage()->forget();
        return finished_self();
    }
    MS_CHECK(self->tensor.storage()->make_writable());
    copy_elements(computed->tensor, self->tensor);
    return finished_self();
}

Value Dispatch::finished_self() {
    const auto& self = args_.variable(0);
    self->tensor.storage()->bump_version();
    if (run_.grad_enabled && any_requires_grad() && is_floating(self->tensor.dtype())) {
        self->requires_grad = true;
        self->is_leaf = false;
        // What is written into a view is written into its base.
        if (self->base) {
            self->base->requires_grad = true;
            self->base->is_leaf = false;
        }
    }
    return self;
}

Value Dispatch::packed(std::vector<Tensor> tensors) {
    if (tensors.size() == 1 && overload_.views == nullptr && overload_.returns.empty())
        return result_of(std::move(tensors.front()));
    Tuple tuple;
    for (auto& tensor : tensors) tuple.items.emplace_back(result_of(std::move(tensor)));
    if (!overload_.returns.empty()) {
        tuple.name = "torch.return_types." + std::string(spec_.name);
        for (const auto field : overload_.returns) tuple.fields.emplace_back(field);
    }
    return std::shared_ptr<const Tuple>(std::make_shared<Tuple>(std::move(tuple)));
}

VariablePtr Dispatch::result_of(Tensor tensor) {
    auto out = run_.wrap(std::move(tensor));
    if (is_view_) {
        // The first tensor argument owns the storage, or is a view of the one that does.
        const auto& source = args_.variable(0);
        out->base = source->base ? source->base : source;
        out->made_in_no_grad = !run_.grad_enabled;
        out->requires_grad = source->requires_grad && is_floating(out->tensor.dtype());
    }
    if (run_.grad_enabled && is_floating(out->tensor.dtype()) && any_requires_grad()) {
        out->requires_grad = true;
        out->is_leaf = false;
    }
    return out;
}

bool Dispatch::writes_self() const {
    return args_.in_place() && !has(kNoWrite);
}

bool Dispatch::any_requires_grad() const {
    bool found = false;
    each_tensor(args_, [&](const VariablePtr& input) { found = found || input->requires_grad; });
    return found;
}

bool Dispatch::inputs_have_data() const {
    bool all = true;
    each_tensor(args_, [&](const VariablePtr& input) { all = all && input->tensor.has_data(); });
    return all;
}

void Dispatch::tell(const Value& result, double seconds, std::size_t allocated, std::size_t moved, double flops) {
    OpEvent event{spec_, overload_, args_, result};
    event.depth = run_.depth_;
    event.is_view = is_view_;
    event.seconds = seconds;
    event.bytes_allocated = allocated;
    event.bytes_moved = moved;
    event.flops = flops;
    event.device = device_;
    run_.observer->finished(event);
}

}  // namespace maskscope::ops
