// SPDX-License-Identifier: GPL-3.0-or-later
// Strokes, whole steps and undo. Files and the journal stand in edit_session_store.cpp.
#include "ui/session/edit_session.h"

#include "ui/session/edit_session_private.h"
#include "ui/session/session.h"

#include <algorithm>
#include <chrono>

namespace maskscope::ui {
namespace {

using namespace std::chrono_literals;

// How long the journal may lag behind the hand.
constexpr auto kReportEvery = 100ms;
// Other views of a mask are drawn anew when no step has come for so long.
constexpr auto kRest = 300ms;
constexpr auto kTroubleEvery = 1000ms;
// Masks of more cells are made into tiles in the background; fewer take some milliseconds.
constexpr std::int64_t kCellsAtOnce = std::int64_t{1} << 24U;

QRect rectOf(const mask::Rect& cells) {
    return {static_cast<int>(cells.col), static_cast<int>(cells.row), static_cast<int>(cells.cols),
            static_cast<int>(cells.rows)};
}

QString tilesSlot(EntryId mask) {
    return QStringLiteral("tiles:%1").arg(static_cast<uint>(mask));
}

QString sentenceOf(const Error& error) {
    QString out = QString::fromStdString(error.message.text());
    const auto hint = QString::fromStdString(error.hint.text());
    if (!out.endsWith('.')) out += '.';
    return hint.isEmpty() ? out : out + ' ' + hint;
}

}  // namespace

EditSession::EditSession(Session& session) : session_(session), d_(std::make_unique<Private>()) {
    d_->report.setInterval(kReportEvery);
    connect(&d_->report, &QTimer::timeout, this, [this] { edits_.report(); });
    d_->told.setInterval(kRest);
    d_->told.setSingleShot(true);
    connect(&d_->told, &QTimer::timeout, this, [this] {
        for (const EntryId mask : std::exchange(d_->edited, {})) session_.maskEdited(mask);
    });
    d_->trouble_watch.setInterval(kTroubleEvery);
    connect(&d_->trouble_watch, &QTimer::timeout, this, &EditSession::watchTrouble);
    connect(&session_, &Session::documentChanged, this, [this] {
        tellFiles();
        restoreWhenLoaded();
    });
    connect(&session_, &Session::dataChanged, this, [this] { restoreWhenLoaded(); });
    connect(&session_, &Session::overlayChanged, this, &EditSession::tellLayers);
    connect(&session_, &Session::filesSettled, this, [this] { restoreWhenLoaded(); });
}

EditSession::~EditSession() {
    edits_.set_listener(nullptr);
}

void EditSession::changeTools(const std::function<void(ToolState&)>& change) {
    ToolState after = tools_;
    change(after);
    after.brush.size = std::clamp(after.brush.size, 1, mask::kMaxBrushSize);
    if (after == tools_) return;
    tools_ = after;
    emit toolsChanged();
}

// --- what stands now

const document::Entry* EditSession::ready(EntryId mask, QString* why) const {
    const auto* entry = session_.document().find(mask);
    const auto name = entry != nullptr ? QString::fromStdString(entry->name) : QString();
    QString problem;
    if (mask == EntryId::none) {
        problem = tr("There is no mask to paint on. Choose a layer, or make a new mask.");
    } else if (entry == nullptr) {
        problem = tr("The mask is not open any more.");
    } else if (!entry->error.empty()) {
        problem = QString::fromStdString(entry->error);
    } else if (entry->item.labels) {
        problem = tr("%1 holds words, not cells.").arg(name);
    } else if (!entry->item.tensor.defined()) {
        session_.tensor(mask);  // starts the loading
        if (!entry->item.tensor.defined()) problem = tr("%1 is still being read.").arg(name);
    }
    if (why != nullptr) *why = problem;
    return problem.isEmpty() ? entry : nullptr;
}

const mask::Plane* EditSession::plane(EntryId mask, std::int64_t index) {
    const auto* entry = ready(mask, nullptr);
    if (entry == nullptr) return nullptr;
    if (edits_.find(mask) == nullptr && entry->item.tensor.numel() > kCellsAtOnce) {
        prepare(*entry, index);
        return nullptr;
    }
    auto opened = edits_.open(*entry);
    if (!opened || index < 0 || index >= (*opened)->plane_count()) return nullptr;
    auto plane = (*opened)->plane(index);
    return plane ? *plane : nullptr;
}

bool EditSession::reading(EntryId mask) const {
    return session_.jobs().isRunning(tilesSlot(mask));
}

void EditSession::prepare(const document::Entry& entry, std::int64_t index) {
    if (reading(entry.id)) return;
    session_.jobs().run<mask::EditableMask>(
        tilesSlot(entry.id), tr("Reading %1").arg(QString::fromStdString(entry.name)),
        [cells = entry.item.tensor, index](const JobContext&) -> Result<mask::EditableMask> {
            MS_TRY(made, mask::EditableMask::of(cells));
            MS_CHECK(made.plane(index));
            return std::move(made);
        },
        [this, id = entry.id](Result<mask::EditableMask> made) {
            if (session_.document().find(id) == nullptr) return;
            if (!made) return refuse(sentenceOf(made.error()));
            edits_.adopt(id, *std::move(made));
            emit session_.dataChanged(id);
        });
}

QString EditSession::problem(EntryId mask) const {
    QString why;
    const auto* entry = ready(mask, &why);
    if (entry == nullptr || edits_.find(mask) != nullptr) return why;
    if (reading(mask)) return tr("%1 is still being read.").arg(QString::fromStdString(entry->name));
    const auto editable = mask::EditableMask::of(entry->item.tensor);
    return editable ? QString() : sentenceOf(editable.error());
}

std::optional<Tensor> EditSession::tensor(EntryId mask) {
    const auto* entry = session_.document().find(mask);
    if (entry == nullptr) return std::nullopt;
    if (edits_.find(mask) == nullptr) {
        entry = ready(mask, nullptr);
        return entry != nullptr ? std::optional(entry->item.tensor) : std::nullopt;
    }
    auto opened = edits_.open(*entry);
    if (!opened) return std::nullopt;
    auto cells = (*opened)->tensor();
    if (!cells) {
        emit failed(sentenceOf(cells.error()));
        return std::nullopt;
    }
    return *cells;
}

bool EditSession::ahead(EntryId mask) const {
    // A stroke in hand is not a step yet: whoever asks meanwhile gets what stood before the last one.
    return d_->ahead.contains(mask) && !(d_->stroke && d_->stroke->target.mask == mask);
}

void EditSession::caughtUp(EntryId mask) {
    d_->ahead.erase(mask);
}

const LayerState* EditSession::layer(const EditTarget& target) const {
    const auto* overlay = session_.overlay(target.image != EntryId::none ? target.image : target.mask);
    if (overlay == nullptr) return nullptr;
    const auto found = std::find_if(overlay->layers.begin(), overlay->layers.end(), [&](const LayerState& layer) {
        return layer.mask == target.mask && layer.plane == target.plane;
    });
    return found == overlay->layers.end() ? nullptr : &*found;
}

std::optional<mask::PaintRule> EditSession::ruleFor(const EditTarget& target, double label, bool erase,
                                                    QString* why) const {
    const auto* entry = ready(target.mask, why);
    if (entry == nullptr) return std::nullopt;
    const auto name = QString::fromStdString(entry->name);
    const auto* held = layer(target);
    if (held != nullptr && held->locked) {
        *why = tr("%1 is locked. Unlock the layer to paint on it.").arg(name);
        return std::nullopt;
    }
    const DType dtype = entry->item.dtype;
    const auto locked = [&](std::int64_t id) { return held != nullptr && held->locked_labels.contains(id); };
    if (!erase && locked(static_cast<std::int64_t>(label)) && !is_floating(dtype)) {
        *why = tr("Label %1 is locked. Unlock it in the list of labels to paint it.").arg(label);
        return std::nullopt;
    }
    auto cell = mask::cell_of(erase ? 0 : label, dtype);
    if (!cell) {
        *why = sentenceOf(cell.error());
        return std::nullopt;
    }
    mask::PaintRule rule{*cell, tools_.empty_only && !erase, {}};
    if (held != nullptr) {
        for (const std::int64_t id : held->locked_labels) {
            if (auto stays = mask::cell_of(static_cast<double>(id), dtype)) rule.locked.push_back(*stays);
        }
    }
    return rule;
}

// --- strokes

bool EditSession::open(const EditTarget& target, const QString& tool, const QString& name) {
    const auto* entry = ready(target.mask, nullptr);
    if (entry == nullptr || plane(target.mask, target.plane) == nullptr) {
        refuse(problem(target.mask));
        return false;
    }
    auto opened = edits_.open(*entry);
    // The journal must hold what this edit starts from.
    if (opened && store_ && d_->journalled.insert(target.mask).second) store_->mask_opened(target.mask, **opened);
    auto edit = edits_.begin(*entry, target.plane, tool.toStdString(), name.toStdString());
    if (edit) return true;
    emit failed(sentenceOf(edit.error()));
    return false;
}

bool EditSession::begin(const EditTarget& target, const QString& name, bool erase) {
    if (d_->stroke) commit();
    QString why;
    auto rule = ruleFor(target, tools_.label, erase, &why);
    if (!rule) {
        refuse(why);
        return false;
    }
    if (!open(target, ui::nameOf(erase ? Tool::eraser : tools_.tool), name)) return false;
    d_->stroke = Private::Stroke{target, *std::move(rule)};
    d_->report.start();
    return true;
}

bool EditSession::underWay() const {
    return d_->stroke.has_value();
}

void EditSession::paint(const mask::Region& region) {
    auto* edit = edits_.current();
    if (!d_->stroke || edit == nullptr) return;
    edit->paint(region, d_->stroke->rule);
    changed(d_->stroke->target.mask, d_->stroke->target.plane, edit->take_dirty());
}

void EditSession::preview(const mask::Region& region) {
    auto* edit = edits_.current();
    if (!d_->stroke || edit == nullptr) return;
    edit->restart();
    edit->paint(region, d_->stroke->rule);
    changed(d_->stroke->target.mask, d_->stroke->target.plane, edit->take_dirty());
}

void EditSession::commit() {
    if (!d_->stroke) return;
    finish();
}

void EditSession::finish() {
    d_->report.stop();
    d_->stroke.reset();
    const auto* step = edits_.commit();
    if (step == nullptr) return;
    d_->ahead.insert(step->entry);
    d_->edited.insert(step->entry);
    stepped();
}

void EditSession::cancel() {
    if (!d_->stroke) return;
    d_->report.stop();
    d_->stroke.reset();
    announce({edits_.cancel()});
}

void EditSession::refuse(const QString& sentence) {
    emit failed(sentence);
}

void EditSession::forget(EntryId mask) {
    if (d_->stroke && d_->stroke->target.mask == mask) cancel();
    const bool known = edits_.find(mask) != nullptr;
    if (store_ && d_->journalled.contains(mask)) store_->mask_closed(mask);
    edits_.forget(mask);
    for (auto* set : {&d_->edited, &d_->ahead, &d_->journalled}) set->erase(mask);
    if (!known) return;
    emit historyChanged();
    emit savedChanged();
}

// --- whole steps

void EditSession::paintAs(const EditTarget& target, const QString& tool, const QString& name, bool erase,
                          const mask::Region& region) {
    apply(target, tool, name, [&](mask::MaskEdit& edit) -> Result<void> {
        QString why;
        const auto rule = ruleFor(target, tools_.label, erase, &why);
        if (!rule) return input_error("{}", why.toStdString());
        edit.paint(region, *rule);
        return {};
    });
}

void EditSession::paintRegion(const EditTarget& target, const QString& tool, const QString& name, bool erase,
                              MakeRegion make) {
    QString why;
    const auto* now = ruleFor(target, tools_.label, erase, &why) ? plane(target.mask, target.plane) : nullptr;
    if (now == nullptr) return refuse(why.isEmpty() ? problem(target.mask) : why);
    const auto revision = d_->revisions[{target.mask, target.plane}];
    session_.jobs().run<mask::Region>(
        QStringLiteral("edit"), name,
        [snapshot = *now, make = std::move(make)](const JobContext& context) { return make(snapshot, context); },
        [=, this](Result<mask::Region> region) {
            if (!region) {
                if (region.error().kind != ErrorKind::cancelled) refuse(sentenceOf(region.error()));
            } else if (region->empty()) {
                refuse(tr("%1 found nothing to paint here.").arg(name));
            } else if (d_->revisions[{target.mask, target.plane}] != revision || d_->stroke) {
                refuse(tr("%1 was dropped: the mask has changed meanwhile. Do it again.").arg(name));
            } else {
                paintAs(target, tool, name, erase, *region);
            }
        });
}

void EditSession::changeLabel(const EditTarget& target, double label, const QString& name, ChangeRegion change) {
    QString why;
    const auto rule = ruleFor(target, label, false, &why);
    const auto* now = rule ? plane(target.mask, target.plane) : nullptr;
    if (now == nullptr) return refuse(why.isEmpty() ? problem(target.mask) : why);
    struct Both {
        mask::Region before;
        mask::Region after;
    };
    const auto revision = d_->revisions[{target.mask, target.plane}];
    session_.jobs().run<Both>(
        QStringLiteral("edit"), name,
        [snapshot = *now, cell = rule->value, change = std::move(change)](const JobContext& context) -> Result<Both> {
            auto before = snapshot.where(cell);
            MS_TRY(after, change(before, snapshot.bounds(), context));
            return Both{std::move(before), std::move(after)};
        },
        [=, this, rule = *rule](Result<Both> both) {
            if (!both) {
                if (both.error().kind != ErrorKind::cancelled) refuse(sentenceOf(both.error()));
                return;
            }
            if (d_->revisions[{target.mask, target.plane}] != revision || d_->stroke) {
                return refuse(tr("%1 was dropped: the mask has changed meanwhile. Do it again.").arg(name));
            }
            apply(target, QStringLiteral("morph"), name, [&](mask::MaskEdit& edit) -> Result<void> {
                auto gone = rule;
                gone.value = mask::Cell{};
                gone.empty_only = false;
                edit.paint(mask::subtract(both->before, both->after), gone);
                edit.paint(mask::subtract(both->after, both->before), rule);
                return {};
            });
        });
}

void EditSession::apply(const EditTarget& target, const QString& tool, const QString& name,
                        const std::function<Result<void>(mask::MaskEdit&)>& change) {
    if (d_->stroke) commit();
    QString why;
    if (ready(target.mask, &why) == nullptr) return refuse(why);
    if (const auto* held = layer(target); held != nullptr && held->locked) {
        return refuse(tr("The layer is locked. Unlock it to change it."));
    }
    if (!open(target, tool, name)) return;
    auto* edit = edits_.current();
    const auto done = change(*edit);
    if (!done) {
        announce({edits_.cancel()});
        return refuse(sentenceOf(done.error()));
    }
    changed(target.mask, target.plane, edit->take_dirty());
    finish();
}

// --- history

bool EditSession::canUndo() const {
    return history().position() > 0;
}
bool EditSession::canRedo() const {
    return history().position() < history().steps().size();
}

void EditSession::undo() {
    if (d_->stroke) return cancel();
    announce(edits_.undo());
    stepped();
}

void EditSession::redo() {
    if (d_->stroke) commit();
    announce(edits_.redo());
    stepped();
}

void EditSession::jump(std::size_t position) {
    if (d_->stroke) commit();
    announce(edits_.jump(position));
    stepped();
}

void EditSession::announce(const std::vector<document::Touched>& touched) {
    for (const auto& place : touched) {
        if (place.entry == EntryId::none) continue;
        d_->ahead.insert(place.entry);
        d_->edited.insert(place.entry);
        changed(place.entry, place.plane, place.rect);
    }
}

void EditSession::changed(EntryId mask, std::int64_t plane, const mask::Rect& cells) {
    if (cells.empty()) return;
    ++d_->revisions[{mask, plane}];
    emit maskChanged(mask, plane, rectOf(cells));
}

void EditSession::stepped() {
    d_->told.start();
    emit historyChanged();
    emit savedChanged();
}

bool EditSession::changed(EntryId mask) const {
    return edits_.changed(mask);
}

bool EditSession::anyChanged() const {
    const auto& entries = session_.document().entries();
    return std::any_of(entries.begin(), entries.end(), [this](const auto& entry) { return changed(entry.id); });
}

}  // namespace maskscope::ui
