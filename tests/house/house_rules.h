// SPDX-License-Identifier: Apache-2.0
// The rules of the source tree that no compiler checks: who includes whom, licence lines, length, colours. The arrows
// are data, in arrows.txt; the rest stands in house_rules.cpp, one function a rule.
#pragma once

#include <QHash>
#include <QList>
#include <QString>
#include <QStringList>

namespace maskscope::house {

struct Finding {
    QString file;
    int line;
    QString what;

    QString text() const { return QStringLiteral("%1:%2: %3").arg(file).arg(line).arg(what); }
    bool operator==(const Finding&) const = default;
};

class HouseRules {
public:
    // `arrows` is the text of arrows.txt.
    explicit HouseRules(const QString& arrows);

    // All that is wrong with one file. `path` is relative to the root of the tree, with slashes.
    QList<Finding> check(const QString& path, const QString& text) const;

private:
    struct Only {
        QString prefix;
        QStringList folders;
    };

    // The folder of the house that a path is in, with a `*` row made concrete (`ui/panels/attention`); empty if no row
    // fits.
    QString folder_of(const QString& path) const;
    bool may_include(const QString& from, const QString& to) const;

    void check_include(const QString& path, const QString& header, int line, QList<Finding>& found) const;
    void check_licence(const QString& path, const QStringList& lines, QList<Finding>& found) const;

    QHash<QString, QStringList> arrows_;
    QList<Only> only_;
    QStringList inside_;
    QStringList gpl_;
};

// Files that a build description in their own folder or above never names, and which therefore are never compiled.
QList<Finding> uncompiled(const QHash<QString, QString>& text_of_path);

}  // namespace maskscope::house
