// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/kit/badge.h"
#include "ui/kit/style.h"

#include <QWidget>

#include <vector>

namespace maskscope::ui {

// What a view shows: "weights[0, 3, :, :]" with the indices in the accent colour, or a name alone, and badges after it.
// Where room is short the badges go first, then the name is cut in its middle.
class ViewTitle : public QWidget {
    Q_OBJECT
public:
    explicit ViewTitle(Style& style, QWidget* parent = nullptr);
    void setTitle(const QString& name, const QString& slice = {});
    void setBadges(std::vector<Badge> badges);  // the last is the most important
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    int badgesWidth(std::size_t first) const;
    Style& style_;
    QString name_;
    QString slice_;
    std::vector<Badge> badges_;
};

}  // namespace maskscope::ui
