// SPDX-License-Identifier: Apache-2.0
// The opcodes that torch.save writes at protocols 2 to 5, and no others (CPython's Lib/pickletools.py).
#pragma once

#include <cstdint>

namespace maskscope::io::pickle {

enum Op : std::uint8_t {
    kMark = '(',
    kStop = '.',
    kPop = '0',
    kPopMark = '1',
    kBinBytes = 'B',
    kShortBinBytes = 'C',
    kBinFloat = 'G',
    kBinInt = 'J',
    kBinInt1 = 'K',
    kBinInt2 = 'M',
    kNone = 'N',
    kBinPersistentId = 'Q',
    kReduce = 'R',
    kBinString = 'T',
    kShortBinString = 'U',
    kBinUnicode = 'X',
    kEmptyList = ']',
    kAppend = 'a',
    kBuild = 'b',
    kGlobal = 'c',
    kAppends = 'e',
    kBinGet = 'h',
    kLongBinGet = 'j',
    kBinPut = 'q',
    kLongBinPut = 'r',
    kSetItem = 's',
    kTuple = 't',
    kSetItems = 'u',
    kEmptyTuple = ')',
    kEmptyDict = '}',
    kProtocol = 0x80,
    kTuple1 = 0x85,
    kTuple2 = 0x86,
    kTuple3 = 0x87,
    kNewTrue = 0x88,
    kNewFalse = 0x89,
    kLong1 = 0x8a,
    kLong4 = 0x8b,
    kShortBinUnicode = 0x8c,
    kBinUnicode8 = 0x8d,
    kBinBytes8 = 0x8e,
    kStackGlobal = 0x93,
    kMemoize = 0x94,
    kFrame = 0x95,
};

}  // namespace maskscope::io::pickle
