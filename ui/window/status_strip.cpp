// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/status_strip.h"

#include "ui/canvas/image_canvas.h"
#include "ui/kit/label_swatch.h"
#include "ui/kit/progress_strip.h"
#include "ui/panels/overlay/tool_catalog.h"
#include "ui/window/navigation.h"
#include "ui/window/text_format.h"

#include <QPainter>

#include <algorithm>

namespace maskscope::ui {

using render::CellState;
using render::Token;

namespace {

constexpr int kFirstField = 248;
constexpr int kShowAfterMs = 200;

int widestToken(const std::vector<std::string>& tokens, const QFontMetrics& metrics) {
    int widest = 0;
    constexpr std::size_t kLookedAt = 512;
    for (std::size_t i = 0; i < std::min(tokens.size(), kLookedAt); ++i) {
        widest = std::max(widest, metrics.horizontalAdvance(textOf(tokens[i])));
    }
    return widest;
}

}  // namespace

StatusStrip::StatusStrip(Session& session, Style& style, QWidget* parent)
    : QStatusBar(parent), session_(session), style_(style), progress_(new ProgressStrip(style, this)) {
    setAccessibleName(tr("Readout"));
    setSizeGripEnabled(false);
    progress_->hide();
    poll_.setInterval(100);
    saying_.setSingleShot(true);
    saying_.setInterval(4000);
    connect(&poll_, &QTimer::timeout, this, &StatusStrip::readJobs);
    connect(&saying_, &QTimer::timeout, this, [this] {
        said_.clear();
        update();
    });
    connect(progress_, &ProgressStrip::cancelled, this, [this] { session_.jobs().cancel(progress_slot_); });
    connect(&session_.jobs(), &JobRunner::changed, this, &StatusStrip::readJobs);
    const auto ofCurrent = [this](auto method) {
        return [this, method](EntryId id) {
            if (id == session_.current()) (this->*method)();
        };
    };
    connect(&session_, &Session::cursorChanged, this, ofCurrent(&StatusStrip::readCursor));
    connect(&session_, &Session::viewChanged, this, ofCurrent(&StatusStrip::readView));
    connect(&session_, &Session::dataChanged, this, ofCurrent(&StatusStrip::readView));
    connect(&session_, &Session::currentChanged, this, &StatusStrip::readView);
    connect(&session_, &Session::documentChanged, this, &StatusStrip::readView);
    style_.follow(this, [this] {
        setFixedHeight(style_.px(24));
        readView();
        placeProgress();
    });
}

void StatusStrip::setImageCanvas(ImageCanvas* canvas) {
    if (canvas_ == canvas) return;
    canvas_ = canvas;
    connect(canvas, &ImageCanvas::underChanged, this, &StatusStrip::readCursor);
    connect(canvas, &ImageCanvas::pitchChanged, this, &StatusStrip::readView);
    connect(&session_.edits(), &EditSession::toolsChanged, this, &StatusStrip::readView);
    connect(&session_.edits(), &EditSession::historyChanged, this, &StatusStrip::readView);
    connect(&session_.edits(), &EditSession::maskChanged, this, &StatusStrip::readCursor);
    readView();
}

bool StatusStrip::showsImage() const {
    return canvas_ != nullptr && session_.showsAsImage(session_.current());
}

void StatusStrip::readImage() {
    facts_ << hintOf(infoOf(session_.edits().tools().tool));
    const double percent = canvas_->pitch() * 100;
    facts_ << tr("%1 %").arg(percent, 0, 'f', percent >= 10 ? 0 : 1);
    const QFontMetrics mono(style_.mono(11));
    const auto widest = widestTexts(session_, session_.current());
    index_width_ = mono.horizontalAdvance(widest[0]);
    names_width_ = QFontMetrics(style_.ui(11)).horizontalAdvance(widest[1]);
}

void StatusStrip::say(const QString& text) {
    said_ = text;
    saying_.start();
    update();
}

void StatusStrip::readCursor() {
    const EntryId id = session_.current();
    if (showsImage()) {
        pixel_ = readPixel(session_, *canvas_);
        has_cursor_ = pixel_.known;
        setAccessibleDescription(has_cursor_ ? pixel_.placeText + QStringLiteral(", ") + pixel_.labelText : QString());
        update();
        emit lineChanged();
        return;
    }
    const auto* view = session_.view(id);
    has_cursor_ = view != nullptr && view->cursor.has_value();
    readout_ = has_cursor_ ? readCell(session_, id, *view->cursor) : CellReadout{};
    setAccessibleDescription(readout_.spoken);
    update();
    emit lineChanged();
}

QString StatusStrip::line() const {
    QStringList fields;
    if (showsImage() && has_cursor_) {
        fields << pixel_.labelText << pixel_.placeText << pixel_.valueText << pixel_.idsText << toolText(session_);
        fields.removeAll(QString());
    } else if (has_cursor_) {
        fields << readout_.stateText + QLatin1Char(' ') + readout_.valueText << readout_.addressText
               << readout_.axisText << readout_.maskText;
    } else if (const auto* entry = session_.document().find(session_.current())) {
        fields << textOf(entry->name);
    }
    return (fields + facts_).join(QStringLiteral(" | "));
}

void StatusStrip::readView() {
    facts_.clear();
    index_width_ = names_width_ = 0;
    const EntryId id = session_.current();
    const auto* entry = session_.document().find(id);
    const auto* view = session_.view(id);
    if (showsImage()) {
        readImage();
    } else if (entry != nullptr && view != nullptr) {
        const auto stepped = steppedDims(session_, id);
        if (!stepped.empty()) {
            const int dim = stepped.front();
            facts_ << tr("%1 %2 of %3")
                          .arg(dimName(*entry, dim))
                          .arg(view->index[static_cast<std::size_t>(dim)])
                          .arg(entry->item.shape[dim]);
        }
        if (session_.counting(id)) {
            facts_ << tr("counting");
        } else {
            const auto scale = session_.scale(id);
            const auto kind = render::name_of(scale.kind);
            facts_ << textOf(kind) + QLatin1Char(' ') + shortNumber(scale.lo) + QStringLiteral("…") +
                          shortNumber(scale.hi);
        }
        facts_ << textOf(short_name_of(entry->item.dtype)) + QStringLiteral(", ") + bytesText(entry->item.bytes);

        std::vector<std::int64_t> last;
        for (const auto size : entry->item.shape) last.push_back(std::max<std::int64_t>(size - 1, 0));
        index_width_ = QFontMetrics(style_.mono(11)).horizontalAdvance(textOf(entry->name) + indexText(last));
        const QFontMetrics plain(style_.ui(11));
        const QFontMetrics bold(style_.ui(11, 600));
        for (const int dim : {view->row_dim, view->col_dim}) {
            if (dim < 0) continue;
            const auto most = static_cast<qlonglong>(entry->item.shape[dim] - 1);
            names_width_ += plain.horizontalAdvance(dimName(*entry, dim) + QStringLiteral(" %1 ").arg(most)) +
                            std::min(widestToken(session_.tokens(id, dim), bold), style_.px(96));
        }
        names_width_ += plain.horizontalAdvance(QStringLiteral(" → "));
    }
    readCursor();
}

void StatusStrip::readJobs() {
    const auto running = session_.jobs().running();
    const auto longest = std::max_element(running.begin(), running.end(),
                                          [](const auto& a, const auto& b) { return a.elapsedMs < b.elapsedMs; });
    if (longest == running.end()) {
        poll_.stop();
    } else if (!poll_.isActive()) {
        poll_.start();
    }
    const bool shown = longest != running.end() && longest->elapsedMs >= kShowAfterMs;
    if (shown) {
        progress_slot_ = longest->slot;
        progress_->show(longest->title, longest->done, longest->total);
        placeProgress();
    }
    if (progress_->isVisible() != shown) {
        progress_->setVisible(shown);
        update();
    }
}

void StatusStrip::placeProgress() {
    const int wanted = std::min(progress_->sizeHint().width(), width() / 2);
    progress_->setGeometry(width() - wanted - style_.px(8), 1, wanted, height() - 1);
}

void StatusStrip::resizeEvent(QResizeEvent* event) {
    QStatusBar::resizeEvent(event);
    placeProgress();
}

QColor StatusStrip::swatch() const {
    const auto* view = session_.view(session_.current());
    if (view == nullptr) return style_.colour(Token::bg_sunken);
    if (readout_.state == CellState::value || readout_.state == CellState::subnormal) {
        render::Look look;
        look.theme = style_.themeId();
        look.map = view->colour.map;
        look.scale = session_.scale(session_.current());
        return QColor::fromRgb(render::colour_of(readout_.value, look));
    }
    return QColor::fromRgb(render::flat_colour(readout_.state, style_.theme()));
}

void StatusStrip::paintReadout(QPainter& painter, int right) {
    const auto line = [&](int x) { painter.fillRect(QRect(x, 1, 1, height() - 1), style_.colour(Token::line)); };
    const int pad = style_.px(12);
    int x = pad;
    const int first = std::min(style_.px(kFirstField), right);
    if (!said_.isEmpty()) {
        painter.setFont(style_.ui(11));
        painter.setPen(style_.colour(Token::text));
        painter.drawText(QRect(x, 1, right - x - pad, height() - 1), Qt::AlignVCenter | Qt::AlignLeft,
                         painter.fontMetrics().elidedText(said_, Qt::ElideMiddle, right - x - pad));
        return;
    }
    if (has_cursor_ && showsImage()) return paintPixel(painter, right);
    if (!has_cursor_) {
        painter.setFont(style_.ui(11));
        painter.setPen(style_.colour(Token::text_3));
        const QString hint = session_.current() == EntryId::none ? tr("No tensor is open")
                             : showsImage()                      ? tr("Point at a pixel")
                                            : tr("Point at a cell, or move through them with the arrow keys");
        painter.drawText(QRect(x, 1, right - x - pad, height() - 1), Qt::AlignVCenter | Qt::AlignLeft,
                         painter.fontMetrics().elidedText(hint, Qt::ElideRight, right - x - pad));
        return;
    }
    const int side = style_.px(10);
    const QRect box(x, (height() - side) / 2 + 1, side, side);
    painter.fillRect(box, swatch());
    painter.setPen(style_.colour(Token::line_strong));
    painter.drawRect(box.adjusted(0, 0, -1, -1));
    const auto text = [&](const QRect& field, Qt::Alignment align, const QString& words, const QFont& font,
                          Token colour) {
        painter.setFont(font);
        painter.setPen(style_.colour(colour));
        painter.drawText(field, align | Qt::AlignVCenter,
                         painter.fontMetrics().elidedText(words, Qt::ElideRight, field.width()));
        return std::min(painter.fontMetrics().horizontalAdvance(words), field.width());
    };
    const QRect state(x + side + style_.px(8), 1, first - pad - (x + side + style_.px(8)), height() - 1);
    const int name = text(state, Qt::AlignLeft, readout_.stateText, style_.ui(11, 600), Token::text);
    text(state.adjusted(name + style_.px(8), 0, 0, 0), Qt::AlignRight, readout_.valueText, style_.mono(11),
         Token::text);
    line(first);
    x = first + pad;
    const auto field = [&](int width, auto paint) {
        const int room = std::min(width, right - x - pad);
        if (room < style_.px(40)) return;
        paint(QRect(x, 1, room, height() - 1));
        x += room + pad;
        line(x);
        x += pad;
    };
    field(index_width_ + 2,
          [&](const QRect& box_) { text(box_, Qt::AlignLeft, readout_.addressText, style_.mono(11), Token::text); });
    field(names_width_ + style_.px(4), [&](const QRect& box_) {
        QRect rest = box_;
        const auto piece = [&](const QString& words, int weight) {
            if (rest.width() > 0)
                rest.setLeft(rest.left() + text(rest, Qt::AlignLeft, words, style_.ui(11, weight),
                                                weight > 400 ? Token::text : Token::text_2));
        };
        const auto sides = readout_.axisText.split(QStringLiteral(" → "));
        const QStringList tokens = {readout_.rowToken, readout_.colToken};
        for (int i = 0; i < sides.size(); ++i) {
            if (i > 0) piece(QStringLiteral(" → "), 400);
            const QString token = sides.size() == 2 ? tokens[i] : QString();
            piece(sides[i].left(sides[i].size() - token.size()), 400);
            piece(token, 600);
        }
    });
    const int rest = right - x - pad;
    if (rest > style_.px(40)) {
        text(QRect(x, 1, rest, height() - 1), Qt::AlignLeft,
             readout_.maskCell && !readout_.hidden ? tr("mask %1").arg(readout_.maskText) : readout_.maskText,
             style_.ui(11), Token::text_2);
    }
}

// Label with its colour, place, value of the image, ids of the layers, tool: each in a field that stays where it is.
void StatusStrip::paintPixel(QPainter& painter, int right) {
    const int pad = style_.px(12);
    const int side = style_.px(10);
    const int first = std::min(style_.px(kFirstField), right);
    const auto text = [&](const QRect& field, Qt::Alignment align, const QString& words, const QFont& font,
                          Token colour) {
        painter.setFont(font);
        painter.setPen(style_.colour(colour));
        painter.drawText(field, align | Qt::AlignVCenter,
                         painter.fontMetrics().elidedText(words, Qt::ElideRight, field.width()));
    };
    const int top = (height() - side) / 2 + 1;
    paintLabelSwatch(painter, style_, {pad + 0.0, top + 0.0, side + 0.0, side + 0.0}, pixel_.label.value_or(0));
    const int left = pad + side + style_.px(8);
    const QRect label(left, 1, first - pad - left, height() - 1);
    text(label, Qt::AlignLeft, pixel_.labelText, style_.ui(11, 600), Token::text);
    const int wide = QFontMetrics(style_.ui(11, 600)).horizontalAdvance(pixel_.labelText) + style_.px(8);
    if (wide < label.width())
        text(label.adjusted(wide, 0, 0, 0), Qt::AlignRight, pixel_.layerText, style_.ui(11), Token::text_2);
    int x = first;
    const auto field = [&](int width, const QString& words, const QFont& font, Token colour) {
        painter.fillRect(QRect(x, 1, 1, height() - 1), style_.colour(Token::line));
        x += pad;
        const int room = std::min(width, right - x - pad);
        if (room >= style_.px(40)) text(QRect(x, 1, room, height() - 1), Qt::AlignLeft, words, font, colour);
        x += room + pad;
    };
    field(index_width_ + 2, pixel_.placeText, style_.mono(11), Token::text);
    if (!pixel_.valueText.isEmpty()) field(names_width_ + 2, pixel_.valueText, style_.ui(11), Token::text_2);
    if (x + style_.px(120) > right) return;
    const int ids =
        std::clamp(QFontMetrics(style_.ui(11)).horizontalAdvance(pixel_.idsText), style_.px(96), style_.px(200));
    field(ids, pixel_.idsText, style_.ui(11), Token::text_2);
    if (x + style_.px(80) > right) return;
    painter.fillRect(QRect(x, 1, 1, height() - 1), style_.colour(Token::line));
    x += pad;
    text(QRect(x, 1, right - x - pad, height() - 1), Qt::AlignLeft, toolText(session_), style_.ui(11), Token::text_2);
}

void StatusStrip::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), style_.colour(Token::bg_window));
    painter.fillRect(QRect(0, 0, width(), 1), style_.colour(Token::line));
    int right = width();
    if (progress_->isVisible()) {
        right = progress_->x() - style_.px(8);
    } else {
        painter.setFont(style_.ui(11));
        const int pad = style_.px(12);
        for (auto fact = facts_.crbegin(); fact != facts_.crend(); ++fact) {
            const int wide = painter.fontMetrics().horizontalAdvance(*fact);
            if (right - wide - 2 * pad < style_.px(kFirstField)) break;
            painter.setPen(style_.colour(Token::text_2));
            painter.drawText(QRect(right - wide - pad, 1, wide + 2, height() - 1), Qt::AlignVCenter | Qt::AlignLeft,
                             *fact);
            right -= wide + 2 * pad;
            painter.fillRect(QRect(right, 1, 1, height() - 1), style_.colour(Token::line));
        }
    }
    paintReadout(painter, right);
}

}  // namespace maskscope::ui
