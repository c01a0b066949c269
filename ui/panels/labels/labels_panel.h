// SPDX-License-Identifier: GPL-3.0-or-later
// The labels of the active layer: seen, locked, counted; one click away.
#pragma once

#include "core/mask/rect.h"
#include "ui/kit/style.h"
#include "ui/panels/labels/label_changes.h"
#include "ui/session/session.h"

#include <QWidget>

#include <optional>

class QLabel;
class QMenu;
class QPushButton;
class QSpinBox;

namespace maskscope::ui {

class LabelTable;
class TabBar;

class LabelsPanel : public QWidget {
    Q_OBJECT
public:
    LabelsPanel(Session& session, Style& style, QWidget* parent = nullptr);
    LabelTable* table() const { return table_; }
    QPushButton* mergeButton() const { return merge_; }
    QMenu* shapeMenu() const { return shape_menu_; }
    // What stands under the cursor over the image.
    void setUnder(std::optional<double> label);

signals:
    void zoomRequested(const maskscope::mask::Rect& cells);
    void failed(const QString& sentence);

private:
    QWidget* buildHeader();
    void buildShapeMenu();
    void fillCombineMenu(QMenu& menu);
    QSpinBox* addNumber(QMenu& menu, const QString& word, int least, int most, int value);
    // The labels that an action is for: those selected, else the one in hand. Work on whole labels runs one at a time.
    std::vector<double> chosen() const;
    void withChosen(const std::function<void(double)>& what);
    void toggle(double label, std::set<std::int64_t> LayerState::*which);
    void askRelabel();
    void refresh();
    void enable();

    Session& session_;
    Style& style_;
    LabelChanges changes_;
    TabBar* tabs_;
    LabelTable* table_;
    QLabel* note_;
    QPushButton* new_;
    QPushButton* merge_;
    QPushButton* relabel_;
    QPushButton* shape_;
    QPushButton* combine_;
    QPushButton* threshold_;
    QMenu* shape_menu_;
    QSpinBox* radius_ = nullptr;
    QSpinBox* island_ = nullptr;
    double followed_ = 0;  // the label in hand that the selection has followed
};

}  // namespace maskscope::ui
