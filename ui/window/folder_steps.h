// SPDX-License-Identifier: GPL-3.0-or-later
// From one image of a folder to the next, with the masks that lie over it.
#pragma once

#include "ui/session/session.h"

#include <QStringList>

namespace maskscope::ui {

// The images of the folder in the order people count in; the masks of these images that lie beside them are left out.
QStringList imagesBeside(const QString& image, const QStringList& masks);
// Where the mask of another image is, by how this one's mask is named after its image: "masks/0001.png" of
// "images/0001.jpg" makes "masks/0002.png" of "images/0002.jpg". "" when its name says nothing.
QString maskOf(const QString& image, const QString& mask, const QString& other_image);

class FolderSteps {
public:
    explicit FolderSteps(Session& session) : session_(session) {}
    bool possible(int steps) const;
    // Opens the neighbour with its masks in place of the image shown; what has edits stays open.
    void go(int steps);

private:
    QString neighbour(int steps) const;
    QStringList masks() const;
    Session& session_;
};

}  // namespace maskscope::ui
