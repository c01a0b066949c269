// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/text_format.h"

namespace maskscope::ui {

QString bytesText(std::uint64_t bytes) {
    if (bytes < 1024) return QStringLiteral("%1 B").arg(bytes);
    double amount = static_cast<double>(bytes) / 1024;
    QString unit = QStringLiteral("KiB");
    for (const char* next : {"MiB", "GiB", "TiB"}) {
        if (amount < 1024) break;
        amount /= 1024;
        unit = QString::fromLatin1(next);
    }
    return QStringLiteral("%1 %2").arg(amount, 0, 'f', 1).arg(unit);
}

QString shortNumber(double value) {
    return QString::number(value, 'g', 4).replace(QLatin1Char('-'), QChar(0x2212));
}

}  // namespace maskscope::ui
