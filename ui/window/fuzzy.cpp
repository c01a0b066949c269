// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/fuzzy.h"

#include <algorithm>

namespace maskscope::ui {

namespace {

bool startsWord(QStringView text, qsizetype at) {
    return at == 0 || !text[at - 1].isLetterOrNumber() || (text[at].isUpper() && text[at - 1].isLower());
}

// The best score of typed[from..] in text[at..]; both are short, so plain recursion over candidates is enough.
int best(QStringView typed, QStringView text, qsizetype from, qsizetype at, bool in_run, int& steps) {
    if (from == typed.size()) return 0;
    int result = -1;
    for (qsizetype i = at; i < text.size() && steps > 0; ++i) {
        if (typed[from].toCaseFolded() != text[i].toCaseFolded()) continue;
        --steps;
        const int rest = best(typed, text, from + 1, i + 1, true, steps);
        if (rest < 0) break;  // nothing further right can hold what is missing here
        int here = 1;
        if (startsWord(text, i)) here += 8;
        if (in_run && i == at) here += 10;
        result = std::max(result, here + rest);
    }
    return result;
}

}  // namespace

int fuzzyScore(QStringView typed, QStringView text) {
    QString letters;
    for (const QChar c : typed)
        if (!c.isSpace()) letters += c;
    if (letters.isEmpty()) return 0;
    int steps = 2000;  // bounds what a hostile pair of strings may cost
    const int score = best(letters, text, 0, 0, false, steps);
    if (score < 0) return -1;
    // Of two that match alike the shorter one is meant.
    return 1000 * score / (10 + static_cast<int>(letters.size())) + std::max(0, 64 - static_cast<int>(text.size()));
}

}  // namespace maskscope::ui
