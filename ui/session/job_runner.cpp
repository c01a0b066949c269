// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/job_runner.h"

#include <QElapsedTimer>
#include <QHash>
#include <QThreadPool>

namespace maskscope::ui {

struct JobRunner::Private {
    struct Job {
        std::stop_source stop;
        Progress progress;
        QString title;
        QElapsedTimer clock;
    };
    QThreadPool pool;
    QHash<QString, std::shared_ptr<Job>> jobs;
};

JobRunner::JobRunner(QObject* parent) : QObject(parent), d_(std::make_unique<Private>()) {
    // Jobs mostly wait for the arenas below them; a few threads keep a short one from queueing behind a long one.
    d_->pool.setMaxThreadCount(4);
}

JobRunner::~JobRunner() {
    for (const auto& job : std::as_const(d_->jobs)) job->stop.request_stop();
    d_->jobs.clear();
    d_->pool.waitForDone();
}

void JobRunner::start(const QString& slot, const QString& title, std::function<void(const JobContext&)> work,
                      std::function<void()> done) {
    cancel(slot);
    auto job = std::make_shared<Private::Job>();
    job->title = title;
    job->clock.start();
    d_->jobs.insert(slot, job);
    d_->pool.start([this, slot, job, work = std::move(work), done = std::move(done)] {
        if (!job->stop.stop_requested()) work(JobContext(job->stop.get_token(), &job->progress));
        QMetaObject::invokeMethod(
            this,
            [this, slot, job, done] {
                // A newer job in the slot, or a cancel, has taken this one's place.
                if (d_->jobs.value(slot) != job) return;
                d_->jobs.remove(slot);
                if (!job->stop.stop_requested()) done();
                emit changed();
            },
            Qt::QueuedConnection);
    });
    emit changed();
}

void JobRunner::cancel(const QString& slot) {
    if (const auto job = d_->jobs.take(slot)) {
        job->stop.request_stop();
        emit changed();
    }
}

void JobRunner::cancelAll() {
    const auto slots_running = d_->jobs.keys();
    for (const auto& slot : slots_running) cancel(slot);
}

bool JobRunner::isRunning(const QString& slot) const {
    return d_->jobs.contains(slot);
}

QList<JobRunner::Running> JobRunner::running() const {
    QList<Running> out;
    for (auto it = d_->jobs.cbegin(); it != d_->jobs.cend(); ++it) {
        const auto& job = *it.value();
        out.append({it.key(), job.title, job.progress.done, job.progress.total, job.clock.elapsed()});
    }
    return out;
}

}  // namespace maskscope::ui
