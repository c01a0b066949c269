// SPDX-License-Identifier: Apache-2.0
// A mask that came from a COCO file and goes back: only the annotation whose cells changed is written anew.
#include "core/io/coco.h"
#include "core/io/mask_export.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <cstring>

using namespace maskscope;
using namespace maskscope::io;

class CocoWriteBackTest : public QObject {
    Q_OBJECT
private slots:
    void untouched_annotations_keep_their_bytes() {
        const std::string path = MS_SOURCE_DIR "/samples/segmentation/coffee_truth.json";
        auto contents = open_file(path);
        QVERIFY(contents);
        const Item& item = contents->items.front();
        QVERIFY(item.coco != nullptr);
        auto stack = tensor_of(item, {});
        QVERIFY(stack);
        auto cells = Tensor::zeros(stack->shape(), stack->dtype());
        QVERIFY(cells);
        std::memcpy(cells->writable_data(), stack->data(), stack->byte_size());
        // One pixel more for annotation 1, in the upper left corner.
        constexpr std::size_t kChanged = 1;
        const auto plane = static_cast<std::size_t>(stack->size(1) * stack->size(2));
        cells->writable_data()[kChanged * plane] = std::byte{1};
        const MaskToSave mask{*cells, item, {}};
        const auto losses = preview_loss(mask, MaskFormat::coco_rle);
        QVERIFY(losses && losses->empty());
        const std::string to = folder_.filePath("back.json").toStdString();
        QVERIFY(save_mask(to, mask, MaskFormat::coco_rle));

        auto again = open_file(to);
        QVERIFY(again);
        const auto& before = *item.coco;
        const auto& after = *again->items.front().coco;
        QCOMPARE(after.annotations.size(), before.annotations.size());
        for (std::size_t i = 0; i < before.annotations.size(); ++i) {
            QCOMPARE(after.annotations[i].id, before.annotations[i].id);
            QCOMPARE(after.annotations[i].raw == before.annotations[i].raw, i != kChanged);
        }
        // What stands around the annotations is as it was, too.
        QCOMPARE(after.text->substr(0, after.annotation_bytes[0][0]),
                 before.text->substr(0, before.annotation_bytes[0][0]));
        QCOMPARE(after.text->substr(after.annotation_bytes.back()[1]),
                 before.text->substr(before.annotation_bytes.back()[1]));
        auto read = tensor_of(again->items.front(), {});
        QVERIFY(read);
        QCOMPARE(read->byte_size(), cells->byte_size());
        QVERIFY(std::memcmp(read->data(), cells->data(), cells->byte_size()) == 0);
    }
    void nothing_changed_is_the_same_file() {
        const std::string path = MS_SOURCE_DIR "/samples/segmentation/coins_predicted.json";
        auto contents = open_file(path);
        QVERIFY(contents);
        const Item& item = contents->items.front();
        auto stack = tensor_of(item, {});
        QVERIFY(stack);
        const QString to = folder_.filePath("same.json");
        QVERIFY(save_mask(to.toStdString(), {*stack, item, {}}, MaskFormat::coco_rle));
        QFile left(QString::fromStdString(path));
        QFile right(to);
        QVERIFY(left.open(QIODevice::ReadOnly) && right.open(QIODevice::ReadOnly));
        QCOMPARE(right.readAll(), left.readAll());
    }

private:
    QTemporaryDir folder_;
};

QTEST_APPLESS_MAIN(CocoWriteBackTest)
#include "coco_write_back_test.moc"
