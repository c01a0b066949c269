// SPDX-License-Identifier: GPL-3.0-or-later
// What the window must say of the work itself, in place: edits that a run left behind, and a journal that cannot be
// written.
#pragma once

#include "ui/kit/style.h"
#include "ui/session/session.h"

#include <QWidget>

class QVBoxLayout;

namespace maskscope::ui {

class Notices : public QWidget {
    Q_OBJECT
public:
    Notices(Session& session, Style& style, QWidget* parent = nullptr);
    // Looks for what was left behind; once, after the journal has started.
    void lookForLeftBehind();

signals:
    void failed(const QString& sentence);

private:
    void rebuild();
    QWidget* recoveryCard(const document::LeftBehind& left);
    void restore(const std::string& journal);
    void discard(const std::string& journal);
    void forget(const std::string& journal);

    Session& session_;
    Style& style_;
    QVBoxLayout* column_;
    std::vector<document::LeftBehind> left_;
};

}  // namespace maskscope::ui
