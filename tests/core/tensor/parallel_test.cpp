// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/parallel.h"

#include <QTest>

#include <atomic>
#include <vector>

using namespace maskscope;

class ParallelTest : public QObject {
    Q_OBJECT
private slots:
    void visits_every_element_once_data() {
        QTest::addColumn<int>("count");
        QTest::addColumn<int>("grain");
        QTest::addColumn<int>("threads");
        for (const int threads : {1, 2, 5}) {
            for (const int count : {0, 1, 7, 1000}) {
                QTest::addRow("%d elements on %d threads", count, threads) << count << 7 << threads;
            }
        }
    }
    void visits_every_element_once() {
        QFETCH(int, count);
        QFETCH(int, grain);
        QFETCH(int, threads);
        set_thread_count(threads);
        std::vector<std::atomic<int>> visits(static_cast<std::size_t>(count));
        parallel_for(Lane::background, count, grain, [&](const Chunk& chunk) {
            for (auto i = chunk.begin; i < chunk.end; ++i) ++visits[static_cast<std::size_t>(i)];
        });
        for (const auto& visit : visits) QCOMPARE(visit.load(), 1);
        set_thread_count(0);
    }
    void chunks_do_not_depend_on_threads() {
        for (const int threads : {1, 3}) {
            set_thread_count(threads);
            std::vector<std::int64_t> begins(static_cast<std::size_t>(chunk_count(10, 4)));
            std::vector<std::int64_t> ends(begins.size());
            parallel_for(Lane::ui, 10, 4, [&](const Chunk& chunk) {
                begins[static_cast<std::size_t>(chunk.index)] = chunk.begin;
                ends[static_cast<std::size_t>(chunk.index)] = chunk.end;
            });
            QCOMPARE(begins, (std::vector<std::int64_t>{0, 4, 8}));
            QCOMPARE(ends, (std::vector<std::int64_t>{4, 8, 10}));
        }
        set_thread_count(0);
    }
    void a_loop_inside_a_loop_ends() {
        std::atomic<int> sum{0};
        parallel_for(Lane::ui, 4, 1, [&](const Chunk&) {
            parallel_for(Lane::ui, 100, 10,
                         [&](const Chunk& inner) { sum += static_cast<int>(inner.end - inner.begin); });
        });
        QCOMPARE(sum.load(), 400);
    }
};

QTEST_APPLESS_MAIN(ParallelTest)
#include "parallel_test.moc"
