// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/inspector/inspector_panel.h"

#include "core/io/format.h"
#include "tests/ui/panel_pictures.h"
#include "ui/kit/cards.h"
#include "ui/kit/index_slider.h"
#include "ui/kit/segmented.h"
#include "ui/panels/inspector/colour_part.h"
#include "ui/panels/inspector/dimensions_part.h"
#include "ui/panels/inspector/mask_combo.h"
#include "ui/panels/inspector/mask_part.h"
#include "ui/panels/inspector/number_field.h"
#include "ui/panels/inspector/range_histogram.h"
#include "ui/panels/inspector/statistics_part.h"
#include "ui/panels/inspector/verdict_strip.h"

#include <QScrollArea>
#include <QSignalSpy>
#include <QSlider>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>

#include <numeric>

using namespace maskscope;
using namespace maskscope::ui;

class InspectorTest : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() {
        style_ = std::make_unique<Style>();
        style_->apply();
    }

    void init() {
        session_ = std::make_unique<Session>();
        open({file()});
        panel_ = std::make_unique<InspectorPanel>(*session_, *style_);
        panel_->resize(304, 900);
        panel_->show();
    }
    void cleanup() {
        panel_.reset();
        session_.reset();
    }

    void a_slider_moves_the_slice() {
        const auto rows = panel_->findChildren<IndexSlider*>();
        QCOMPARE(rows.size(), 4);
        QSignalSpy changes(session_.get(), &Session::viewChanged);
        rows[1]->slider()->setValue(3);
        QCOMPARE(view().index[1], 3);
        QCOMPARE(changes.size(), 1);
        // And the other way round, without an answer.
        session_->changeView(session_->current(), [](ViewState& state) { state.index[0] = 1; });
        QCOMPARE(rows[0]->value(), 1);
        QCOMPARE(changes.size(), 2);
        QVERIFY(rows[0]->slider()->isVisible());
        QVERIFY(!rows[2]->slider()->isVisible());
    }

    void a_dimension_is_renamed_in_place() {
        auto* part = panel_->findChild<DimensionsPart*>();
        part->rename(1);
        auto* editor = part->findChild<QLineEdit*>(QString(), Qt::FindChildrenRecursively);
        for (auto* candidate : part->findChildren<QLineEdit*>()) {
            if (candidate->accessibleName() == QStringLiteral("Name of dimension 1")) editor = candidate;
        }
        QVERIFY(editor != nullptr);
        editor->setText(QStringLiteral("expert"));
        emit editor->editingFinished();
        QCOMPARE(QString::fromStdString(shown().dims.value[1]), QStringLiteral("expert"));
    }

    void only_masks_that_fit_are_offered() {
        QStringList offered;
        for (int i = 0; i < masks().mask()->count(); ++i) offered << masks().mask()->itemText(i);
        // [6, 6] and [2, 6] with the names batch and key fit [2, 4, 6, 6]; [5, 5] does not.
        QVERIFY(offered.contains(QStringLiteral("causal_mask")));
        QVERIFY(offered.contains(QStringLiteral("keep_mask")));
        QVERIFY(!offered.contains(QStringLiteral("window_mask")));
        QCOMPARE(offered.first(), QStringLiteral("No mask"));
    }

    void a_mask_is_laid_over_and_meant() {
        choose(QStringLiteral("causal_mask"));
        QVERIFY(view().overlay.mask == idOf("causal_mask"));
        QVERIFY(masks().convention()->isVisible());
        press(*masks().convention(), 1);
        QVERIFY(view().overlay.convention == document::MaskConvention::drop);
        QVERIFY(session_->document().find(idOf("causal_mask"))->convention->value == document::MaskConvention::drop);
        press(*masks().look(), 2);
        QVERIFY(view().overlay.style == render::MaskStyle::hide);
        press(*masks().look(), 1);
        masks().opacity()->setValue(40);
        QCOMPARE(view().overlay.opacity, 0.4);
        choose(QStringLiteral("No mask"));
        QVERIFY(!view().overlay.mask);
        QVERIFY(!masks().convention()->isVisible());
    }

    void a_mask_that_does_not_fit_says_why() {
        session_->changeView(session_->current(), [&](ViewState& state) { state.overlay.mask = idOf("window_mask"); });
        auto* card = masks().findChild<ErrorCard*>();
        QVERIFY(card->isVisible());
        // PyTorch's own sentence for [2, 4, 6, 6] and [5, 5]: the last dim is what stops.
        QVERIFY2(card->accessibleDescription().contains(QStringLiteral("at non-singleton dimension 3")),
                 qPrintable(card->accessibleDescription()));
    }

    void a_wrong_number_is_shown_and_not_applied() {
        auto& low = *colours().low();
        const auto before = view().colour;
        type(low, "1e-");
        QVERIFY(low.property("invalid").toBool());
        QVERIFY2(low.toolTip().contains(QStringLiteral("is not a number")), qPrintable(low.toolTip()));
        QVERIFY(view().colour == before);
        // Values run from 0 to 287 over the tensor, 0 to 35 over the slice: the low end must stay below 35.
        type(low, "40");
        QVERIFY2(low.toolTip().contains(QStringLiteral("below the high end, 35")), qPrintable(low.toolTip()));
        QVERIFY(view().colour == before);
        QTest::keyClick(&low, Qt::Key_Escape);
        QVERIFY(!low.property("invalid").toBool());
        QVERIFY(low.toolTip().isEmpty());
    }

    void a_right_number_fixes_the_range() {
        type(*colours().low(), "−2.5");
        QVERIFY(view().colour.range == render::RangeKind::fixed);
        QCOMPARE(view().colour.fixed_lo, -2.5);
        QCOMPARE(view().colour.fixed_hi, 35.0);
        QCOMPARE(colours().range()->current(), 3);
    }

    void numbers_are_read_as_python_writes_them() {
        QCOMPARE(parseNumber(QStringLiteral("1e-4")), std::optional(1e-4));
        QCOMPARE(parseNumber(QStringLiteral(" -3.4e+38 ")), std::optional(-3.4e38));
        QCOMPARE(parseNumber(QStringLiteral("−1")), std::optional(-1.0));
        QVERIFY(!parseNumber(QStringLiteral("1,000")));
        QVERIFY(!parseNumber(QStringLiteral("inf")));
        QVERIFY(!parseNumber(QStringLiteral("nan")));
        QVERIFY(!parseNumber(QStringLiteral("")));
        QVERIFY(!parseNumber(QStringLiteral("0x10")));
    }

    void dragging_an_end_fixes_the_range() {
        auto& histogram = *colours().histogram();
        QTRY_COMPARE(histogram.accessibleDescription(), QStringLiteral("0 to 35"));
        QTest::qWait(100);
        const int middle = histogram.width() / 2;
        QTest::mousePress(&histogram, Qt::LeftButton, {}, {4, 20});
        QTest::mouseMove(&histogram, {middle, 20});
        QTest::mouseRelease(&histogram, Qt::LeftButton, {}, {middle, 20});
        QVERIFY(view().colour.range == render::RangeKind::fixed);
        QVERIFY(std::abs(view().colour.fixed_lo - 17.5) < 0.5);
        QCOMPARE(view().colour.fixed_hi, 35.0);
    }

    void statistics_are_exact() {
        const auto& statistics = *panel_->findChild<StatisticsPart*>();
        // The first slice counts 0 .. 35: one zero, 35 values.
        QTRY_COMPARE(statistics.countText(render::CellState::value), QStringLiteral("35"));
        QCOMPARE(statistics.countText(render::CellState::true_zero), QStringLiteral("1"));
        QCOMPARE(statistics.countText(render::CellState::masked), QStringLiteral("0"));
        choose(QStringLiteral("causal_mask"));
        // Six rows of 1 .. 6 visible cells: 15 hidden, the zero at [0, 0] is visible.
        QTRY_COMPARE(statistics.countText(render::CellState::masked), QStringLiteral("15"));
        QCOMPARE(statistics.countText(render::CellState::value), QStringLiteral("20"));
    }

    void the_cell_says_what_the_mask_says() {
        choose(QStringLiteral("causal_mask"));
        const auto point = [&](std::int64_t row, std::int64_t col) {
            session_->changeView(session_->current(), [=](ViewState& state) {
                state.cursor = render::CellIndex{row, col};
            });
        };
        const auto& verdict = *panel_->findChild<VerdictStrip*>();
        point(4, 2);
        QVERIFY(verdict.saysVisible());
        point(2, 4);
        QVERIFY(!verdict.saysVisible());
        QCOMPARE(verdict.text(), QStringLiteral("Hidden by causal_mask"));
    }

    void looks() {
        const QString samples = QStringLiteral(MS_SOURCE_DIR "/samples/attention/");
        open({samples + "minilm.safetensors", samples + "broken.npz"});
        session_->show(idOf("weights", "minilm.safetensors"));
        panel_->resize(304, 1130);
        session_->linkMask(session_->current(), idOf("keep_mask", "minilm.safetensors"));
        session_->changeView(session_->current(), [](ViewState& state) {
            state.index = {0, 1, 3, 0, 0};
            state.cursor = render::CellIndex{14, 13};
            state.colour.scale = render::ScaleKind::log;
        });
        QTest::qWait(600);
        keepPicture(*panel_, *style_, QStringLiteral("inspector"));
        session_->changeView(session_->current(), [&](ViewState& state) { state.overlay.mask = idOf("window_mask"); });
        auto* scroll = panel_->findChild<QScrollArea*>();
        scroll->ensureVisible(0, 10000);
        QTest::qWait(100);
        keepPicture(*panel_, *style_, QStringLiteral("inspector_misfit"));

        session_->show(idOf("weights", "broken.npz"));
        panel_->resize(304, 800);
        scroll->ensureVisible(0, 0);
        QTest::qWait(400);
        type(*colours().low(), "1e-");
        keepPicture(*panel_, *style_, QStringLiteral("inspector_guesses"));
    }

private:
    void open(const QStringList& paths) {
        QSignalSpy settled(session_.get(), &Session::filesSettled);
        session_->openFiles(paths);
        QVERIFY(settled.wait(5000));
    }
    QString file() {
        // weights counts up; causal_mask is the lower triangle.
        auto weights = *Tensor::zeros({2, 4, 6, 6}, DType::f32);
        std::iota(weights.writable_as<float>(), weights.writable_as<float>() + weights.numel(), 0.0F);
        auto causal = *Tensor::zeros({6, 6}, DType::boolean);
        for (int i = 0; i < 36; ++i) causal.writable_as<std::uint8_t>()[i] = i % 6 <= i / 6 ? 1 : 0;
        auto keep = *Tensor::zeros({2, 6}, DType::boolean);
        std::fill_n(keep.writable_as<std::uint8_t>(), 9, std::uint8_t{1});
        const auto window = *Tensor::zeros({5, 5}, DType::boolean);
        const auto path = folder_.filePath("attention.npz");
        const std::vector<io::NamedTensor> tensors{
            {"weights", weights}, {"causal_mask", causal}, {"keep_mask", keep}, {"window_mask", window}};
        if (!io::save_file(path.toStdString(), tensors)) qWarning("cannot save");
        return path;
    }
    EntryId idOf(const std::string& name, const QString& file = QStringLiteral("attention.npz")) const {
        for (const auto& entry : session_->document().entries()) {
            if (entry.name == name && QString::fromStdString(entry.path).endsWith(file)) return entry.id;
        }
        return EntryId::none;
    }
    const ViewState& view() const { return *session_->view(session_->current()); }
    const document::Entry& shown() const { return *session_->document().find(session_->current()); }
    MaskPart& masks() const { return *panel_->findChild<MaskPart*>(); }
    ColourPart& colours() const { return *panel_->findChild<ColourPart*>(); }

    void choose(const QString& name) {
        auto* combo = masks().mask();
        const int found = combo->findText(name);
        if (found >= 0) {
            combo->setCurrentIndex(found);
            emit combo->activated(found);
            return;
        }
        QFAIL(qPrintable(QStringLiteral("not offered: ") + name));
    }
    static void press(const Segmented& segmented, int choice) {
        segmented.findChildren<QToolButton*>()[choice]->click();
    }
    static void type(NumberField& field, const QString& text) {
        field.setFocus();
        field.selectAll();
        field.insert(text);
        field.setModified(true);
        emit field.textEdited(field.text());
        QTest::keyClick(&field, Qt::Key_Return);
    }

    QTemporaryDir folder_;
    std::unique_ptr<Style> style_;
    std::unique_ptr<Session> session_;
    std::unique_ptr<InspectorPanel> panel_;
};

QTEST_MAIN(InspectorTest)
#include "inspector_test.moc"
