// SPDX-License-Identifier: GPL-3.0-or-later
// Editing as the window does it: strokes of the tool in hand, long fills in the background, undo, saving, and the
// journal that follows. Owned by Session.
#pragma once

#include "core/document/edits.h"
#include "core/document/session_store.h"
#include "core/io/mask_export.h"
#include "ui/session/overlay_state.h"

#include <QMetaType>
#include <QObject>
#include <QRect>
#include <QString>

#include <functional>
#include <memory>
#include <optional>
#include <vector>

// Here, since it is the first header whose signals carry one.
Q_DECLARE_METATYPE(maskscope::document::EntryId)

namespace maskscope::ui {

class Session;

// Which plane of which mask, changed under which image (for the tools that look at it).
struct EditTarget {
    EntryId mask = EntryId::none;
    std::int64_t plane = 0;
    EntryId image = EntryId::none;  // none: the mask is edited by itself
    friend bool operator==(const EditTarget&, const EditTarget&) = default;
};

class EditSession : public QObject {
    Q_OBJECT
public:
    explicit EditSession(Session& session);
    ~EditSession() override;

    const ToolState& tools() const { return tools_; }
    void changeTools(const std::function<void(ToolState&)>& change);

    // --- what stands now. Null while the mask's tensor is not loaded or cannot be edited; problem() says why. Large
    // masks are made ready in the background.
    const mask::Plane* plane(EntryId mask, std::int64_t index);
    QString problem(EntryId mask) const;
    bool reading(EntryId mask) const;  // it comes by itself; Session::dataChanged tells
    // The mask as a tensor, with all edits.
    std::optional<Tensor> tensor(EntryId mask);
    // Whether finished steps have changed cells that the document's tensor does not hold yet.
    bool ahead(EntryId mask) const;
    void caughtUp(EntryId mask);  // now it does
    // The layer's look on locks, for whoever paints: the overlay's layer of this plane.
    const LayerState* layer(const EditTarget& target) const;

    // --- a stroke: begin, then paint or preview as often as the hand moves, then commit or cancel. What is painted is
    // the tool's label; `erase` paints 0. Locked labels and layers, and "empty only", hold.
    bool begin(const EditTarget& target, const QString& name, bool erase = false);
    bool underWay() const;
    void paint(const mask::Region& region);
    void preview(const mask::Region& region);  // in place of what this stroke has painted so far
    void commit();
    void cancel();
    // Says why a hand may not paint: one sentence.
    void refuse(const QString& sentence);
    // Its file is closed.
    void forget(EntryId mask);

    // --- whole steps. Work of more than a moment runs in the background on a snapshot, and is dropped when the plane
    // has changed meanwhile.
    using MakeRegion = std::function<Result<mask::Region>(const mask::Plane&, const JobContext&)>;
    void paintRegion(const EditTarget& target, const QString& tool, const QString& name, bool erase, MakeRegion make);
    // Replaces the cells of a label by what `make` makes of them (dilate, fill holes, keep the largest island ...).
    using ChangeRegion = std::function<Result<mask::Region>(const mask::Region&, const mask::Rect&, const JobContext&)>;
    void changeLabel(const EditTarget& target, double label, const QString& name, ChangeRegion change);
    // Relabel, merge, invert: an edit as a function of the edit.
    void apply(const EditTarget& target, const QString& tool, const QString& name,
               const std::function<Result<void>(mask::MaskEdit&)>& change);

    // --- history
    const document::History& history() const { return edits_.history(); }
    bool canUndo() const;
    bool canRedo() const;
    void undo();
    void redo();
    void jump(std::size_t position);

    // --- files
    bool changed(EntryId mask) const;
    bool anyChanged() const;
    Result<std::vector<io::Loss>> previewLoss(EntryId mask, io::MaskFormat format);
    Result<void> saveMask(EntryId mask, const QString& path, io::MaskFormat format);
    // An empty mask of the image's size in the document, laid over it. dtype u8, u16, i32, bool or f32.
    EntryId newMask(EntryId image, DType dtype, const QString& name);

    // --- the session on disk
    void startJournal(const QString& state_folder);
    std::vector<document::LeftBehind> leftBehind() const;
    Result<void> recover(const QString& journal);  // opens its files and puts its edits over them
    Result<void> openSession(const QString& msk);
    Result<void> saveSession(const QString& msk);
    QString sessionFile() const;
    bool sessionSaved() const;
    Result<void> flush();
    void discardJournal();           // at a clean end
    QString journalTrouble() const;  // "" or the sentence for the window

signals:
    void toolsChanged();
    // Cells of a plane changed; `cells` is x = col, y = row, of the mask's own plane.
    void maskChanged(maskscope::ui::EntryId mask, qint64 plane, const QRect& cells);
    void historyChanged();
    void savedChanged();                   // a mask or the session became changed or saved
    void failed(const QString& sentence);  // shown in the status strip
    void journalTroubleChanged();

private:
    const document::Entry* ready(EntryId mask, QString* why) const;
    std::optional<mask::PaintRule> ruleFor(const EditTarget& target, double label, bool erase, QString* why) const;
    bool open(const EditTarget& target, const QString& tool, const QString& name);
    void prepare(const document::Entry& entry, std::int64_t index);
    void finish();  // the step in hand
    void announce(const std::vector<document::Touched>& touched);
    void changed(EntryId mask, std::int64_t plane, const mask::Rect& cells);
    void stepped();
    void paintAs(const EditTarget& target, const QString& tool, const QString& name, bool erase,
                 const mask::Region& region);
    std::unique_ptr<document::SessionStore> adopt(std::unique_ptr<document::SessionStore> store);
    Result<void> restoreFrom(const QString& path);
    void restoreWhenLoaded();
    void restoreMask(const document::SavedMask& saved);
    EntryId entryOf(const std::string& path, const std::string& key) const;
    void tellFiles();
    void tellLayers(EntryId image);
    void restoreLayers(const document::SavedSession& saved);
    std::pair<std::string, std::string> nameOf(EntryId id) const;  // file and key
    void watchTrouble();

    Session& session_;
    ToolState tools_;
    document::Edits edits_;
    std::unique_ptr<document::SessionStore> store_;
    struct Private;
    std::unique_ptr<Private> d_;
};

}  // namespace maskscope::ui
