// SPDX-License-Identifier: GPL-3.0-or-later
// The keys of a row, the heaviest first: key, token, weight, its share of the row, and the shares added up.
#pragma once

#include "core/render/pool/row_profile.h"
#include "ui/kit/style.h"

#include <QAbstractTableModel>
#include <QTableView>

#include <optional>
#include <string>
#include <vector>

namespace maskscope::ui {

class TokenModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { key, token, weight, share, cumulative, kColumns };
    enum Role { share_role = Qt::UserRole, column_role };

    explicit TokenModel(Style& style, QObject* parent = nullptr);
    // Visible cells only: NaN and the infinities first, then the values falling.
    void setRow(const render::RowProfile& profile, std::vector<std::string> tokens);
    void setCursor(std::optional<std::int64_t> col);
    void setValueName(const QString& name);
    bool hasShares() const { return shares_; }  // the row is a distribution
    int rowOf(std::int64_t col) const;          // -1: not in the table
    std::int64_t columnOf(int row) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    struct Row {
        std::int64_t col = 0;
        double value = 0;
        double cumulative = 0;
    };
    QString text(const Row& row, int column) const;

    Style& style_;
    std::vector<Row> rows_;
    std::vector<int> row_of_;  // by column of the plane
    std::vector<std::string> tokens_;
    double sum_ = 0;
    bool shares_ = false;
    std::optional<std::int64_t> cursor_;
    QString value_name_;
};

class TokenTable : public QTableView {
    Q_OBJECT
public:
    explicit TokenTable(Style& style, QWidget* parent = nullptr);
    TokenModel& tokens() { return *model_; }
    void setCursor(std::optional<std::int64_t> col);
    using QTableView::setCursor;
    void setTokensShown(bool shown);
    void layOutColumns();  // after the model has another row

signals:
    void columnClicked(qint64 col);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    Style& style_;
    TokenModel* model_;
};

}  // namespace maskscope::ui
