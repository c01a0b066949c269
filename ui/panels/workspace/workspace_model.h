// SPDX-License-Identifier: GPL-3.0-or-later
// The open entries as a tree: groups (by role or by file), folders where a file has many dotted or slashed keys,
// entries. Holds ids and texts only; what a row shows is read from the document when it is drawn.
#pragma once

#include "core/document/document.h"

#include <QAbstractItemModel>
#include <QString>

#include <memory>
#include <set>
#include <vector>

namespace maskscope::ui {

using document::EntryId;

class WorkspaceModel : public QAbstractItemModel {
    Q_OBJECT
public:
    enum class Kind { group, folder, entry };
    enum class Grouping { role, file };
    enum class Only { all, tensors, masks, labels, with_nan };

    explicit WorkspaceModel(const document::Document& document, QObject* parent = nullptr);
    ~WorkspaceModel() override;

    void setGrouping(Grouping grouping);
    Grouping grouping() const { return grouping_; }
    // Every word of it must stand in an entry's key or file name.
    void setFilter(const QString& words, Only only);
    bool filtered() const { return !words_.isEmpty() || only_ != Only::all; }
    Only only() const { return only_; }
    // What a scan found; entries with NaN come first in groups with many entries.
    void setHasNan(EntryId id, bool has_nan);
    bool hasNan(EntryId id) const { return with_nan_.contains(id); }
    // Another open entry has the same name.
    bool isAmbiguous(EntryId id) const { return ambiguous_.contains(id); }
    // Reads the document again. True when rows came, went or moved (a reset); otherwise the rows stay as they are.
    bool rebuild();

    Kind kind(const QModelIndex& index) const;
    EntryId id(const QModelIndex& index) const;    // none for groups and folders
    QString name(const QModelIndex& index) const;  // the part of the key that its folders do not say
    QString key(const QModelIndex& index) const;   // tells a row from every other, the same after a rebuild
    QString path(const QModelIndex& index) const;  // of a file group
    int count(const QModelIndex& index) const;     // entries below
    int depth(const QModelIndex& index) const;     // of folders: 0 for what lies in a group
    QModelIndex indexOf(EntryId id) const;

    QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
    QModelIndex parent(const QModelIndex& child) const override;
    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;

private:
    struct Node;
    static const Node* node(const QModelIndex& index);
    QModelIndex indexOf(const Node& node) const;
    std::unique_ptr<Node> build() const;
    void findAmbiguous();
    bool accepts(const document::Entry& entry) const;

    const document::Document& document_;
    Grouping grouping_ = Grouping::role;
    QString words_;
    Only only_ = Only::all;
    std::set<EntryId> with_nan_;
    std::set<EntryId> ambiguous_;
    std::unique_ptr<Node> root_;
};

// "KEEP (a guess from name and values): True lets a cell through."
QString meaningOf(const document::Guessed<document::MaskConvention>& convention);

}  // namespace maskscope::ui
