// SPDX-License-Identifier: GPL-3.0-or-later
// Map, scale and range of the colours, with the counts of the values under the range.
#pragma once

#include "ui/panels/inspector/inspector_part.h"

#include <memory>

class QComboBox;

namespace maskscope::ui {

class NumberField;
class RangeHistogram;
class Section;
class Segmented;

class ColourPart : public InspectorPart {
    Q_OBJECT
public:
    ColourPart(Session& session, Style& style, QWidget* parent);
    void refresh(Change change) override;

    QComboBox* map() const { return map_; }
    Segmented* scale() const { return scale_; }
    Segmented* range() const { return range_; }
    NumberField* low() const { return lo_; }
    NumberField* high() const { return hi_; }
    RangeHistogram* histogram() const { return histogram_; }

private:
    void buildMap();
    void buildScale();
    void buildRange();
    void drawMaps();
    void showRange();
    void countValues();
    void setFixed(double lo, double hi);
    QString checkEnd(double value, bool low) const;

    // What the histogram on the screen was counted from.
    struct Counted {
        std::shared_ptr<const render::HeatmapData> data;
        double lo = 0;
        double hi = 0;
        bool log = false;
        friend bool operator==(const Counted&, const Counted&) = default;
    };
    Section* section_;
    QComboBox* map_ = nullptr;
    Segmented* scale_ = nullptr;
    Segmented* over_ = nullptr;
    Segmented* range_ = nullptr;
    RangeHistogram* histogram_ = nullptr;
    NumberField* lo_ = nullptr;
    NumberField* hi_ = nullptr;
    QLabel* problem_ = nullptr;
    Counted counted_;
};

}  // namespace maskscope::ui
