// SPDX-License-Identifier: GPL-3.0-or-later
// The labels of the current image's active layer with their counts, kept up to date in the background while the layer
// is painted on. One for a session: every panel reads the same numbers.
#pragma once

#include "core/mask/rect.h"
#include "ui/session/session.h"

#include <QObject>
#include <QString>
#include <QTimer>

#include <optional>
#include <vector>

namespace maskscope::ui {

struct LabelCount {
    double label = 0;
    std::int64_t cells = 0;
    mask::Rect bounds;
    friend bool operator==(const LabelCount&, const LabelCount&) = default;
};

// The layer that tools change; nullopt where the entry shows no image or has no active layer.
std::optional<LayerState> activeLayer(const Session& session, EntryId image);
// What the active layer of the image is to EditSession.
std::optional<EditTarget> editTarget(const Session& session, EntryId image);
// Whether the mask's cells are shares (floating), not labels.
bool isSoft(const Session& session, EntryId mask);
// From the annotation's category, or the file's list of names; "" where nothing names it.
QString className(const Session& session, EntryId mask, std::int64_t plane, double label);
// "pred"; where the mask has several planes "spoon 3" by its class, or "instances [3]".
QString layerName(const Session& session, const LayerState& layer);
// "18 coin", "18"
QString labelName(const Session& session, EntryId mask, std::int64_t plane, double label);

class LayerLabels : public QObject {
    Q_OBJECT
public:
    static LayerLabels& of(Session& session);

    EntryId image() const { return wanted_.image; }
    EntryId mask() const { return wanted_.mask; }
    std::int64_t plane() const { return wanted_.plane; }
    bool soft() const { return wanted_.soft; }
    // By ascending label, without background; one row, label 1, for a soft layer. Those of the layer before while the
    // new ones are counted would lie: then it is empty.
    const std::vector<LabelCount>& labels() const { return labels_; }
    const LabelCount* find(double label) const;
    std::int64_t cells() const;  // of all labels
    bool counting() const { return running_ || later_.isActive(); }
    QString problem() const { return problem_; }

signals:
    void changed();

private:
    struct Wanted {
        EntryId image = EntryId::none;
        EntryId mask = EntryId::none;
        std::int64_t plane = 0;
        bool soft = false;
        double threshold = 0;
        friend bool operator==(const Wanted&, const Wanted&) = default;
    };
    explicit LayerLabels(Session& session);
    void look();
    void recount();

    Session& session_;
    Wanted wanted_;
    std::vector<LabelCount> labels_;
    QString problem_;
    QTimer later_;  // a stroke tells many changes
    bool running_ = false;
    bool stale_ = false;  // changed while it was counted
};

}  // namespace maskscope::ui
