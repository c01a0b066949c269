// SPDX-License-Identifier: GPL-3.0-or-later
// Of an image: how its numbers become brightness, where they come from, and what stands under the cursor.
#pragma once

#include "ui/panels/inspector/inspector_part.h"

class QPushButton;

namespace maskscope::ui {

class Section;
class ValueSlider;

class ImagePart : public InspectorPart {
    Q_OBJECT
public:
    ImagePart(Session& session, Style& style, QWidget* parent);
    void refresh(Change change) override;

    ValueSlider* low() const { return lo_; }
    ValueSlider* high() const { return hi_; }
    ValueSlider* gamma() const { return gamma_; }
    QStringList facts() const { return facts_; }
    QStringList pixelFacts() const { return pixel_facts_; }

private:
    void buildTone();
    void setTone(const std::function<void(render::Tone&)>& change);
    void showTone();
    void showProvenance();
    void showPixel();
    render::Tone naturalTone() const;
    QWidget* list(Section* section, QWidget*& before, const std::vector<std::pair<QString, QString>>& facts,
                  QStringList& words);

    Section* tone_;
    Section* pixel_;
    Section* origin_;
    ValueSlider* lo_;
    ValueSlider* hi_;
    ValueSlider* gamma_;
    QPushButton* natural_;
    QWidget* origin_list_ = nullptr;
    QWidget* pixel_list_ = nullptr;
    QStringList facts_;
    QStringList pixel_facts_;
};

}  // namespace maskscope::ui
