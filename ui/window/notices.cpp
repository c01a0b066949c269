// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/notices.h"

#include "ui/kit/cards.h"
#include "ui/session/cell_readout.h"
#include "ui/window/open_paths.h"

#include <QDateTime>
#include <QFileInfo>
#include <QLocale>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>

namespace maskscope::ui {

namespace {

QString sentenceOf(const Error& error) {
    const auto hint = textOf(error.hint.text());
    const auto message = textOf(error.message.text());
    return hint.isEmpty() ? message : message + QStringLiteral(". ") + hint;
}

// "41 steps on coins.png, 12:31 today"
QString describe(const document::LeftBehind& left) {
    QStringList files;
    for (const auto& file : left.files) files << QFileInfo(textOf(file)).fileName();
    constexpr qsizetype kNamed = 3;
    const auto more = files.size() - kNamed;
    QString on = files.mid(0, kNamed).join(QStringLiteral(", "));
    if (more > 0) on += Notices::tr(" and %1 more").arg(more);
    if (on.isEmpty()) on = Notices::tr("new masks");
    const auto when = QDateTime::fromSecsSinceEpoch(left.saved_at);
    const auto steps = left.step_count == 1 ? Notices::tr("1 step") : Notices::tr("%1 steps").arg(left.step_count);
    return Notices::tr("The last run ended early and left %1 on %2 (%3).")
        .arg(steps, on, QLocale(QLocale::English).toString(when, QStringLiteral("d MMM yyyy, HH:mm")));
}

}  // namespace

Notices::Notices(Session& session, Style& style, QWidget* parent)
    : QWidget(parent), session_(session), style_(style), column_(new QVBoxLayout(this)) {
    connect(&session.edits(), &EditSession::journalTroubleChanged, this, &Notices::rebuild);
    style.follow(this, [this] {
        column_->setContentsMargins(style_.px(16), style_.px(8), style_.px(16), style_.px(8));
        column_->setSpacing(style_.px(4));
    });
    rebuild();
}

void Notices::lookForLeftBehind() {
    left_ = session_.edits().leftBehind();
    rebuild();
}

QWidget* Notices::recoveryCard(const document::LeftBehind& left) {
    auto* strip = new WarnStrip(style_, describe(left), WarnStrip::Tone::info, this);
    strip->addLink(tr("Restore"), [this, path = left.path] { restore(path); });
    strip->addLink(tr("Discard"), [this, path = left.path] { discard(path); });
    return strip;
}

void Notices::restore(const std::string& journal) {
    const auto done = session_.edits().recover(QString::fromStdString(journal));
    if (!done) {
        emit failed(sentenceOf(done.error()));
        return;
    }
    imageToFront(session_, {});
    forget(journal);
}

void Notices::discard(const std::string& journal) {
    // Taken over first, so that no other window can be in the middle of it.
    const auto folder = QFileInfo(QString::fromStdString(journal)).absolutePath().toStdString();
    auto store =
        document::SessionStore::open(journal, folder, [](EntryId) { return std::pair<std::string, std::string>(); });
    if (!store) {
        emit failed(sentenceOf(store.error()));
        return;
    }
    (*store)->discard();
    forget(journal);
}

void Notices::forget(const std::string& journal) {
    std::erase_if(left_, [&](const document::LeftBehind& left) { return left.path == journal; });
    rebuild();
}

void Notices::rebuild() {
    while (auto* item = column_->takeAt(0)) {
        // A strip's own link may have asked for this: it goes when its signal has returned.
        item->widget()->hide();
        item->widget()->deleteLater();
        delete item;
    }
    constexpr std::size_t kShown = 3;  // the rest wait until one of these is answered
    for (std::size_t i = 0; i < std::min(kShown, left_.size()); ++i) column_->addWidget(recoveryCard(left_[i]));
    if (const auto trouble = session_.edits().journalTrouble(); !trouble.isEmpty()) {
        column_->addWidget(new WarnStrip(style_,
                                         tr("Edits are kept in memory only: %1. Save your masks soon.").arg(trouble),
                                         WarnStrip::Tone::warn, this));
    }
    setVisible(column_->count() > 0);
}

}  // namespace maskscope::ui
