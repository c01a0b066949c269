// SPDX-License-Identifier: GPL-3.0-or-later
// One row a dimension: its name, and a slider or the axis that it lies on.
#pragma once

#include "ui/panels/inspector/inspector_part.h"

#include <QList>

class QLineEdit;
class QMenu;

namespace maskscope::ui {

class IndexSlider;
class Section;

class DimensionsPart : public InspectorPart {
    Q_OBJECT
public:
    DimensionsPart(Session& session, Style& style, QWidget* parent);
    void refresh(Change change) override;
    // Opens the editor over the name; Enter or leaving takes it, Esc does not.
    void rename(int dim);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void build(int rank);
    void showNames(const document::Entry& shown);
    void showMenu(int dim, QPoint global);
    void putOn(bool rows, int dim);
    int dimOf(const QObject* row) const;

    Section* section_;
    QList<IndexSlider*> rows_;
    int name_width_ = 50;
};

}  // namespace maskscope::ui
