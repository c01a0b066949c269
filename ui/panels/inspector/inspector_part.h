// SPDX-License-Identifier: GPL-3.0-or-later
// One part of the inspector. The panel tells it what changed; it reads the session and shows it, and never answers a
// change with a change.
#pragma once

#include "ui/kit/style.h"
#include "ui/session/session.h"

#include <QWidget>

class QLabel;
class QVBoxLayout;

namespace maskscope::ui {

enum class Change { entry, view, cursor, data, document };

class InspectorPart : public QWidget {
    Q_OBJECT
public:
    InspectorPart(Session& session, Style& style, QWidget* parent);
    void setEntry(EntryId id);
    virtual void refresh(Change change) = 0;

protected:
    const document::Entry* entry() const { return session_.document().find(entry_); }
    const ViewState* view() const { return session_.view(entry_); }
    // The column of the part itself, without margins.
    QVBoxLayout* column() const { return column_; }

    Session& session_;
    Style& style_;
    EntryId entry_ = EntryId::none;

private:
    QVBoxLayout* column_;
};

// A label of 52 px and a control: "Map [ Tide v ]".
class FieldRow : public QWidget {
    Q_OBJECT
public:
    FieldRow(Style& style, const QString& label, QWidget* parent);
    void add(QWidget* control, int stretch = 0);
    void addStretch();
    void setLabel(const QString& label);
};

// Text that is cut in the middle where it does not fit; the tooltip has all of it.
class ElidedLabel : public QWidget {
    Q_OBJECT
public:
    explicit ElidedLabel(QWidget* parent);
    void setText(const QString& text);
    void setLeast(int letters) { least_ = letters; }  // that always show
    const QString& text() const { return text_; }
    void setTextFont(const QFont& font);
    void setColour(const QColor& colour);
    void setAlignment(Qt::Alignment alignment);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QString text_;
    int least_ = 6;
    QColor colour_;
    Qt::Alignment alignment_ = Qt::AlignLeft;
};

// Name at the left in text.2, value at the right in mono. Where room is short the name is cut first, but keeps its
// first letters; then the value.
class FactRow : public QWidget {
    Q_OBJECT
public:
    FactRow(Style& style, const QString& name, QWidget* parent);
    void setFact(const QString& name, const QString& value);
    void setQuiet(bool quiet);  // text.3, for zero counts
    // Widgets beside the texts: a swatch in front, a badge behind.
    void addFront(QWidget* widget);
    void addBehind(QWidget* widget);
    QString value() const { return value_->text(); }

private:
    Style& style_;
    ElidedLabel* name_;
    ElidedLabel* value_;
    bool quiet_ = false;
};

// For the screen: U+2212, at most `digits` significant digits.
QString shownNumber(double value, int digits = 4);
// "27.0 KiB"
QString shownBytes(std::size_t bytes);

}  // namespace maskscope::ui
