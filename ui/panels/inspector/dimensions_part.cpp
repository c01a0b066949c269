// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/inspector/dimensions_part.h"

#include "ui/kit/index_slider.h"
#include "ui/kit/section.h"
#include "ui/session/cell_readout.h"

#include <QContextMenuEvent>
#include <QKeyEvent>
#include <QLineEdit>
#include <QMenu>
#include <QVBoxLayout>

#include <algorithm>

namespace maskscope::ui {

DimensionsPart::DimensionsPart(Session& session, Style& style, QWidget* parent)
    : InspectorPart(session, style, parent), section_(new Section(style, tr("Dimensions"), this)) {
    setProperty("sliderGroup", true);
    column()->addWidget(section_);
    style.follow(this, [this] {
        section_->body()->setSpacing(style_.px(4));
        for (auto* row : std::as_const(rows_)) row->setNameWidth(name_width_);
    });
}

void DimensionsPart::build(int rank) {
    while (rows_.size() > rank) delete rows_.takeLast();
    while (rows_.size() < rank) {
        const auto dim = static_cast<int>(rows_.size());
        auto* row = new IndexSlider(style_, QString(), section_);
        row->installEventFilter(this);
        section_->body()->addWidget(row);
        rows_ << row;
        connect(row, &IndexSlider::valueChanged, this, [this, dim](qint64 value) {
            session_.changeView(entry_, [=](ViewState& state) { state.index[static_cast<std::size_t>(dim)] = value; });
        });
        connect(row, &IndexSlider::axisClicked, this,
                [this, dim, row] { showMenu(dim, row->mapToGlobal(QPoint(style_.px(name_width_), row->height()))); });
    }
}

void DimensionsPart::refresh(Change change) {
    const auto* shown = entry();
    const auto* state = view();
    if (shown == nullptr || state == nullptr || change == Change::data) return;
    const auto& shape = shown->item.shape;
    if (change == Change::entry) build(shape.rank());
    if (change == Change::entry || change == Change::document) showNames(*shown);
    for (int dim = 0; dim < std::min(shape.rank(), static_cast<int>(rows_.size())); ++dim) {
        auto* row = rows_[dim];
        const bool on_rows = dim == state->row_dim;
        const bool on_cols = dim == state->col_dim;
        if (change != Change::cursor) {
            row->setShown(on_rows   ? IndexSlider::Shown::rows
                          : on_cols ? IndexSlider::Shown::cols
                                    : IndexSlider::Shown::index);
            row->setLast(shape[dim] - 1);
            row->setValue(state->index[static_cast<std::size_t>(dim)]);
        }
        if (!on_rows && !on_cols) continue;
        if (state->cursor) {
            row->setPosition(tr("%1 of %2").arg(on_rows ? state->cursor->row : state->cursor->col).arg(shape[dim]));
        } else {
            row->setPosition(QString::number(shape[dim]));
        }
    }
}

void DimensionsPart::showNames(const document::Entry& shown) {
    const QFontMetrics metrics(style_.ui(12));
    int widest = 0;
    QStringList names;
    for (int dim = 0; dim < rows_.size(); ++dim) {
        auto name = dimName(shown, dim);
        // A guess is shown as one until the user has said a word.
        if (shown.dims.guess) name += QStringLiteral(" ?");
        names << name;
        widest = std::max(widest, metrics.horizontalAdvance(name));
    }
    name_width_ = std::clamp(static_cast<int>(100.0 * widest / style_.interfaceSize()) + 2, 46, 84);
    for (int dim = 0; dim < rows_.size(); ++dim) {
        rows_[dim]->setNameWidth(name_width_);
        rows_[dim]->setName(names[dim]);
        rows_[dim]->setToolTip(
            shown.dims.guess ? tr("%1 is a guess from the shape. Double-click or F2 names it.").arg(dimName(shown, dim))
                             : tr("Double-click or F2 renames it."));
    }
}

void DimensionsPart::rename(int dim) {
    const auto* shown = entry();
    if (shown == nullptr || dim < 0 || dim >= rows_.size()) return;
    auto* row = rows_[dim];
    auto* editor = new QLineEdit(dimName(*shown, dim), row);
    editor->setAccessibleName(tr("Name of dimension %1").arg(dim));
    editor->setGeometry(0, 0, std::max(style_.px(name_width_), style_.px(72)), row->height());
    editor->selectAll();
    editor->installEventFilter(this);
    editor->show();
    editor->setFocus();
    connect(editor, &QLineEdit::editingFinished, this, [this, editor, dim] {
        const auto name = editor->text().trimmed();
        const auto* now = entry();
        editor->disconnect(this);
        editor->deleteLater();
        if (now != nullptr && !name.isEmpty() && name != dimName(*now, dim)) session_.setDimName(entry_, dim, name);
    });
}

void DimensionsPart::putOn(bool rows, int dim) {
    session_.changeView(entry_, [=](ViewState& state) {
        int& axis = rows ? state.row_dim : state.col_dim;
        int& other = rows ? state.col_dim : state.row_dim;
        if (other == dim) other = axis;
        axis = dim;
        state.cursor.reset();
        state.fit = true;
    });
}

void DimensionsPart::showMenu(int dim, QPoint global) {
    const auto* shown = entry();
    const auto* state = view();
    if (shown == nullptr || state == nullptr) return;
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    const bool on_axis = dim == state->row_dim || dim == state->col_dim;
    if (on_axis) {
        const bool rows = dim == state->row_dim;
        menu->addSection(rows ? tr("Rows") : tr("Columns"));
        for (int other = 0; other < shown->item.shape.rank(); ++other) {
            auto* action =
                menu->addAction(QStringLiteral("%1 (%2)").arg(dimName(*shown, other)).arg(shown->item.shape[other]));
            action->setCheckable(true);
            action->setChecked(other == dim);
            connect(action, &QAction::triggered, this, [this, rows, other] { putOn(rows, other); });
        }
    } else {
        connect(menu->addAction(tr("Show on rows")), &QAction::triggered, this, [this, dim] { putOn(true, dim); });
        connect(menu->addAction(tr("Show on columns")), &QAction::triggered, this, [this, dim] { putOn(false, dim); });
    }
    menu->addSeparator();
    connect(menu->addAction(tr("Rename…")), &QAction::triggered, this, [this, dim] { rename(dim); });
    menu->popup(global);
}

int DimensionsPart::dimOf(const QObject* row) const {
    for (int dim = 0; dim < rows_.size(); ++dim) {
        if (rows_[dim] == row) return dim;
    }
    return -1;
}

bool DimensionsPart::eventFilter(QObject* watched, QEvent* event) {
    if (auto* editor = qobject_cast<QLineEdit*>(watched)) {
        if (event->type() == QEvent::KeyPress && static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape) {
            editor->disconnect(this);
            editor->deleteLater();
            return true;
        }
        return false;
    }
    const int dim = dimOf(watched);
    if (dim < 0) return false;
    if (event->type() == QEvent::MouseButtonDblClick &&
        static_cast<QMouseEvent*>(event)->position().x() < style_.px(name_width_)) {
        rename(dim);
        return true;
    }
    if (event->type() == QEvent::KeyPress && static_cast<QKeyEvent*>(event)->key() == Qt::Key_F2) {
        rename(dim);
        return true;
    }
    if (event->type() == QEvent::ContextMenu) {
        showMenu(dim, static_cast<QContextMenuEvent*>(event)->globalPos());
        return true;
    }
    return false;
}

}  // namespace maskscope::ui
