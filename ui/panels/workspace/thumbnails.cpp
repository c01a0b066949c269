// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/workspace/thumbnails.h"

#include "core/render/pool/colour.h"
#include "core/tensor/find_nan.h"

#include <QImage>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace maskscope::ui {
namespace {

constexpr int kSide = 64;                          // pooled cells: 32 px at twice the density
constexpr std::int64_t kExactCells = 4 << 20;      // larger planes are sampled
constexpr std::size_t kScanBytes = 256U << 20U;    // larger tensors are not read for a NaN
constexpr std::size_t kInflateBytes = 64U << 20U;  // larger packed members are not unpacked for a thumbnail
constexpr qsizetype kAtOnce = 2;

QString slotOf(EntryId id) {
    return QStringLiteral("thumbnail:%1").arg(static_cast<qulonglong>(id));
}

Tensor first_plane(Tensor tensor) {
    while (tensor.rank() > 2) tensor = tensor.select(0, 0);
    while (tensor.rank() < 2) tensor = tensor.unsqueeze(0);
    return tensor;
}

// Narrow planes are pooled finer along their long side, so that the short side keeps some cells.
render::Viewport viewport_of(const render::Plane& plane) {
    const auto shorter = static_cast<double>(std::min(plane.rows(), plane.cols()));
    const auto longer = static_cast<double>(std::max(plane.rows(), plane.cols()));
    const double pitch = std::min(1.0, std::max(kSide / longer, std::min(8.0 / shorter, 4.0 * kSide / longer)));
    render::Viewport viewport;
    viewport.pitch = pitch;
    viewport.width = std::max(1, static_cast<int>(std::ceil(static_cast<double>(plane.cols()) * pitch)));
    viewport.height = std::max(1, static_cast<int>(std::ceil(static_cast<double>(plane.rows()) * pitch)));
    return viewport;
}

}  // namespace

Result<Thumbnail> makeThumbnail(const Tensor& tensor, const JobContext& context) {
    Thumbnail out;
    if (tensor.numel() == 0) {
        out.has_nan = false;
        return out;
    }
    render::Plane plane{first_plane(tensor), std::nullopt};
    render::HeatmapData data(plane, std::nullopt);
    if (plane.tensor.numel() <= kExactCells) {
        MS_CHECK(data.prepare(context));
    }
    out.pooled = data.pool(viewport_of(plane), render::PoolRule::magnitude);
    out.hi = out.lo;
    bool any = false;
    bool nan_seen = false;
    for (std::size_t i = 0; i < out.pooled.value.size(); ++i) {
        nan_seen = nan_seen || out.pooled.state[i] == render::CellState::nan;
        if (out.pooled.state[i] != render::CellState::value) continue;
        const double value = out.pooled.value[i];
        out.lo = any ? std::min(out.lo, value) : value;
        out.hi = any ? std::max(out.hi, value) : value;
        any = true;
    }
    if (nan_seen) {
        out.has_nan = true;
    } else if (tensor.byte_size() <= kScanBytes) {
        out.has_nan = find_first_nan(tensor, context).has_value();
    }
    if (context.cancelled()) return cancelled_error();
    return out;
}

Thumbnails::Thumbnails(Session& session, Style& style, QObject* parent)
    : QObject(parent), session_(session), style_(style) {
    style.follow(this, [this] { pixmaps_.clear(); });
    connect(&session, &Session::documentChanged, this, [this] {
        std::erase_if(made_, [this](const auto& item) { return session_.document().find(item.first) == nullptr; });
        pixmaps_.clear();  // a role changes the colours
    });
    // A cancelled job tells nobody: its place must come free.
    connect(&session.jobs(), &JobRunner::changed, this,
            [this] { running_.removeIf([this](EntryId id) { return !session_.jobs().isRunning(slotOf(id)); }); });
}

void Thumbnails::want(const QList<EntryId>& visible) {
    waiting_.clear();
    for (const auto id : visible) {
        if (!made_.contains(id) && !running_.contains(id)) waiting_ << id;
    }
    startNext();
}

std::optional<bool> Thumbnails::hasNan(EntryId id) const {
    const auto found = made_.find(id);
    return found == made_.end() ? std::nullopt : found->second.has_nan;
}

void Thumbnails::startNext() {
    while (!waiting_.isEmpty() && running_.size() < kAtOnce) {
        const auto* entry = session_.document().find(waiting_.takeFirst());
        if (entry != nullptr && !entry->item.labels && entry->error.empty()) start(*entry);
    }
}

void Thumbnails::start(const document::Entry& entry) {
    if (!entry.item.tensor.defined() && entry.item.bytes > kInflateBytes) return;
    const auto id = entry.id;
    session_.jobs().run<Thumbnail>(
        slotOf(id), tr("Drawing thumbnails"),
        [item = entry.item](const JobContext& context) -> Result<Thumbnail> {
            MS_TRY(tensor, io::tensor_of(item, context));
            return makeThumbnail(tensor, context);
        },
        [self = QPointer(this), id](Result<Thumbnail> made) {
            if (self) self->keep(id, std::move(made));
        });
    running_ << id;
}

void Thumbnails::keep(EntryId id, Result<Thumbnail> made) {
    running_.removeAll(id);
    // What failed is kept as an empty one: it would fail again.
    made_[id] = made ? std::move(*made) : Thumbnail{};
    pixmaps_.erase(id);
    emit ready(id);
    startNext();
}

QPixmap Thumbnails::pixmap(EntryId id, double side, double device_ratio) {
    if (pixmap_ratio_ != device_ratio) pixmaps_.clear();
    pixmap_ratio_ = device_ratio;
    if (const auto cached = pixmaps_.find(id); cached != pixmaps_.end()) return cached->second;
    const auto found = made_.find(id);
    const auto* entry = session_.document().find(id);
    if (found == made_.end() || entry == nullptr || found->second.pooled.value.empty()) return {};
    const auto& thumbnail = found->second;

    const auto& pooled = thumbnail.pooled;
    QImage image(pooled.width, pooled.height, QImage::Format_RGB32);
    const std::span pixels(
        reinterpret_cast<render::Rgb*>(image.bits()),
        static_cast<std::size_t>(image.bytesPerLine()) / 4 * static_cast<std::size_t>(pooled.height));
    const auto stride = static_cast<int>(image.bytesPerLine() / 4);
    const bool is_mask = entry->role.value == document::Role::mask;
    if (is_mask && !(is_floating(entry->item.dtype) && thumbnail.lo < thumbnail.hi)) {
        // True in the colour of masks; of an additive one, what it adds.
        const auto on = style_.theme()[render::Token::role_mask];
        const auto off = style_.theme()[render::Token::bg_view];
        for (int y = 0; y < pooled.height; ++y) {
            for (int x = 0; x < pooled.width; ++x) {
                const auto at = static_cast<std::size_t>(y * pooled.width + x);
                pixels[static_cast<std::size_t>(y * stride + x)] =
                    pooled.state[at] == render::CellState::true_zero ? off : on;
            }
        }
    } else {
        render::Look look;
        look.theme = style_.themeId();
        look.map = thumbnail.lo < 0 && thumbnail.hi > 0 ? render::MapId::shore : render::MapId::tide;
        const bool diverging = render::is_diverging(look.map);
        // Weights of a softmax are mostly small: the square root shows their structure.
        const auto kind = thumbnail.lo >= 0 ? render::ScaleKind::sqrt : render::ScaleKind::linear;
        look.scale = render::make_scale(kind, thumbnail.lo, thumbnail.hi, diverging, 0);
        render::colour(pooled, look, pixels, stride);
    }
    const int device_side = std::max(1, qRound(style_.pxf(side) * device_ratio));
    // Smooth only when it shrinks: cells keep their edges.
    const auto how =
        image.width() > device_side && image.height() > device_side ? Qt::SmoothTransformation : Qt::FastTransformation;
    auto pixmap = QPixmap::fromImage(image.scaled(device_side, device_side, Qt::IgnoreAspectRatio, how));
    pixmap.setDevicePixelRatio(device_ratio);
    return pixmaps_[id] = pixmap;
}

}  // namespace maskscope::ui
