// SPDX-License-Identifier: GPL-3.0-or-later
// A screen of its own (Xvfb) with the real binary on it, and hands (xdotool) to use it as a person would.
#pragma once

#include <QPoint>
#include <QProcess>
#include <QRect>
#include <QString>
#include <QStringList>
#include <QTemporaryDir>

namespace maskscope::e2e {

// Why the tests cannot run here; empty when they can.
QString missingTools();

class Desktop {
public:
    // Starts a screen of 1440 x 900 and maskscope on it, and waits until the window stands.
    // `home` keeps settings and journals; empty: a folder of its own.
    explicit Desktop(const QStringList& arguments, const QString& home = {});
    ~Desktop();
    Desktop(const Desktop&) = delete;
    Desktop& operator=(const Desktop&) = delete;

    bool ready() const { return !window_.isEmpty(); }
    const QString& problem() const { return problem_; }

    void focusWindow();
    void key(const QString& keys);  // "ctrl+l", "Return"
    void type(const QString& text);
    void moveTo(QPoint point);  // of the window
    void click(QPoint point);
    // Left button down at the first point, up at the last.
    void drag(const QList<QPoint>& points);
    // As a crash: nothing of it gets to run.
    void kill();
    // Notches away from the user (up) or towards them, with a key held or without.
    void wheel(QPoint point, int notches, const QString& held = {});

    // Waits for a line of --narrate that holds all of the words; the empty string after five seconds without one.
    QString waitFor(const QStringList& words, int ms = 5000);
    // Forgets the lines so far, so that waitFor sees only what follows.
    void listen() { heard_.clear(); }
    QString lastLine() const { return heard_.isEmpty() ? QString() : heard_.last(); }
    bool screenshot(const QString& path);
    bool running() const { return app_.state() == QProcess::Running; }

private:
    QString xdotool(const QStringList& arguments);
    void read();

    QProcess screen_;
    QProcess app_;
    QProcessEnvironment environment_;
    QString window_;
    QString problem_;
    QString partial_;
    QStringList heard_;
    QTemporaryDir config_;
};

}  // namespace maskscope::e2e
