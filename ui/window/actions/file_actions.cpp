// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/actions/file_actions.h"

#include "core/io/format.h"
#include "core/render/figure/cairo_painter.h"
#include "ui/canvas/image_canvas.h"
#include "ui/session/cell_readout.h"
#include "ui/window/document_area.h"
#include "ui/window/open_paths.h"
#include "ui/window/samples.h"
#include "ui/window/status_strip.h"

#include <QApplication>
#include <QClipboard>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QImage>
#include <QMainWindow>
#include <QMenu>
#include <QSaveFile>

#include <algorithm>

namespace maskscope::ui {

namespace {

// "All that Maskscope reads", then one line for each format.
QString openFilters() {
    QStringList all;
    QStringList lines;
    for (const auto& format : io::formats()) {
        QStringList patterns;
        for (const auto extension : format.extensions) patterns << QLatin1Char('*') + textOf(extension);
        all += patterns;
        lines << QStringLiteral("%1 (%2)").arg(QString::fromUtf8(format.title), patterns.join(QLatin1Char(' ')));
    }
    lines.prepend(QObject::tr("Tensors, masks and images (%1)").arg(all.join(QLatin1Char(' '))));
    lines.append(QObject::tr("All files (*)"));
    return lines.join(QStringLiteral(";;"));
}

}  // namespace

FileActions::FileActions(const ActionContext& context, QObject* parent)
    : QObject(parent),
      context_(context),
      open_(makeAction(context, QStringLiteral("open"), tr("&Open…"), QKeySequence::Open, [this] { askAndOpen(); })),
      sample_(makeAction(context, {}, tr("Open &sample"), {}, [this] { openSample(); })),
      export_(
          makeAction(context, QStringLiteral("export"), tr("&Export view…"), tr("Ctrl+E"), [this] { askAndExport(); })),
      copy_(makeAction(context, QStringLiteral("copy"), tr("&Copy view as picture"), tr("Ctrl+Shift+E"),
                       [this] { copyView(); })),
      close_(makeAction(context, {}, tr("C&lose tab"), QKeySequence::Close,
                        [this] { context_.session.closeTab(context_.session.current()); })),
      quit_(makeAction(context, {}, tr("&Quit"), tr("Ctrl+Q"), [this] { context_.window.close(); })) {
    connect(&context_.session, &Session::currentChanged, this, &FileActions::enable);
    connect(&context_.area, &DocumentArea::openRequested, this, &FileActions::askAndOpen);
    connect(&context_.area, &DocumentArea::sampleRequested, this, &FileActions::openSample);
    connect(&context_.area, &DocumentArea::exportRequested, this, &FileActions::askAndExport);
    enable();
}

void FileActions::fillOpen(QMenu& menu) {
    menu.addAction(open_);
    auto* recent = menu.addMenu(tr("Open &recent"));
    connect(recent, &QMenu::aboutToShow, this, [this, recent] { fillRecent(*recent); });
    menu.addAction(sample_);
}

void FileActions::fillExport(QMenu& menu) {
    menu.addAction(export_);
    menu.addAction(copy_);
    menu.addSeparator();
    menu.addAction(close_);
    menu.addAction(quit_);
}

void FileActions::fillRecent(QMenu& menu) {
    menu.clear();
    for (const QString& path : context_.session.recentFiles()) {
        auto* action = menu.addAction(QFileInfo(path).fileName(), this, [this, path] {
            openPaths(context_.session, {path}, [this](const Failure& failure) { context_.area.showFailure(failure); });
        });
        action->setToolTip(path);
        action->setStatusTip(path);
    }
    menu.setToolTipsVisible(true);
    if (menu.isEmpty()) menu.addAction(tr("No files yet"))->setEnabled(false);
}

void FileActions::enable() {
    const bool shown = context_.session.current() != EntryId::none;
    for (auto* action : {export_, copy_, close_}) action->setEnabled(shown);
    sample_->setEnabled(!sampleFiles().isEmpty());
}

void FileActions::openSample() {
    maskscope::ui::openSample(context_.session);
}

void FileActions::askAndOpen() {
    const auto paths = QFileDialog::getOpenFileNames(&context_.window, tr("Open"), folder_, openFilters());
    if (paths.isEmpty()) return;
    folder_ = QFileInfo(paths.first()).absolutePath();
    openPaths(context_.session, paths, [this](const Failure& failure) { context_.area.showFailure(failure); });
}

void FileActions::askAndExport() {
    const auto* entry = context_.session.document().find(context_.session.current());
    if (entry == nullptr) return;
    if (context_.area.imageCanvas() != nullptr) return exportImage();
    const QString filters =
        QStringLiteral("%1 (*.png);;%2 (*.svg);;%3 (*.pdf)").arg(tr("PNG picture"), tr("SVG drawing"), tr("PDF page"));
    QString chosen;
    QString path = QFileDialog::getSaveFileName(&context_.window, tr("Export view"), pictureName(), filters, &chosen);
    if (path.isEmpty()) return;
    auto format = render::picture_format(path.toStdString());
    if (!format) {
        const QString extension = chosen.section(QStringLiteral("(*"), 1).section(QLatin1Char(')'), 0, 0);
        path += extension.isEmpty() ? QStringLiteral(".png") : extension;
        format = render::picture_format(path.toStdString());
    }
    const auto figure = context_.area.figure();
    if (!figure || !format) return;
    constexpr double kScale = 2;  // a picture for a page or a slide is looked at closely
    const auto written = render::write_picture(*figure, path.toStdString(), *format, kScale);
    if (written) {
        context_.status.say(tr("Exported %1").arg(path));
    } else {
        context_.area.showFailure({tr("Cannot write %1").arg(QFileInfo(path).fileName()),
                                   textOf(written.error().message.text()), textOf(written.error().hint.text())});
    }
}

QString FileActions::pictureName() const {
    const auto* entry = context_.session.document().find(context_.session.current());
    QString name = entry != nullptr ? textOf(entry->name) : QString();
    name.replace(QLatin1Char('/'), QLatin1Char('_'));
    return folder_.isEmpty() ? name : folder_ + QLatin1Char('/') + name;
}

// The view as it stands on the screen, in device pixels. Beside the image, never over it.
void FileActions::exportImage() {
    const QFileInfo file(pictureName());
    QString path = QFileDialog::getSaveFileName(
        &context_.window, tr("Export picture"),
        QDir(file.path()).filePath(file.completeBaseName() + QStringLiteral("_view.png")), tr("PNG picture (*.png)"));
    if (path.isEmpty()) return;
    if (QFileInfo(path).suffix().isEmpty()) path += QStringLiteral(".png");
    QSaveFile out(path);
    const auto* canvas = context_.area.imageCanvas();
    if (canvas == nullptr) return;
    if (out.open(QIODevice::WriteOnly) && canvas->picture().save(&out, "PNG") && out.commit()) {
        context_.status.say(tr("Exported %1").arg(path));
    } else {
        context_.area.showFailure({tr("Cannot write %1").arg(QFileInfo(path).fileName()), out.errorString(), {}});
    }
}

void FileActions::copyView() {
    if (const auto* canvas = context_.area.imageCanvas()) {
        const auto picture = canvas->picture();
        QApplication::clipboard()->setImage(picture);
        context_.status.say(
            tr("Copied the view as a picture of %1 × %2 pixels").arg(picture.width()).arg(picture.height()));
        return;
    }
    const auto figure = context_.area.figure();
    if (!figure) return;
    const auto raster = render::rasterise(*figure, 2);
    if (!raster) {
        context_.area.showFailure({tr("Cannot copy the view"), textOf(raster.error().message.text()), {}});
        return;
    }
    const QImage shared(reinterpret_cast<const uchar*>(raster->pixels.data()), raster->width, raster->height,
                        raster->width * 4, QImage::Format_RGB32);
    QApplication::clipboard()->setImage(shared.copy());
    context_.status.say(tr("Copied the view as a picture of %1 × %2 pixels").arg(raster->width).arg(raster->height));
}

}  // namespace maskscope::ui
