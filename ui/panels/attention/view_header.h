// SPDX-License-Identifier: GPL-3.0-or-later
// The header of 40 px over the picture: what is shown, which dims are the axes, how large a cell is.
#pragma once

#include "ui/kit/style.h"
#include "ui/session/session.h"

#include <QWidget>

class QComboBox;
class QLabel;

namespace maskscope::ui {

class IconButton;
class ValueLabel;
class ViewTitle;

class ViewHeader : public QWidget {
    Q_OBJECT
public:
    ViewHeader(Session& session, Style& style, QWidget* parent = nullptr);
    void setEntry(EntryId id);
    void setPitch(double pitch);  // device pixels per cell
    void setIsolated(bool isolated);

signals:
    void zoomRequested(int steps);
    void fitRequested();
    void exportRequested();
    void allRequested();  // out of the isolated picture

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void refresh();
    void fillAxes();
    void makeRoom();
    void chooseAxis(bool rows, int dim);

    Session& session_;
    Style& style_;
    EntryId id_ = EntryId::none;
    ViewTitle* title_;
    QLabel* rows_label_;
    QLabel* cols_label_;
    QComboBox* rows_;
    QComboBox* cols_;
    ValueLabel* pitch_;
    IconButton* all_;
};

}  // namespace maskscope::ui
