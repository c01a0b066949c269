// SPDX-License-Identifier: GPL-3.0-or-later
// maskscope [FILES...]: builds the session, the look and the window, and hands over to the event loop.
#include "core/document/session_store.h"
#include "ui/kit/style.h"
#include "ui/session/session.h"
#include "ui/window/document_area.h"
#include "ui/window/main_window.h"
#include "ui/window/notices.h"
#include "ui/window/open_paths.h"
#include "ui/window/samples.h"
#include "ui/window/settings.h"
#include "ui/window/status_strip.h"
#include "ui/window/window_shot.h"

#include <QApplication>
#include <QCommandLineParser>
#include <QDir>
#include <QElapsedTimer>
#include <QTimer>

#include <cstdio>
#include <functional>
#include <memory>

namespace {

using maskscope::render::ThemeId;
using maskscope::ui::MainWindow;
using maskscope::ui::Session;
using maskscope::ui::Style;
using maskscope::ui::WindowSettings;

constexpr int kShotTimeoutMs = 30000;

// Tells when a window has been painted for the first time.
class FirstFrame : public QObject {
public:
    FirstFrame(QWidget* window, std::function<void()> painted) : QObject(window), painted_(std::move(painted)) {
        window->installEventFilter(this);
    }
    bool eventFilter(QObject* watched, QEvent* event) override {
        if (event->type() == QEvent::Paint && painted_) {
            // The paint event is delivered before the pixels leave for the screen.
            QTimer::singleShot(0, this, [painted = std::exchange(painted_, nullptr)] { painted(); });
        }
        return QObject::eventFilter(watched, event);
    }

private:
    std::function<void()> painted_;
};

void addOptions(QCommandLineParser& parser) {
    parser.setApplicationDescription(QStringLiteral("Maskscope: a workbench for the masks of deep learning."));
    parser.addPositionalArgument(QStringLiteral("files"),
                                 QStringLiteral("Tensors, masks, images and sessions to open."),
                                 QStringLiteral("[files...]"));
    parser.addHelpOption();
    parser.addVersionOption();
    parser.addOptions({
        {QStringLiteral("theme"), QStringLiteral("light or dark; else as it was left."), QStringLiteral("name")},
        {QStringLiteral("size"), QStringLiteral("Window size in logical pixels."), QStringLiteral("WxH")},
        {QStringLiteral("ratio"), QStringLiteral("Device pixels per logical pixel."), QStringLiteral("factor")},
        {QStringLiteral("empty"), QStringLiteral("Open no sample when no files are given.")},
        {QStringLiteral("screenshot"), QStringLiteral("Save a picture of the window when all is there, and quit."),
         QStringLiteral("file.png")},
        {QStringLiteral("views"), QStringLiteral("Save the window in both themes to a folder, and quit."),
         QStringLiteral("folder")},
        {QStringLiteral("narrate"), QStringLiteral("Print what the status strip says, a line whenever it changes.")},
        {QStringLiteral("startup-time"), QStringLiteral("Print the milliseconds to the first frame, and quit.")},
    });
}

// Before the application is there, since Qt reads it then.
void applyRatio(int argc, char** argv) {
    for (int i = 1; i + 1 < argc; ++i) {
        if (qstrcmp(argv[i], "--ratio") == 0) qputenv("QT_SCALE_FACTOR", argv[i + 1]);
    }
}

void quitWith(bool fine, const QString& problem) {
    if (!fine) std::fprintf(stderr, "maskscope: %s\n", qPrintable(problem));
    QCoreApplication::exit(fine ? 0 : 1);
}

// The window in both themes as it stands.
bool saveThemes(Style& style, MainWindow& window, const QString& folder, const QString& view) {
    bool fine = true;
    for (const auto theme : {ThemeId::light, ThemeId::dark}) {
        style.setTheme(theme);
        QCoreApplication::processEvents();
        const auto name = view + (theme == ThemeId::dark ? QStringLiteral("_dark.png") : QStringLiteral("_light.png"));
        fine = maskscope::ui::saveWindow(window, QDir(folder).filePath(name)) && fine;
    }
    return fine;
}

// What is open, then, where that was the sample, the sample of images.
void saveViews(Session& session, Style& style, MainWindow& window, const QString& folder, bool samples) {
    QDir().mkpath(folder);
    const auto end = [folder](bool fine) {
        quitWith(fine, QStringLiteral("the views could not be saved to %1").arg(folder));
    };
    whenSettled(session, window, kShotTimeoutMs, [&, folder, samples, end](bool settled) {
        const bool fine = saveThemes(style, window, folder, QStringLiteral("window")) && settled;
        const auto images = samples ? maskscope::ui::overlaySampleFiles() : QStringList();
        if (images.isEmpty()) return end(fine);
        maskscope::ui::openPaths(session, images, [](const maskscope::ui::Failure&) {});
        whenSettled(session, window, kShotTimeoutMs, [&, folder, fine, end](bool there) {
            end(saveThemes(style, window, folder, QStringLiteral("overlay")) && there && fine);
        });
    });
}

}  // namespace

int main(int argc, char** argv) {
    QElapsedTimer clock;
    clock.start();
    applyRatio(argc, argv);
    QApplication app(argc, argv);
    QCoreApplication::setApplicationVersion(QStringLiteral(MASKSCOPE_VERSION));
    maskscope::ui::prepareSettings();
    QGuiApplication::setDesktopFileName(QStringLiteral("maskscope"));

    QCommandLineParser parser;
    addOptions(parser);
    parser.process(app);
    auto settings = WindowSettings::load();

    Style style;
    const QString theme = parser.value(QStringLiteral("theme"));
    style.setTheme(theme.isEmpty() ? settings.theme : theme == QLatin1String("dark") ? ThemeId::dark : ThemeId::light);
    style.setInterfaceSize(settings.interface_size);
    style.apply();

    auto session = std::make_unique<Session>();
    session->setRecentFiles(settings.recent_files);
    MainWindow window(*session, style);
    window.resize(1440, 900);
    window.restoreLayout(settings.geometry, settings.docks);
    const auto size = parser.value(QStringLiteral("size")).split(QLatin1Char('x'));
    if (size.size() == 2) window.resize(size[0].toInt(), size[1].toInt());

    const bool picture = parser.isSet(QStringLiteral("screenshot")) || parser.isSet(QStringLiteral("views")) ||
                         parser.isSet(QStringLiteral("startup-time"));
    QObject::connect(&window, &MainWindow::closing, &window, [&] {
        if (picture) return;
        settings = {style.themeId(), style.interfaceSize(), window.saveGeometry(), window.saveState(),
                    session->recentFiles()};
        settings.save();
    });
    if (parser.isSet(QStringLiteral("narrate"))) {
        QObject::connect(&window.status(), &maskscope::ui::StatusStrip::lineChanged, &window,
                         [&window, last = QString()]() mutable {
                             const QString line = window.status().line();
                             if (line == last || line.isEmpty()) return;
                             std::printf("%s\n", qPrintable(line));
                             std::fflush(stdout);
                             last = line;
                         });
    }
    const QStringList files = parser.positionalArguments();
    new FirstFrame(&window, [&] {
        if (parser.isSet(QStringLiteral("startup-time"))) {
            std::printf("%lld\n", static_cast<long long>(clock.elapsed()));
            QCoreApplication::exit(0);
            return;
        }
        // The window is on the screen before the first file is touched. Pictures leave no traces on the disk.
        if (!picture) {
            session->edits().startJournal(QString::fromStdString(maskscope::document::SessionStore::state_folder()));
            window.area().notices()->lookForLeftBehind();
        }
        if (!files.isEmpty()) {
            maskscope::ui::openPaths(*session, files, [&window](const maskscope::ui::Failure& failure) {
                window.area().showFailure(failure);
            });
        } else if (!parser.isSet(QStringLiteral("empty"))) {
            maskscope::ui::openSample(*session);
        }
        if (parser.isSet(QStringLiteral("screenshot"))) {
            const QString path = parser.value(QStringLiteral("screenshot"));
            whenSettled(*session, window, kShotTimeoutMs, [&window, path](bool settled) {
                quitWith(maskscope::ui::saveWindow(window, path) && settled,
                         QStringLiteral("the window could not be saved to %1").arg(path));
            });
        } else if (parser.isSet(QStringLiteral("views"))) {
            saveViews(*session, style, window, parser.value(QStringLiteral("views")), files.isEmpty());
        }
    });
    window.show();
    return QApplication::exec();
}
