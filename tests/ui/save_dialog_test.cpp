// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/save_mask_dialog.h"

#include "tests/ui/image_fixture.h"
#include "tests/ui/panel_pictures.h"
#include "ui/kit/cards.h"
#include "ui/window/folder_steps.h"
#include "ui/window/main_window.h"
#include "ui/window/open_paths.h"

#include <QComboBox>
#include <QFile>
#include <QLineEdit>
#include <QPushButton>
#include <QTimer>

using namespace maskscope;
using namespace maskscope::ui;

class SaveDialogTest : public QObject {
    Q_OBJECT
private slots:
    void init() {
        style_ = std::make_unique<Style>();
        style_->apply();
        opened_ = std::make_unique<ImageFixture>();
        opened_->open();
        dialog_ = std::make_unique<SaveMaskDialog>(opened_->session, *style_, opened_->mask);
        dialog_->show();
    }
    void cleanup() {
        dialog_.reset();
        opened_.reset();
        style_.reset();
    }

    void whatIsKeptIsSaidAndSaved() {
        choose(io::MaskFormat::png_palette);
        QVERIFY(dialog_->losses().empty());
        QCOMPARE(dialog_->saveButton()->text(), QStringLiteral("Save"));
        keepPicture(*dialog_, *style_, QStringLiteral("save_nothing_lost"));
        const auto path = opened_->path("out.png");
        dialog_->path()->setText(path);
        dialog_->saveButton()->click();
        QCOMPARE(dialog_->result(), static_cast<int>(QDialog::Accepted));
        QCOMPARE(dialog_->savedTo(), path);
        // Read back by another decoder.
        const QImage back(path);
        QCOMPARE(back.size(), QSize(kCols, kRows));
        QCOMPARE(back.format(), QImage::Format_Indexed8);
        QCOMPARE(back.pixelIndex(10, 6), 1);
        QCOMPARE(back.pixelIndex(15, 24), 0);
        QCOMPARE(back.pixelIndex(60, 40), 3);
    }

    void theExtensionFollowsTheFormat() {
        dialog_->path()->setText(opened_->path("a.b"));
        choose(io::MaskFormat::npy);
        QVERIFY(dialog_->path()->text().endsWith(QStringLiteral("a.b.npy")));
        choose(io::MaskFormat::png_grey16);
        QVERIFY(dialog_->path()->text().endsWith(QStringLiteral("a.b.png")));
    }

    void aLossIsSaidInNumbersFirst() {
        choose(io::MaskFormat::coco_polygon);
        QVERIFY(!dialog_->losses().empty());
        QCOMPARE(dialog_->saveButton()->text(), QStringLiteral("Save anyway"));
        QCOMPARE(dialog_->findChildren<WarnStrip*>().size() >= 1, true);
        QString all;
        for (const auto& loss : dialog_->losses()) all += QString::fromStdString(loss.what) + QLatin1Char('\n');
        QVERIFY2(all.contains(QStringLiteral("hole")), qPrintable(all));
        QVERIFY2(all.contains(QLatin1Char('4')), qPrintable(all));  // the hole's pixels
        keepPicture(*dialog_, *style_, QStringLiteral("save_loss"));
    }

    void cancelWritesNothing() {
        choose(io::MaskFormat::coco_polygon);
        const auto path = opened_->path("never.json");
        dialog_->path()->setText(path);
        dialog_->reject();
        QVERIFY(!QFile::exists(path));
    }

    void whatFailsStandsInTheDialog() {
        choose(io::MaskFormat::npy);
        dialog_->path()->setText(QStringLiteral("/no/such/folder/mask.npy"));
        dialog_->saveButton()->click();
        QVERIFY(dialog_->isVisible());
        QVERIFY(!dialog_->problem().isEmpty());
        QVERIFY(dialog_->saveButton()->isEnabled());
    }

    void savingMakesTheMaskUnchanged() {
        opened_->paint({0, 0, 3, 3}, 1, QStringLiteral("Brush, label 1"));
        QVERIFY(opened_->session.edits().changed(opened_->mask));
        choose(io::MaskFormat::npy);
        dialog_->path()->setText(opened_->path("edited.npy"));
        dialog_->saveButton()->click();
        QVERIFY(!opened_->session.edits().changed(opened_->mask));
        opened_->session.edits().undo();
        QVERIFY(opened_->session.edits().changed(opened_->mask));
    }

    void masksAreFoundByTheirImagesName() {
        QCOMPARE(maskOf(QStringLiteral("/d/images/0001.jpg"), QStringLiteral("/d/masks/0001.png"),
                        QStringLiteral("/d/images/0002.jpg")),
                 QStringLiteral("/d/masks/0002.png"));
        QCOMPARE(maskOf(QStringLiteral("/d/a.png"), QStringLiteral("/d/a_mask.png"), QStringLiteral("/d/bc.png")),
                 QStringLiteral("/d/bc_mask.png"));
        QCOMPARE(maskOf(QStringLiteral("/d/10.png"), QStringLiteral("/d/110_mask.png"), QStringLiteral("/d/11.png")),
                 QString());
        QCOMPARE(maskOf(QStringLiteral("/d/a.png"), QStringLiteral("/d/other.npy"), QStringLiteral("/d/b.png")),
                 QString());
    }

    void imagesOfAFolderInTheOrderPeopleCount() {
        QTemporaryDir folder;
        QImage one(2, 2, QImage::Format_RGB32);
        one.fill(Qt::red);
        for (const char* name :
             {"img10.png", "img2.png", "img2_mask.png", "img10_mask.png", "img1.png", "img1_truth.png", "img1_2.png"})
            QVERIFY(one.save(folder.filePath(QLatin1String(name))));
        const auto images = imagesBeside(folder.filePath(QStringLiteral("img2.png")),
                                         {folder.filePath(QStringLiteral("img2_mask.png"))});
        QStringList names;
        for (const auto& image : images) names << QFileInfo(image).fileName();
        QCOMPARE(names, (QStringList{QStringLiteral("img1.png"), QStringLiteral("img1_2.png"),
                                     QStringLiteral("img2.png"), QStringLiteral("img10.png")}));
    }

    void imagesComeToTheFrontOfTheirMasks() {
        Session session;
        openPaths(session, {opened_->path("photo.png"), opened_->path("photo_mask.png")}, [](const Failure&) {});
        QTRY_COMPARE(session.document().entries().size(), std::size_t{2});  // in either order
        QTRY_COMPARE(session.document().find(session.current())->name, std::string("photo.png"));
        QCOMPARE(session.overlay(session.current())->layers.size(), std::size_t{1});
    }

    void aFileWithEditsIsNotReadAnew() {
        opened_->paint({0, 0, 3, 3}, 1, QStringLiteral("Brush, label 1"));
        openPaths(opened_->session, {opened_->path("photo_mask.png")}, [](const Failure&) {});
        QCOMPARE(opened_->session.current(), opened_->mask);
        QTest::qWait(50);
        QCOMPARE(opened_->cellsOf(1), 128 + 9);
    }

    void leavingWithEditsAsksOnce() {
        MainWindow window(opened_->session, *style_);
        window.show();
        opened_->paint({0, 0, 3, 3}, 1, QStringLiteral("Brush, label 1"));
        int asked = 0;
        const auto answer = [&](const char* button) {
            QTimer::singleShot(0, &window, [&window, &asked, button] {
                auto* dialog = window.findChild<QDialog*>(QStringLiteral("leave"));
                QVERIFY(dialog != nullptr && dialog->isVisible());
                ++asked;
                dialog->findChild<QPushButton*>(QLatin1String(button))->click();
            });
        };
        answer("cancel");
        QVERIFY(!window.close());
        QVERIFY(window.isVisible());
        answer("discard");
        QVERIFY(window.close());
        QCOMPARE(asked, 2);
    }

    void leavingWithoutEditsAsksNothing() {
        MainWindow window(opened_->session, *style_);
        window.show();
        QVERIFY(window.close());
    }

private:
    void choose(io::MaskFormat format) {
        auto* combo = dialog_->format();
        combo->setCurrentIndex(combo->findData(static_cast<int>(format)));
    }

    std::unique_ptr<Style> style_;
    std::unique_ptr<ImageFixture> opened_;
    std::unique_ptr<SaveMaskDialog> dialog_;
};

QTEST_MAIN(SaveDialogTest)
#include "save_dialog_test.moc"
