// SPDX-License-Identifier: GPL-3.0-or-later
// The sample files that come with Maskscope.
#pragma once

#include <QStringList>

namespace maskscope::ui {

// The attention sample; empty when it is not on this machine. It carries its mask and its tokens.
// Looked for in MASKSCOPE_SAMPLES_DIR (environment), beside the installed program, then beside the source.
QStringList sampleFiles();

// A photograph with its ground truth and a prediction; empty when it is not on this machine.
QStringList overlaySampleFiles();

class Session;
// Opens the sample where there is something to see: the second sentence, which is padded, with its mask laid over.
void openSample(Session& session);

}  // namespace maskscope::ui
