// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/kit/style_sheet.h"

#include "ui/kit/style.h"

#include <QStringList>

#include <map>

namespace maskscope::ui {

namespace {

// "@bg.view@" is a colour, "@24@" a length at the interface size, "@ui@" and "@mono@" a font family.
constexpr auto kTemplate = R"(
QMainWindow, QDialog { background: @bg.window@; }
QMainWindow::separator { background: @line@; width: 1px; height: 1px; }
QMainWindow::separator:hover { background: @accent@; }
*[surface="window"] { background: @bg.window@; }
*[surface="panel"] { background: @bg.panel@; }
*[surface="view"] { background: @bg.view@; }
*[surface="raised"] { background: @bg.raised@; }
*[surface="sunken"] { background: @bg.sunken@; }
*[surface="header"] { background: @bg.header@; }
*[surface="tabs"] { background: @bg.window@; border-bottom: 1px solid @line@; }
*[surface="line"] { background: @line@; border: 0; }
*[surface="popup"] { background: @bg.raised@; border: 1px solid @line.strong@; border-radius: @6@; }
QSplitter::handle { background: @line@; }

QLabel { background: transparent; }
QLabel[type="secondary"] { font-size: @11@; color: @text.2@; }
QLabel[type="tertiary"] { font-size: @11@; color: @text.3@; }
QLabel[type="strong"] { font-weight: 600; }
QLabel[type="medium"] { font-weight: 500; }
QLabel[type="name"] { font-size: @13@; font-weight: 600; }
QLabel[type="metric"] { font-size: @16@; font-weight: 600; }
QLabel[type="mono"] { font-family: "@mono@"; font-size: @11@; }
QLabel[type="mono2"] { font-family: "@mono@"; font-size: @11@; color: @text.2@; }
QLabel[type="ticks"] { font-size: @10@; color: @text.2@; }
QLabel[tone="error"] { color: @error@; }
QLabel[tone="warn"] { color: @warn@; }
QLabel[tone="ok"] { color: @ok@; }
QLabel[tone="info"] { color: @info@; }
QLabel[tone="accent"] { color: @accent@; }
QLabel[tone="text2"] { color: @text.2@; }
QLabel[tone="text3"] { color: @text.3@; }
QLabel:disabled { color: @text.disabled@; }

QMenuBar { background: @bg.window@; color: @text@; padding: 0 @8@; spacing: 0; }
QMenuBar::item { background: transparent; padding: @6@ @7@; margin: 0; border-radius: @4@; }
QMenuBar::item:selected { background: @bg.hover@; }
QMenuBar::item:pressed { background: @accent.soft@; color: @accent@; }
QMenu { background: @bg.raised@; border: 1px solid @line.strong@; border-radius: @6@; padding: @4@ 0; color: @text@; }
QMenu::item { padding: @5@ @28@ @5@ @30@; background: transparent; }
QMenu::item:selected { background: @bg.selected@; }
QMenu::item:disabled { color: @text.disabled@; }
QMenu::icon { left: @8@; }
QMenu::separator { height: 1px; background: @line@; margin: @4@ 0; }
QMenu::indicator { width: @14@; height: @14@; left: @8@; }
QToolTip { background: @bg.raised@; color: @text@; border: 1px solid @line.strong@; padding: @1@ @3@; }

QPushButton { background: @bg.raised@; color: @text@; border: 1px solid @line.strong@; border-radius: @4@;
              min-height: @26@; padding: 0 @12@; }
QPushButton:hover { background: @bg.hover@; }
QPushButton:pressed { background: @accent.soft@; border-color: @accent@; }
QPushButton:focus { border: 2px solid @line.focus@; min-height: @24@; padding: 0 @11@; }
QPushButton:disabled { background: @bg.window@; color: @text.disabled@; border-color: @line@; }
QPushButton[kind="primary"], QPushButton:default { background: @accent@; border-color: @accent@; color: @on.accent@;
                                                  font-weight: 600; }
QPushButton[kind="primary"]:hover { background: @accent.hover@; border-color: @accent.hover@; }
QPushButton[kind="primary"]:focus { border: 2px solid @text@; }
QPushButton[kind="primary"]:disabled { background: @bg.window@; color: @text.disabled@; border-color: @line@; }
QPushButton[kind="small"] { min-height: @18@; max-height: @18@; padding: 0 @8@; border-radius: @4@; }
QPushButton[kind="small"]:focus { min-height: @16@; max-height: @16@; padding: 0 @7@; }
QPushButton[kind="link"] { background: transparent; border: 1px solid transparent; color: @text.link@; min-height: @18@;
                           padding: 0 @3@; }
QPushButton[kind="link"]:hover { text-decoration: underline; }
QPushButton[kind="link"]:focus { border: 1px solid @line.focus@; min-height: @18@; padding: 0 @3@; }
QPushButton[kind="link"]:disabled { color: @text.disabled@; }
QPushButton[kind="axis"] { background: @info.soft@; border: 1px solid @info.soft@; border-radius: @3@; color: @info@;
                           font-size: @10@; font-weight: 600; min-height: @14@; max-height: @14@; padding: 0 @7@; }
QPushButton[kind="axis"]:hover { border-color: @info@; }
QPushButton[kind="axis"]:focus { border: 1px solid @line.focus@; min-height: @14@; padding: 0 @7@; }

QToolButton { background: transparent; border: 1px solid transparent; border-radius: @4@; color: @text@; padding: 0; }
QToolButton:hover { background: @bg.hover@; }
QToolButton:pressed { background: @accent.soft@; }
QToolButton:checked { background: @accent.soft@; color: @accent@; }
QToolButton:focus { border: 2px solid @line.focus@; }
QToolButton:disabled { color: @text.disabled@; }
QToolButton::menu-indicator { image: none; width: 0; }
QToolButton[kind="section"] { font-weight: 600; font-size: @11@; text-align: left; padding: 0 @4@; border-radius: 0; }
QToolButton[kind="section"]:hover { background: transparent; color: @accent@; }
QToolButton[kind="section"]:focus { border: 1px solid @line.focus@; }

*[kind="segments"] { background: @bg.view@; border: 1px solid @line.strong@; border-radius: @4@; }
*[kind="segments"] QToolButton { border: 0; border-left: 1px solid @line.strong@; border-radius: 0; color: @text.2@;
                                padding: 0 @9@; }
*[kind="segments"] QToolButton[first="true"] { border-left: 0; border-top-left-radius: @3@;
                                              border-bottom-left-radius: @3@; }
*[kind="segments"] QToolButton[last="true"] { border-top-right-radius: @3@; border-bottom-right-radius: @3@; }
*[kind="segments"] QToolButton:checked { background: @accent.soft@; color: @accent@; font-weight: 600; }
*[kind="segments"] QToolButton:focus { border: 2px solid @line.focus@; padding: 0 @7@; }
*[kind="segments"] QToolButton:disabled { color: @text.disabled@; }

QLineEdit, QPlainTextEdit, QTextEdit { background: @bg.view@; color: @text@; border: 1px solid @line.strong@;
    border-radius: @4@; selection-background-color: @bg.selected@; selection-color: @text@; }
QLineEdit { min-height: @22@; padding: 0 @6@; }
QLineEdit:focus, QPlainTextEdit:focus, QTextEdit:focus { border: 2px solid @line.focus@; }
QLineEdit:focus { min-height: @20@; padding: 0 @5@; }
QLineEdit:disabled { color: @text.disabled@; border-color: @line@; }
QLineEdit[face="mono"] { font-family: "@mono@"; font-size: @11@; }
QLineEdit[invalid="true"] { border: 1px solid @error@; }

QAbstractSpinBox QLineEdit, QAbstractSpinBox QLineEdit:focus, QComboBox QLineEdit, QComboBox QLineEdit:focus {
    border: 0; background: transparent; min-height: 0; padding: 0; font-family: "@mono@"; font-size: @11@; }

QAbstractItemView { background: @bg.panel@; color: @text@; border: 0; outline: 0;
                    selection-background-color: @bg.selected@; selection-color: @text@; }
QTableView { background: @bg.view@; gridline-color: @line@; }
QHeaderView { background: @bg.header@; border: 0; }
QHeaderView::section { background: @bg.header@; color: @text.2@; border: 0; border-bottom: 1px solid @line@;
                       padding: 0 @8@; height: @23@; font-size: @11@; }
QComboBox QAbstractItemView { background: @bg.raised@; border: 1px solid @line.strong@; padding: @2@ 0; }
QComboBox QAbstractItemView::item { min-height: @24@; padding: 0 @8@; border: 0; }
QComboBox QAbstractItemView::item:hover { background: @bg.hover@; }
QComboBox QAbstractItemView::item:selected { background: @bg.selected@; color: @text@; }
QComboBox QAbstractItemView::item:disabled { color: @text.disabled@; }
QScrollArea { border: 0; background: transparent; }
QScrollBar:vertical { background: transparent; width: @10@; margin: 0; }
QScrollBar:horizontal { background: transparent; height: @10@; margin: 0; }
QScrollBar::handle { background: @line.strong@; border-radius: @3@; margin: @2@; }
QScrollBar::handle:hover { background: @text.3@; }
QScrollBar::handle:vertical { min-height: @24@; }
QScrollBar::handle:horizontal { min-width: @24@; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; }
QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }
*[surface="bar"] { background: @bg.window@; border-bottom: 1px solid @line@; }
QToolBar { background: @bg.window@; border: 0; padding: 0; margin: 0; spacing: 0; }
QStatusBar { background: @bg.window@; min-height: 0; }
QStatusBar::item { border: 0; }
)";

}  // namespace

QString styleSheet(const Style& style) {
    std::map<QString, render::Token> tokens;
    for (std::size_t i = 0; i < render::Theme::kTokenCount; ++i) {
        const auto token = static_cast<render::Token>(i);
        const auto name = render::name_of(token);
        tokens.emplace(QString::fromLatin1(name.data(), static_cast<qsizetype>(name.size())), token);
    }
    const QStringList parts = QString::fromLatin1(kTemplate).split(QLatin1Char('@'));
    QString filled;
    for (qsizetype i = 0; i < parts.size(); ++i) {
        const QString& part = parts[i];
        if (i % 2 == 0) {
            filled += part;
            continue;
        }
        bool is_length = false;
        const double length = part.toDouble(&is_length);
        if (is_length) {
            filled += QStringLiteral("%1px").arg(style.px(length));
        } else if (part == QLatin1String("ui")) {
            filled += style.ui().family();
        } else if (part == QLatin1String("mono")) {
            filled += style.mono().family();
        } else if (const auto found = tokens.find(part); found != tokens.end()) {
            filled += style.colour(found->second).name();
        } else {
            qFatal("style sheet: no token %s", qPrintable(part));
        }
    }
    return filled;
}

}  // namespace maskscope::ui
