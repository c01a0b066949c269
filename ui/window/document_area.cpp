// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/document_area.h"

#include "ui/canvas/heatmap_canvas.h"
#include "ui/canvas/image_canvas.h"
#include "ui/kit/cards.h"
#include "ui/kit/tab_bar.h"
#include "ui/kit/tool_button.h"
#include "ui/panels/attention/attention_panel.h"
#include "ui/panels/overlay/overlay_panel.h"
#include "ui/session/cell_readout.h"
#include "ui/window/notices.h"
#include "ui/window/samples.h"

#include <QApplication>
#include <QClipboard>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QPushButton>
#include <QSignalBlocker>
#include <QStackedLayout>
#include <QVBoxLayout>

#include <algorithm>

namespace maskscope::ui {

namespace {

QString iconOf(document::Role role) {
    switch (role) {
        case document::Role::mask:
            return QStringLiteral("mask");
        case document::Role::image:
            return QStringLiteral("image");
        case document::Role::tensor:
        case document::Role::labels:
            break;
    }
    return QStringLiteral("tensor");
}

// The name alone, or with its file where another tab has the same.
QString tabName(const Session& session, const document::Entry& entry) {
    const bool shared = std::any_of(session.tabs().begin(), session.tabs().end(), [&](EntryId id) {
        const auto* other = session.document().find(id);
        return other != nullptr && other->id != entry.id && other->name == entry.name;
    });
    const QString name = textOf(entry.name);
    return shared ? name + QStringLiteral(" · ") + QFileInfo(textOf(entry.path)).fileName() : name;
}

// An image is unsaved with the masks that lie over it.
bool isUnsaved(Session& session, EntryId id) {
    if (session.edits().changed(id)) return true;
    const auto* state = session.overlay(id);
    return state != nullptr && std::any_of(state->layers.begin(), state->layers.end(), [&](const LayerState& layer) {
               return session.edits().changed(layer.mask);
           });
}

}  // namespace

DocumentArea::DocumentArea(Session& session, Style& style, QWidget* parent)
    : QWidget(parent),
      session_(session),
      style_(style),
      tabs_(new TabBar(style, TabBar::Kind::documents)),
      tab_row_(new QWidget),
      notices_(new Notices(session, style)),
      failures_(new QWidget),
      failure_layout_(new QVBoxLayout(failures_)),
      pages_(new QStackedLayout),
      empty_(new QWidget) {
    setProperty("surface", "view");
    setAttribute(Qt::WA_StyledBackground);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    buildTabs();
    column->addWidget(tab_row_);
    column->addWidget(notices_);
    column->addWidget(failures_);
    column->addLayout(pages_, 1);

    auto* card = new EmptyCard(style_, QStringLiteral("tensor"), tr("No tensors yet"),
                               tr("Drop .npy, .npz, .safetensors, .pt or image files here"));
    card->addButton(tr("Open files"), [this] { emit openRequested(); });
    if (!sampleFiles().isEmpty()) card->addButton(tr("Load sample"), [this] { emit sampleRequested(); });
    auto* centre = new QVBoxLayout(empty_);
    centre->addWidget(card, 0, Qt::AlignCenter);
    style_.follow(card, [this, card] { card->setFixedSize(style_.px(408), style_.px(120)); });
    pages_->addWidget(empty_);
    style_.follow(failures_, [this] {
        failure_layout_->setContentsMargins(style_.px(16), style_.px(12), style_.px(16), style_.px(4));
        failure_layout_->setSpacing(style_.px(8));
    });

    connect(&session_, &Session::tabsChanged, this, &DocumentArea::rebuildTabs);
    connect(&session_, &Session::documentChanged, this, &DocumentArea::rebuildTabs);
    connect(&session_, &Session::currentChanged, this, &DocumentArea::showCurrent);
    connect(&session_, &Session::failuresChanged, this, &DocumentArea::rebuildFailures);
    connect(&session_.edits(), &EditSession::savedChanged, this, &DocumentArea::rebuildTabs);
    connect(&session_, &Session::overlayChanged, this, &DocumentArea::rebuildTabs);
    connect(notices_, &Notices::failed, this, [this](const QString& sentence) {
        showFailure({tr("Cannot restore the edits"), sentence, {}});
    });
    rebuildTabs();
    rebuildFailures();
    showCurrent();
}

void DocumentArea::buildTabs() {
    auto* row = new QHBoxLayout(tab_row_);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(0);
    row->addWidget(tabs_);
    auto* add = new IconButton(style_, QStringLiteral("plus"), tr("Open files"), tab_row_);
    connect(add, &QToolButton::clicked, this, &DocumentArea::openRequested);
    row->addWidget(add);
    row->addStretch(1);
    tab_row_->setProperty("surface", "tabs");
    tab_row_->setAttribute(Qt::WA_StyledBackground);
    tabs_->setAccessibleName(tr("Open tensors"));
    connect(tabs_, &QTabBar::currentChanged, this, [this](int index) {
        if (!rebuilding_ && index >= 0) session_.show(tabs_->tabData(index).value<EntryId>());
    });
    connect(tabs_, &QTabBar::tabCloseRequested, this,
            [this](int index) { session_.closeTab(tabs_->tabData(index).value<EntryId>()); });
    style_.follow(tab_row_, [this, row] {
        row->setSpacing(style_.px(4));
        tab_row_->setFixedHeight(style_.px(32));
    });
}

void DocumentArea::rebuildTabs() {
    rebuilding_ = true;
    const auto& open = session_.tabs();
    // The user may have put the tabs in another order: those that stay keep their place.
    for (int i = tabs_->count() - 1; i >= 0; --i) {
        if (!open.contains(tabs_->tabData(i).value<EntryId>())) tabs_->removeTab(i);
    }
    for (const EntryId id : open) {
        int at = 0;
        while (at < tabs_->count() && tabs_->tabData(at).value<EntryId>() != id) ++at;
        if (at == tabs_->count()) {
            tabs_->addTab(QString());
            tabs_->setTabData(at, QVariant::fromValue(id));
        }
        const auto* entry = session_.document().find(id);
        if (entry == nullptr) continue;
        const bool unsaved = isUnsaved(session_, id);
        const QString name = tabName(session_, *entry) + (unsaved ? QStringLiteral(" ●") : QString());
        if (tabs_->tabText(at) != name) tabs_->setTabText(at, name);
        tabs_->setTabIcon(at, style_.icon(iconOf(entry->role.value)));
        tabs_->setTabToolTip(at, textOf(entry->path) + (unsaved ? tr("\nNot saved yet") : QString()));
    }
    rebuilding_ = false;
    tab_row_->setVisible(tabs_->count() > 0);
    showCurrent();
}

void DocumentArea::showCurrent() {
    const EntryId id = session_.current();
    for (int i = 0; i < tabs_->count(); ++i) {
        if (tabs_->tabData(i).value<EntryId>() != id) continue;
        const QSignalBlocker quiet(tabs_);
        tabs_->setCurrentIndex(i);
    }
    if (id == EntryId::none) {
        pages_->setCurrentWidget(empty_);
        return;
    }
    if (session_.showsAsImage(id)) {
        if (overlay_ == nullptr) makeOverlay();
        if (overlay_->entry() != id || pages_->currentWidget() != overlay_) overlay_->setEntry(id);
        pages_->setCurrentWidget(overlay_);
        return;
    }
    if (panel_ == nullptr) makeAttention();
    panel_->setEntry(id);
    pages_->setCurrentWidget(panel_);
}

void DocumentArea::makeAttention() {
    panel_ = new AttentionPanel(session_, style_);
    pages_->addWidget(panel_);
    connect(panel_, &AttentionPanel::exportRequested, this, &DocumentArea::exportRequested);
    connect(panel_->canvas(), &HeatmapCanvas::goToRequested, this, &DocumentArea::goToRequested);
    emit canvasCreated();
}

void DocumentArea::makeOverlay() {
    overlay_ = new OverlayPanel(session_, style_);
    pages_->addWidget(overlay_);
    connect(overlay_, &OverlayPanel::exportRequested, this, &DocumentArea::exportRequested);
    connect(overlay_, &OverlayPanel::newMaskRequested, this, &DocumentArea::newMaskRequested);
    emit canvasCreated();
}

HeatmapCanvas* DocumentArea::canvas() const {
    const EntryId id = session_.current();
    return panel_ != nullptr && id != EntryId::none && !session_.showsAsImage(id) ? panel_->canvas() : nullptr;
}

ImageCanvas* DocumentArea::imageCanvas() const {
    return overlay_ != nullptr && session_.showsAsImage(session_.current()) ? overlay_->canvas() : nullptr;
}

std::optional<render::DisplayList> DocumentArea::figure() const {
    if (canvas() == nullptr) return std::nullopt;
    return panel_->figure();
}

QWidget* DocumentArea::failureCard(const Failure& failure, const std::function<void()>& dismiss) {
    auto* card = new ErrorCard(style_, failure.title, failure.cause, failure.hint, failures_);
    card->addButton(tr("Open another"), [this, dismiss] {
        dismiss();
        emit openRequested();
    });
    card->addButton(tr("Copy details"), [failure] {
        QApplication::clipboard()->setText(failure.title + QLatin1Char('\n') + failure.cause + QLatin1Char('\n') +
                                           failure.hint);
    });
    card->addButton(tr("Dismiss"), dismiss);
    return card;
}

void DocumentArea::showFailure(const Failure& failure) {
    own_failures_.append(failure);
    rebuildFailures();
}

void DocumentArea::rebuildFailures() {
    while (auto* item = failure_layout_->takeAt(0)) {
        // A card's own button may have asked for this: it goes when its signal has returned.
        item->widget()->hide();
        item->widget()->deleteLater();
        delete item;
    }
    constexpr qsizetype kShown = 3;  // the rest wait until one of these is dismissed
    for (qsizetype i = 0; i < std::min(kShown, session_.failures().size()); ++i) {
        failure_layout_->addWidget(failureCard(session_.failures()[i], [this, i] { session_.dismissFailure(i); }));
    }
    for (qsizetype i = 0; i < std::min(kShown, own_failures_.size()); ++i) {
        failure_layout_->addWidget(failureCard(own_failures_[i], [this, i] {
            own_failures_.removeAt(i);
            rebuildFailures();
        }));
    }
    failures_->setVisible(failure_layout_->count() > 0);
}

}  // namespace maskscope::ui
