// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/e2e/desktop.h"

#include <QDeadlineTimer>
#include <QStandardPaths>
#include <QThread>

#include <algorithm>

namespace maskscope::e2e {

QString missingTools() {
    for (const char* tool : {"Xvfb", "xdotool"}) {
        if (QStandardPaths::findExecutable(tool).isEmpty()) return QString("%1 is not installed").arg(tool);
    }
    return {};
}

Desktop::Desktop(const QStringList& arguments, const QString& home) {
    // The server picks a free display and tells its number on standard output.
    screen_.start("Xvfb", {"-displayfd", "1", "-screen", "0", "1440x900x24", "-nolisten", "tcp"});
    if (!screen_.waitForStarted() || !screen_.waitForReadyRead(10000)) {
        problem_ = "Xvfb did not start";
        return;
    }
    environment_ = QProcessEnvironment::systemEnvironment();
    environment_.insert("DISPLAY", ":" + QString::fromUtf8(screen_.readLine()).trimmed());
    environment_.insert("QT_QPA_PLATFORM", "xcb");
    const QString folder = home.isEmpty() ? config_.path() : home;
    environment_.insert("MASKSCOPE_CONFIG_DIR", folder);
    environment_.insert("XDG_STATE_HOME", folder);
    app_.setProcessEnvironment(environment_);
    app_.setProcessChannelMode(QProcess::SeparateChannels);
    app_.start(MASKSCOPE_BINARY, QStringList{"--narrate", "--theme", "light", "--size", "1440x900"} + arguments);
    const QDeadlineTimer deadline(20000);
    while (!deadline.hasExpired() && window_.isEmpty()) {
        if (app_.state() == QProcess::NotRunning && !app_.waitForStarted(1000)) break;
        window_ = xdotool({"search", "--onlyvisible", "--name", "Maskscope"}).section('\n', 0, 0);
        QThread::msleep(100);
    }
    if (window_.isEmpty()) {
        problem_ = "no window: " + QString::fromUtf8(app_.readAllStandardError());
        return;
    }
    xdotool({"windowmove", "--sync", window_, "0", "0"});
    focusWindow();
}

void Desktop::focusWindow() {
    // Without a window manager nobody else gives it the keyboard, at the start and after a dialog.
    xdotool({"windowfocus", "--sync", window_});
}

Desktop::~Desktop() {
    for (QProcess* process : {&app_, &screen_}) {
        if (process->state() == QProcess::NotRunning) continue;
        process->terminate();
        if (!process->waitForFinished(5000)) process->kill();
        process->waitForFinished(2000);
    }
}

QString Desktop::xdotool(const QStringList& arguments) {
    QProcess tool;
    tool.setProcessEnvironment(environment_);
    tool.start("xdotool", arguments);
    tool.waitForFinished(10000);
    return QString::fromUtf8(tool.readAllStandardOutput()).trimmed();
}

void Desktop::key(const QString& keys) {
    xdotool({"key", "--delay", "30", keys});
}

void Desktop::type(const QString& text) {
    xdotool({"type", "--delay", "15", text});
}

void Desktop::moveTo(QPoint point) {
    xdotool({"mousemove", QString::number(point.x()), QString::number(point.y())});
}

void Desktop::click(QPoint point) {
    moveTo(point);
    xdotool({"click", "1"});
}

void Desktop::drag(const QList<QPoint>& points) {
    QStringList words;
    for (const QPoint& point : points) {
        words << "mousemove" << QString::number(point.x()) << QString::number(point.y()) << "sleep"
              << "0.02";
        if (&point == &points.front())
            words << "mousedown"
                  << "1";
    }
    xdotool(words << "mouseup"
                  << "1");
}

void Desktop::kill() {
    app_.kill();
    app_.waitForFinished(5000);
}

void Desktop::wheel(QPoint point, int notches, const QString& held) {
    moveTo(point);
    if (!held.isEmpty()) xdotool({"keydown", held});
    xdotool({"click", "--repeat", QString::number(std::abs(notches)), "--delay", "60", notches > 0 ? "4" : "5"});
    if (!held.isEmpty()) xdotool({"keyup", held});
}

void Desktop::read() {
    partial_ += QString::fromUtf8(app_.readAllStandardOutput());
    while (partial_.contains('\n')) {
        heard_.append(partial_.section('\n', 0, 0));
        partial_ = partial_.section('\n', 1);
    }
}

QString Desktop::waitFor(const QStringList& words, int ms) {
    const QDeadlineTimer deadline(ms);
    do {
        app_.waitForReadyRead(50);
        read();
        for (const QString& line : std::as_const(heard_)) {
            if (std::all_of(words.begin(), words.end(), [&](const QString& word) { return line.contains(word); })) {
                return line;
            }
        }
    } while (!deadline.hasExpired());
    return {};
}

bool Desktop::screenshot(const QString& path) {
    QProcess tool;
    tool.setProcessEnvironment(environment_);
    tool.start("import", {"-window", "root", path});  // ImageMagick; only for looking at what the walk sees
    return tool.waitForFinished(20000) && tool.exitCode() == 0;
}

}  // namespace maskscope::e2e
