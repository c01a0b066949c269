// SPDX-License-Identifier: GPL-3.0-or-later
// The strip of 32 px below the image: what the active layer holds, and what is drawn of all of them.
#pragma once

#include "ui/kit/style.h"
#include "ui/session/session.h"

#include <QWidget>

class QCheckBox;
class QLabel;

namespace maskscope::ui {

class CountStrip : public QWidget {
    Q_OBJECT
public:
    CountStrip(Session& session, Style& style, QWidget* parent = nullptr);
    void setEntry(EntryId id);
    QString text() const;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void refresh();

    Session& session_;
    Style& style_;
    EntryId id_ = EntryId::none;
    QLabel* layer_;
    QLabel* pixels_;
    QLabel* share_;
    QLabel* labels_;
    QCheckBox* outlines_;
    QCheckBox* ids_;
};

}  // namespace maskscope::ui
