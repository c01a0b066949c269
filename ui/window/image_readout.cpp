// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/image_readout.h"

#include "ui/canvas/image_canvas.h"
#include "ui/panels/overlay/tool_catalog.h"
#include "ui/session/cell_readout.h"
#include "ui/session/layer_labels.h"

#include <QLocale>

#include <algorithm>

namespace maskscope::ui {

namespace {

QString placeOf(std::int64_t row, std::int64_t col) {
    return QStringLiteral("[y %1, x %2]").arg(row).arg(col);
}

QString numberOf(double value) {
    return withMinusSign(QString::number(value, 'g', 6));
}

}  // namespace

ImageReadout readPixel(Session& session, const ImageCanvas& canvas) {
    ImageReadout out;
    const auto under = canvas.under();
    const auto* state = session.overlay(canvas.entry());
    if (!under || state == nullptr) return out;
    out.known = true;
    out.placeText = placeOf(under->row, under->col);
    if (!under->image.empty()) {
        QStringList values;
        for (const double value : under->image) values << numberOf(value);
        out.valueText = QObject::tr("image %1").arg(values.join(QStringLiteral(", ")));
    }
    QStringList ids;
    for (const auto& hit : under->labels) {
        if (hit.layer < 0 || hit.layer >= static_cast<int>(state->layers.size())) continue;
        const auto& layer = state->layers[static_cast<std::size_t>(hit.layer)];
        if (!out.label) {
            out.label = hit.label;
            out.layerText = layerName(session, layer);
            out.labelText = isSoft(session, layer.mask)
                                ? QObject::tr("share %1").arg(numberOf(hit.label))
                                : QObject::tr("label %1").arg(labelName(session, layer.mask, layer.plane, hit.label));
        }
        ids << layerName(session, layer) + QLatin1Char(' ') + numberOf(hit.label);
    }
    if (!out.label) out.labelText = QObject::tr("background");
    out.idsText = ids.join(QStringLiteral("  "));
    return out;
}

QString toolText(Session& session) {
    auto& edits = session.edits();
    const auto& tools = edits.tools();
    QString text = titleOf(infoOf(tools.tool));
    if (tools.tool == Tool::brush || tools.tool == Tool::eraser || tools.tool == Tool::line)
        text += QObject::tr(" %1 px").arg(tools.brush.size);
    const auto& history = edits.history();
    if (tools.tool == Tool::pan || edits.underWay() || history.position() == 0) return text;
    const auto& step = history.steps()[history.position() - 1];
    const auto& delta = step.delta;
    const auto net = delta.gained - delta.lost;
    const auto sign = net < 0 ? QString(QChar(0x2212)) : QStringLiteral("+");
    const auto number =
        QLocale(QLocale::English, QLocale::UnitedStates).toString(static_cast<qlonglong>(std::abs(net)));
    // Of another tool it is told by its name.
    const auto which = step.tool == nameOf(tools.tool) ? QString() : QStringLiteral(": ") + textOf(step.name);
    return text + QObject::tr(" · last step%1 %2%3 px").arg(which, sign, number);
}

QStringList widestTexts(Session& session, EntryId image) {
    const auto size = session.imageSize(image);
    QStringList out{placeOf(std::max<std::int64_t>(size.rows - 1, 0), std::max<std::int64_t>(size.cols - 1, 0))};
    const auto* entry = session.document().find(image);
    const bool bytes = entry != nullptr && entry->item.dtype == DType::u8;
    const bool colour = entry != nullptr && entry->item.shape.rank() == 3;
    const auto one = bytes ? QStringLiteral("255") : QStringLiteral("65535");
    out << QObject::tr("image %1").arg(colour ? QStringList{one, one, one}.join(QStringLiteral(", ")) : one);
    return out;
}

}  // namespace maskscope::ui
