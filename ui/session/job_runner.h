// SPDX-License-Identifier: GPL-3.0-or-later
// Background work with latest-wins slots: starting a job in a slot cancels the one before it. Results arrive on the
// UI thread; a cancelled job delivers nothing.
#pragma once

#include "core/base/result.h"
#include "core/jobs/job_context.h"

#include <QObject>
#include <QString>

#include <functional>
#include <memory>
#include <optional>

namespace maskscope::ui {

class JobRunner : public QObject {
    Q_OBJECT
public:
    explicit JobRunner(QObject* parent = nullptr);
    ~JobRunner() override;  // cancels and waits

    // `slot` names what the job is for ("prepare:12"); `title` is what the status bar says after 200 ms.
    // `work` runs on a worker thread and must only touch immutable snapshots; `done` runs on the UI thread.
    template <class T>
    void run(const QString& slot, const QString& title, std::function<Result<T>(const JobContext&)> work,
             std::function<void(Result<T>)> done) {
        auto box = std::make_shared<std::optional<Result<T>>>();
        start(
            slot, title, [box, work = std::move(work)](const JobContext& context) { box->emplace(work(context)); },
            [box, done = std::move(done)] { done(std::move(**box)); });
    }
    void cancel(const QString& slot);
    void cancelAll();
    bool isRunning(const QString& slot) const;

    struct Running {
        QString slot;
        QString title;
        std::int64_t done = 0;
        std::int64_t total = 0;  // 0: unknown
        std::int64_t elapsedMs = 0;
    };
    QList<Running> running() const;

signals:
    void changed();  // a job began or ended

private:
    void start(const QString& slot, const QString& title, std::function<void(const JobContext&)> work,
               std::function<void()> done);
    struct Private;
    std::unique_ptr<Private> d_;
};

}  // namespace maskscope::ui
