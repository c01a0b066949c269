// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/inspector/mask_part.h"

#include "core/document/mask_link.h"
#include "ui/kit/cards.h"
#include "ui/kit/section.h"
#include "ui/kit/segmented.h"
#include "ui/panels/inspector/mask_combo.h"

#include <QCheckBox>
#include <QLabel>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSlider>
#include <QVBoxLayout>

namespace maskscope::ui {

using document::MaskConvention;
using render::MaskStyle;

namespace {

bool is_mask_like(const document::Entry& entry) {
    return entry.role.value == document::Role::mask || entry.item.dtype == DType::boolean;
}

}  // namespace

MaskPart::MaskPart(Session& session, Style& style, QWidget* parent)
    : InspectorPart(session, style, parent),
      section_(new Section(style, tr("Mask overlay"), this)),
      mask_(new MaskCombo(style, this)),
      details_(new QWidget(this)) {
    column()->addWidget(section_);
    auto* row = new FieldRow(style_, tr("Mask"), section_);
    mask_->setAccessibleName(tr("Mask laid over the tensor"));
    row->add(mask_, 1);
    section_->body()->addWidget(row);
    none_ = new QLabel(tr("No open mask fits this shape."), section_);
    none_->setProperty("type", "secondary");
    none_->setWordWrap(true);
    section_->body()->addWidget(none_);
    misfit_ = new ErrorCard(style_, tr("The mask does not fit"), {}, {}, section_);
    section_->body()->addWidget(misfit_);
    proposal_ = new WarnStrip(style_, {}, WarnStrip::Tone::info, section_);
    proposal_->addLink(tr("Lay over"), [this] {
        const auto* shown = entry();
        if (shown != nullptr && shown->mask) session_.linkMask(entry_, shown->mask->value);
    });
    section_->body()->addWidget(proposal_);
    section_->body()->addWidget(details_);
    buildLooks();
    style.follow(this, [this] { section_->body()->setSpacing(style_.px(4)); });
    connect(mask_, &QComboBox::activated, this, [this](int index) {
        const auto chosen = mask_->idAt(index);
        session_.linkMask(entry_, chosen == EntryId::none ? std::nullopt : std::optional(chosen));
    });
}

void MaskPart::buildLooks() {
    auto* rows = new QVBoxLayout(details_);
    auto* meaning = new FieldRow(style_, tr("Means"), details_);
    convention_ =
        new Segmented(style_, tr("Convention of the mask"), {tr("Keep"), tr("Drop"), tr("Additive")}, meaning);
    convention_->setChoiceToolTip(0, tr("True lets a cell through"));
    convention_->setChoiceToolTip(1, tr("True hides a cell"));
    convention_->setChoiceToolTip(2, tr("Added to the scores; −inf and large negative values hide a cell"));
    guess_ = new QLabel(tr("a guess"), meaning);
    guess_->setProperty("type", "tertiary");
    guess_->setToolTip(tr("Guessed from the mask's name and values. Choosing one settles it."));
    meaning->add(convention_);
    meaning->add(guess_);
    meaning->addStretch();
    rows->addWidget(meaning);
    connect(convention_, &Segmented::chosen, this, [this](int index) {
        const auto* state = view();
        if (state == nullptr || !state->overlay.mask) return;
        session_.setConvention(*state->overlay.mask, static_cast<MaskConvention>(index));
    });

    auto* looks = new FieldRow(style_, tr("Style"), details_);
    look_ = new Segmented(style_, tr("Style of hidden cells"), {tr("Hatch"), tr("Dim"), tr("Hide")}, looks);
    outline_ = new QCheckBox(tr("Outline"), looks);
    outline_->setToolTip(tr("A line around what the mask lets through"));
    looks->add(look_);
    looks->addStretch();
    looks->add(outline_);
    rows->addWidget(looks);
    connect(look_, &Segmented::chosen, this, [this](int index) {
        session_.changeView(entry_, [=](ViewState& state) { state.overlay.style = static_cast<MaskStyle>(index); });
    });
    connect(outline_, &QCheckBox::clicked, this,
            [this](bool on) { session_.changeView(entry_, [=](ViewState& state) { state.overlay.outline = on; }); });

    auto* strength = new FieldRow(style_, tr("Opacity"), details_);
    opacity_ = new QSlider(Qt::Horizontal, strength);
    opacity_->setRange(0, 100);
    opacity_->setPageStep(10);
    opacity_->setAccessibleName(tr("Opacity of the mask, percent"));
    percent_ = new QLabel(strength);
    percent_->setProperty("type", "mono");
    percent_->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    strength->add(opacity_, 1);
    strength->add(percent_);
    rows->addWidget(strength);
    connect(opacity_, &QSlider::valueChanged, this, [this](int value) {
        session_.changeView(entry_, [=](ViewState& state) { state.overlay.opacity = value / 100.0; });
    });

    axes_ = new QLabel(details_);
    axes_->setProperty("type", "secondary");
    axes_->setWordWrap(true);
    axes_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    rows->addWidget(axes_);
    style_.follow(details_, [this, rows] {
        rows->setContentsMargins(0, 0, 0, 0);
        rows->setSpacing(style_.px(4));
        percent_->setFixedWidth(style_.px(38));
    });
}

void MaskPart::refresh(Change change) {
    if (change == Change::cursor || change == Change::data) return;
    const auto* state = view();
    if (state == nullptr) return;
    if (change != Change::view) listMasks();
    const auto wanted = state->overlay.mask.value_or(EntryId::none);
    if (mask_->find(wanted) < 0) listMasks();
    mask_->setCurrentIndex(mask_->find(wanted));

    const auto& overlay = state->overlay;
    const auto* mask = overlay.mask ? session_.document().find(*overlay.mask) : nullptr;
    details_->setVisible(mask != nullptr);
    if (mask != nullptr) {
        convention_->setCurrent(static_cast<int>(overlay.convention));
        guess_->setVisible(mask->convention && mask->convention->guess);
        look_->setCurrent(static_cast<int>(overlay.style));
        outline_->setChecked(overlay.outline);
        const QSignalBlocker quiet(opacity_);
        opacity_->setValue(qRound(overlay.opacity * 100));
        opacity_->setEnabled(overlay.style != MaskStyle::hide);
        percent_->setText(QStringLiteral("%1 %").arg(opacity_->value()));
    }
    showFit();
    showProposal();
}

// A mask that explains the tensor by name and shape is offered, never laid over by itself.
void MaskPart::showProposal() {
    const auto* shown = entry();
    const auto* state = view();
    const auto* proposed = shown != nullptr && shown->mask && shown->mask->guess && !state->overlay.mask
                               ? session_.document().find(shown->mask->value)
                               : nullptr;
    proposal_->setVisible(proposed != nullptr);
    if (proposed != nullptr) proposal_->setText(tr("%1 fits").arg(QString::fromStdString(proposed->name)));
}

// "No mask", then every open mask whose axes lie on the tensor's; the one laid over now stays even when it does not.
void MaskPart::listMasks() {
    const QSignalBlocker quiet(mask_);
    mask_->clear();
    mask_->addMask(tr("No mask"), EntryId::none, std::nullopt);
    const auto* state = view();
    const auto* shown = entry();
    if (state == nullptr || shown == nullptr) return;
    for (const auto& candidate : session_.document().entries()) {
        const bool laid_over = state->overlay.mask == candidate.id;
        if (!laid_over && (!is_mask_like(candidate) || !session_.maskFits(entry_, candidate.id))) continue;
        const auto& convention = candidate.convention;
        mask_->addMask(QString::fromStdString(candidate.name), candidate.id,
                       convention ? std::optional(convention->value) : std::nullopt);
    }
    none_->setVisible(mask_->count() == 1);
}

void MaskPart::showFit() {
    const auto* shown = entry();
    const auto* state = view();
    const auto* mask = state->overlay.mask ? session_.document().find(*state->overlay.mask) : nullptr;
    const auto axes = mask != nullptr ? session_.axisMapText(entry_) : QString();
    const bool fits = mask == nullptr || shown == nullptr || session_.maskFits(entry_, mask->id);
    axes_->setText(axes);
    axes_->setVisible(mask != nullptr && fits);
    misfit_->setVisible(!fits);
    if (fits) return;
    auto map = document::map_axes(shown->item.shape, shown->dims.value, mask->item.shape, mask->dims.value);
    if (map) return;
    const auto& error = map.error();
    misfit_->setTexts(tr("%1 does not fit").arg(QString::fromStdString(mask->name)),
                      QString::fromStdString(error.message.text()), QString::fromStdString(error.hint.text()));
}

}  // namespace maskscope::ui
