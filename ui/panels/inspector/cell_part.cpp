// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/inspector/cell_part.h"

#include "ui/kit/badge.h"
#include "ui/kit/section.h"
#include "ui/kit/tool_button.h"
#include "ui/panels/inspector/state_swatch.h"
#include "ui/panels/inspector/verdict_strip.h"
#include "ui/session/cell_readout.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QVBoxLayout>

namespace maskscope::ui {

using render::CellState;
using render::Token;

CellPart::CellPart(Session& session, Style& style, QWidget* parent)
    : InspectorPart(session, style, parent),
      section_(new Section(style, tr("Cell"), this)),
      copy_(new IconButton(style, QStringLiteral("copy"), tr("Copy index and value"), this)),
      hint_(new QLabel(tr("Point at a cell, or move there with the arrow keys."), this)),
      details_(new QWidget(this)) {
    column()->addWidget(section_);
    section_->addHeaderWidget(copy_);
    hint_->setProperty("type", "secondary");
    hint_->setWordWrap(true);
    section_->body()->addWidget(hint_);
    section_->body()->addWidget(details_);
    build();
    connect(copy_, &QToolButton::clicked, this, [this] {
        const auto* state = view();
        if (state == nullptr || !state->cursor) return;
        QGuiApplication::clipboard()->setText(readCell(session_, entry_, *state->cursor).copyText);
    });
}

void CellPart::build() {
    auto* rows = new QVBoxLayout(details_);
    auto* top = new QHBoxLayout;
    auto* middle = new QVBoxLayout;
    auto* right = new QVBoxLayout;
    swatch_ = new StateSwatch(style_, 32, details_);
    value_ = new ElidedLabel(details_);
    tokens_ = new ElidedLabel(details_);
    bits_ = new ElidedLabel(details_);
    dtype_ = new ElidedLabel(details_);
    middle->addWidget(value_);
    middle->addWidget(tokens_);
    right->addWidget(bits_);
    right->addWidget(dtype_);
    for (auto* label : {bits_, dtype_}) label->setAlignment(Qt::AlignRight);
    top->addWidget(swatch_);
    top->addLayout(middle, 1);
    top->addLayout(right);
    rows->addLayout(top);

    const auto fact = [&] {
        auto* made = new FactRow(style_, {}, details_);
        rows->addWidget(made);
        return made;
    };
    state_ = fact();
    index_ = fact();
    row_ = fact();
    col_ = fact();
    mask_ = fact();
    convention_ = new BadgeLabel(style_, badgeOf(document::MaskConvention::keep), mask_);
    mask_->addBehind(convention_);
    verdict_ = new VerdictStrip(style_, details_);
    rows->addSpacing(style_.px(4));
    rows->addWidget(verdict_);

    style_.follow(details_, [this, rows, top, middle, right] {
        rows->setContentsMargins(0, 0, 0, 0);
        rows->setSpacing(0);
        top->setContentsMargins(0, 0, 0, style_.px(6));
        top->setSpacing(style_.px(10));
        middle->setSpacing(0);
        right->setSpacing(0);
        value_->setTextFont(style_.ui(16, 600));
        value_->setColour(style_.colour(Token::text));
        for (auto* label : {tokens_, dtype_}) {
            label->setTextFont(style_.ui(11));
            label->setColour(style_.colour(Token::text_2));
        }
        bits_->setTextFont(style_.mono(11));
        bits_->setColour(style_.colour(Token::text));
    });
}

void CellPart::refresh(Change /*change*/) {
    const auto* state = view();
    CellReadout readout;
    if (state != nullptr && state->cursor) readout = readCell(session_, entry_, *state->cursor);
    hint_->setVisible(!readout.known);
    details_->setVisible(readout.known);
    copy_->setEnabled(readout.known);
    if (readout.known) show(readout);
}

void CellPart::show(const CellReadout& readout) {
    value_->setText(readout.valueText);
    tokens_->setText(readout.tokensText.isEmpty() ? readout.stateText : readout.tokensText);
    bits_->setText(readout.bitsText);
    dtype_->setText(tr("%1 bits").arg(readout.dtypeText));
    if (readout.state == CellState::value || readout.state == CellState::subnormal) {
        const auto* state = view();
        render::Look look;
        look.map = state->colour.map;
        look.scale = session_.scale(entry_);
        swatch_->setValue(readout.value, look);
    } else {
        swatch_->setState(readout.state);
    }

    const auto* shown = entry();
    const auto* state = view();
    state_->setFact(tr("State"), readout.stateText);
    index_->setFact(tr("Index"), readout.indexText);
    const auto axis = [&](FactRow* fact, int dim, std::int64_t at, const QString& token) {
        fact->setVisible(dim >= 0 && !token.isEmpty());
        if (dim >= 0) fact->setFact(QStringLiteral("%1 %2").arg(dimName(*shown, dim)).arg(at), token);
    };
    axis(row_, state->row_dim, readout.cell.row, readout.rowToken);
    axis(col_, state->col_dim, readout.cell.col, readout.colToken);

    mask_->setVisible(readout.maskCell.has_value());
    if (readout.maskCell) {
        mask_->setFact(readout.maskCell->name + QLatin1Char(' ') + readout.maskCell->indexText,
                       readout.maskCell->valueText);
        convention_->setBadge(badgeOf(readout.maskCell->convention));
    }
    verdict_->setVisible(readout.maskCell || readout.hidden);
    if (readout.hidden) {
        verdict_->setVerdict(false, readout.maskCell && readout.maskCell->hides
                                        ? tr("Hidden by %1").arg(readout.maskCell->name)
                                        : tr("Hidden: %1 stands for masked").arg(readout.valueText));
    } else if (readout.maskCell) {
        verdict_->setVerdict(true, tr("Visible: %1 lets it through").arg(readout.maskCell->name));
    }
}

}  // namespace maskscope::ui
