// SPDX-License-Identifier: GPL-3.0-or-later
// A choice of masks, each with the badge of how it is meant.
#pragma once

#include "core/document/document.h"
#include "ui/kit/badge.h"
#include "ui/kit/style.h"

#include <QComboBox>

#include <optional>

namespace maskscope::ui {

class MaskCombo : public QComboBox {
    Q_OBJECT
public:
    MaskCombo(Style& style, QWidget* parent);
    // `none` stands for "No mask" and has no badge.
    void addMask(const QString& name, document::EntryId id, std::optional<document::MaskConvention> convention);
    document::EntryId idAt(int index) const;
    int find(document::EntryId id) const;

    static std::optional<Badge> badgeAt(const QModelIndex& index);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    Style& style_;
};

}  // namespace maskscope::ui
