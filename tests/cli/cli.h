// SPDX-License-Identifier: Apache-2.0
// Runs the real maskscope-cli and takes what it says.
#pragma once

#include <QByteArray>
#include <QProcess>
#include <QString>
#include <QStringList>

#include <nlohmann/json.hpp>

namespace maskscope::test {

inline const QString kSamples = MS_SOURCE_DIR "/samples/attention/";
inline const QString kGoldens = MS_SOURCE_DIR "/tests/golden/files/";

struct Outcome {
    int exit_code = -1;
    QByteArray out;
    QByteArray err;

    // Discarded when stdout is no JSON document.
    nlohmann::json json() const { return nlohmann::json::parse(out.toStdString(), nullptr, false); }
};

inline Outcome run_cli(const QStringList& arguments, const QString& folder = {}) {
    QProcess process;
    if (!folder.isEmpty()) process.setWorkingDirectory(folder);
    process.start(MS_CLI, arguments);
    process.closeWriteChannel();
    if (!process.waitForFinished(60'000) || process.exitStatus() != QProcess::NormalExit) return {};
    return {process.exitCode(), process.readAllStandardOutput(), process.readAllStandardError()};
}

}  // namespace maskscope::test
