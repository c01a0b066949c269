// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/render/pool/cell_state.h"
#include "ui/window/actions/action_context.h"

#include <QObject>

class QMenu;

namespace maskscope::ui {

class TensorActions : public QObject {
    Q_OBJECT
public:
    TensorActions(const ActionContext& context, QObject* parent);
    void fill(QMenu& menu);

signals:
    void goToRequested();

private:
    QAction* step(const QString& text, const QString& key, int which, int steps);
    QAction* next(const QString& text, const QString& key, render::CellState state);
    void stepTab(int steps);
    void buildOverlay();
    void buildCells();
    void enable();

    ActionContext context_;
    QAction* go_to_;
    QAction* next_head_;
    QAction* previous_head_;
    QAction* next_outer_;
    QAction* previous_outer_;
    QList<QAction*> next_;
    QAction* swap_;
    QAction* flip_;
    QAction* next_tab_;
    QAction* previous_tab_;
    EntryId shown_ = EntryId::none;
    EntryId shown_before_ = EntryId::none;
    QList<QAction*> styles_;
    QAction* outline_ = nullptr;
    QAction* edit_cells_ = nullptr;
    QAction* to_causal_ = nullptr;
    QAction* to_window_ = nullptr;
};

}  // namespace maskscope::ui
