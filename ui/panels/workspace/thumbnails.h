// SPDX-License-Identifier: GPL-3.0-or-later
// Small pictures of the first plane of tensors, and whether they hold a NaN: made in the background for the rows that
// are on the screen, kept until their entry goes.
#pragma once

#include "core/render/pool/heatmap_data.h"
#include "ui/kit/style.h"
#include "ui/session/session.h"

#include <QObject>
#include <QPixmap>
#include <QPointer>

#include <map>
#include <optional>

namespace maskscope::ui {

struct Thumbnail {
    render::Pooled pooled;  // empty when the entry has no cells
    double lo = 0;          // over the pooled values
    double hi = 1;
    std::optional<bool> has_nan;  // unknown for tensors too large to read for a thumbnail
};
// Reads the plane of the last two dims at index 0, and the whole tensor for NaN while it is of a moderate size.
Result<Thumbnail> makeThumbnail(const Tensor& tensor, const JobContext& context);

class Thumbnails : public QObject {
    Q_OBJECT
public:
    Thumbnails(Session& session, Style& style, QObject* parent = nullptr);

    // These rows are on the screen: makes what is missing, in this order, and drops what was waiting before.
    void want(const QList<EntryId>& visible);
    // `side` logical px at 100 %; null while there is none.
    QPixmap pixmap(EntryId id, double side, double device_ratio);
    std::optional<bool> hasNan(EntryId id) const;

signals:
    void ready(maskscope::ui::EntryId id);

private:
    void startNext();
    void start(const document::Entry& entry);
    void keep(EntryId id, Result<Thumbnail> made);

    Session& session_;
    Style& style_;
    std::map<EntryId, Thumbnail> made_;
    std::map<EntryId, QPixmap> pixmaps_;  // of the present theme and size
    double pixmap_ratio_ = 0;
    QList<EntryId> waiting_;
    QList<EntryId> running_;
};

}  // namespace maskscope::ui
