// SPDX-License-Identifier: GPL-3.0-or-later
// The readout of the cell under the cursor and the facts of the view, in fields that never move; long work at the
// right.
#pragma once

#include "ui/kit/style.h"
#include "ui/session/cell_readout.h"
#include "ui/session/session.h"
#include "ui/window/image_readout.h"

#include <QPointer>
#include <QStatusBar>
#include <QTimer>

namespace maskscope::ui {

class ImageCanvas;
class ProgressStrip;

class StatusStrip : public QStatusBar {
    Q_OBJECT
public:
    StatusStrip(Session& session, Style& style, QWidget* parent = nullptr);

    // A sentence in place of the readout for some seconds.
    void say(const QString& text);
    const CellReadout& readout() const { return readout_; }
    const ImageReadout& pixel() const { return pixel_; }
    // Where the cursor over an image is read from.
    void setImageCanvas(ImageCanvas* canvas);
    // All fields as one line, in ASCII: what --narrate prints.
    QString line() const;

signals:
    void lineChanged();

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void readCursor();
    void readView();
    void readJobs();
    void placeProgress();
    void readImage();
    void paintReadout(QPainter& painter, int right);
    void paintPixel(QPainter& painter, int right);
    bool showsImage() const;
    QColor swatch() const;

    Session& session_;
    Style& style_;
    ProgressStrip* progress_;
    QString progress_slot_;
    QTimer poll_;
    QTimer saying_;
    QString said_;
    CellReadout readout_;
    QPointer<ImageCanvas> canvas_;
    ImageReadout pixel_;
    bool has_cursor_ = false;
    QStringList facts_;
    int index_width_ = 0;  // of the widest text this tensor can bring
    int names_width_ = 0;
};

}  // namespace maskscope::ui
