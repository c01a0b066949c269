// SPDX-License-Identifier: GPL-3.0-or-later
// Small labels of 16 px: what an entry is, how a mask is meant, dtype, shape, how many NaN.
#pragma once

#include "core/document/document.h"
#include "core/tensor/dims.h"
#include "core/tensor/dtype.h"
#include "ui/kit/style.h"

#include <QWidget>

class QPainter;

namespace maskscope::ui {

enum class BadgeKind {
    tensor_role,
    mask_role,
    image_role,
    script_role,
    keep,
    drop,
    additive,
    labels,
    mono,  // dtype, shape
    nan,
    error,
    warn,
    ok,
    info,
    neutral,  // count pill
};

struct Badge {
    QString text;
    BadgeKind kind = BadgeKind::mono;
    friend bool operator==(const Badge&, const Badge&) = default;
};

Badge badgeOf(document::Role role);
Badge badgeOf(document::MaskConvention convention);
Badge badgeOf(DType dtype);                              // "f16"
Badge planeBadge(std::int64_t rows, std::int64_t cols);  // "24 × 24"
Badge nanBadge(std::int64_t count);                      // "24 NaN"

QSize badgeSize(const Style& style, const Badge& badge);
// Paints with the left top corner at `corner`; returns the box.
QRect paintBadge(QPainter& painter, const Style& style, QPoint corner, const Badge& badge);

class BadgeLabel : public QWidget {
    Q_OBJECT
public:
    BadgeLabel(Style& style, const Badge& badge, QWidget* parent = nullptr);
    void setBadge(const Badge& badge);
    const Badge& badge() const { return badge_; }
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    Style& style_;
    Badge badge_;
};

}  // namespace maskscope::ui
