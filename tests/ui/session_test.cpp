// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/session.h"

#include "core/io/format.h"

#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <limits>
#include <numeric>

using namespace maskscope;
using namespace maskscope::ui;

namespace {

Tensor counting(const Shape& shape) {
    auto tensor = Tensor::zeros(shape, DType::f32);
    std::iota(tensor->writable_as<float>(), tensor->writable_as<float>() + tensor->numel(), 0.0F);
    return *tensor;
}

EntryId idOf(const Session& session, const std::string& name) {
    for (const auto& entry : session.document().entries()) {
        if (entry.name == name) return entry.id;
    }
    return EntryId::none;
}

}  // namespace

class SessionTest : public QObject {
    Q_OBJECT
private slots:
    void opens_files_and_shows_the_weights() {
        Session session;
        open(session, attention());
        QCOMPARE(session.tabs().size(), 1);
        const ViewState& view = *session.view(session.current());
        QCOMPARE(session.document().find(session.current())->name, std::string("weights"));
        QCOMPARE(view.row_dim, 2);
        QCOMPARE(view.col_dim, 3);
        QCOMPARE(QString::fromStdString(slice_text(view)), QString("[0, 0, :, :]"));
        QCOMPARE(session.recentFiles().size(), 2);
    }
    void one_bad_file_stops_no_other() {
        Session session;
        const QString bad = folder_.filePath("bad.npy");
        QFile file(bad);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("not an array");
        file.close();
        open(session, {bad, attention().first()});
        QCOMPARE(session.failures().size(), 1);
        QVERIFY(session.failures().first().title.contains("bad.npy"));
        QCOMPARE(session.tabs().size(), 1);
        session.dismissFailure(0);
        QVERIFY(session.failures().isEmpty());
    }
    void the_slice_follows_the_index() {
        Session session;
        open(session, attention());
        const EntryId id = session.current();
        // weights[b, h, q, k] counts up in row-major order: 120 b + 30 h + 6 q + k.
        QCOMPARE(session.heatmap(id)->stats().min, 0.0);
        session.changeView(id, [](ViewState& view) { view.index = {1, 3, 0, 0}; });
        QVERIFY(session.heatmap(id)->prepared());
        QCOMPARE(session.heatmap(id)->stats().min, 210.0);
        QCOMPARE(session.heatmap(id)->stats().max, 239.0);
        QCOMPARE(session.heatmapAt(id, 1, 0)->stats().min, 120.0);
    }
    void axes_can_be_swapped_and_chosen() {
        Session session;
        open(session, attention());
        const EntryId id = session.current();
        session.changeView(id, [](ViewState& view) {
            view.row_dim = 3;
            view.col_dim = 0;
        });
        const auto data = session.heatmap(id);
        QCOMPARE(data->plane().rows(), 6);
        QCOMPARE(data->plane().cols(), 2);
        const std::array<std::int64_t, 2> at{5, 1};
        QCOMPARE(to_double(data->plane().tensor.at(at)), 125.0);
    }
    void an_index_outside_is_clamped() {
        Session session;
        open(session, attention());
        session.changeView(session.current(), [](ViewState& view) { view.index = {9, -4, 0, 0}; });
        QCOMPARE(session.view(session.current())->index, (std::vector<std::int64_t>{1, 0, 0, 0}));
    }
    void a_mask_hides_its_cells_and_says_how_it_lies() {
        Session session;
        open(session, attention());
        const EntryId id = session.current();
        const EntryId mask = idOf(session, "keep_mask");
        QVERIFY(session.maskFits(id, mask));
        session.linkMask(id, mask);
        session.changeView(id, [](ViewState& view) { view.index[0] = 1; });
        // keep_mask[1] keeps 4 of 6 keys: 5 query rows of 2 hidden cells.
        const auto& counts = session.heatmap(id)->stats().counts;
        QCOMPARE(counts[static_cast<std::size_t>(render::CellState::masked)], std::int64_t{10});
        QCOMPARE(session.axisMapText(id), QString("batch → batch, key → key; repeated along head, query (by name)"));
        session.setConvention(mask, document::MaskConvention::drop);
        QCOMPARE(session.heatmap(id)->stats().counts[static_cast<std::size_t>(render::CellState::masked)],
                 std::int64_t{20});
        QVERIFY(!session.maskFits(id, id));
    }
    void tokens_follow_the_batch() {
        Session session;
        open(session, attention());
        const EntryId id = session.current();
        const EntryId tokens = idOf(session, "tokens.json");
        QVERIFY(tokens != EntryId::none);
        QCOMPARE(session.tokens(id, 3).front(), std::string("a0"));
        session.changeView(id, [](ViewState& view) { view.index[0] = 1; });
        QCOMPARE(session.tokens(id, 3).front(), std::string("b0"));
        QVERIFY(session.tokens(id, 1).empty());
    }
    void ranges_over_slice_and_tensor() {
        Session session;
        open(session, attention());
        const EntryId id = session.current();
        QCOMPARE(session.scale(id).hi, 29.0);
        session.changeView(id, [](ViewState& view) { view.colour.whole_tensor = true; });
        QTRY_VERIFY(!session.counting(id));
        QCOMPARE(session.scale(id).hi, 239.0);
        session.changeView(id, [](ViewState& view) {
            view.colour.whole_tensor = false;
            view.colour.range = render::RangeKind::sigma3;
        });
        QTRY_VERIFY(!session.counting(id));
        // 0..29: mean 14.5, population variance (30^2 - 1) / 12.
        const double deviation = std::sqrt((30.0 * 30.0 - 1) / 12);
        QVERIFY(std::abs(session.scale(id).hi - (14.5 + 3 * deviation)) < 1e-9);
    }
    void a_nan_is_where_a_broken_dump_opens() {
        Tensor broken = counting({3, 5, 6});
        broken.writable_as<float>()[2 * 30 + 4 * 6 + 1] = std::numeric_limits<float>::quiet_NaN();
        const QString path = folder_.filePath("broken.npy");
        QVERIFY(io::save_file(path.toStdString(), std::vector<io::NamedTensor>{{"", broken}}).ok());
        Session session;
        open(session, {path});
        QTRY_VERIFY(session.view(session.current())->cursor.has_value());
        QCOMPARE(session.view(session.current())->index[0], std::int64_t{2});
        QCOMPARE(*session.view(session.current())->cursor, (render::CellIndex{4, 1}));
    }
    void tabs_of_one_shape_move_together_when_linked() {
        Session session;
        open(session, attention());
        const EntryId weights = session.current();
        const EntryId scores = idOf(session, "scores");
        session.show(scores);
        QSignalSpy moved(&session, &Session::cursorChanged);
        session.changeView(weights, [](ViewState& view) { view.cursor = render::CellIndex{2, 3}; });
        QCOMPARE(*session.view(scores)->cursor, (render::CellIndex{2, 3}));
        QCOMPARE(moved.size(), 2);
        session.setLinked(false);
        session.changeView(weights, [](ViewState& view) { view.cursor = render::CellIndex{0, 0}; });
        QCOMPARE(*session.view(scores)->cursor, (render::CellIndex{2, 3}));
    }
    void flipping_keeps_the_cells_under_the_pixels() {
        Session session;
        open(session, attention());
        session.setLinked(false);
        const EntryId weights = session.current();
        const EntryId scores = idOf(session, "scores");
        session.show(scores);
        session.flipTo(weights);
        session.changeView(weights, [](ViewState& view) {
            view.fit = false;
            view.viewport.pitch = 8;
            view.viewport.row0 = 1.5;
            view.cursor = render::CellIndex{2, 3};
        });
        session.flipTo(scores);
        QVERIFY(session.current() == scores);
        QCOMPARE(session.view(scores)->viewport.row0, 1.5);
        QCOMPARE(session.view(scores)->viewport.pitch, 8.0);
        QCOMPARE(*session.view(scores)->cursor, (render::CellIndex{2, 3}));
    }
    void closing_a_file_closes_its_tabs() {
        Session session;
        const QStringList files = attention();
        open(session, files);
        session.closeFile(QFileInfo(files.first()).absoluteFilePath());
        QVERIFY(session.tabs().isEmpty());
        QVERIFY(session.current() == EntryId::none);
    }
    void a_rank_one_and_a_rank_zero_tensor_can_be_shown() {
        const QString row = folder_.filePath("row.npy");
        const QString cell = folder_.filePath("cell.npy");
        QVERIFY(io::save_file(row.toStdString(), std::vector<io::NamedTensor>{{"", counting({7})}}).ok());
        QVERIFY(io::save_file(cell.toStdString(), std::vector<io::NamedTensor>{{"", counting({})}}).ok());
        Session session;
        open(session, {row});
        QCOMPARE(session.heatmap(session.current())->plane().cols(), 7);
        open(session, {cell});
        QCOMPARE(session.heatmap(session.current())->plane().cols(), 1);
    }

private:
    // weights counts up, scores counts down from -1; keep_mask keeps 6 and 4 keys; tokens a0.. and b0...
    QStringList attention() {
        Tensor scores = counting({2, 4, 5, 6});
        for (int i = 0; i < 240; ++i) scores.writable_as<float>()[i] = -1.0F - static_cast<float>(i);
        Tensor keep = *Tensor::zeros({2, 6}, DType::boolean);
        for (int i = 0; i < 10; ++i) keep.writable_as<std::uint8_t>()[i] = 1;
        const QString path = folder_.filePath("attention.npz");
        const std::vector<io::NamedTensor> tensors = {
            {"scores", scores}, {"weights", counting({2, 4, 5, 6})}, {"keep_mask", keep}};
        if (!io::save_file(path.toStdString(), tensors)) return {};
        const QString tokens = folder_.filePath("tokens.json");
        QFile file(tokens);
        if (!file.open(QIODevice::WriteOnly)) return {};
        file.write(R"([["a0","a1","a2","a3","a4","a5"],["b0","b1","b2","b3","b4","b5"]])");
        return {path, tokens};
    }
    void open(Session& session, const QStringList& files) {
        QSignalSpy settled(&session, &Session::filesSettled);
        session.openFiles(files);
        QVERIFY(settled.wait(5000));
    }
    QTemporaryDir folder_;
};

QTEST_GUILESS_MAIN(SessionTest)
#include "session_test.moc"
