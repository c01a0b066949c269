// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/cell_patterns.h"

#include "core/mask/cells.h"
#include "ui/session/session.h"

#include <QObject>

#include <functional>

namespace maskscope::ui {
namespace {

// `visible` are the cells that a query may look at.
void make(Session& session, const QString& name, const std::function<mask::Region(const mask::Rect&)>& visible) {
    const EntryId id = session.current();
    const auto* entry = session.document().find(id);
    const auto* state = session.overlay(id);
    if (entry == nullptr || state == nullptr || state->layers.empty()) return;
    const auto& layer = state->layers.front();
    const bool drop = entry->convention && entry->convention->value == document::MaskConvention::drop;
    const DType dtype = entry->item.dtype;
    session.edits().apply({id, layer.plane, id}, QStringLiteral("cells"), name,
                          [&](mask::MaskEdit& edit) -> Result<void> {
                              MS_TRY(one, mask::cell_of(1, dtype));
                              const auto plane = edit.plane().bounds();
                              const auto seen = visible(plane);
                              const auto hidden = mask::subtract(mask::Region::of_rect(plane), seen);
                              edit.paint(drop ? seen : hidden, {mask::Cell{}, false, {}});
                              edit.paint(drop ? hidden : seen, {one, false, {}});
                              return {};
                          });
}

}  // namespace

void makeCausal(Session& session) {
    make(session, QObject::tr("Make causal"),
         [](const mask::Rect& plane) { return mask::causal(plane, plane.cols - plane.rows); });
}

void makeWindow(Session& session, int size) {
    make(session, QObject::tr("Make a window of %1").arg(size),
         [size](const mask::Rect& plane) { return mask::window(plane, size, plane.cols - plane.rows); });
}

}  // namespace maskscope::ui
