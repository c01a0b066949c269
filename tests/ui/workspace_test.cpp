// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/workspace/workspace_panel.h"

#include "core/io/format.h"
#include "tests/ui/panel_pictures.h"
#include "ui/kit/cards.h"
#include "ui/panels/workspace/thumbnails.h"
#include "ui/panels/workspace/workspace_delegate.h"

#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>
#include <QTreeView>

#include <limits>

using namespace maskscope;
using namespace maskscope::ui;

namespace {

Tensor filled(const Shape& shape, float value) {
    auto tensor = *Tensor::zeros(shape, DType::f32);
    std::fill_n(tensor.writable_as<float>(), tensor.numel(), value);
    return tensor;
}

QModelIndex row(const WorkspaceModel& model, std::initializer_list<int> path) {
    QModelIndex at;
    for (const int step : path) at = model.index(step, 0, at);
    return at;
}

}  // namespace

class WorkspaceTest : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() {
        style_ = std::make_unique<Style>();
        style_->apply();
    }

    void groups_stand_by_role() {
        Session session;
        open(session, attention());
        WorkspacePanel panel(session, *style_);
        const auto& model = *panel.model();
        QCOMPARE(model.rowCount(), 2);
        QCOMPARE(model.name(row(model, {0})), QStringLiteral("Tensors"));
        QCOMPARE(model.count(row(model, {0})), 2);
        QCOMPARE(model.name(row(model, {1})), QStringLiteral("Masks"));
        QCOMPARE(model.name(row(model, {1, 0})), QStringLiteral("keep_mask"));
    }

    void groups_stand_by_file_when_asked() {
        Session session;
        open(session, attention() << save("other.npy", {{"", filled({2, 2}, 1)}}));
        WorkspacePanel panel(session, *style_);
        panel.model()->setGrouping(WorkspaceModel::Grouping::file);
        QVERIFY(panel.model()->rebuild());
        QStringList names;
        for (int i = 0; i < panel.model()->rowCount(); ++i) names << panel.model()->name(row(*panel.model(), {i}));
        names.sort();
        QCOMPARE(names, (QStringList{"attention.npz", "other.npy"}));
    }

    void a_click_shows_an_entry() {
        Session session;
        open(session, attention());
        WorkspacePanel panel(session, *style_);
        panel.resize(248, 500);
        panel.show();
        const auto mask = row(*panel.model(), {1, 0});
        QVERIFY(session.current() != panel.model()->id(mask));
        QTest::mouseClick(panel.tree()->viewport(), Qt::LeftButton, {}, panel.tree()->visualRect(mask).center());
        QCOMPARE(session.current(), panel.model()->id(mask));
        // A click on the group closes it.
        const auto group = row(*panel.model(), {0});
        QTest::mouseClick(panel.tree()->viewport(), Qt::LeftButton, {}, panel.tree()->visualRect(group).center());
        QVERIFY(!panel.tree()->isExpanded(group));
    }

    void the_filter_keeps_what_has_every_word() {
        Session session;
        open(session, attention());
        WorkspacePanel panel(session, *style_);
        QTest::keyClicks(panel.filter(), "MASK npz");
        QCOMPARE(panel.model()->rowCount(), 1);
        QCOMPARE(panel.model()->name(row(*panel.model(), {0, 0})), QStringLiteral("keep_mask"));
        QTest::keyClick(panel.filter(), Qt::Key_Escape);
        QCOMPARE(panel.model()->rowCount(), 2);
    }

    void six_hundred_keys_are_a_tree() {
        std::vector<io::NamedTensor> tensors;
        for (int layer = 0; layer < 100; ++layer) {
            for (const char* part : {"attn.q", "attn.k", "attn.v", "attn.o", "mlp.in", "mlp.out"}) {
                tensors.push_back({"model.layers." + std::to_string(layer) + "." + part, filled({4, 4}, 1)});
            }
        }
        Session session;
        open(session, {save("many.npz", tensors)});
        WorkspacePanel panel(session, *style_);
        panel.resize(248, 600);
        panel.show();
        const auto& model = *panel.model();
        QCOMPARE(model.count(row(model, {0})), 600);
        // model and layers are one row, a hundred layers below it; only the one that is shown is open.
        QCOMPARE(model.rowCount(row(model, {0})), 1);
        QCOMPARE(model.name(row(model, {0, 0})), QStringLiteral("model.layers"));
        QCOMPARE(model.rowCount(row(model, {0, 0})), 100);
        QCOMPARE(model.name(row(model, {0, 0, 7, 1, 0})), QStringLiteral("in"));
        QVERIFY(!panel.tree()->isExpanded(row(model, {0, 0, 7})));
        keepPicture(panel, *style_, QStringLiteral("workspace_many"));
        QTest::keyClicks(panel.filter(), "7.mlp.in");
        QCOMPARE(model.count(row(model, {0})), 10);
        keepPicture(panel, *style_, QStringLiteral("workspace_filtered"));
    }

    void a_scan_finds_nan_and_draws_the_plane() {
        auto tensor = filled({2, 3, 4}, 0.5F);
        QVERIFY(!*makeThumbnail(tensor, {})->has_nan);
        // Not in the plane that is drawn.
        tensor.writable_as<float>()[12 + 5] = std::numeric_limits<float>::quiet_NaN();
        const auto thumbnail = makeThumbnail(tensor, {});
        QVERIFY(*thumbnail->has_nan);
        QCOMPARE(thumbnail->pooled.width, 4);
        QCOMPARE(thumbnail->pooled.height, 3);
        QCOMPARE(thumbnail->hi, 0.5);
        QVERIFY(makeThumbnail(filled({0, 3}, 0), {})->pooled.value.empty());
    }

    void visible_rows_with_nan_are_marked() {
        auto broken = filled({4, 4}, 1);
        broken.writable_as<float>()[3] = std::numeric_limits<float>::quiet_NaN();
        Session session;
        open(session, {save("broken.npz", {{"good", filled({4, 4}, 1)}, {"broken", broken}})});
        WorkspacePanel panel(session, *style_);
        panel.resize(248, 400);
        panel.show();
        const auto at = [&](int i) { return panel.model()->id(row(*panel.model(), {0, i})); };
        QTRY_VERIFY(panel.model()->hasNan(at(1)));
        QVERIFY(!panel.model()->hasNan(at(0)));
    }

    void the_menu_changes_what_an_entry_is() {
        Session session;
        open(session, attention());
        WorkspacePanel panel(session, *style_);
        const auto mask = panel.model()->id(row(*panel.model(), {1, 0}));
        auto menu = panel.menuOf(mask);
        QAction* drop = nullptr;
        QAction* lay = nullptr;
        for (auto* action : menu->findChildren<QAction*>()) {
            if (action->text().startsWith(QStringLiteral("DROP"))) drop = action;
            if (action->text().startsWith(QStringLiteral("Lay over weights"))) lay = action;
        }
        QVERIFY(drop != nullptr);
        QVERIFY(lay != nullptr);
        drop->trigger();
        const auto& convention = session.document().find(mask)->convention;
        QVERIFY(convention->value == document::MaskConvention::drop);
        QVERIFY(!convention->guess);
        lay->trigger();
        QVERIFY(session.view(session.current())->overlay.mask == mask);
    }

    void an_empty_workspace_says_so_and_adds_files() {
        Session session;
        WorkspacePanel panel(session, *style_);
        panel.resize(248, 500);
        panel.show();
        QVERIFY(!panel.tree()->isVisible());
        QSignalSpy wanted(&panel, &WorkspacePanel::openRequested);
        const auto buttons = panel.findChildren<QToolButton*>();
        const auto add = std::find_if(buttons.begin(), buttons.end(),
                                      [](auto* button) { return button->accessibleName() == "Open files"; });
        QVERIFY(add != buttons.end());
        (*add)->click();
        QCOMPARE(wanted.size(), 1);
        keepPicture(panel, *style_, QStringLiteral("workspace_empty"));
    }

    void looks() {
        Session session;
        const QString samples = QStringLiteral(MS_SOURCE_DIR "/samples/attention/");
        open(session, {samples + "minilm.safetensors", samples + "broken.npz", samples + "tokens.json"});
        WorkspacePanel panel(session, *style_);
        panel.resize(248, 700);
        panel.show();
        QTest::qWait(1200);
        keepPicture(panel, *style_, QStringLiteral("workspace"));
    }

private:
    static void open(Session& session, const QStringList& paths) {
        QSignalSpy settled(&session, &Session::filesSettled);
        session.openFiles(paths);
        QVERIFY(settled.wait(5000));
    }
    QString save(const QString& name, const std::vector<io::NamedTensor>& tensors) {
        const auto path = folder_.filePath(name);
        if (!io::save_file(path.toStdString(), tensors)) qWarning("cannot save %s", qPrintable(path));
        return path;
    }
    QStringList attention() {
        auto keep = *Tensor::zeros({2, 6}, DType::boolean);
        std::fill_n(keep.writable_as<std::uint8_t>(), 9, std::uint8_t{1});
        return {
            save("attention.npz",
                 {{"weights", filled({2, 4, 6, 6}, 0.5F)}, {"scores", filled({2, 4, 6, 6}, -1)}, {"keep_mask", keep}})};
    }

    QTemporaryDir folder_;
    std::unique_ptr<Style> style_;
};

QTEST_MAIN(WorkspaceTest)
#include "workspace_test.moc"
