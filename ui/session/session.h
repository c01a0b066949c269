// SPDX-License-Identifier: GPL-3.0-or-later
// Owns what the window shows: the document, which entries are open in tabs and how they are looked at, and the jobs.
// Panels read const state, subscribe to the signals and call the intents; they know neither each other nor the window.
#pragma once

#include "core/document/document.h"
#include "core/render/pool/heatmap_data.h"
#include "ui/session/edit_session.h"
#include "ui/session/job_runner.h"
#include "ui/session/overlay_state.h"
#include "ui/session/view_state.h"

#include <QObject>
#include <QStringList>

#include <functional>
#include <map>
#include <memory>
#include <optional>

namespace maskscope::ui {

// Why a file or an entry could not be shown: drawn beside what failed, never in a modal box.
struct Failure {
    QString title;  // "Cannot read weights.pt"
    QString cause;
    QString hint;
};

class Session : public QObject {
    Q_OBJECT
public:
    explicit Session(QObject* parent = nullptr);
    ~Session() override;

    const document::Document& document() const { return document_; }
    JobRunner& jobs() { return jobs_; }
    EditSession& edits() { return *edits_; }

    // --- what is open
    // In the background; one bad file stops no other. One with unsaved edits is shown as it is, not read again.
    void openFiles(const QStringList& paths);
    bool opening() const;  // files asked for are on their way
    // Its edits go with it: whoever asks for this has asked about editedIn() before.
    void closeFile(const QString& path);
    std::optional<EntryId> editedIn(const QString& path) const;  // the first with unsaved edits of an open file
    const QList<Failure>& failures() const { return failures_; }
    void dismissFailure(qsizetype index);
    QStringList recentFiles() const { return recent_; }
    void setRecentFiles(const QStringList& paths);

    // --- what is shown
    const QList<EntryId>& tabs() const { return tabs_; }
    EntryId current() const { return current_; }
    void show(EntryId id);  // opens a tab or raises it
    // Shows a tab in place of the current one: where both planes have the same sizes, the same cells stay under the
    // same pixels.
    void flipTo(EntryId id);
    void closeTab(EntryId id);
    const ViewState* view(EntryId id) const;
    // Changes a view by a function of it and tells who listens. The intent for sliders, maps, ranges, cursor ...
    void changeView(EntryId id, const std::function<void(ViewState&)>& change);
    bool linked() const { return linked_; }  // cursors and viewports of tabs of one shape move together
    void setLinked(bool linked);

    // --- what it is
    void setRole(EntryId id, document::Role role);
    void setConvention(EntryId id, document::MaskConvention convention);
    void setDimName(EntryId id, int dim, const QString& name);
    void linkMask(EntryId id, std::optional<EntryId> mask);
    void linkTokens(EntryId id, std::optional<EntryId> tokens);

    // --- what is drawn. The data of the slice that a view shows, made at once and prepared in the background; the same
    // pointer comes back until slice, mask or convention change. Null while the tensor is not loaded.
    std::shared_ptr<const render::HeatmapData> heatmap(EntryId id);
    // For strips and thumbnails: one slice of the view with `dim` at `index`, prepared or on its way.
    std::shared_ptr<const render::HeatmapData> heatmapAt(EntryId id, int dim, std::int64_t index);
    // The tensor, when it is loaded (deflated members are loaded by a job that this starts).
    std::optional<Tensor> tensor(EntryId id);
    // The mask as it lies over the slice shown, [rows, cols]; nullopt without one or when it does not fit.
    std::optional<render::MaskPlane> maskPlane(EntryId id);
    // Labels along a dim for the slice shown (the batch row of a nested label list); empty when there are none.
    std::vector<std::string> tokens(EntryId id, int dim) const;
    // Colour range of the view as shown; counting() while it is still on its way.
    render::ColourScale scale(EntryId id);
    bool counting(EntryId id);
    // The mask's axes on the tensor's, in words, or why they do not fit.
    QString axisMapText(EntryId id) const;
    // Whether `mask` can lie over the entry, by names or by the broadcasting rule.
    bool maskFits(EntryId id, EntryId mask) const;

    // --- images and the masks over them. An entry shows as an image when its role is image, or a mask of labels
    // without one (over a plain background).
    bool showsAsImage(EntryId id) const;
    // A mask of attention is a heatmap until somebody wants to paint its cells: the plane that its view shows then.
    bool canShowCells(EntryId id) const;
    bool showsCells(EntryId id) const;
    void showCells(EntryId id, bool on);
    const OverlayState* overlay(EntryId id) const;
    void changeOverlay(EntryId id, const std::function<void(OverlayState&)>& change);
    // Masks that fit the image (same height and width, or a plane to be resized) and are not over it yet.
    std::vector<EntryId> masksFor(EntryId image) const;
    // Null while the tensor is not loaded, and for a mask by itself; levels are prepared in the background (dataChanged
    // tells).
    std::shared_ptr<const render::ImageData> imageData(EntryId id);
    // Rows and columns of the image, or of a mask's planes; empty when it has none.
    mask::Rect imageSize(EntryId id) const;

signals:
    void overlayChanged(maskscope::ui::EntryId id);  // any value of an OverlayState
    void documentChanged();                          // entries came, went or changed their meaning
    void failuresChanged();
    void recentFilesChanged();
    void tabsChanged();
    void currentChanged(maskscope::ui::EntryId id);
    void viewChanged(maskscope::ui::EntryId id);    // any value of a ViewState but the cursor
    void cursorChanged(maskscope::ui::EntryId id);  // only the cursor moved
    void dataChanged(maskscope::ui::EntryId id);    // heatmap(id), its strip or its range became ready
    void filesSettled();                            // the last of the files asked for is open or has failed

private:
    friend class EditSession;

    void closeTabsUnder(EntryId image);
    void fileRead(const QString& path, Result<io::FileContents> contents);
    // An entry that no file holds yet. `path` stands for its file: "untitled-1.png".
    EntryId addInMemory(const QString& path, io::Item item);
    // Its cells were changed: slices made of the former ones go, and whoever shows them is told.
    void maskEdited(EntryId id);
    OverlayState firstOverlay(EntryId id) const;
    void arrangeLayers();                    // lays masks that have come over images whose layers nobody has chosen
    EntryId imageUnder(EntryId mask) const;  // of those in tabs
    void dropLayersOf(const QList<EntryId>& masks);
    void fail(const QString& title, const Error& error);
    ViewState firstView(const document::Entry& entry) const;
    void findFirstNan(EntryId id);
    bool samePlane(EntryId a, EntryId b) const;
    void follow(EntryId id, const ViewState& lead, bool moved, bool pointed);
    void mirror(EntryId from, const ViewState& before);
    std::shared_ptr<render::HeatmapData> plane(EntryId id, const ViewState& view, const QString& slot);
    std::optional<render::MaskPlane> maskPlaneOf(const document::Entry& entry, const ViewState& view);
    void startRange(EntryId id, const ViewState& view);

    struct Private;
    std::unique_ptr<Private> d_;
    std::unique_ptr<EditSession> edits_;
    document::Document document_;
    QList<EntryId> tabs_;
    EntryId current_ = EntryId::none;
    QList<Failure> failures_;
    QStringList recent_;
    bool linked_ = true;
    JobRunner jobs_;  // last: its destructor waits for jobs before anything else goes
};

}  // namespace maskscope::ui
