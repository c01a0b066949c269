// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/inspector/image_part.h"

#include "core/io/image_facts.h"
#include "core/tensor/convert.h"
#include "ui/kit/section.h"
#include "ui/kit/value_slider.h"
#include "ui/session/cell_readout.h"
#include "ui/session/layer_labels.h"

#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>

namespace maskscope::ui {

namespace {

using Facts = std::vector<std::pair<QString, QString>>;

constexpr double kLeastGamma = 0.2;
constexpr double kMostGamma = 5;

// What the file says of its pixels; nothing of it has been applied to them.
void addFacts(Facts& out, const document::Entry& entry) {
    const auto& image = entry.item.image;
    out.emplace_back(ImagePart::tr("Stored as"), textOf(name_of(entry.item.dtype)));
    if (!image) {
        if (!entry.item.note.empty()) out.emplace_back(ImagePart::tr("Note"), textOf(entry.item.note));
        return;
    }
    out.emplace_back(ImagePart::tr("Pixels"), textOf(io::describe(*image)));
    out.emplace_back(ImagePart::tr("Bits in the file"), QString::number(image->bit_depth));
    if (!image->channel_order.empty()) out.emplace_back(ImagePart::tr("Channel order"), textOf(image->channel_order));
    if (!image->palette.empty())
        out.emplace_back(ImagePart::tr("Palette"), ImagePart::tr("%1 colours").arg(image->palette.size()));
    out.emplace_back(ImagePart::tr("EXIF frame"), textOf(io::orientation_text(image->orientation)));
    if (image->page_count > 1) out.emplace_back(ImagePart::tr("Pages"), QString::number(image->page_count));
    if (!image->compression.empty()) out.emplace_back(ImagePart::tr("Compression"), textOf(image->compression));
}

double valueAt(const Tensor& image, std::int64_t row, std::int64_t col, int channel) {
    std::int64_t place = row * image.strides()[0] + col * image.strides()[1];
    if (image.rank() == 3) place += channel * image.strides()[2];
    const auto bytes = static_cast<std::int64_t>(size_of(image.dtype()));
    return to_double(load_scalar(image.data() + place * bytes, image.dtype()));
}

// "24, from 1 to 24"
QString idsText(const LayerLabels& labels) {
    const auto& all = labels.labels();
    if (all.empty()) return ImagePart::tr("none");
    const auto number = [](double label) { return withMinusSign(QString::number(label, 'g', 10)); };
    if (all.size() == 1) return number(all.front().label);
    return ImagePart::tr("%1, from %2 to %3").arg(all.size()).arg(number(all.front().label), number(all.back().label));
}

}  // namespace

ImagePart::ImagePart(Session& session, Style& style, QWidget* parent)
    : InspectorPart(session, style, parent),
      tone_(new Section(style, tr("Image"), this)),
      pixel_(new Section(style, tr("Pixel"), this)),
      origin_(new Section(style, tr("Where it comes from"), this)),
      lo_(new ValueSlider(style, tr("Black from"), ValueSlider::Grain::linear, this)),
      hi_(new ValueSlider(style, tr("White from"), ValueSlider::Grain::linear, this)),
      gamma_(new ValueSlider(style, tr("Gamma"), ValueSlider::Grain::logarithmic, this)),
      natural_(new QPushButton(tr("As stored"), this)) {
    column()->addWidget(tone_);
    column()->addWidget(pixel_);
    column()->addWidget(origin_);
    buildTone();
    style.follow(this, [this] { tone_->body()->setSpacing(style_.px(4)); });
    connect(&LayerLabels::of(session), &LayerLabels::changed, this, [this] {
        if (isVisible()) showProvenance();
    });
    connect(&session, &Session::overlayChanged, this, [this](EntryId id) {
        if (id == entry_) refresh(Change::view);
    });
    connect(&session.edits(), &EditSession::maskChanged, this, [this] {
        if (isVisible()) showPixel();
    });
}

void ImagePart::buildTone() {
    const auto add = [this](const QString& word, ValueSlider* slider) {
        auto* row = new FieldRow(style_, word, tone_);
        row->add(slider, 1);
        tone_->body()->addWidget(row);
        slider->setBoxWidth(64);
    };
    add(tr("Black"), lo_);
    add(tr("White"), hi_);
    add(tr("Gamma"), gamma_);
    gamma_->setRange(kLeastGamma, kMostGamma, 2, 0.1);
    natural_->setProperty("kind", "link");
    natural_->setAccessibleName(tr("Show the image as stored"));
    tone_->addHeaderWidget(natural_);
    connect(lo_, &ValueSlider::valueChanged, this,
            [this](double value) { setTone([value](render::Tone& tone) { tone.lo = value; }); });
    connect(hi_, &ValueSlider::valueChanged, this,
            [this](double value) { setTone([value](render::Tone& tone) { tone.hi = value; }); });
    connect(gamma_, &ValueSlider::valueChanged, this,
            [this](double value) { setTone([value](render::Tone& tone) { tone.gamma = value; }); });
    connect(natural_, &QPushButton::clicked, this,
            [this] { session_.changeOverlay(entry_, [](OverlayState& state) { state.natural_tone = true; }); });
}

render::Tone ImagePart::naturalTone() const {
    const auto pixels = session_.imageData(entry_);
    return pixels ? pixels->natural_tone() : render::Tone{};
}

void ImagePart::setTone(const std::function<void(render::Tone&)>& change) {
    const auto natural = naturalTone();
    session_.changeOverlay(entry_, [&](OverlayState& state) {
        auto tone = state.natural_tone ? natural : state.tone;
        change(tone);
        state.tone = tone;
        state.natural_tone = tone == natural;
    });
}

void ImagePart::showTone() {
    const auto* state = session_.overlay(entry_);
    const auto pixels = session_.imageData(entry_);
    tone_->setVisible(pixels != nullptr);
    if (state == nullptr || !pixels) return;
    const auto natural = pixels->natural_tone();
    const bool whole = !is_floating(pixels->tensor().dtype());
    const double span = natural.hi - natural.lo;
    const double step = whole ? 1 : span / 100;
    for (auto* slider : {lo_, hi_}) slider->setRange(natural.lo, natural.hi, whole ? 0 : 3, step);
    const auto tone = state->natural_tone ? natural : state->tone;
    lo_->setValue(tone.lo);
    hi_->setValue(tone.hi);
    gamma_->setValue(tone.gamma);
    natural_->setEnabled(!state->natural_tone);
}

QWidget* ImagePart::list(Section* section, QWidget*& before, const Facts& facts, QStringList& words) {
    words.clear();
    delete before;
    before = new QWidget(section);
    auto* rows = new QVBoxLayout(before);
    rows->setContentsMargins(0, 0, 0, 0);
    rows->setSpacing(0);
    for (const auto& [name, value] : facts) {
        auto* row = new FactRow(style_, name, before);
        row->setFact(name, value);
        rows->addWidget(row);
        words << name + QStringLiteral(": ") + value;
    }
    section->body()->addWidget(before);
    before->show();
    return before;
}

void ImagePart::showProvenance() {
    const auto* shown = entry();
    if (shown == nullptr) return;
    Facts facts;
    addFacts(facts, *shown);
    const auto layer = activeLayer(session_, entry_);
    const auto* mask = layer ? session_.document().find(layer->mask) : nullptr;
    if (mask != nullptr && mask->id != shown->id) {
        facts.emplace_back(tr("Active mask"), layerName(session_, *layer));
        addFacts(facts, *mask);
    }
    const auto& labels = LayerLabels::of(session_);
    if (mask != nullptr && labels.mask() == mask->id && !labels.soft()) facts.emplace_back(tr("Ids"), idsText(labels));
    list(origin_, origin_list_, facts, facts_);
}

void ImagePart::showPixel() {
    const auto* state = view();
    const auto* overlay = session_.overlay(entry_);
    Facts facts;
    const auto size = session_.imageSize(entry_);
    if (state != nullptr && overlay != nullptr && state->cursor &&
        size.contains(state->cursor->row, state->cursor->col)) {
        const auto [row, col] = *state->cursor;
        facts.emplace_back(tr("y, x"), QStringLiteral("[%1, %2]").arg(row).arg(col));
        if (const auto pixels = session_.imageData(entry_)) {
            QStringList values;
            for (int channel = 0; channel < pixels->channels(); ++channel) {
                values << shownNumber(valueAt(pixels->tensor(), row, col, channel), 6);
            }
            facts.emplace_back(textOf(entry()->name), values.join(QStringLiteral(", ")));
        }
        for (auto layer = overlay->layers.rbegin(); layer != overlay->layers.rend(); ++layer) {
            const auto* plane = session_.edits().plane(layer->mask, layer->plane);
            if (plane == nullptr || !(plane->bounds() == size)) continue;
            facts.emplace_back(layerName(session_, *layer),
                               labelName(session_, layer->mask, layer->plane, plane->value_at(row, col)));
        }
    } else {
        facts.emplace_back(tr("Point at a pixel"), QString());
    }
    list(pixel_, pixel_list_, facts, pixel_facts_);
}

void ImagePart::refresh(Change change) {
    if (entry() == nullptr) return;
    if (change != Change::cursor) {
        showTone();
        showProvenance();
    }
    showPixel();
}

}  // namespace maskscope::ui
