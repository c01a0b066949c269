// SPDX-License-Identifier: Apache-2.0
// Every op of the table: it explains itself, its samples run, and they give the same for inputs that lie otherwise in
// memory, stay whole for empty, non-finite and fully masked ones, and keep their shape without data. (That the numbers
// are right is held by PyTorch's own, in golden_test and the tests of each family.)
#include "core/ops/dispatch/schema.h"
#include "core/ops/dispatch/variable.h"
#include "core/ops/op_table.h"
#include "core/script/language/evaluate.h"

#include <QTest>

#include <cmath>
#include <cstring>
#include <functional>
#include <set>

using namespace maskscope;
using ops::OpSpec;
using ops::Value;
using script::Input;

namespace {

bool is_internal(const OpSpec& spec) {
    return std::all_of(spec.overloads.begin(), spec.overloads.end(),
                       [](const auto& overload) { return (overload.forms & ops::kInternal) != 0; });
}

// What they tell is how a tensor lies in memory, they need it to lie in a certain way, or (as in PyTorch) they draw
// their numbers in its order.
const std::set<std::string_view> kAboutMemory = {
    "stride",        "storage_offset", "data_ptr",    "as_strided", "view",          "view_as",
    "is_contiguous", "bernoulli",      "exponential", "normal",     "rand_like",     "randn_like",
    "randint_like",  "random",         "uniform",     "dropout",    "take_along_dim"};

template <class T, class Fill>
Tensor filled(const Shape& shape, DType dtype, const Fill& fill) {
    auto tensor = Tensor::zeros(shape, dtype);
    for (std::int64_t i = 0; i < tensor->numel(); ++i) tensor->writable_as<T>()[i] = static_cast<T>(fill(i));
    return *tensor;
}

struct Kind {
    std::int64_t rows = 3;
    bool non_finite = false;
    int mask = -1;  // 0 all False, 1 all True
};

// The names that samples speak of, as op_spec.h has them.
std::vector<Input> inputs_of(const Kind& kind) {
    const Shape plane = {kind.rows, 4};
    const auto number = [&](std::int64_t i) {
        if (kind.non_finite && i % 5 == 1) return std::nanf("");
        if (kind.non_finite && i % 5 == 3) return i % 2 == 0 ? INFINITY : -INFINITY;
        return static_cast<float>((i * 7) % 11) / 4 - 1;
    };
    const auto other = [](std::int64_t i) { return static_cast<float>((i * 5) % 13) / 8 + 0.25F; };
    const auto bit = [&](std::int64_t i) { return kind.mask >= 0 ? kind.mask : (i % 3 == 0 ? 1 : 0); };
    return {{"x", filled<float>(plane, DType::f32, number)},
            {"y", filled<float>(plane, DType::f32, other)},
            {"m", filled<std::uint8_t>(plane, DType::boolean, bit)},
            {"r", filled<float>({4}, DType::f32, number)},
            {"i", filled<std::int64_t>(plane, DType::i64, [](std::int64_t i) { return i % 3; })},
            {"s", filled<float>({}, DType::f32, [](std::int64_t) { return 1.5F; })}};
}

// The same elements, column by column, in every second place.
Tensor laid_otherwise(const Tensor& tensor) {
    const auto size = size_of(tensor.dtype());
    auto room = Tensor::zeros({2 * tensor.numel() + 2}, tensor.dtype());
    Strides strides = Dims::filled(tensor.rank(), 0);
    std::int64_t step = 2;
    for (int d = 0; d < tensor.rank(); ++d) {
        strides[d] = step;
        step *= std::max<std::int64_t>(tensor.size(d), 1);
    }
    auto out = Tensor::view_of(room->storage(), tensor.dtype(), tensor.shape(), strides, 1);
    std::vector<std::int64_t> index(static_cast<std::size_t>(tensor.rank()), 0);
    for (std::int64_t i = 0; i < tensor.numel(); ++i) {
        std::memcpy(const_cast<std::byte*>(out->address_of(index)), tensor.address_of(index), size);
        for (int d = tensor.rank() - 1; d >= 0; --d) {
            if (++index[static_cast<std::size_t>(d)] < tensor.size(d)) break;
            index[static_cast<std::size_t>(d)] = 0;
        }
    }
    return *out;
}

// Near enough for sums in another order; NaN equals NaN.
bool same(const Value& a, const Value& b) {
    if (a.is_tensor() != b.is_tensor()) return false;
    if (const auto* items = a.sequence()) {
        const auto* others = b.sequence();
        if (others == nullptr || items->size() != others->size()) return false;
        for (std::size_t k = 0; k < items->size(); ++k)
            if (!same((*items)[k], (*others)[k])) return false;
        return true;
    }
    if (!a.is_tensor()) {
        const double x = a.to_double();
        const double y = b.to_double();
        return (std::isnan(x) && std::isnan(y)) || std::abs(x - y) <= 1e-6 * std::max(1.0, std::abs(x));
    }
    const Tensor& left = a.tensor()->tensor;
    const Tensor& right = b.tensor()->tensor;
    if (left.dtype() != right.dtype() || left.shape() != right.shape()) return false;
    const auto first = left.contiguous();
    const auto second = right.contiguous();
    for (std::int64_t k = 0; k < left.numel(); ++k) {
        const auto at = static_cast<std::int64_t>(size_of(left.dtype())) * k;
        const double x = to_double(load_scalar(first->data() + at, left.dtype()));
        const double y = to_double(load_scalar(second->data() + at, left.dtype()));
        const bool both_nan = std::isnan(x) && std::isnan(y);
        if (!both_nan && x != y && !(std::abs(x - y) <= 1e-5 * std::max(1.0, std::abs(x)))) return false;
    }
    return true;
}

script::Evaluation run(std::string_view sample, const std::vector<Input>& inputs, bool shapes_only = false) {
    script::Options options;
    options.trace = false;
    options.shapes_only = shapes_only;
    options.shapes_only_limit = 0;
    return script::evaluate(std::string(sample), inputs, options);
}

void each_sample(const std::function<void(const OpSpec&, std::string_view, const char*)>& visit) {
    for (const auto& [name, spec] : ops::op_table().all())
        for (const auto sample : spec.samples)
            visit(spec, sample, (std::string(name) + ": " + std::string(sample)).c_str());
}

}  // namespace

class RegistryTest : public QObject {
    Q_OBJECT
private slots:
    void an_op_explains_itself() {
        const auto& table = ops::op_table().all();
        QVERIFY(table.size() > 350);
        for (const auto& [name, spec] : table) {
            QVERIFY2(!spec.overloads.empty(), name.data());
            if (is_internal(spec)) continue;
            QVERIFY2(!spec.meaning.empty(), name.data());
            // complex is there to be refused.
            QVERIFY2(!spec.samples.empty() || name == "complex", name.data());
        }
    }

    // The parser leaves out what it cannot read: then it must be a signature of this test's.
    void signatures_are_read() {
        QVERIFY(ops::parse_signature("(Tensor input, int dim, bool keepdim=False)").ok());
        QVERIFY(!ops::parse_signature("(Tensr input)").ok());
        for (const auto& [name, spec] : ops::op_table().all())
            for (const auto& overload : spec.overloads)
                QVERIFY2(overload.schema != nullptr && (overload.kernel == nullptr) == (overload.shape == nullptr),
                         name.data());
    }

    void a_sample_does_not_care_how_its_inputs_lie() {
        const auto plain = inputs_of({});
        auto strided = plain;
        for (auto& input : strided) input.tensor = laid_otherwise(input.tensor);
        each_sample([&](const OpSpec& spec, std::string_view sample, const char* text) {
            const auto first = run(sample, plain);
            QVERIFY2(!first.error, text);
            if (kAboutMemory.contains(spec.name) || sample.find(".view(") != sample.npos) return;
            const auto second = run(sample, strided);
            QVERIFY2(!second.error, text);
            QVERIFY2(same(first.result, second.result), text);
        });
    }

    void a_sample_stays_whole_for_hard_inputs_data() {
        QTest::addColumn<int>("rows");
        QTest::addColumn<bool>("non_finite");
        QTest::addColumn<int>("mask");
        QTest::newRow("empty") << 0 << false << -1;
        QTest::newRow("one row") << 1 << false << -1;
        QTest::newRow("NaN and infinities") << 3 << true << -1;
        QTest::newRow("nothing masked") << 3 << false << 0;
        QTest::newRow("all masked") << 3 << false << 1;
    }
    void a_sample_stays_whole_for_hard_inputs() {
        QFETCH(int, rows);
        QFETCH(bool, non_finite);
        QFETCH(int, mask);
        const auto inputs = inputs_of({rows, non_finite, mask});
        int answered = 0;
        each_sample([&](const OpSpec&, std::string_view sample, const char* text) {
            const auto out = run(sample, inputs);
            // A refusal has words, and is about the input: nothing ran out and nothing broke.
            if (out.error) {
                QVERIFY2(!out.error->message.empty() && out.error->kind == ErrorKind::input, text);
                return;
            }
            ++answered;
        });
        QVERIFY(answered > 600);
    }

    void shapes_without_data_are_those_with_it_data() {
        QTest::addColumn<bool>("with_inputs");
        QTest::newRow("inputs with data, nothing computed") << true;
        QTest::newRow("inputs without data") << false;
    }
    void shapes_without_data_are_those_with_it() {
        QFETCH(bool, with_inputs);
        const auto inputs = inputs_of({});
        auto shapes_of = inputs;
        if (!with_inputs)
            for (auto& input : shapes_of)
                input.tensor = *Tensor::shapes_only(input.tensor.shape(), input.tensor.dtype());
        int compared = 0;
        each_sample([&](const OpSpec&, std::string_view sample, const char* text) {
            const auto real = run(sample, inputs);
            const auto shapes = run(sample, shapes_of, true);
            QVERIFY2(!shapes.error, text);
            if (!shapes.notes.empty() || !real.result.is_tensor() || !shapes.result.is_tensor()) return;
            const Tensor& with = real.result.tensor()->tensor;
            const Tensor& without = shapes.result.tensor()->tensor;
            QVERIFY2(with.shape() == without.shape() && with.dtype() == without.dtype(), text);
            if (with.numel() > 0) QVERIFY2(with.strides() == without.strides(), text);
            ++compared;
        });
        QVERIFY(compared > 500);
    }
};

QTEST_APPLESS_MAIN(RegistryTest)
#include "registry_test.moc"
