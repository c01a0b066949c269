// SPDX-License-Identifier: Apache-2.0
#include "core/ops/loops/iteration.h"
#include "core/jobs/parallel.h"

#include <QTest>

#include <atomic>
#include <cstring>
#include <fstream>
#include <mutex>
#include <sstream>

namespace maskscope::ops {

class IterationTest : public QObject {
    Q_OBJECT

    static Tensor counting(const Shape& shape) {
        auto out = *Tensor::zeros(shape, DType::f32);
        for (std::int64_t i = 0; i < out.numel(); ++i) out.writable_as<float>()[i] = static_cast<float>(i);
        return out;
    }

    // out = a + 10 b, run by run.
    static int sum_runs(Tensor& out, const Tensor& a, const Tensor& b, std::int64_t grain) {
        std::atomic<int> runs = 0;
        const Tensor* const operands[] = {&out, &a, &b};
        for_each_run(
            operands,
            [&](const ElementRun& run) {
                ++runs;
                const auto at = [&](std::size_t k, std::int64_t i) {
                    return reinterpret_cast<float*>(run.data[k] + i * run.step[k]);
                };
                for (std::int64_t i = 0; i < run.count; ++i) *at(0, i) = *at(1, i) + 10 * *at(2, i);
            },
            grain);
        return runs;
    }

    // The same by index.
    static float sum_at(const Tensor& a, const Tensor& b, const std::vector<std::int64_t>& index) {
        const auto read = [&](const Tensor& t) {
            float value = 0;
            const std::byte* place = t.data();
            for (int d = 0; d < t.rank(); ++d) {
                const auto i = index[index.size() - static_cast<std::size_t>(t.rank() - d)];
                if (t.size(d) > 1) place += i * t.strides()[d] * 4;
            }
            std::memcpy(&value, place, sizeof(value));
            return value;
        };
        return read(a) + 10 * read(b);
    }

    static bool is_sum(const Tensor& out, const Tensor& a, const Tensor& b) {
        std::vector<std::int64_t> index(static_cast<std::size_t>(out.rank()), 0);
        for (std::int64_t n = 0; n < out.numel(); ++n) {
            auto rest = n;
            for (int d = out.rank() - 1; d >= 0; --d) {
                index[static_cast<std::size_t>(d)] = rest % out.size(d);
                rest /= out.size(d);
            }
            if (std::get<double>(out.at(index)) != static_cast<double>(sum_at(a, b, index))) return false;
        }
        return true;
    }

    static Dims read_dims(const std::string& text) {
        Dims out;
        std::istringstream in(text);
        for (std::string number; text != "-" && std::getline(in, number, ',');) out.push_back(std::stoll(number));
        return out;
    }

private slots:
    void contiguousIsOneRun() {
        auto out = counting({4, 5, 6});
        QCOMPARE(sum_runs(out, counting({4, 5, 6}), counting({4, 5, 6}), 1 << 15), 1);
        QVERIFY(is_sum(out, counting({4, 5, 6}), counting({4, 5, 6})));
    }
    void followsTheOutputsOrder() {
        // All three transposed alike: one run again.
        auto out = counting({6, 7}).transpose(0, 1);
        const auto a = counting({6, 7}).transpose(0, 1);
        QCOMPARE(sum_runs(out, a, a, 1 << 15), 1);
        QVERIFY(is_sum(out, a, a));
    }
    void broadcastsWithoutCopies() {
        const auto row = counting({7});
        const auto column = counting({3, 1});
        auto out = counting({2, 3, 7});
        sum_runs(out, row, column, 1 << 15);
        QVERIFY(is_sum(out, row, column));
        const auto scalar = counting({});
        sum_runs(out, scalar, row, 1 << 15);
        QVERIFY(is_sum(out, scalar, row));
    }
    void stridedOperands() {
        const auto base = counting({8, 9, 10});
        const auto a = base.narrow(0, 1, 3, 2).narrow(2, 0, 5, 2);
        const auto b = base.permute(std::vector<int>{2, 1, 0}).narrow(0, 0, 3).narrow(2, 2, 5);
        auto target = counting({10, 9, 3});
        auto out = target.permute(std::vector<int>{2, 1, 0}).narrow(2, 1, 5);
        sum_runs(out, a, b, 1 << 15);
        QVERIFY(is_sum(out, a, b));
    }
    void emptyAndSingle() {
        auto nothing = counting({2, 0, 3});
        QCOMPARE(sum_runs(nothing, nothing, nothing, 8), 0);
        auto single = counting({});
        QCOMPARE(sum_runs(single, counting({}), counting({1}).select(0, 0), 8), 1);
    }
    void sameWithAnyThreads() {
        const auto a = counting({50, 1, 30});
        const auto b = counting({40, 30}).transpose(0, 1).contiguous();
        QVERIFY(b);
        const auto column = b->transpose(0, 1);
        for (const int threads : {1, 3}) {
            set_thread_count(threads);
            auto out = counting({50, 40, 30});
            sum_runs(out, a, column, 100);
            QVERIFY(is_sum(out, a, column));
        }
        set_thread_count(0);
    }
    // Elements that lie on each other are written by one thread, in order.
    void repeatedOutput() {
        auto base = counting({3});
        auto out = *Tensor::view_of(base.storage(), DType::f32, {1000, 3}, {0, 1}, 0);
        std::vector<const std::byte*> places;
        const Tensor* const operands[] = {&out};
        for_each_run(
            operands, [&](const ElementRun& run) { places.push_back(run.data[0]); }, 16);
        QVERIFY(!places.empty());
    }
    // In the strides that PyTorch gave for 800 inputs.
    void stridesAsTorch() {
        std::ifstream in(MS_SOURCE_DIR "/tests/core/ops/loops/strides_cases.txt");
        int asked = 0;
        for (std::string line; std::getline(in, line);) {
            if (line.starts_with("#")) continue;
            ++asked;
            std::vector<std::string> parts;
            std::istringstream pieces(line);
            for (std::string part; std::getline(pieces >> std::ws, part, ';');) parts.push_back(part);
            const bool is_clone = parts.front() == "p";
            std::vector<Tensor> inputs;
            for (std::size_t i = 1; i + 1 < parts.size(); ++i) {
                const auto space = parts[i].find(' ');
                inputs.push_back(*Tensor::view_of(Storage::shapes_only(1 << 20), DType::f32,
                                                  read_dims(parts[i].substr(0, space)),
                                                  read_dims(parts[i].substr(space + 1)), 0));
            }
            std::vector<const Tensor*> pointers;
            pointers.reserve(inputs.size());
            for (const auto& input : inputs) pointers.push_back(&input);
            const Strides got = is_clone ? preserved_strides(inputs[0])
                                         : elementwise_strides(read_dims(parts.front().substr(2)), pointers);
            QVERIFY2(got == read_dims(parts.back()), (line + " but " + text_of(got)).c_str());
        }
        QCOMPARE(asked, 800);
    }
};

}  // namespace maskscope::ops

QTEST_APPLESS_MAIN(maskscope::ops::IterationTest)
#include "iteration_test.moc"
