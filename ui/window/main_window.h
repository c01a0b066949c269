// SPDX-License-Identifier: GPL-3.0-or-later
// Puts the window together: menus, toolbar, docks, documents, status strip. It holds no state of its own.
#pragma once

#include "ui/kit/style.h"
#include "ui/session/session.h"

#include <QMainWindow>
#include <QSet>

class QLabel;
class QMenu;

namespace maskscope::ui {

class CommandPalette;
class DocumentArea;
class EditActions;
class FileActions;
class MaskFileActions;
class ToolActions;
class HelpActions;
class StatusStrip;
class TensorActions;
class ViewActions;

class MainWindow : public QMainWindow {
    Q_OBJECT
public:
    MainWindow(Session& session, Style& style, QWidget* parent = nullptr);
    ~MainWindow() override;

    // What was kept at the last close: geometry and docks.
    void restoreLayout(const QByteArray& geometry, const QByteArray& docks);
    DocumentArea& area() const { return *area_; }
    CommandPalette& palette() const { return *palette_; }
    StatusStrip& status() const { return *status_; }

signals:
    void closing();

protected:
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    void closeEvent(QCloseEvent* event) override;

private:
    void buildDocks();
    void followImage();
    void showRelevantDocks();
    bool mayLeave();
    void buildMenus();
    void buildToolBar();
    void scale();
    void showTitle();
    QList<QAction*> allActions() const;

    Session& session_;
    Style& style_;
    DocumentArea* area_;
    StatusStrip* status_;
    QList<QDockWidget*> docks_;
    QSet<QDockWidget*> unwanted_;  // closed by the user: not brought back with the next image
    FileActions* file_ = nullptr;
    EditActions* edit_ = nullptr;
    ViewActions* view_ = nullptr;
    TensorActions* tensor_ = nullptr;
    ToolActions* tools_ = nullptr;
    MaskFileActions* masks_ = nullptr;
    HelpActions* help_ = nullptr;
    CommandPalette* palette_ = nullptr;
    QLabel* title_ = nullptr;
    bool following_ = false;  // the canvas of images, which comes with the first one
};

}  // namespace maskscope::ui
