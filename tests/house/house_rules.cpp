// SPDX-License-Identifier: Apache-2.0
#include "tests/house/house_rules.h"

#include <QFileInfo>
#include <QRegularExpression>
#include <QSet>

namespace maskscope::house {
namespace {

constexpr int kLongestFile = 500;

QStringList words(const QString& text) {
    return text.split(QLatin1Char(' '), Qt::SkipEmptyParts);
}

bool is_under(const QString& path, const QStringList& folders) {
    for (const QString& folder : folders) {
        if (path == folder || path.startsWith(folder + QLatin1Char('/'))) return true;
    }
    return false;
}

// The start of `path` that a row names: itself, or with `*` for one folder. Empty when the row does not fit.
QString start_that_fits(const QString& path, const QString& row) {
    const QStringList parts = path.split(QLatin1Char('/'));
    const QStringList wanted = row.split(QLatin1Char('/'));
    if (parts.size() < wanted.size()) return {};
    for (int part = 0; part < wanted.size(); ++part) {
        if (wanted[part] != QLatin1String("*") && wanted[part] != parts[part]) return {};
    }
    return parts.first(wanted.size()).join(QLatin1Char('/'));
}

bool is_source(const QString& path) {
    static const QRegularExpression source(
        QStringLiteral(R"(\.(h|cpp|cu|cuh|inc|cmake|py|sh)$|(^|/)CMakeLists\.txt$)"));
    return source.match(path).hasMatch();
}

bool is_product(const QString& path) {
    return is_under(path, {QStringLiteral("core"), QStringLiteral("gpu"), QStringLiteral("ui"), QStringLiteral("app")});
}

// A colour stands in resources/themes or resources/colormaps, never in the code. 0xff000000 and 0xffffffff are bit
// masks.
void check_colours(const QString& path, const QString& text, int line, QList<Finding>& found) {
    static const QRegularExpression colour(
        QStringLiteral(
            R"re("#([0-9A-Fa-f]{3}|[0-9A-Fa-f]{6}|[0-9A-Fa-f]{8})\b|\b0x[fF]{2}(?!0{6}|[fF]{6})[0-9A-Fa-f]{6}\b|\bqRgba?\(\s*\d|\bQColor\(\s*\d|\bQt::(dark|light)?(red|green|blue|cyan|magenta|yellow|gr[ae]y|black|white)\b)re"),
        QRegularExpression::CaseInsensitiveOption);
    if (is_product(path) && colour.match(text).hasMatch()) {
        found.append({path, line, QStringLiteral("a colour in the code; it belongs in resources/themes")});
    }
}

void check_left_over(const QString& path, const QString& text, int line, QList<Finding>& found) {
    static const QRegularExpression left(QStringLiteral(R"(\b(TO)DO\b|\b(FIX)ME\b|\b(XX)X\b)"));
    if (left.match(text).hasMatch()) found.append({path, line, QStringLiteral("a note for later; do it or drop it")});
}

}  // namespace

HouseRules::HouseRules(const QString& arrows) {
    const QStringList lines = arrows.split(QLatin1Char('\n'), Qt::SkipEmptyParts);
    for (const QString& line : lines) {
        if (line.startsWith(QLatin1Char('#'))) continue;
        const qsizetype colon =
            line.indexOf(QLatin1String(": ")) >= 0 ? line.indexOf(QLatin1String(": ")) : line.size() - 1;
        const QStringList after = words(line.mid(colon + 1));
        if (line.startsWith(QLatin1String("only "))) {
            only_.append({line.mid(5, colon - 5), after});
        } else if (line.startsWith(QLatin1String("inside "))) {
            inside_ = words(line).mid(1);
        } else if (line.startsWith(QLatin1String("gpl "))) {
            gpl_ = words(line).mid(1);
        } else {
            arrows_.insert(line.left(colon), after);
        }
    }
}

QString HouseRules::folder_of(const QString& path) const {
    QString best;
    for (auto row = arrows_.keyBegin(); row != arrows_.keyEnd(); ++row) {
        const QString start = start_that_fits(path, *row);
        if (start.size() > best.size()) best = start;
    }
    return best;
}

bool HouseRules::may_include(const QString& from, const QString& to) const {
    if (from == to) return true;
    QStringList open;
    for (auto row = arrows_.constBegin(); row != arrows_.constEnd(); ++row) {
        if (start_that_fits(from, row.key()) == from) open = row.value();
    }
    QSet<QString> seen;
    while (!open.isEmpty()) {
        const QString row = open.takeLast();
        if (seen.contains(row)) continue;
        seen.insert(row);
        if (start_that_fits(to, row) == to) return true;
        open += arrows_.value(row);
    }
    return false;
}

void HouseRules::check_include(const QString& path, const QString& header, int line, QList<Finding>& found) const {
    if (header.startsWith(QLatin1Char('<'))) {
        for (const Only& only : only_) {
            if (header.startsWith(only.prefix) && !is_under(path, only.folders)) {
                found.append(
                    {path, line,
                     QStringLiteral("includes %1, which is for %2 only").arg(header, only.folders.join(u", "))});
            }
        }
        // A *-inl.h is the body of a .cpp that Highway compiles once for each target.
        if (!path.endsWith(QLatin1String(".h")) || path.endsWith(QLatin1String("-inl.h")) || !is_product(path)) return;
        for (const QString& prefix : inside_) {
            if (header.startsWith(prefix)) {
                found.append({path, line, QStringLiteral("a header includes %1; keep it in a .cpp").arg(header)});
            }
        }
        return;
    }
    const QString target = header.mid(1, header.size() - 2);
    if (target.endsWith(QLatin1String(".moc"))) return;
    const QString to = folder_of(target);
    if (to.isEmpty()) {
        found.append({path, line, QStringLiteral("includes %1; write the path from the root").arg(header)});
        return;
    }
    const QString from = folder_of(path);
    if (from.isEmpty()) {
        found.append({path, line, QStringLiteral("stands in a folder that tests/house/arrows.txt does not name")});
    } else if (!may_include(from, to)) {
        found.append({path, line, QStringLiteral("%1 must not include %2 (%3)").arg(from, to, target)});
    }
}

void HouseRules::check_licence(const QString& path, const QStringList& lines, QList<Finding>& found) const {
    const int line = lines.value(0).startsWith(QLatin1String("#!")) ? 2 : 1;
    const QString licence = is_under(path, gpl_) ? QStringLiteral("GPL-3.0-or-later") : QStringLiteral("Apache-2.0");
    const QString wanted = QStringLiteral("SPDX-License-Identifier: ") + licence;
    if (!lines.value(line - 1).endsWith(wanted)) found.append({path, line, QStringLiteral("must say ") + wanted});
}

QList<Finding> HouseRules::check(const QString& path, const QString& text) const {
    static const QRegularExpression include(QStringLiteral(R"re(^\s*#\s*include\s+(<[^>]+>|"[^"]+"))re"));
    QList<Finding> found;
    const QStringList lines = text.split(QLatin1Char('\n'));
    if (is_source(path) || lines.value(0).startsWith(QLatin1String("#!"))) check_licence(path, lines, found);
    if (!is_source(path)) return found;
    for (int row = 0; row < lines.size(); ++row) {
        const QRegularExpressionMatch match = include.match(lines[row]);
        if (match.hasMatch()) check_include(path, match.captured(1), row + 1, found);
        check_colours(path, lines[row], row + 1, found);
        check_left_over(path, lines[row], row + 1, found);
    }
    const int count = static_cast<int>(text.count(QLatin1Char('\n')));
    if (count > kLongestFile) {
        found.append({path, kLongestFile + 1, QStringLiteral("%1 lines; it wants to be two files").arg(count)});
    }
    return found;
}

QList<Finding> uncompiled(const QHash<QString, QString>& text_of_path) {
    static const QRegularExpression unit(QStringLiteral(R"(\.(cpp|cu)$)"));
    static const QRegularExpression word(QStringLiteral(R"([\w-]+)"));
    QHash<QString, QSet<QString>> names_in_folder;
    for (auto file = text_of_path.constBegin(); file != text_of_path.constEnd(); ++file) {
        if (!file.key().endsWith(QLatin1String(".cmake")) && !file.key().endsWith(QLatin1String("CMakeLists.txt")))
            continue;
        QSet<QString>& names = names_in_folder[QFileInfo(file.key()).path()];
        for (auto match = word.globalMatch(file.value()); match.hasNext();) names.insert(match.next().captured());
    }
    QList<Finding> found;
    for (auto file = text_of_path.keyBegin(); file != text_of_path.keyEnd(); ++file) {
        if (!unit.match(*file).hasMatch()) continue;
        const QString stem = QFileInfo(*file).completeBaseName();
        bool named = false;
        for (QString folder = QFileInfo(*file).path(); !named && folder != QLatin1String(".");
             folder = QFileInfo(folder).path()) {
            named = names_in_folder.value(folder).contains(stem);
        }
        if (!named) found.append({*file, 1, QStringLiteral("no CMakeLists.txt names this file")});
    }
    return found;
}

}  // namespace maskscope::house
