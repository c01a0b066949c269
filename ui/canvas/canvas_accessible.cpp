// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/canvas_accessible.h"

#include "ui/canvas/heatmap_canvas.h"
#include "ui/canvas/image_canvas.h"

#include <QAccessible>
#include <QAccessibleWidget>

namespace maskscope::ui {

namespace {

class CanvasAccessible : public QAccessibleWidget {
public:
    explicit CanvasAccessible(QWidget* widget) : QAccessibleWidget(widget, QAccessible::Graphic) {}

    QString text(QAccessible::Text which) const override {
        if (which == QAccessible::Value) return widget()->accessibleDescription();
        return QAccessibleWidget::text(which);
    }
};

QAccessibleInterface* makeCanvasInterface(const QString&, QObject* object) {
    const bool ours = qobject_cast<HeatmapCanvas*>(object) != nullptr || qobject_cast<ImageCanvas*>(object) != nullptr;
    return ours ? new CanvasAccessible(static_cast<QWidget*>(object)) : nullptr;
}

}  // namespace

void installCanvasAccessibility() {
    [[maybe_unused]] static const bool installed = [] {
        QAccessible::installFactory(makeCanvasInterface);
        return true;
    }();
}

void announceCanvas(QWidget& canvas, const QString& name, const QString& spoken) {
    // The setters send the events for changed names and descriptions.
    if (canvas.accessibleName() != name) canvas.setAccessibleName(name);
    if (canvas.accessibleDescription() == spoken) return;
    canvas.setAccessibleDescription(spoken);
    if (QAccessible::isActive()) {
        QAccessibleEvent event(&canvas, QAccessible::ValueChanged);
        QAccessible::updateAccessibility(&event);
    }
}

}  // namespace maskscope::ui
