// SPDX-License-Identifier: GPL-3.0-or-later
// What can be done to whole labels of the active layer, each one named step of the history.
#pragma once

#include "core/mask/morphology.h"
#include "ui/session/layer_labels.h"

#include <QString>

#include <vector>

namespace maskscope::ui {

class LabelChanges {
public:
    explicit LabelChanges(Session& session) : session_(session) {}

    // Nothing works without an active layer that is not locked; the sentence says why, "" when it does.
    QString problem() const;
    // The smallest label that no cell holds, taken in hand.
    Result<double> takeFree();
    void merge(const std::vector<double>& labels, double into);
    void relabel(double from, double to);
    void morph(double label, mask::Morph how, int radius);
    void fillHoles(double label);
    void keepLargest(double label);
    void removeIslandsBelow(double label, std::int64_t cells);

    enum class Combine { unite, subtract, intersect };
    // The label with what another layer of the image holds: the same label where it has labels, all of it where it has
    // none of that one.
    void combine(double label, const LayerState& other, Combine how);
    // A mask of its own from a soft layer: 1 from the layer's threshold on.
    void thresholdToMask();

private:
    void change(double label, const QString& name, EditSession::ChangeRegion what);

    Session& session_;
};

}  // namespace maskscope::ui
