// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/workspace/workspace_menu.h"

#include "ui/session/cell_readout.h"

#include <QActionGroup>
#include <QApplication>
#include <QClipboard>
#include <QFileInfo>
#include <QMenu>
#include <QMessageBox>
#include <QPushButton>

namespace maskscope::ui {
namespace {

void copy(const QString& text) {
    QGuiApplication::clipboard()->setText(text);
}

// Closing takes edits with it, so those are asked about first.
void close(Session& session, const QString& path) {
    if (session.editedIn(path)) {
        QMessageBox question(QMessageBox::NoIcon, QMenu::tr("Unsaved edits"),
                             QMenu::tr("%1 has edits that no file holds.").arg(QFileInfo(path).fileName()),
                             QMessageBox::NoButton, QApplication::activeWindow());
        question.setInformativeText(QMenu::tr("Close it and lose them?"));
        auto* lose = question.addButton(QMenu::tr("Close and lose edits"), QMessageBox::DestructiveRole);
        question.setDefaultButton(question.addButton(QMessageBox::Cancel));
        question.exec();
        if (question.clickedButton() != lose) return;
    }
    session.closeFile(path);
}

void add_close(QMenu& menu, Session& session, const QString& path) {
    QObject::connect(menu.addAction(QMenu::tr("Close %1").arg(QFileInfo(path).fileName())), &QAction::triggered,
                     &session, [&session, path] { close(session, path); });
}

void add_roles(QMenu& menu, Session& session, const document::Entry& entry) {
    auto* roles = menu.addMenu(QMenu::tr("Role"));
    auto* group = new QActionGroup(roles);
    using document::Role;
    for (const auto role : {Role::tensor, Role::mask, Role::image}) {
        auto* action = roles->addAction(textOf(document::name_of(role)));
        action->setCheckable(true);
        action->setChecked(entry.role.value == role);
        group->addAction(action);
        QObject::connect(action, &QAction::triggered, &session,
                         [&session, id = entry.id, role] { session.setRole(id, role); });
    }
}

void add_conventions(QMenu& menu, Session& session, const document::Entry& entry) {
    auto* meanings = menu.addMenu(QMenu::tr("Convention"));
    auto* group = new QActionGroup(meanings);
    using document::MaskConvention;
    const std::pair<QString, MaskConvention> choices[] = {
        {QMenu::tr("KEEP: True lets a cell through"), MaskConvention::keep},
        {QMenu::tr("DROP: True hides a cell"), MaskConvention::drop},
        {QMenu::tr("ADDITIVE: added to the scores, −inf hides"), MaskConvention::additive}};
    for (const auto& [text, convention] : choices) {
        auto* action = meanings->addAction(text);
        action->setCheckable(true);
        action->setChecked(entry.convention && entry.convention->value == convention);
        group->addAction(action);
        QObject::connect(action, &QAction::triggered, &session,
                         [&session, id = entry.id, which = convention] { session.setConvention(id, which); });
    }
}

void add_links(QMenu& menu, Session& session, const document::Entry& entry) {
    const auto* current = session.document().find(session.current());
    if (current == nullptr || current->id == entry.id) return;
    const auto name = QString::fromStdString(current->name);
    if (entry.item.labels) {
        QObject::connect(menu.addAction(QMenu::tr("Use as tokens of %1").arg(name)), &QAction::triggered, &session,
                         [&session, of = current->id, id = entry.id] { session.linkTokens(of, id); });
        return;
    }
    auto* action = menu.addAction(QMenu::tr("Lay over %1 as its mask").arg(name));
    action->setEnabled(session.maskFits(current->id, entry.id));
    if (!action->isEnabled()) action->setText(QMenu::tr("Does not fit %1 as a mask").arg(name));
    QObject::connect(action, &QAction::triggered, &session,
                     [&session, of = current->id, id = entry.id] { session.linkMask(of, id); });
}

}  // namespace

QString address_of(const document::Entry& entry) {
    const auto path = QString::fromStdString(entry.path);
    return entry.item.key.empty() ? path : path + QStringLiteral("::") + QString::fromStdString(entry.item.key);
}

std::unique_ptr<QMenu> menu_of_entry(Session& session, EntryId id) {
    auto menu = std::make_unique<QMenu>();
    const auto* entry = session.document().find(id);
    if (entry == nullptr) return menu;
    if (!entry->item.labels) {
        QObject::connect(menu->addAction(QMenu::tr("Open")), &QAction::triggered, &session,
                         [&session, id] { session.show(id); });
    }
    add_links(*menu, session, *entry);
    if (!entry->item.labels) {
        menu->addSeparator();
        add_roles(*menu, session, *entry);
        if (entry->role.value == document::Role::mask) add_conventions(*menu, session, *entry);
    }
    menu->addSeparator();
    QObject::connect(menu->addAction(QMenu::tr("Copy name")), &QAction::triggered, &session,
                     [name = QString::fromStdString(entry->name)] { copy(name); });
    QObject::connect(menu->addAction(QMenu::tr("Copy address")), &QAction::triggered, &session,
                     [address = address_of(*entry)] { copy(address); });
    menu->addSeparator();
    const auto path = QString::fromStdString(entry->path);
    add_close(*menu, session, path);
    return menu;
}

std::unique_ptr<QMenu> menu_of_file(Session& session, const QString& path) {
    auto menu = std::make_unique<QMenu>();
    if (path.isEmpty()) return menu;
    QObject::connect(menu->addAction(QMenu::tr("Copy path")), &QAction::triggered, &session, [path] { copy(path); });
    add_close(*menu, session, path);
    return menu;
}

}  // namespace maskscope::ui
