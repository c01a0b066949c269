// SPDX-License-Identifier: GPL-3.0-or-later
// A mask of attention edited by its cells; what a pattern lets through is counted here cell by cell.
#include "ui/window/cell_patterns.h"

#include "core/io/format.h"
#include "ui/session/session.h"

#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <functional>
#include <memory>

using namespace maskscope;
using namespace maskscope::ui;

class CellPatternsTest : public QObject {
    Q_OBJECT
private:
    static constexpr int kQueries = 5;
    static constexpr int kKeys = 8;  // three steps are in the cache

    QTemporaryDir folder_;
    std::unique_ptr<Session> session_;

    // Two heads of zeros.
    EntryId open(document::MaskConvention convention) {
        const QString path = folder_.filePath("attention_mask.npy");
        const auto written =
            io::save_file(path.toStdString(),
                          std::vector<io::NamedTensor>{{"", *Tensor::zeros({2, kQueries, kKeys}, DType::boolean)}});
        if (!written) return EntryId::none;
        session_ = std::make_unique<Session>();
        QSignalSpy settled(session_.get(), &Session::filesSettled);
        session_->openFiles({path});
        if (settled.count() == 0 && !settled.wait()) return EntryId::none;
        const EntryId id = session_->document().entries().front().id;
        session_->setConvention(id, convention);
        session_->show(id);
        session_->changeView(id, [](ViewState& view) { view.index[0] = 1; });
        return id;
    }
    void compare(EntryId id, const std::function<bool(int, int)>& expected) {
        const auto* plane = session_->edits().plane(id, 1);
        QVERIFY(plane != nullptr);
        for (int query = 0; query < kQueries; ++query)
            for (int key = 0; key < kKeys; ++key) QCOMPARE(plane->value_at(query, key) == 1, expected(query, key));
    }

private slots:
    void cells_are_shown_where_they_are_asked_for() {
        const EntryId id = open(document::MaskConvention::keep);
        QVERIFY(id != EntryId::none);
        QVERIFY(!session_->showsAsImage(id));
        QVERIFY(session_->canShowCells(id));
        session_->showCells(id, true);
        QVERIFY(session_->showsAsImage(id));
        QCOMPARE(session_->overlay(id)->layers.size(), std::size_t{1});
        QCOMPARE(session_->overlay(id)->layers.front().plane, 1);  // the slice that was in view
        session_->showCells(id, false);
        QVERIFY(!session_->showsAsImage(id));
    }
    void causal_ends_with_the_last_key() {
        const EntryId id = open(document::MaskConvention::keep);
        session_->showCells(id, true);
        makeCausal(*session_);
        compare(id, [](int query, int key) { return key <= query + 3; });
        QCOMPARE(session_->edits().history().steps().size(), std::size_t{1});
        session_->edits().undo();
        compare(id, [](int, int) { return false; });
    }
    void a_drop_mask_is_the_other_way_round() {
        const EntryId id = open(document::MaskConvention::drop);
        session_->showCells(id, true);
        makeCausal(*session_);
        compare(id, [](int query, int key) { return key > query + 3; });
    }
    void a_window_reaches_back_so_far() {
        const EntryId id = open(document::MaskConvention::keep);
        session_->showCells(id, true);
        makeWindow(*session_, 2);
        compare(id, [](int query, int key) { return key == query + 3 || key == query + 2; });
    }
};

QTEST_MAIN(CellPatternsTest)
#include "cell_patterns_test.moc"
