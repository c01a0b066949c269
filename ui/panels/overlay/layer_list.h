// SPDX-License-Identifier: GPL-3.0-or-later
// The layers over the image, the uppermost first: seen, locked, which one is painted on, in which order they lie.
#pragma once

#include "ui/kit/style.h"
#include "ui/session/session.h"

#include <QWidget>

class QVBoxLayout;

namespace maskscope::ui {

class IconButton;

class LayerList : public QWidget {
    Q_OBJECT
public:
    LayerList(Session& session, Style& style, QWidget* parent = nullptr);
    void setEntry(EntryId id);

signals:
    void newMaskRequested();

private:
    void rebuild();
    QWidget* row(int index);
    void move(int by);
    void removeActive();
    void fillAddMenu();

    Session& session_;
    Style& style_;
    EntryId id_ = EntryId::none;
    std::vector<LayerState> shown_;
    int shown_active_ = -2;
    IconButton* add_;
    IconButton* up_;
    IconButton* down_;
    IconButton* remove_;
    QWidget* rows_ = nullptr;
    QVBoxLayout* column_;
};

}  // namespace maskscope::ui
