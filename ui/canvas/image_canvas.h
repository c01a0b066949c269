// SPDX-License-Identifier: GPL-3.0-or-later
// An image with mask layers: pan and zoom as on a heatmap, and the tools' hands. Redraws only what a stroke touched.
#pragma once

#include "core/mask/brush.h"
#include "core/render/overlay/label_pool.h"
#include "core/render/pool/viewport.h"
#include "ui/kit/style.h"
#include "ui/session/session.h"

#include <QPointF>
#include <QWidget>

#include <memory>
#include <optional>

namespace maskscope::ui {

// The one colour of a layer that has no labels to tell apart (bool, soft), where there are several; else labels have
// their own.
std::optional<render::Rgb> layerColour(const OverlayState& state, int layer, DType dtype, const render::Theme& theme);

class ImageCanvas : public QWidget {
    Q_OBJECT
public:
    ImageCanvas(Session& session, Style& style, QWidget* parent = nullptr);
    ~ImageCanvas() override;

    void setEntry(EntryId id);
    EntryId entry() const { return id_; }
    // Device pixels an image pixel.
    double pitch() const;
    void zoom(int steps);
    void setPitch(double pitch);
    void fit();
    void zoomTo(const mask::Rect& cells);  // with a margin, for "Zoom to"
    void goTo(std::int64_t row, std::int64_t col);

    // In widget pixels, for tests and for the loupe.
    mask::Position imagePosition(QPointF widget) const;
    QPointF widgetPosition(mask::Position image) const;
    // What stands under the cursor; nullopt beyond the image.
    struct Under {
        std::int64_t row = 0;
        std::int64_t col = 0;
        std::vector<double> image;  // a number for each channel
        struct Hit {
            int layer = 0;
            double label = 0;
        };
        std::vector<Hit> labels;  // top first, background left out
    };
    std::optional<Under> under() const;
    // The picture without chrome, as large as the view, for exports and tests.
    QImage picture() const;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

signals:
    void pitchChanged(double pitch);
    void underChanged();
    void picked(double label);
    void exportRequested();

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void keyReleaseEvent(QKeyEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    bool event(QEvent* event) override;

private:
    struct Private;
    Session& session_;
    Style& style_;
    EntryId id_ = EntryId::none;
    std::unique_ptr<Private> d_;
};

}  // namespace maskscope::ui
