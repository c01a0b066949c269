// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/workspace/workspace_model.h"

#include "ui/session/cell_readout.h"

#include <QFileInfo>
#include <QHash>

#include <algorithm>
#include <map>
#include <string_view>

namespace maskscope::ui {
namespace {

// Below this a group is read at a glance: file order, no folders.
constexpr std::size_t kMany = 16;

QString group_title(document::Role role) {
    switch (role) {
        case document::Role::tensor:
            return WorkspaceModel::tr("Tensors");
        case document::Role::mask:
            return WorkspaceModel::tr("Masks");
        case document::Role::image:
            return WorkspaceModel::tr("Images");
        case document::Role::labels:
            return WorkspaceModel::tr("Labels");
    }
    return {};
}

bool fits(document::Role role, WorkspaceModel::Only only) {
    switch (only) {
        case WorkspaceModel::Only::tensors:
            return role == document::Role::tensor || role == document::Role::image;
        case WorkspaceModel::Only::masks:
            return role == document::Role::mask;
        case WorkspaceModel::Only::labels:
            return role == document::Role::labels;
        case WorkspaceModel::Only::all:
        case WorkspaceModel::Only::with_nan:
            return true;
    }
    return true;
}

QStringList parts_of(const QString& key) {
    QStringList parts = QString(key).replace(QLatin1Char('/'), QLatin1Char('.')).split(QLatin1Char('.'));
    parts.removeAll(QString());
    return parts;
}

}  // namespace

struct WorkspaceModel::Node {
    Kind kind = Kind::group;
    QString name;
    QString key;
    QString path;
    EntryId id = EntryId::none;
    Node* parent = nullptr;
    int row = 0;
    int count = 0;
    std::vector<std::unique_ptr<Node>> children;

    Node* add(Kind child_kind, const QString& child_name, const QString& child_key) {
        auto child = std::make_unique<Node>();
        child->kind = child_kind;
        child->name = child_name;
        child->key = child_key;
        child->parent = this;
        child->row = static_cast<int>(children.size());
        children.push_back(std::move(child));
        return children.back().get();
    }
    bool same_rows(const Node& other) const {
        return key == other.key && name == other.name && id == other.id && count == other.count &&
               std::equal(children.begin(), children.end(), other.children.begin(), other.children.end(),
                          [](const auto& a, const auto& b) { return a->same_rows(*b); });
    }
    // A folder that holds one folder only is one row: "model.layers".
    void join_single_folders() {
        for (auto& child : children) {
            while (child->kind == Kind::folder && child->children.size() == 1 &&
                   child->children.front()->kind == Kind::folder) {
                auto inner = std::move(child->children.front());
                inner->name = child->name + QLatin1Char('.') + inner->name;
                child = std::move(inner);
            }
            child->join_single_folders();
        }
    }
    int settle() {
        count = kind == Kind::entry ? 1 : 0;
        for (std::size_t i = 0; i < children.size(); ++i) {
            children[i]->parent = this;
            children[i]->row = static_cast<int>(i);
            count += children[i]->settle();
        }
        return count;
    }
};

WorkspaceModel::WorkspaceModel(const document::Document& document, QObject* parent)
    : QAbstractItemModel(parent), document_(document), root_(build()) {}
WorkspaceModel::~WorkspaceModel() = default;

void WorkspaceModel::setGrouping(Grouping grouping) {
    grouping_ = grouping;
}

void WorkspaceModel::setFilter(const QString& words, Only only) {
    words_ = words.simplified();
    only_ = only;
}

void WorkspaceModel::setHasNan(EntryId id, bool has_nan) {
    if (has_nan) {
        with_nan_.insert(id);
    } else {
        with_nan_.erase(id);
    }
}

bool WorkspaceModel::rebuild() {
    std::erase_if(with_nan_, [this](EntryId id) { return document_.find(id) == nullptr; });
    findAmbiguous();
    auto next = build();
    if (next->same_rows(*root_)) return false;
    beginResetModel();
    root_ = std::move(next);
    endResetModel();
    return true;
}

void WorkspaceModel::findAmbiguous() {
    ambiguous_.clear();
    std::map<std::string_view, EntryId> first;
    for (const auto& entry : document_.entries()) {
        const auto [known, is_new] = first.try_emplace(entry.name, entry.id);
        if (!is_new) ambiguous_.insert({known->second, entry.id});
    }
}

bool WorkspaceModel::accepts(const document::Entry& entry) const {
    if (!fits(entry.role.value, only_)) return false;
    if (only_ == Only::with_nan && !hasNan(entry.id)) return false;
    if (words_.isEmpty()) return true;
    const auto searched = QString::fromStdString(entry.name) + QLatin1Char(' ') +
                          QFileInfo(QString::fromStdString(entry.path)).fileName();
    const auto words = words_.split(QLatin1Char(' '));
    return std::all_of(words.begin(), words.end(),
                       [&](const QString& word) { return searched.contains(word, Qt::CaseInsensitive); });
}

std::unique_ptr<WorkspaceModel::Node> WorkspaceModel::build() const {
    struct Group {
        QString title;
        QString path;
        std::vector<const document::Entry*> entries;
    };
    std::vector<Group> groups;
    if (grouping_ == Grouping::role) {
        using document::Role;
        for (const auto role : {Role::tensor, Role::mask, Role::image, Role::labels}) {
            groups.push_back({group_title(role), {}, {}});
            for (const auto& entry : document_.entries()) {
                if (entry.role.value == role && accepts(entry)) groups.back().entries.push_back(&entry);
            }
        }
    } else {
        QHash<QString, std::size_t> at;
        for (const auto& file : document_.files()) {
            const auto path = QString::fromStdString(file.path);
            at.insert(path, groups.size());
            groups.push_back({QFileInfo(path).fileName(), path, {}});
        }
        for (const auto& entry : document_.entries()) {
            const auto found = at.constFind(QString::fromStdString(entry.path));
            if (found != at.constEnd() && accepts(entry)) groups[*found].entries.push_back(&entry);
        }
    }

    auto root = std::make_unique<Node>();
    for (auto& group : groups) {
        if (group.entries.empty()) continue;
        auto* group_node = root->add(Kind::group, group.title, group.path.isEmpty() ? group.title : group.path);
        group_node->path = group.path;
        const bool many = group.entries.size() > kMany;
        if (many) {
            std::stable_partition(group.entries.begin(), group.entries.end(),
                                  [this](const auto* entry) { return hasNan(entry->id); });
        }
        QHash<QString, Node*> folders;
        for (const auto* entry : group.entries) {
            const auto name = QString::fromStdString(entry->name);
            Node* under = group_node;
            // What holds a NaN stands in front with its whole key; the others lie in their folders.
            const auto parts = many && !hasNan(entry->id) ? parts_of(name) : QStringList{name};
            QString key = group_node->key;
            for (qsizetype i = 0; i + 1 < parts.size(); ++i) {
                key += QLatin1Char('/') + parts[i];
                auto& folder = folders[key];
                if (folder == nullptr) folder = under->add(Kind::folder, parts[i], key);
                under = folder;
            }
            const auto id_text = QString::number(static_cast<qulonglong>(entry->id));
            under->add(Kind::entry, parts.isEmpty() ? name : parts.last(), QStringLiteral("#") + id_text)->id =
                entry->id;
        }
    }
    root->join_single_folders();
    root->settle();
    return root;
}

const WorkspaceModel::Node* WorkspaceModel::node(const QModelIndex& index) {
    return static_cast<const Node*>(index.internalPointer());
}

WorkspaceModel::Kind WorkspaceModel::kind(const QModelIndex& index) const {
    return node(index)->kind;
}
EntryId WorkspaceModel::id(const QModelIndex& index) const {
    return index.isValid() ? node(index)->id : EntryId::none;
}
QString WorkspaceModel::name(const QModelIndex& index) const {
    return node(index)->name;
}
QString WorkspaceModel::key(const QModelIndex& index) const {
    return node(index)->key;
}
QString WorkspaceModel::path(const QModelIndex& index) const {
    return node(index)->path;
}
int WorkspaceModel::count(const QModelIndex& index) const {
    return node(index)->count;
}

int WorkspaceModel::depth(const QModelIndex& index) const {
    int depth = -2;  // neither the root nor the group counts
    for (const auto* at = node(index); at != nullptr; at = at->parent) ++depth;
    return std::max(0, depth - 1);
}

QModelIndex WorkspaceModel::indexOf(const Node& at) const {
    return at.parent == nullptr ? QModelIndex() : createIndex(at.row, 0, &at);
}

QModelIndex WorkspaceModel::indexOf(EntryId id) const {
    if (id == EntryId::none) return {};
    std::vector<const Node*> stack{root_.get()};
    while (!stack.empty()) {
        const auto* at = stack.back();
        stack.pop_back();
        if (at->id == id) return indexOf(*at);
        for (const auto& child : at->children) stack.push_back(child.get());
    }
    return {};
}

QModelIndex WorkspaceModel::index(int row, int column, const QModelIndex& parent) const {
    const auto* above = parent.isValid() ? node(parent) : root_.get();
    if (column != 0 || row < 0 || row >= static_cast<int>(above->children.size())) return {};
    return createIndex(row, 0, above->children[static_cast<std::size_t>(row)].get());
}

QModelIndex WorkspaceModel::parent(const QModelIndex& child) const {
    return child.isValid() ? indexOf(*node(child)->parent) : QModelIndex();
}

int WorkspaceModel::rowCount(const QModelIndex& parent) const {
    return static_cast<int>((parent.isValid() ? node(parent) : root_.get())->children.size());
}

int WorkspaceModel::columnCount(const QModelIndex& /*parent*/) const {
    return 1;
}

QString meaningOf(const document::Guessed<document::MaskConvention>& convention) {
    const auto what = [&] {
        switch (convention.value) {
            case document::MaskConvention::keep:
                return WorkspaceModel::tr("KEEP: True lets a cell through");
            case document::MaskConvention::drop:
                return WorkspaceModel::tr("DROP: True hides a cell");
            case document::MaskConvention::additive:
                return WorkspaceModel::tr("ADDITIVE: added to the scores, −inf hides a cell");
        }
        return QString();
    }();
    return convention.guess ? what + WorkspaceModel::tr(" (a guess)") : what;
}

QVariant WorkspaceModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid()) return {};
    const auto& at = *node(index);
    if (role == Qt::DisplayRole) return at.name;
    const auto* entry = document_.find(at.id);
    if (entry == nullptr) {
        if (role == Qt::ToolTipRole && !at.path.isEmpty()) return at.path;
        if (role == Qt::AccessibleTextRole) return tr("%1, %n entries", nullptr, at.count).arg(at.name);
        return {};
    }
    if (role == Qt::ToolTipRole || role == Qt::AccessibleTextRole) {
        QStringList lines{QString::fromStdString(entry->name)};
        lines << QStringLiteral("%1 %2 %3")
                     .arg(textOf(document::name_of(entry->role.value)), textOf(maskscope::name_of(entry->item.dtype)),
                          QString::fromStdString(text_of(entry->item.shape)));
        if (entry->convention) lines << meaningOf(*entry->convention);
        if (hasNan(at.id)) lines << tr("holds NaN");
        if (!entry->item.note.empty()) lines << QString::fromStdString(entry->item.note);
        if (!entry->error.empty()) lines << QString::fromStdString(entry->error);
        if (role == Qt::ToolTipRole) lines << QString::fromStdString(entry->path);
        return lines.join(role == Qt::ToolTipRole ? QLatin1Char('\n') : QLatin1Char(','));
    }
    return {};
}

}  // namespace maskscope::ui
