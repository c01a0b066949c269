// SPDX-License-Identifier: GPL-3.0-or-later
// What the status strip says of the pixel of an image under the cursor.
#pragma once

#include "ui/session/session.h"

#include <QString>
#include <QStringList>

#include <optional>

namespace maskscope::ui {

class ImageCanvas;

struct ImageReadout {
    bool known = false;
    std::optional<double> label;  // of the topmost layer that has one here
    QString labelText;            // "label 18 coin", "background"
    QString layerText;            // "pred"
    QString placeText;            // "[y 208, x 335]"
    QString valueText;            // "image 174", "image 12, 40, 201"
    QString idsText;              // "pred 18  gt 18"
};
ImageReadout readPixel(Session& session, const ImageCanvas& canvas);
// The tool in hand, and what the last step changed: "Brush 12 px · last step +398 px".
QString toolText(Session& session);
// What the widest texts of the place and of the ids can be, so that nothing moves.
QStringList widestTexts(Session& session, EntryId image);

}  // namespace maskscope::ui
