// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/cell_readout.h"

#include <QtTest/QTest>

#include <cmath>
#include <cstring>
#include <limits>

using namespace maskscope;
using document::MaskConvention;
using render::CellState;

namespace {

Tensor zeros(const Shape& shape, DType dtype) {
    auto tensor = Tensor::zeros(shape, dtype);
    return tensor ? *tensor : Tensor();
}

template <class T>
void put(Tensor& tensor, const std::vector<std::int64_t>& index, T value) {
    std::int64_t at = 0;
    for (int dim = 0; dim < tensor.rank(); ++dim) at += index[static_cast<std::size_t>(dim)] * tensor.strides()[dim];
    std::memcpy(tensor.writable_data() + at * static_cast<std::int64_t>(sizeof(T)), &value, sizeof(T));
}

document::Entry entry_of(const char* name, const Tensor& tensor, std::vector<std::string> dims) {
    document::Entry entry;
    entry.id = document::EntryId{7};
    entry.name = name;
    entry.item.dtype = tensor.dtype();
    entry.item.shape = tensor.shape();
    entry.dims = {std::move(dims), false};
    return entry;
}

// attn_probs[0, 3, 14, 13] holds the half 0x388F = 2^-1 * (1 + 143 / 1024) = 0.56982421875. Halves are 2^-11 apart
// there, so 0.57 reads back as it.
struct Attention {
    Tensor probs = zeros({2, 12, 24, 24}, DType::f16);
    Tensor keep = zeros({2, 24}, DType::boolean);
    document::Entry probs_entry = entry_of("attn_probs", probs, {"batch", "head", "query", "key"});
    document::Entry keep_entry = entry_of("keep_mask", keep, {"batch", "key"});

    Attention() {
        put<std::uint16_t>(probs, {0, 3, 14, 13}, 0x388F);
        for (std::int64_t key = 0; key < 18; ++key) put<std::uint8_t>(keep, {0, key}, 1);
    }
    ui::CellSource source(bool masked) const {
        ui::CellSource source;
        source.entry = &probs_entry;
        source.tensor = probs;
        source.row_dim = 2;
        source.col_dim = 3;
        source.index = {0, 3, 0, 0};
        if (masked) {
            source.mask_entry = &keep_entry;
            source.mask = keep;
        }
        return source;
    }
};

ui::CellSource plain(const document::Entry& entry, const Tensor& tensor) {
    ui::CellSource source;
    source.entry = &entry;
    source.tensor = tensor;
    source.row_dim = 0;
    source.col_dim = 1;
    source.index = {0, 0};
    return source;
}

}  // namespace

class CellReadoutTest : public QObject {
    Q_OBJECT
private slots:
    void a_value_is_told_exactly() {
        const Attention attention;
        auto source = attention.source(false);
        source.row_tokens.assign(24, "lay");
        source.col_tokens.assign(24, "dog");
        const auto readout = ui::readCell(source, {14, 13});
        QVERIFY(readout.known);
        QCOMPARE(readout.state, CellState::value);
        QCOMPARE(readout.valueText, QStringLiteral("0.57"));
        QCOMPARE(readout.value, 0.56982421875);
        QCOMPARE(readout.bitsText, QStringLiteral("0x388F"));
        QCOMPARE(readout.dtypeText, QStringLiteral("f16"));
        QCOMPARE(readout.indexText, QStringLiteral("[0, 3, 14, 13]"));
        QCOMPARE(readout.addressText, QStringLiteral("attn_probs[0, 3, 14, 13]"));
        QCOMPARE(readout.axisText, QStringLiteral("query 14 lay → key 13 dog"));
        QCOMPARE(readout.tokensText, QStringLiteral("lay → dog"));
        QCOMPARE(readout.maskText, QStringLiteral("no mask"));
        QCOMPARE(readout.copyText, QStringLiteral("attn_probs[0, 3, 14, 13] = 0.57"));
    }

    void a_keep_mask_lets_true_through() {
        const Attention attention;
        const auto readout = ui::readCell(attention.source(true), {14, 13});
        QCOMPARE(readout.state, CellState::value);
        QCOMPARE(readout.maskText, QStringLiteral("visible"));
        QCOMPARE(readout.maskCell->indexText, QStringLiteral("[0, 13]"));
        QCOMPARE(readout.maskCell->valueText, QStringLiteral("True"));
        QVERIFY(!readout.hidden);
    }

    void a_keep_mask_hides_false() {
        const Attention attention;
        const auto readout = ui::readCell(attention.source(true), {14, 21});
        QCOMPARE(readout.state, CellState::masked);
        QCOMPARE(readout.maskText, QStringLiteral("hidden: keep_mask[0, 21] is False (keep)"));
        QVERIFY(readout.hidden);
    }

    void a_drop_mask_hides_true() {
        const Attention attention;
        auto source = attention.source(true);
        source.convention = MaskConvention::drop;
        QCOMPARE(ui::readCell(source, {14, 13}).maskText, QStringLiteral("hidden: keep_mask[0, 13] is True (drop)"));
        QCOMPARE(ui::readCell(source, {14, 21}).maskText, QStringLiteral("visible"));
    }

    void an_additive_mask_hides_at_minus_infinity() {
        auto logits = zeros({2, 2}, DType::f32);
        put<float>(logits, {1, 1}, 3.0F);
        auto bias = zeros({2, 2}, DType::f32);
        put<float>(bias, {1, 1}, -std::numeric_limits<float>::infinity());
        const auto logits_entry = entry_of("logits", logits, {"query", "key"});
        const auto bias_entry = entry_of("bias", bias, {"query", "key"});
        auto source = plain(logits_entry, logits);
        source.mask_entry = &bias_entry;
        source.mask = bias;
        source.convention = MaskConvention::additive;
        const auto readout = ui::readCell(source, {1, 1});
        QCOMPARE(readout.state, CellState::masked);
        QCOMPARE(readout.valueText, QStringLiteral("3"));
        QCOMPARE(readout.maskText, QStringLiteral("hidden: bias[1, 1] is −inf (additive)"));
    }

    void a_nan_under_a_mask_is_a_nan() {
        Attention attention;
        put<std::uint16_t>(attention.probs, {0, 3, 14, 21}, 0x7E00);
        const auto readout = ui::readCell(attention.source(true), {14, 21});
        QCOMPARE(readout.state, CellState::nan);
        QVERIFY(readout.hidden);
    }

    void a_sentinel_masks_by_itself() {
        auto scores = zeros({2, 2}, DType::f32);
        put<float>(scores, {0, 1}, -1e9F);
        auto entry = entry_of("scores", scores, {"query", "key"});
        entry.masked_value = -1e9;
        const auto readout = ui::readCell(plain(entry, scores), {0, 1});
        QCOMPARE(readout.state, CellState::masked);
        QVERIFY(readout.hidden);
        QVERIFY2(readout.maskText.startsWith(QStringLiteral("hidden: −1")), qPrintable(readout.maskText));
        QVERIFY(readout.maskText.endsWith(QStringLiteral(" stands for masked here")));
    }

    void states_of_the_stored_bits() {
        auto tensor = zeros({1, 4}, DType::f32);
        put<std::uint32_t>(tensor, {0, 1}, 0x7FC00000U);
        put<std::uint32_t>(tensor, {0, 2}, 0x7F800000U);
        put<std::uint32_t>(tensor, {0, 3}, 0xFF800000U);
        const auto entry = entry_of("x", tensor, {});
        const auto source = plain(entry, tensor);
        QCOMPARE(ui::readCell(source, {0, 0}).state, CellState::true_zero);
        QCOMPARE(ui::readCell(source, {0, 0}).stateText, QStringLiteral("true zero"));
        QCOMPARE(ui::readCell(source, {0, 1}).state, CellState::nan);
        QCOMPARE(ui::readCell(source, {0, 1}).bitsText, QStringLiteral("0x7FC00000"));
        QCOMPARE(ui::readCell(source, {0, 2}).state, CellState::posinf);
        QCOMPARE(ui::readCell(source, {0, 3}).state, CellState::neginf);
        QCOMPARE(ui::readCell(source, {0, 3}).valueText, QStringLiteral("−inf"));
        QCOMPARE(ui::readCell(source, {0, 3}).copyText, QStringLiteral("x[0, 3] = -inf"));
        QCOMPARE(ui::readCell(source, {0, 3}).axisText, QStringLiteral("dim 0 0 → dim 1 3"));
    }

    void integers_keep_all_their_digits() {
        auto ids = zeros({1, 1}, DType::i64);
        put<std::int64_t>(ids, {0, 0}, 9007199254740993);  // 2^53 + 1, not a double
        const auto entry = entry_of("ids", ids, {"batch", "token"});
        const auto readout = ui::readCell(plain(entry, ids), {0, 0});
        QCOMPARE(readout.valueText, QStringLiteral("9007199254740993"));
        QCOMPARE(readout.bitsText, QStringLiteral("0x0020000000000001"));
    }

    void one_dimension_has_one_axis() {
        auto lengths = zeros({5}, DType::u8);
        put<std::uint8_t>(lengths, {3}, 12);
        const auto entry = entry_of("lengths", lengths, {"batch"});
        auto source = plain(entry, lengths);
        source.index = {0};
        source.row_dim = -1;
        source.col_dim = 0;
        const auto readout = ui::readCell(source, {0, 3});
        QCOMPARE(readout.indexText, QStringLiteral("[3]"));
        QCOMPARE(readout.valueText, QStringLiteral("12"));
        QCOMPARE(readout.axisText, QStringLiteral("batch 3"));
        QCOMPARE(readout.bitsText, QStringLiteral("0x0C"));
    }

    void what_cannot_be_read_says_so() {
        const Attention attention;
        QCOMPARE(ui::readCell(attention.source(false), {24, 0}).stateText, QStringLiteral("outside"));
        QCOMPARE(ui::readCell(attention.source(false), {0, -1}).stateText, QStringLiteral("outside"));
        auto source = attention.source(false);
        source.tensor = Tensor();
        QVERIFY(!ui::readCell(source, {0, 0}).known);
        QCOMPARE(ui::readCell(source, {0, 0}).stateText, QStringLiteral("loading"));
        QVERIFY(!ui::readCell(ui::CellSource{}, {0, 0}).known);
    }
};

QTEST_APPLESS_MAIN(CellReadoutTest)
#include "cell_readout_test.moc"
