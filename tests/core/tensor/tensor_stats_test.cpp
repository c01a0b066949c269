// SPDX-License-Identifier: Apache-2.0
// Statistics against a loop over at(), for every dtype, layout and number of threads.
#include "core/tensor/broadcast.h"
#include "core/tensor/stats.h"

#include <QTemporaryFile>
#include <QtTest>

#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <thread>

using namespace maskscope;

namespace {

// Deterministic bytes; every bit pattern of the small dtypes comes up.
Tensor noise(const Shape& shape, DType dtype) {
    auto tensor = Tensor::zeros(shape, dtype);
    auto* bytes = reinterpret_cast<unsigned char*>(tensor->writable_data());
    std::uint64_t state = 0x9e3779b97f4a7c15ULL;
    for (std::size_t i = 0; i < tensor->byte_size(); ++i) {
        state = state * 6364136223846793005ULL + 1442695040888963407ULL;
        bytes[i] = static_cast<unsigned char>(dtype == DType::boolean ? (state >> 60U) & 1U : state >> 56U);
    }
    return *tensor;
}

struct Reference {
    TensorStats stats;
    long double sum = 0;
};

Reference reference(const Tensor& tensor) {
    Reference out;
    double min = std::numeric_limits<double>::infinity();
    double max = -min;
    std::vector<std::int64_t> index(static_cast<std::size_t>(tensor.rank()), 0);
    for (std::int64_t n = 0; n < tensor.numel(); ++n) {
        const Scalar scalar = tensor.at(index);
        const double value = to_double(scalar);
        ++out.stats.count;
        if (std::isnan(value)) {
            ++out.stats.nan;
        } else if (std::isinf(value)) {
            ++(value > 0 ? out.stats.posinf : out.stats.neginf);
        } else {
            ++out.stats.finite;
            out.stats.zero += value == 0 ? 1 : 0;
            out.sum += static_cast<long double>(value);
            if (value < min) out.stats.min = scalar;
            if (value > max) out.stats.max = scalar;
            min = std::min(min, value);
            max = std::max(max, value);
        }
        for (int d = tensor.rank(); d-- > 0;) {
            if (++index[static_cast<std::size_t>(d)] < tensor.size(d)) break;
            index[static_cast<std::size_t>(d)] = 0;
        }
    }
    return out;
}

void compare(const Tensor& tensor) {
    const auto wanted = reference(tensor);
    const auto got = compute_stats(tensor, {});
    QVERIFY(got.ok());
    QCOMPARE(got->count, wanted.stats.count);
    QCOMPARE(got->nan, wanted.stats.nan);
    QCOMPARE(got->posinf, wanted.stats.posinf);
    QCOMPARE(got->neginf, wanted.stats.neginf);
    QCOMPARE(got->zero, wanted.stats.zero);
    QCOMPARE(got->finite, wanted.stats.finite);
    if (wanted.stats.finite == 0) {
        QVERIFY(std::isnan(got->mean));
        return;
    }
    QCOMPARE(to_double(got->min), to_double(wanted.stats.min));
    QCOMPARE(to_double(got->max), to_double(wanted.stats.max));
    const auto mean = static_cast<double>(wanted.sum / static_cast<long double>(wanted.stats.finite));
    QVERIFY2(std::abs(got->mean - mean) <= 1e-12 * (std::abs(mean) + largest_finite(tensor.dtype()) * 1e-3),
             qPrintable(QString("%1 %2").arg(got->mean).arg(mean)));
}

Tensor of(std::initializer_list<double> values) {
    auto tensor = Tensor::zeros({static_cast<std::int64_t>(values.size())}, DType::f64);
    std::copy(values.begin(), values.end(), tensor->writable_as<double>());
    return *tensor;
}

}  // namespace

class TensorStatsTest : public QObject {
    Q_OBJECT

private slots:
    void every_dtype();
    void every_dtype_data();
    void states_of_float32();
    void sixty_four_bits_stay_exact();
    void a_mean_beyond_the_sum();
    void repeats_are_counted_not_read();
    void empty_and_scalar();
    void threads_change_nothing();
    void cancelled();
    void a_file_that_changed_is_refused();
};

void TensorStatsTest::every_dtype_data() {
    QTest::addColumn<int>("dtype");
    for (int d = 0; d < kDTypeCount; ++d) QTest::newRow(name_of(static_cast<DType>(d)).data()) << d;
}

void TensorStatsTest::every_dtype() {
    QFETCH(int, dtype);
    const Tensor whole = noise({7, 13, 29}, static_cast<DType>(dtype));
    compare(whole);
    compare(whole.transpose(0, 2));
    compare(whole.narrow(2, 3, 9, 3));
    compare(whole.select(1, 5));
    compare(whole.narrow(0, 1, 3).transpose(1, 2).unsqueeze(1));
}

void TensorStatsTest::states_of_float32() {
    const float inf = std::numeric_limits<float>::infinity();
    const std::array<float, 11> values = {-2.5F, 0.F, -0.F, 1.5F, inf, -inf, inf, NAN, -NAN, 1e-40F, 3.F};
    auto tensor = Tensor::zeros({11}, DType::f32);
    std::memcpy(tensor->writable_data(), values.data(), sizeof(values));
    const auto stats = compute_stats(*tensor, {});
    QVERIFY(stats.ok());
    QCOMPARE(stats->nan, 2);
    QCOMPARE(stats->posinf, 2);
    QCOMPARE(stats->neginf, 1);
    QCOMPARE(stats->zero, 2);
    QCOMPARE(stats->finite, 6);
    QCOMPARE(to_double(stats->min), -2.5);
    QCOMPARE(to_double(stats->max), 3.0);
    QCOMPARE(stats->mean, (-2.5 + 1.5 + static_cast<double>(1e-40F) + 3) / 6);
}

void TensorStatsTest::sixty_four_bits_stay_exact() {
    auto tensor = Tensor::zeros({3}, DType::u64);
    tensor->writable_as<std::uint64_t>()[0] = 18446744073709551615ULL;
    tensor->writable_as<std::uint64_t>()[1] = 18446744073709551614ULL;
    tensor->writable_as<std::uint64_t>()[2] = 18446744073709551613ULL;
    const auto stats = compute_stats(*tensor, {});
    QVERIFY(stats.ok());
    QCOMPARE(std::get<std::uint64_t>(stats->min), 18446744073709551613ULL);
    QCOMPARE(std::get<std::uint64_t>(stats->max), 18446744073709551615ULL);
    QCOMPARE(stats->mean, 18446744073709551614.0);
}

void TensorStatsTest::a_mean_beyond_the_sum() {
    const auto stats = compute_stats(of({1.5e308, 1.5e308, 1.2e308, 1.2e308}), {});
    QVERIFY(stats.ok());
    QCOMPARE(stats->mean, 1.35e308);
}

void TensorStatsTest::repeats_are_counted_not_read() {
    const auto column = of({1, 2, 0}).unsqueeze(1);
    const auto wide = expand(column, {3, std::int64_t{1} << 40});
    QVERIFY(wide.ok());
    const auto stats = compute_stats(*wide, {});
    QVERIFY(stats.ok());
    QCOMPARE(stats->count, std::int64_t{3} << 40);
    QCOMPARE(stats->zero, std::int64_t{1} << 40);
    QCOMPARE(stats->mean, 1.0);
}

void TensorStatsTest::empty_and_scalar() {
    const auto empty = compute_stats(*Tensor::zeros({2, 0, 3}, DType::f32), {});
    QVERIFY(empty.ok());
    QCOMPARE(empty->count, 0);
    const auto scalar = compute_stats(of({4}).select(0, 0), {});
    QVERIFY(scalar.ok());
    QCOMPARE(scalar->count, 1);
    QCOMPARE(scalar->mean, 4.0);
}

void TensorStatsTest::threads_change_nothing() {
    const Tensor tensor = noise({300, 1001}, DType::f32);
    const int before = thread_count();
    set_thread_count(1);
    const auto one = compute_stats(tensor, {});
    set_thread_count(5);
    const auto five = compute_stats(tensor, {});
    set_thread_count(before);
    QVERIFY(one.ok() && five.ok());
    QCOMPARE(std::memcmp(&one->mean, &five->mean, sizeof(double)), 0);
}

void TensorStatsTest::cancelled() {
    std::stop_source stop;
    stop.request_stop();
    const auto stats = compute_stats(of({1, 2}), JobContext(stop.get_token()));
    QVERIFY(!stats.ok());
    QCOMPARE(stats.error().kind, ErrorKind::cancelled);
}

void TensorStatsTest::a_file_that_changed_is_refused() {
    QTemporaryFile file;
    QVERIFY(file.open());
    file.write(QByteArray(64, '\1'));
    file.flush();
    const auto mapped = MappedFile::open(file.fileName().toStdString());
    QVERIFY(mapped.ok());
    const auto tensor = Tensor::view_of(Storage::mapped(*mapped, 0, 64), DType::u8, {64}, {1}, 0);
    QVERIFY(tensor.ok());
    QVERIFY(compute_stats(*tensor, {}).ok());
    file.write("more");
    file.flush();
    const auto stats = compute_stats(*tensor, {});
    QVERIFY(!stats.ok());
    QVERIFY(stats.error().message.text().find("changed on disk") != std::string::npos);
}

QTEST_APPLESS_MAIN(TensorStatsTest)
#include "tensor_stats_test.moc"
