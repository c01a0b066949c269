// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/overlay_words.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QString>

namespace maskscope::ui {
namespace {

QJsonArray listOf(const std::set<std::int64_t>& labels) {
    QJsonArray out;
    for (const std::int64_t label : labels) out.append(static_cast<qint64>(label));
    return out;
}

std::set<std::int64_t> labelsIn(const QJsonValue& list) {
    std::set<std::int64_t> out;
    for (const auto& label : list.toArray()) out.insert(label.toInteger());
    return out;
}

QJsonObject wordsOfLayer(const LayerState& layer, const NameOfEntry& name) {
    const auto [path, key] = name(layer.mask);
    return {{"path", QString::fromStdString(path)},
            {"key", QString::fromStdString(key)},
            {"plane", static_cast<qint64>(layer.plane)},
            {"visible", layer.visible},
            {"locked", layer.locked},
            {"fill", layer.fill},
            {"outline", layer.outline},
            {"hatch", static_cast<int>(layer.hatch)},
            {"threshold", layer.threshold},
            {"resize", static_cast<int>(layer.resize)},
            {"hidden_labels", listOf(layer.hidden_labels)},
            {"locked_labels", listOf(layer.locked_labels)}};
}

// A number that some other version wrote means the usual.
template <class Enum>
Enum choice(const QJsonValue& value, Enum last, Enum usual) {
    const int number = value.toInt(-1);
    return number >= 0 && number <= static_cast<int>(last) ? static_cast<Enum>(number) : usual;
}

LayerState layerIn(const QJsonObject& words, EntryId mask) {
    LayerState out;
    out.mask = mask;
    out.plane = words.value("plane").toInteger();
    out.visible = words.value("visible").toBool(true);
    out.locked = words.value("locked").toBool();
    out.fill = words.value("fill").toBool(true);
    out.outline = words.value("outline").toBool(true);
    out.hatch = choice(words.value("hatch"), render::Hatch::falling, out.hatch);
    out.threshold = words.value("threshold").toDouble(out.threshold);
    out.resize = choice(words.value("resize"), render::ResizeRule::bilinear_corners, out.resize);
    out.hidden_labels = labelsIn(words.value("hidden_labels"));
    out.locked_labels = labelsIn(words.value("locked_labels"));
    return out;
}

}  // namespace

std::string wordsOf(const OverlayState& state, const NameOfEntry& name) {
    QJsonArray layers;
    for (const auto& layer : state.layers) layers.append(wordsOfLayer(layer, name));
    const QJsonObject out{
        {"layers", layers},           {"active", state.active},    {"opacity", state.opacity},
        {"outlines", state.outlines}, {"ids", state.ids},          {"grid", state.grid},
        {"loupe", state.loupe},       {"rulers", state.rulers},    {"lo", state.tone.lo},
        {"hi", state.tone.hi},        {"gamma", state.tone.gamma}, {"natural_tone", state.natural_tone}};
    return QJsonDocument(out).toJson(QJsonDocument::Compact).toStdString();
}

std::optional<OverlayState> overlayOf(const std::string& words, const EntryOfName& entry) {
    const auto json = QJsonDocument::fromJson(QByteArray::fromStdString(words)).object();
    if (!json.contains("layers")) return std::nullopt;
    OverlayState out;
    const int active = json.value("active").toInt(-1);
    const auto layers = json.value("layers").toArray();
    for (int i = 0; i < layers.size(); ++i) {
        const auto layer = layers.at(i).toObject();
        const auto mask =
            entry(layer.value("path").toString().toStdString(), layer.value("key").toString().toStdString());
        if (mask == EntryId::none) continue;
        if (i == active) out.active = static_cast<int>(out.layers.size());
        out.layers.push_back(layerIn(layer, mask));
    }
    out.opacity = json.value("opacity").toDouble(out.opacity);
    out.outlines = json.value("outlines").toBool(out.outlines);
    out.ids = json.value("ids").toBool(out.ids);
    out.grid = json.value("grid").toBool(out.grid);
    out.loupe = json.value("loupe").toBool(out.loupe);
    out.rulers = json.value("rulers").toBool(out.rulers);
    out.tone = {json.value("lo").toDouble(out.tone.lo), json.value("hi").toDouble(out.tone.hi),
                json.value("gamma").toDouble(out.tone.gamma)};
    out.natural_tone = json.value("natural_tone").toBool(out.natural_tone);
    return out;
}

}  // namespace maskscope::ui
