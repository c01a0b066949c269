// SPDX-License-Identifier: Apache-2.0
#include "core/render/figure/cairo_painter.h"
#include "core/render/figure/cell_glyphs.h"

#include <QFile>
#include <QFileInfo>
#include <QTemporaryDir>
#include <QTest>

#include <unistd.h>

using namespace maskscope;
using namespace maskscope::render;

namespace {

DisplayList small_list() {
    DisplayList list;
    list.width = 8;
    list.height = 6;
    list.background = 0xffffffff;
    auto pixels = std::make_shared<std::vector<Rgb>>(std::vector<Rgb>{0xff112233, 0xff445566, 0xff778899, 0xffaabbcc});
    list.items.emplace_back(ImageItem{{1, 1, 4, 4}, 2, 2, pixels});
    list.items.emplace_back(RectItem{{6, 0, 2, 6}, 0xff00ff00, 0, 1, 0});
    return list;
}

Rgb at(const Raster& raster, int x, int y) {
    return raster.pixels[static_cast<std::size_t>(y * raster.width + x)];
}

QByteArray content(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

}  // namespace

class CairoTest : public QObject {
    Q_OBJECT

private slots:
    void images_are_nearest_neighbour() {
        const auto raster = rasterise(small_list());
        QVERIFY(raster);
        QCOMPARE(raster->width, 8);
        QCOMPARE(raster->height, 6);
        for (int y = 0; y < 6; ++y) {
            for (int x = 0; x < 8; ++x) {
                Rgb wanted = 0xffffffff;
                if (x >= 6) wanted = 0xff00ff00;
                if (x >= 1 && x < 5 && y >= 1 && y < 5) {
                    const Rgb cells[2][2] = {{0xff112233, 0xff445566}, {0xff778899, 0xffaabbcc}};
                    wanted = cells[(y - 1) / 2][(x - 1) / 2];
                }
                QCOMPARE(at(*raster, x, y), wanted);
            }
        }
        const auto doubled = rasterise(small_list(), 2);
        QVERIFY(doubled);
        QCOMPARE(doubled->width, 16);
        QCOMPARE(at(*doubled, 2, 2), Rgb{0xff112233});
        QCOMPARE(at(*doubled, 9, 9), Rgb{0xffaabbcc});
        QCOMPARE(at(*doubled, 10, 10), Rgb{0xffffffff});
    }

    void clips_end() {
        DisplayList list;
        list.width = list.height = 4;
        list.background = 0xff000000;
        list.items.emplace_back(ClipItem{{0, 0, 2, 4}, true});
        list.items.emplace_back(RectItem{{0, 0, 4, 2}, 0xffffffff, 0, 1, 0});
        list.items.emplace_back(ClipItem{{}, false});
        list.items.emplace_back(RectItem{{0, 3, 4, 1}, 0xffffffff, 0, 1, 0});
        const auto raster = rasterise(list);
        QVERIFY(raster);
        QCOMPARE(at(*raster, 1, 1), Rgb{0xffffffff});
        QCOMPARE(at(*raster, 2, 1), Rgb{0xff000000});
        QCOMPARE(at(*raster, 3, 3), Rgb{0xffffffff});
    }

    void text_is_drawn_where_it_is_measured() {
        DisplayList list;
        list.width = 60;
        list.height = 60;
        list.background = 0xffffffff;
        list.items.emplace_back(TextItem{{30, 20}, "HHH", Face::mono_bold, 10, 0xff000000, Align::centre, false});
        list.items.emplace_back(TextItem{{20, 58}, "HHH", Face::mono_bold, 10, 0xff000000, Align::left, true});
        const auto raster = rasterise(list);
        QVERIFY(raster);
        // 18 px wide about x = 30 and 7.3 px high above y = 20; upwards from (20, 58) to the left of x = 20.
        int outside = 0;
        int inside = 0;
        for (int y = 0; y < 60; ++y) {
            for (int x = 0; x < 60; ++x) {
                if (at(*raster, x, y) == 0xffffffff) continue;
                const bool flat = x >= 21 && x < 39 && y >= 12 && y < 20;
                const bool upwards = x >= 12 && x < 20 && y >= 40 && y < 58;
                (flat || upwards ? inside : outside) += 1;
            }
        }
        QCOMPARE(outside, 0);
        QVERIFY(inside > 80);
    }

    void glyphs_stay_in_their_cells() {
        for (const auto state : {CellState::masked, CellState::true_zero, CellState::underflow, CellState::nan,
                                 CellState::posinf, CellState::neginf, CellState::subnormal}) {
            for (const double s : {2.0, 4.0, 6.0, 9.0, 13.0, 40.0}) {
                const Box cell{3, 5, s, s};
                const auto parts = expand_glyph(GlyphItem{cell, state, 0xff000000, hatch_spacing(s)});
                if (s < 4) QVERIFY(parts.empty());
                if (s >= 6) QVERIFY(!parts.empty());
                for (const auto& part : parts) {
                    std::vector<Point> points;
                    if (const auto* line = std::get_if<LineItem>(&part)) points = {line->from, line->to};
                    if (const auto* shape = std::get_if<PolylineItem>(&part)) points = shape->points;
                    if (const auto* rect = std::get_if<RectItem>(&part)) {
                        points = {{rect->box.x, rect->box.y}, {rect->box.right(), rect->box.bottom()}};
                    }
                    QVERIFY(points.size() >= 2);
                    for (const auto& p : points) {
                        QVERIFY(p.x >= cell.x - 1e-9 && p.x <= cell.right() + 1e-9);
                        QVERIFY(p.y >= cell.y - 1e-9 && p.y <= cell.bottom() + 1e-9);
                    }
                }
            }
        }
    }

    void files() {
        QTemporaryDir folder;
        const struct {
            const char* name;
            PictureFormat format;
            QByteArray starts;
        } rows[] = {{"a.png", PictureFormat::png, "\x89PNG"},
                    {"a.svg", PictureFormat::svg, "<?xml"},
                    {"a.pdf", PictureFormat::pdf, "%PDF"}};
        for (const auto& row : rows) {
            const QString path = folder.filePath(QString::fromLatin1(row.name));
            QCOMPARE(picture_format(path.toStdString()), row.format);
            auto list = small_list();
            list.items.emplace_back(TextItem{{1, 5}, "key \u2192", Face::ui, 4, 0xff000000, Align::left, false});
            const auto written = write_picture(list, path.toStdString(), row.format);
            QVERIFY2(written.ok(), written ? "" : written.error().text().c_str());
            QVERIFY(content(path).startsWith(row.starts));
            // Again, over what is there; nothing else is left in the folder.
            QVERIFY(write_picture(list, path.toStdString(), row.format));
        }
        QCOMPARE(QDir(folder.path()).entryList(QDir::Files).size(), 3);
        QVERIFY(content(folder.filePath("a.svg")).contains("width=\"8px\""));
        QVERIFY(!picture_format("x.jpeg"));
        QCOMPARE(picture_format("X.PNG"), PictureFormat::png);
    }

    void a_link_stays_a_link() {
        QTemporaryDir folder;
        const QString target = folder.filePath("real.png");
        const QString link = folder.filePath("link.png");
        QVERIFY(write_picture(small_list(), target.toStdString(), PictureFormat::png));
        QVERIFY(QFile::link(target, link));
        QVERIFY(write_picture(small_list(), link.toStdString(), PictureFormat::png, 2));
        QVERIFY(QFileInfo(link).isSymLink());
        QVERIFY(content(target).size() > 0);
    }

    void failures_are_sentences() {
        QTemporaryDir folder;
        const auto missing =
            write_picture(small_list(), folder.filePath("no/such/a.png").toStdString(), PictureFormat::png);
        QVERIFY(!missing);
        QVERIFY(missing.error().text().find("No such file or directory") != std::string::npos);
        const auto is_folder = write_picture(small_list(), folder.path().toStdString(), PictureFormat::png);
        QVERIFY(!is_folder);
        QVERIFY(is_folder.error().text().find("directory") != std::string::npos);
        const auto large =
            write_picture(small_list(), folder.filePath("a.png").toStdString(), PictureFormat::png, 5000);
        QVERIFY(!large);
        QVERIFY(large.error().text().find("40000 x 30000") != std::string::npos);
        QVERIFY(large.error().text().find("32767") != std::string::npos);
        QCOMPARE(QDir(folder.path()).entryList(QDir::Files).size(), 0);
        if (::geteuid() != 0) {
            QVERIFY(QFile::setPermissions(folder.path(), QFile::ReadOwner | QFile::ExeOwner));
            const auto refused =
                write_picture(small_list(), folder.filePath("a.png").toStdString(), PictureFormat::png);
            QVERIFY(!refused);
            QVERIFY(refused.error().text().find("Permission denied") != std::string::npos);
            QFile::setPermissions(folder.path(), QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
        }
        // A full disk: the bytes do not go in, and the sentence says so.
        if (QFileInfo::exists("/dev/full")) {
            const auto full = write_picture(small_list(), "/dev/full", PictureFormat::png);
            QVERIFY(!full);
            QVERIFY(full.error().text().find("No space left on device") != std::string::npos);
        }
    }
};

QTEST_APPLESS_MAIN(CairoTest)
#include "cairo_test.moc"
