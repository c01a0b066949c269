// SPDX-License-Identifier: GPL-3.0-or-later
// The header of 40 px over the image: what it is, how it is looked at, how large a pixel is.
#pragma once

#include "ui/kit/style.h"
#include "ui/session/session.h"

#include <QWidget>

class QLabel;
class QSlider;

namespace maskscope::ui {

class IconButton;
class Segmented;
class ValueLabel;
class ViewTitle;

class OverlayHeader : public QWidget {
    Q_OBJECT
public:
    OverlayHeader(Session& session, Style& style, QWidget* parent = nullptr);
    void setEntry(EntryId id);
    void setPitch(double pitch);  // device pixels an image pixel

    Segmented* mode() const { return mode_; }
    QSlider* opacity() const { return opacity_; }

signals:
    void zoomRequested(int steps);
    void fitRequested();
    void exportRequested();

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void refresh();
    void makeRoom();
    void setMode(int mode);

    Session& session_;
    Style& style_;
    EntryId id_ = EntryId::none;
    ViewTitle* title_;
    Segmented* mode_;
    QLabel* opacity_label_;
    QSlider* opacity_;
    ValueLabel* opacity_value_;
    ValueLabel* pitch_;
    IconButton* rulers_;
};

}  // namespace maskscope::ui
