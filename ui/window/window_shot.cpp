// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/window_shot.h"

#include "ui/session/session.h"

#include <QElapsedTimer>
#include <QPixmap>
#include <QTimer>
#include <QWidget>

#include <memory>

namespace maskscope::ui {

void whenSettled(Session& session, QWidget& window, int timeout_ms, const std::function<void(bool)>& done) {
    constexpr int kTickMs = 25;
    constexpr int kQuietTicks = 8;  // a finished job may start the next one from a paint or a timer
    struct Wait {
        QElapsedTimer clock;
        int quiet = 0;
    };
    auto wait = std::make_shared<Wait>();
    wait->clock.start();
    auto* timer = new QTimer(&window);
    QObject::connect(timer, &QTimer::timeout, &window, [&session, &window, timer, wait, timeout_ms, done] {
        wait->quiet = session.jobs().running().isEmpty() ? wait->quiet + 1 : 0;
        const bool settled = wait->quiet >= kQuietTicks;
        if (wait->quiet == kQuietTicks / 2) window.grab();  // paints what asks for its data when it is painted
        if (!settled && wait->clock.elapsed() < timeout_ms) return;
        timer->stop();
        timer->deleteLater();
        done(settled);
    });
    timer->start(kTickMs);
}

bool saveWindow(QWidget& window, const QString& path) {
    return window.grab().save(path, "PNG");
}

}  // namespace maskscope::ui
