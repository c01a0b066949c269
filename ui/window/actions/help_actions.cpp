// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/actions/help_actions.h"

#include "core/render/pool/cell_state.h"
#include "ui/canvas/heatmap_canvas.h"
#include "ui/session/cell_readout.h"
#include "ui/window/document_area.h"

#include <QCoreApplication>
#include <QDialog>
#include <QGridLayout>
#include <QLabel>
#include <QMainWindow>
#include <QMenu>
#include <QPushButton>
#include <QScrollArea>
#include <QToolTip>
#include <QVBoxLayout>

namespace maskscope::ui {

using render::CellState;

namespace {

QString meaningOf(CellState state) {
    switch (state) {
        case CellState::value:
            return QObject::tr("A number, drawn in the colour of its place on the scale.");
        case CellState::true_zero:
            return QObject::tr("Visible, and exactly zero as stored.");
        case CellState::subnormal:
            return QObject::tr("Visible, below the smallest normal number of its dtype: some of its digits are lost.");
        case CellState::masked:
            return QObject::tr("Hidden by the mask laid over it, or by a value that means masked.");
        case CellState::underflow:
            return QObject::tr("Stored as zero, though the exact value is above zero: the dtype could not hold it.");
        case CellState::nan:
            return QObject::tr("Not a number. One NaN in a row of a softmax makes the whole row NaN.");
        case CellState::posinf:
            return QObject::tr("Plus infinity, as stored.");
        case CellState::neginf:
            return QObject::tr("Minus infinity, as stored, and not taken for a mask.");
        case CellState::outside:
            return QObject::tr("Beyond the edge of the tensor.");
    }
    return {};
}

void addRow(QGridLayout& grid, const QString& keys, const QString& what) {
    const int row = grid.rowCount();
    auto* key = new QLabel(keys);
    key->setProperty("type", "mono");
    auto* text = new QLabel(what);
    text->setProperty("tone", "text2");
    text->setWordWrap(true);
    grid.addWidget(key, row, 0, Qt::AlignTop);
    grid.addWidget(text, row, 1);
}

void addTitle(QGridLayout& grid, const QString& title) {
    auto* label = new QLabel(title);
    label->setProperty("type", "strong");
    grid.addWidget(label, grid.rowCount(), 0, 1, 2);
}

}  // namespace

HelpActions::HelpActions(const ActionContext& context, QObject* parent)
    : QObject(parent),
      context_(context),
      explain_(makeAction(context, QStringLiteral("info"), tr("&What is this cell?"), QKeySequence::HelpContents,
                          [this] { explainCell(); })),
      keys_(makeAction(context, {}, tr("&Keys and mouse"), tr("Ctrl+?"), [this] { showKeys(); })),
      about_(makeAction(context, {}, tr("&About Maskscope"), {}, [this] { showAbout(); })) {}

void HelpActions::fill(QMenu& menu) {
    menu.addAction(explain_);
    menu.addAction(keys_);
    menu.addSeparator();
    menu.addAction(about_);
}

void HelpActions::explainCell() {
    auto* canvas = context_.area.canvas();
    const EntryId id = context_.session.current();
    const auto* view = context_.session.view(id);
    if (canvas == nullptr || view == nullptr || !view->cursor) return showKeys();
    const auto cell = readCell(context_.session, id, *view->cursor);
    const QString text = QStringLiteral("<p><b>%1 %2</b></p><p>%3</p><p>%4<br>%5</p>")
                             .arg(cell.stateText.toHtmlEscaped(), cell.valueText.toHtmlEscaped(), meaningOf(cell.state),
                                  cell.axisText.toHtmlEscaped(), cell.maskText.toHtmlEscaped());
    constexpr int kShownMs = 20000;
    QToolTip::showText(canvas->mapToGlobal(canvas->boxOf(*view->cursor).bottomRight().toPoint()), text, canvas,
                       canvas->rect(), kShownMs);
}

void HelpActions::showKeys() {
    auto* dialog = new QDialog(&context_.window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(tr("Keys and mouse"));
    auto* page = new QWidget;
    page->setProperty("surface", "window");
    auto* grid = new QGridLayout(page);
    grid->setColumnStretch(1, 1);
    grid->setHorizontalSpacing(context_.style.px(24));
    addTitle(*grid, tr("Heatmap"));
    addRow(*grid, tr("Wheel, + and −"), tr("zoom at the cursor"));
    addRow(*grid, tr("Drag, Space+drag"), tr("pan"));
    addRow(*grid, tr("Shift+wheel"), tr("step the head, or the innermost dimension that is on no axis"));
    addRow(*grid, tr("Ctrl+Shift+wheel"), tr("step the dimension outside it"));
    addRow(*grid, tr("Arrows, Page, Home, End"), tr("move the cell cursor"));
    addRow(*grid, tr("Click, Esc"), tr("pin the cursor, and let it go"));
    addTitle(*grid, tr("Image"));
    addRow(*grid, tr("[ and ], with Shift"), tr("change the brush by 1 px, by 10"));
    addRow(*grid, tr("Ctrl+wheel"), tr("change the brush freely"));
    addRow(*grid, tr("Alt while painting"), tr("erase"));
    addRow(*grid, tr("Enter, double-click"), tr("close a polygon"));
    addRow(*grid, tr("Backspace, Esc"), tr("take a point back, give the tool up"));
    addTitle(*grid, tr("Sliders"));
    addRow(*grid, tr("Left, Right"), tr("step"));
    addRow(*grid, tr("Alt+Up, Alt+Down"), tr("go to the slider before or after"));
    addTitle(*grid, tr("Commands"));
    for (const auto* action : context_.window.actions()) {
        if (action->shortcut().isEmpty()) continue;
        addRow(*grid, action->shortcut().toString(QKeySequence::NativeText),
               action->text().remove(QLatin1Char('&')).remove(QStringLiteral("…")));
    }
    grid->setRowStretch(grid->rowCount(), 1);
    auto* scroll = new QScrollArea;
    scroll->setWidgetResizable(true);
    scroll->setWidget(page);
    auto* column = new QVBoxLayout(dialog);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(scroll);
    dialog->resize(context_.style.px(480), context_.style.px(560));
    dialog->show();
}

void HelpActions::showAbout() {
    auto* dialog = new QDialog(&context_.window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(tr("About Maskscope"));
    auto* column = new QVBoxLayout(dialog);
    auto* name = new QLabel(tr("Maskscope %1").arg(QCoreApplication::applicationVersion()));
    name->setProperty("type", "metric");
    auto* text = new QLabel(
        tr("A workbench for the masks of deep learning.\n\nThe window is free software under the GNU General Public "
           "License, version 3 or later; the engine and the command line are under the Apache License 2.0.\n\nInter "
           "and JetBrains Mono are under the SIL Open Font License."));
    text->setWordWrap(true);
    text->setProperty("tone", "text2");
    auto* close = new QPushButton(tr("Close"));
    connect(close, &QPushButton::clicked, dialog, &QDialog::accept);
    column->addWidget(name);
    column->addWidget(text, 1);
    column->addWidget(close, 0, Qt::AlignRight);
    dialog->resize(context_.style.px(400), context_.style.px(220));
    dialog->show();
}

}  // namespace maskscope::ui
