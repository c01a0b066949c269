// SPDX-License-Identifier: GPL-3.0-or-later
// Owns what the window shows: the document, which entries are open in tabs and how they are looked at, and the jobs.
// Panels read const state, subscribe to the signals and call the intents; they know neither each other nor the window.
#pragma once

#include "core/document/document.h"
#include "core/render/pool/heatmap_data.h"
#include "ui/session/job_runner.h"
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

    // --- what is open
    void openFiles(const QStringList& paths);  // in the background; one bad file stops no other
    void closeFile(const QString& path);
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

signals:
    void documentChanged();  // entries came, went or changed their meaning
    void failuresChanged();
    void recentFilesChanged();
    void tabsChanged();
    void currentChanged(maskscope::ui::EntryId id);
    void viewChanged(maskscope::ui::EntryId id);    // any value of a ViewState but the cursor
    void cursorChanged(maskscope::ui::EntryId id);  // only the cursor moved
    void dataChanged(maskscope::ui::EntryId id);    // heatmap(id), its strip or its range became ready
    void filesSettled();                            // the last of the files asked for is open or has failed

private:
    void fileRead(const QString& path, Result<io::FileContents> contents);
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
    document::Document document_;
    QList<EntryId> tabs_;
    EntryId current_ = EntryId::none;
    QList<Failure> failures_;
    QStringList recent_;
    bool linked_ = true;
    JobRunner jobs_;  // last: its destructor waits for jobs before anything else goes
};

}  // namespace maskscope::ui

Q_DECLARE_METATYPE(maskscope::ui::EntryId)
