// SPDX-License-Identifier: Apache-2.0
// The loops of every kind of processor, down to the scalar reference, must give one picture and one set of counts.
#include "tests/core/render/plane_reference.h"

#include <hwy/targets.h>

#include <QTest>

#include <string>

using namespace maskscope;
using namespace maskscope::render;

class ProcessorTest : public QObject {
    Q_OBJECT
private slots:
    void every_processor_gives_the_same_picture() {
        unsigned seed = 40;
        for (const DType type : reference::kDTypes) {
            for (const bool masked : {false, true}) {
                Plane plane{reference::random_plane(type, 150, 333, reference::Layout::contiguous, 0.3, ++seed), {}};
                std::optional<MaskPlane> mask;
                if (masked) {
                    plane.masked_value = reference::value_of(plane, 3, 3);
                    mask = MaskPlane{reference::random_flags(150, 333, 0.2, seed), MaskConvention::drop};
                }
                std::optional<Pooled> near;
                std::optional<Pooled> far;
                PlaneStats stats;
                for (const std::int64_t without :
                     {std::int64_t{0}, std::int64_t{HWY_AVX3}, std::int64_t{HWY_AVX3 | HWY_AVX2}}) {
                    hwy::DisableTargets(without);
                    hwy::GetChosenTarget().DeInit();
                    HeatmapData data(plane, mask);
                    QVERIFY(data.prepare(JobContext()).ok());
                    const Pooled a = data.pool({0, 0, 0.3, 100, 45}, PoolRule::magnitude);
                    const Pooled b = data.pool({0, 0, 0.05, 20, 10}, PoolRule::largest);
                    if (near) {
                        QVERIFY(a.value == near->value && a.state == near->state);
                        QVERIFY(b.value == far->value && b.state == far->state);
                        QVERIFY(data.stats().counts == stats.counts && data.stats().subnormal == stats.subnormal);
                        QCOMPARE(data.stats().min, stats.min);
                        QCOMPARE(data.stats().max, stats.max);
                        QCOMPARE(data.stats().smallest_positive, stats.smallest_positive);
                    }
                    near = a;
                    far = b;
                    stats = data.stats();
                }
            }
        }
        hwy::DisableTargets(0);
        hwy::GetChosenTarget().DeInit();
    }
};

QTEST_APPLESS_MAIN(ProcessorTest)
#include "processor_test.moc"
