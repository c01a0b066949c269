// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/overlay/layer_list.h"

#include "ui/kit/tool_button.h"
#include "ui/session/cell_readout.h"
#include "ui/session/layer_labels.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QMouseEvent>
#include <QPainter>
#include <QVBoxLayout>

#include <algorithm>

namespace maskscope::ui {

using render::Token;

namespace {

// A row that is pressed as a whole; the active one is filled and has the accent line at its left.
class LayerRow : public QWidget {
public:
    LayerRow(Style& style, bool active, std::function<void()> pressed, QWidget* parent)
        : QWidget(parent), style_(style), active_(active), pressed_(std::move(pressed)) {
        setAttribute(Qt::WA_Hover);
    }

protected:
    void paintEvent(QPaintEvent*) override {
        QPainter painter(this);
        if (active_) {
            painter.fillRect(rect(), style_.colour(Token::bg_selected));
            painter.fillRect(0, 0, style_.px(2), height(), style_.colour(Token::accent));
        } else if (underMouse()) {
            painter.fillRect(rect(), style_.colour(Token::bg_hover));
        }
    }
    void mousePressEvent(QMouseEvent* event) override {
        if (event->button() == Qt::LeftButton) pressed_();
    }

private:
    Style& style_;
    bool active_;
    std::function<void()> pressed_;
};

}  // namespace

LayerList::LayerList(Session& session, Style& style, QWidget* parent)
    : QWidget(parent),
      session_(session),
      style_(style),
      add_(new IconButton(style, QStringLiteral("plus"), tr("Add a layer"), this)),
      up_(new IconButton(style, QStringLiteral("up"), tr("Move the layer up"), this)),
      down_(new IconButton(style, QStringLiteral("down"), tr("Move the layer down"), this)),
      remove_(new IconButton(style, QStringLiteral("close"), tr("Take the layer off the image"), this)),
      column_(new QVBoxLayout(this)) {
    column_->setContentsMargins(0, 0, 0, 0);
    column_->setSpacing(0);
    auto* header = new PanelHeader(style, tr("Layers"), this);
    for (auto* button : {add_, up_, down_, remove_}) header->addWidget(button);
    column_->addWidget(header);
    auto* menu = new QMenu(add_);
    add_->setMenu(menu);
    add_->setPopupMode(QToolButton::InstantPopup);
    connect(menu, &QMenu::aboutToShow, this, &LayerList::fillAddMenu);
    connect(up_, &QToolButton::clicked, this, [this] { move(1); });
    connect(down_, &QToolButton::clicked, this, [this] { move(-1); });
    connect(remove_, &QToolButton::clicked, this, &LayerList::removeActive);
    connect(&session, &Session::overlayChanged, this, [this](EntryId id) {
        if (id == id_) rebuild();
    });
    connect(&session, &Session::documentChanged, this, [this] {
        shown_active_ = -2;
        rebuild();
    });
    style.follow(this, [this] {
        shown_active_ = -2;
        rebuild();
    });
}

void LayerList::setEntry(EntryId id) {
    id_ = id;
    shown_active_ = -2;
    rebuild();
}

void LayerList::fillAddMenu() {
    auto* menu = add_->menu();
    menu->clear();
    const auto add = [this](EntryId mask) {
        session_.changeOverlay(id_, [mask](OverlayState& state) {
            LayerState layer;
            layer.mask = mask;
            state.layers.push_back(layer);
            state.active = static_cast<int>(state.layers.size()) - 1;
        });
    };
    for (const EntryId mask : session_.masksFor(id_)) {
        const auto* entry = session_.document().find(mask);
        if (entry != nullptr) menu->addAction(textOf(entry->name), this, [add, mask] { add(mask); });
    }
    // A tensor of the image's size may be a mask that its name does not tell: laying it over says so.
    const auto size = session_.imageSize(id_);
    for (const auto& entry : session_.document().entries()) {
        if (entry.role.value != document::Role::tensor || entry.item.shape.rank() != 2) continue;
        if (!(session_.imageSize(entry.id) == size)) continue;
        menu->addAction(tr("%1, as a mask").arg(textOf(entry.name)), this, [this, add, mask = entry.id] {
            session_.setRole(mask, document::Role::mask);
            const auto* state = session_.overlay(id_);
            const bool over = state != nullptr && std::any_of(state->layers.begin(), state->layers.end(),
                                                              [mask](const auto& layer) { return layer.mask == mask; });
            if (!over) add(mask);
        });
    }
    if (!menu->isEmpty()) menu->addSeparator();
    menu->addAction(tr("New mask for this image…"), this, &LayerList::newMaskRequested);
}

void LayerList::move(int by) {
    session_.changeOverlay(id_, [by](OverlayState& state) {
        const int from = state.active;
        const int to = from + by;
        const int count = static_cast<int>(state.layers.size());
        if (from < 0 || to < 0 || to >= count) return;
        std::swap(state.layers[static_cast<std::size_t>(from)], state.layers[static_cast<std::size_t>(to)]);
        if (state.compare_with == to)
            state.compare_with = from;
        else if (state.compare_with == from)
            state.compare_with = to;
        state.active = to;
    });
}

void LayerList::removeActive() {
    session_.changeOverlay(id_, [](OverlayState& state) {
        if (state.active < 0 || state.active >= static_cast<int>(state.layers.size())) return;
        const int gone = state.active;
        state.layers.erase(state.layers.begin() + gone);
        if (state.compare_with == gone)
            state.compare_with = -1;
        else if (state.compare_with > gone)
            --state.compare_with;
        state.active = std::min(gone, static_cast<int>(state.layers.size()) - 1);
    });
}

QWidget* LayerList::row(int index) {
    const auto& layer = shown_[static_cast<std::size_t>(index)];
    const auto change = [this, index](const std::function<void(OverlayState&, LayerState&)>& what) {
        session_.changeOverlay(id_, [&](OverlayState& state) {
            if (index < static_cast<int>(state.layers.size()))
                what(state, state.layers[static_cast<std::size_t>(index)]);
        });
    };
    auto* box = new LayerRow(
        style_, index == shown_active_,
        [change, index] { change([index](auto& state, auto&) { state.active = index; }); }, rows_);
    auto* eye = new IconButton(style_, layer.visible ? QStringLiteral("eye") : QStringLiteral("eyeoff"),
                               layer.visible ? tr("Hide the layer") : tr("Show the layer"), box);
    connect(eye, &QToolButton::clicked, this,
            [change] { change([](auto&, auto& one) { one.visible = !one.visible; }); });
    auto* lock = new IconButton(style_, layer.locked ? QStringLiteral("lock") : QStringLiteral("unlock"),
                                layer.locked ? tr("Unlock the layer") : tr("Lock the layer"), box);
    connect(lock, &QToolButton::clicked, this,
            [change] { change([](auto&, auto& one) { one.locked = !one.locked; }); });
    auto* name = new QLabel(box);
    name->setTextFormat(Qt::PlainText);
    name->setProperty("type", index == shown_active_ ? "strong" : "body");
    const auto text = layerName(session_, layer);
    name->setText(QFontMetrics(style_.ui(12, 600)).elidedText(text, Qt::ElideMiddle, style_.px(116)));
    const auto* entry = session_.document().find(layer.mask);
    name->setToolTip(entry != nullptr ? text + QLatin1Char('\n') + textOf(entry->path) : text);
    name->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    auto* line = new QHBoxLayout(box);
    line->setContentsMargins(style_.px(6), 0, style_.px(8), 0);
    line->setSpacing(style_.px(2));
    line->addWidget(eye);
    line->addWidget(lock);
    line->addSpacing(style_.px(4));
    line->addWidget(name, 1);
    box->setFixedHeight(style_.px(28));
    box->setAccessibleName(text);
    return box;
}

void LayerList::rebuild() {
    const auto* state = session_.overlay(id_);
    const auto layers = state != nullptr ? state->layers : std::vector<LayerState>{};
    const int active = state != nullptr ? state->active : -1;
    const int count = static_cast<int>(layers.size());
    up_->setEnabled(active >= 0 && active + 1 < count);
    down_->setEnabled(active > 0);
    remove_->setEnabled(active >= 0);
    if (rows_ != nullptr && layers == shown_ && active == shown_active_) return;
    shown_ = layers;
    shown_active_ = active;
    if (rows_ != nullptr) {
        // A button of one of its rows may have asked for this.
        rows_->hide();
        rows_->deleteLater();
    }
    rows_ = new QWidget(this);
    auto* column = new QVBoxLayout(rows_);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    for (int i = count - 1; i >= 0; --i) column->addWidget(row(i));
    if (count == 0) {
        auto* none = new QLabel(tr("No masks over this image yet"), rows_);
        none->setProperty("type", "tertiary");
        none->setContentsMargins(style_.px(12), style_.px(8), style_.px(8), style_.px(8));
        none->setWordWrap(true);
        column->addWidget(none);
    }
    column_->addWidget(rows_);
    rows_->show();
}

}  // namespace maskscope::ui
