// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/attention/head_strip.h"

#include "core/render/pool/row_profile.h"
#include "core/render/pool/viewport.h"
#include "core/tensor/convert.h"
#include "ui/canvas/figure_spec.h"
#include "ui/session/cell_readout.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>
#include <QTimer>
#include <QToolTip>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace maskscope::ui {

using render::CellState;
using render::Token;

namespace {

constexpr int kHeight = 80;
constexpr int kStep = 70;
constexpr int kBox = 68;
constexpr int kPicture = 48;
constexpr int kMargin = 8;
// Larger planes show their largest value: an entropy there would keep the window waiting.
constexpr std::int64_t kEntropyCells = 1 << 16;

constexpr CellState kSevere[] = {CellState::nan, CellState::posinf, CellState::neginf, CellState::underflow};

}  // namespace

HeadStrip::HeadStrip(Session& session, Style& style, QWidget* parent)
    : QAbstractScrollArea(parent), session_(session), style_(style), filling_(new QTimer(this)) {
    setFrameShape(QFrame::NoFrame);
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Slices"));
    filling_->setSingleShot(true);
    filling_->setInterval(0);
    connect(filling_, &QTimer::timeout, this, &HeadStrip::fill);
    connect(&session_, &Session::viewChanged, this, [this](EntryId id) {
        if (id == id_) refresh();
    });
    connect(&session_, &Session::dataChanged, this, [this](EntryId id) {
        if (id == id_) refresh();
    });
    connect(&session_, &Session::documentChanged, this, [this] { refresh(); });
    style.follow(this, [this] {
        slices_.clear();
        setScrollRange();
        refresh();
    });
}

void HeadStrip::setEntry(EntryId id) {
    if (id != id_) {
        slices_.clear();
        revealed_ = -1;
        horizontalScrollBar()->setValue(0);
    }
    id_ = id;
    refresh();
}

int HeadStrip::step() const {
    return style_.px(kStep);
}

std::int64_t HeadStrip::current() const {
    const auto* state = session_.view(id_);
    return state != nullptr && dim_ >= 0 ? state->index[static_cast<std::size_t>(dim_)] : -1;
}

void HeadStrip::refresh() {
    const auto* state = session_.view(id_);
    const auto* entry = session_.document().find(id_);
    const auto before = count_;
    dim_ = -1;
    count_ = 0;
    if (state != nullptr && entry != nullptr) {
        const auto dims = outerDims(*state, entry->item.shape);
        if (!dims.empty()) {
            dim_ = dims.front();
            count_ = entry->item.shape[dim_];
            setAccessibleName(tr("Slices along %1").arg(dimName(*entry, dim_)));
        }
    }
    if (count_ != before) {
        slices_.clear();
        setScrollRange();
        emit sliceCountChanged();
    }
    if (current() != revealed_) reveal();
    filling_->start();
    viewport()->update();
}

void HeadStrip::setScrollRange() {
    const auto whole = count_ * step() + 2 * style_.px(kMargin);
    auto* bar = horizontalScrollBar();
    const bool scrolls = whole > width();
    setHorizontalScrollBarPolicy(scrolls ? Qt::ScrollBarAlwaysOn : Qt::ScrollBarAlwaysOff);
    setFixedHeight(style_.px(kHeight) + (scrolls ? style_.px(10) : 0));
    bar->setRange(0, static_cast<int>(std::clamp<std::int64_t>(whole - width(), 0, 1 << 30)));
    bar->setPageStep(width());
    bar->setSingleStep(step());
}

void HeadStrip::reveal() {
    revealed_ = current();
    if (revealed_ < 0) return;
    const auto box = boxOf(revealed_);
    auto* bar = horizontalScrollBar();
    if (box.left() < 0) bar->setValue(bar->value() + box.left() - style_.px(kMargin));
    if (box.right() > width()) bar->setValue(bar->value() + box.right() - width() + style_.px(kMargin));
}

QRect HeadStrip::boxOf(std::int64_t index) const {
    // Spread over the width while all fit, as a row of equal columns.
    const int margin = style_.px(kMargin);
    const int room = width() - 2 * margin;
    const int pitch =
        count_ > 0 && count_ * step() <= room ? std::min(static_cast<int>(room / count_), step() * 5 / 4) : step();
    const auto left = margin + index * pitch - horizontalScrollBar()->value() + (pitch - style_.px(kBox)) / 2;
    return {static_cast<int>(left), style_.px(4), style_.px(kBox), style_.px(kHeight - 9)};
}

std::int64_t HeadStrip::sliceAt(QPoint position) const {
    for (const auto& [index, slice] : slices_) {
        if (boxOf(index).contains(position)) return index;
    }
    return -1;
}

QString HeadStrip::nameOf(std::int64_t index) const {
    const auto* entry = session_.document().find(id_);
    const auto name = entry != nullptr && dim_ >= 0 ? dimName(*entry, dim_) : QString();
    const bool named = !name.isEmpty() && !name.contains(QLatin1Char(' '));
    return (named ? name.left(1) : QString()) + QString::number(index);
}

void HeadStrip::fill() {
    if (!isVisible() || dim_ < 0) return;
    // Only what is in view is drawn, and only that is kept.
    std::int64_t first = 0;
    std::int64_t last = count_ - 1;
    if (count_ * step() + 2 * style_.px(kMargin) > width()) {
        first = std::clamp<std::int64_t>((horizontalScrollBar()->value() - style_.px(kMargin)) / step(), 0, count_ - 1);
        last = std::min(count_ - 1, first + width() / step() + 1);
    }
    std::erase_if(slices_, [&](const auto& item) { return item.first < first || item.first > last; });
    const auto* state = session_.view(id_);
    const auto look = figureSpec(session_, id_, style_.themeId()).look;
    const int side = static_cast<int>(std::lround(style_.px(kPicture) * devicePixelRatioF()));
    for (auto index = first; index <= last && state != nullptr; ++index) {
        auto& slice = slices_[index];
        auto plane = index == current() ? session_.heatmap(id_) : session_.heatmapAt(id_, dim_, index);
        const bool prepared = plane && plane->prepared();
        const bool same = slice.plane == plane && slice.prepared == prepared;
        if (same && slice.look == look && slice.side == side) continue;
        slice.plane = std::move(plane);
        slice.prepared = prepared;
        slice.look = look;
        slice.side = side;
        if (!same) measure(slice);
        draw(slice);
    }
    viewport()->update();
}

void HeadStrip::measure(Slice& slice) const {
    slice.states.clear();
    slice.number.reset();
    if (!slice.prepared) return;
    const auto& stats = slice.plane->stats();
    for (const auto state : kSevere) {
        if (stats.counts[static_cast<std::size_t>(state)] > 0 && slice.states.size() < 2) slice.states.push_back(state);
    }
    const auto& plane = slice.plane->plane();
    const bool weights = is_floating(plane.tensor.dtype()) && stats.min >= 0 && stats.max <= 1.0 + 1e-3;
    slice.entropy = weights && plane.rows() * plane.cols() <= kEntropyCells;
    if (slice.entropy) slice.number = render::mean_entropy_bits(plane, slice.plane->mask());
    if (!slice.number) {
        slice.entropy = false;
        if (stats.finite > 0) slice.number = stats.max;
    }
}

void HeadStrip::draw(Slice& slice) const {
    slice.picture = QPixmap();
    if (!slice.plane) return;
    const auto& plane = slice.plane->plane();
    if (plane.rows() == 0 || plane.cols() == 0) return;
    render::Viewport view;
    view.width = slice.side;
    view.height = slice.side;
    view.pitch = render::fitting_pitch(plane.rows(), plane.cols(), slice.side, slice.side);
    const auto pooled = slice.plane->pool(
        view, render::is_diverging(slice.look.map) ? render::PoolRule::magnitude : render::PoolRule::largest);
    QImage image(pooled.width, pooled.height, QImage::Format_RGB32);
    render::colour(pooled, slice.look,
                   {reinterpret_cast<render::Rgb*>(image.bits()),
                    static_cast<std::size_t>(image.bytesPerLine() / 4 * image.height())},
                   static_cast<int>(image.bytesPerLine() / 4));
    if (pooled.is_cells && view.pitch > 1) {
        const int pitch = static_cast<int>(view.pitch);
        image =
            image.scaled(image.width() * pitch, image.height() * pitch, Qt::IgnoreAspectRatio, Qt::FastTransformation);
    } else if (!pooled.is_cells) {
        image = image.copy(
            0, 0,
            std::clamp(static_cast<int>(std::lround(static_cast<double>(plane.cols()) * view.pitch)), 1, image.width()),
            std::clamp(static_cast<int>(std::lround(static_cast<double>(plane.rows()) * view.pitch)), 1,
                       image.height()));
    }
    slice.picture = QPixmap::fromImage(image);
    slice.picture.setDevicePixelRatio(devicePixelRatioF());
}

void HeadStrip::paintSlice(QPainter& painter, std::int64_t index, const QRect& box) {
    const bool chosen = index == current();
    if (chosen) {
        painter.setPen(QPen(style_.colour(Token::accent), hasFocus() ? 2 : 1));
        painter.setBrush(style_.colour(Token::accent_soft));
        painter.drawRoundedRect(QRectF(box).adjusted(0.5, 0.5, -0.5, -0.5), style_.px(4), style_.px(4));
    }
    const auto found = slices_.find(index);
    const int left = box.left() + style_.px(10);
    const int right = left + style_.px(kPicture);
    const QRect line(left, box.top() + style_.px(4), style_.px(kPicture), style_.px(14));
    painter.setFont(style_.ui(10, 600));
    painter.setPen(style_.colour(chosen ? Token::accent : Token::text));
    painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter, nameOf(index));
    if (found == slices_.end()) return;
    const auto& slice = found->second;
    int number_left = right;
    if (slice.number) {
        const auto text = withMinusSign(slice.entropy ? QString::number(*slice.number, 'f', 1)
                                                      : QString::fromStdString(short_text_of(*slice.number, 2)));
        painter.setFont(style_.ui(10));
        painter.setPen(style_.colour(Token::text_2));
        const QRect place = line.adjusted(0, 0, style_.px(4), 0);
        painter.drawText(place, Qt::AlignRight | Qt::AlignVCenter, text);
        number_left = place.right() - QFontMetrics(painter.font()).horizontalAdvance(text);
    }
    int x = number_left - style_.px(4);
    for (auto state = slice.states.rbegin(); state != slice.states.rend(); ++state) {
        const int side = style_.px(6);
        x -= side;
        painter.fillRect(x, line.center().y() - side / 2 + 1, side, side,
                         QColor::fromRgb(render::flat_colour(*state, style_.theme())));
        x -= 1;
    }
    const int top = box.top() + style_.px(20);
    if (!slice.picture.isNull()) {
        painter.drawPixmap(left, top, slice.picture);
    } else {
        painter.fillRect(left, top, style_.px(kPicture), style_.px(kPicture), style_.colour(Token::bg_sunken));
    }
}

void HeadStrip::paintEvent(QPaintEvent*) {
    QPainter painter(viewport());
    painter.setRenderHint(QPainter::Antialiasing);
    painter.fillRect(viewport()->rect(), style_.colour(Token::bg_panel));
    for (const auto& [index, slice] : slices_) {
        const auto box = boxOf(index);
        if (box.intersects(viewport()->rect())) paintSlice(painter, index, box);
    }
    painter.fillRect(0, viewport()->height() - 1, viewport()->width(), 1, style_.colour(Token::line));
}

void HeadStrip::choose(std::int64_t index) {
    if (index < 0 || index >= count_) return;
    session_.changeView(id_, [&](ViewState& state) { state.index[static_cast<std::size_t>(dim_)] = index; });
}

void HeadStrip::mousePressEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton) choose(sliceAt(event->pos()));
}

void HeadStrip::mouseDoubleClickEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton || sliceAt(event->pos()) < 0) return;
    choose(sliceAt(event->pos()));
    emit isolateRequested();
}

void HeadStrip::wheelEvent(QWheelEvent* event) {
    auto* bar = horizontalScrollBar();
    const auto delta = event->angleDelta();
    bar->setValue(bar->value() - (delta.y() != 0 ? delta.y() : delta.x()) * step() / 120);
    event->accept();
}

void HeadStrip::keyPressEvent(QKeyEvent* event) {
    switch (event->key()) {
        case Qt::Key_Left:
            return choose(current() - 1);
        case Qt::Key_Right:
            return choose(current() + 1);
        case Qt::Key_Home:
            return choose(0);
        case Qt::Key_End:
            return choose(count_ - 1);
        case Qt::Key_Return:
        case Qt::Key_Enter:
            emit isolateRequested();
            return;
        default:
            QAbstractScrollArea::keyPressEvent(event);
    }
}

bool HeadStrip::viewportEvent(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        auto* help = static_cast<QHelpEvent*>(event);
        const auto index = sliceAt(help->pos());
        const auto found = slices_.find(index);
        const auto* entry = session_.document().find(id_);
        if (found == slices_.end() || entry == nullptr) {
            QToolTip::hideText();
            return true;
        }
        auto text = dimName(*entry, dim_) + QStringLiteral(" %1").arg(index);
        const auto& slice = found->second;
        if (slice.number) {
            text += slice.entropy ? tr("\nmean entropy of its rows: %1 bit").arg(*slice.number, 0, 'f', 2)
                                  : tr("\nlargest value: %1").arg(QString::fromStdString(short_text_of(*slice.number)));
        }
        for (const auto state : slice.states) {
            const auto count = slice.plane->stats().counts[static_cast<std::size_t>(state)];
            text += QStringLiteral("\n%1 %2").arg(count).arg(textOf(render::name_of(state)));
        }
        QToolTip::showText(help->globalPos(), text, viewport(), boxOf(index));
        return true;
    }
    return QAbstractScrollArea::viewportEvent(event);
}

void HeadStrip::scrollContentsBy(int, int) {
    filling_->start();
    viewport()->update();
}

void HeadStrip::resizeEvent(QResizeEvent*) {
    setScrollRange();
    filling_->start();
}

void HeadStrip::showEvent(QShowEvent* event) {
    QAbstractScrollArea::showEvent(event);
    filling_->start();
}

}  // namespace maskscope::ui
