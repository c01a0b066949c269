// SPDX-License-Identifier: GPL-3.0-or-later
// The state behind Session, shared by its source files.
#pragma once

#include "ui/session/plane_cache.h"
#include "ui/session/session.h"

#include <map>
#include <set>

namespace maskscope::ui {

struct Session::Private {
    // What a range was computed for, so that it is computed once.
    struct Range {
        PlaneKey key;
        render::RangeKind kind = render::RangeKind::minmax;
        bool whole = false;
        bool ready = false;
        double lo = 0;
        double hi = 1;
    };

    std::map<EntryId, ViewState> views;
    std::set<EntryId> touched;  // views that the user has changed
    std::map<EntryId, Range> ranges;
    std::set<EntryId> loading;
    std::map<const render::HeatmapData*, QString> preparing;  // and the job slot that does it
    PlaneCache planes{std::size_t{1} << 30U};
    std::map<EntryId, OverlayState> overlays;
    std::set<EntryId> cells;     // masks of attention that are edited as pictures
    std::set<EntryId> arranged;  // overlays whose layers the user has changed
    struct Image {
        const std::byte* cells = nullptr;  // of the tensor it was made of
        std::shared_ptr<render::ImageData> data;
    };
    std::map<EntryId, Image> images;
    std::set<QString> opening;  // the job slots of files on their way
    bool filesAsked = false;

    void forget(EntryId id) {
        views.erase(id);
        touched.erase(id);
        ranges.erase(id);
        loading.erase(id);
        planes.drop(id);
        overlays.erase(id);
        cells.erase(id);
        arranged.erase(id);
        images.erase(id);
    }
};

}  // namespace maskscope::ui
