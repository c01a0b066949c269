// SPDX-License-Identifier: GPL-3.0-or-later
// What is open, as a tree: thumbnails, names, dtypes, shapes, how masks are meant. Brings its own 32 px header (add
// button, menu), so the dock that holds it shows no title bar of its own.
#pragma once

#include "ui/kit/style.h"
#include "ui/panels/workspace/workspace_model.h"
#include "ui/session/session.h"

#include <QModelIndex>
#include <QSet>
#include <QTimer>
#include <QWidget>

#include <memory>

class QLabel;
class QLineEdit;
class QMenu;
class QTreeView;
class QVBoxLayout;

namespace maskscope::ui {

class Thumbnails;

class WorkspacePanel : public QWidget {
    Q_OBJECT
public:
    WorkspacePanel(Session& session, Style& style, QWidget* parent = nullptr);
    ~WorkspacePanel() override;

    QTreeView* tree() const { return tree_; }
    QLineEdit* filter() const { return filter_; }
    WorkspaceModel* model() const { return model_; }
    // The menu of a row, owned by the caller.
    std::unique_ptr<QMenu> menuOf(EntryId id);

signals:
    void openRequested();  // the add button

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void buildHeader(QVBoxLayout* layout);
    void buildFilter(QVBoxLayout* layout);
    void buildEmpty(QVBoxLayout* layout);
    void buildTree(QVBoxLayout* layout);
    void rebuild();
    void restoreExpansion();
    void showCurrent();
    void wantThumbnails();
    void activate(const QModelIndex& index);
    void popUp(const QModelIndex& index, QPoint at);

    Session& session_;
    Style& style_;
    WorkspaceModel* model_;
    Thumbnails* thumbnails_;
    QTreeView* tree_ = nullptr;
    QLineEdit* filter_ = nullptr;
    QWidget* filter_row_ = nullptr;
    QLabel* empty_ = nullptr;
    WorkspaceModel::Only only_ = WorkspaceModel::Only::all;
    QSet<QString> opened_;  // keys of rows that the user opened or closed
    QSet<QString> closed_;
    bool restoring_ = false;
    bool laid_out_ = false;
    QTimer rescan_;
    QTimer settle_;
};

}  // namespace maskscope::ui
