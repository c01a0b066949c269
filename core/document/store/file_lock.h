// SPDX-License-Identifier: Apache-2.0
// A lock on a file that ends with its process, however that ends.
#pragma once

#include "core/base/result.h"

#include <optional>
#include <string>

namespace maskscope::document::store {

class FileLock {
public:
    // Locks what the path names now; a companion file is made when it is not there. Null: somebody else has it.
    static Result<std::optional<FileLock>> take(const std::string& path, bool make);
    // An open file that has no name yet, or another one: the lock follows it through a rename. Takes the descriptor.
    static std::optional<FileLock> take_open(int descriptor);

    FileLock(FileLock&& other) noexcept;
    FileLock& operator=(FileLock&& other) noexcept;
    ~FileLock();

    // Whether this lock is on the file that the path names.
    bool is_on(const std::string& path) const;

private:
    explicit FileLock(int descriptor) : descriptor_(descriptor) {}
    int descriptor_ = -1;
};

// " (process 1234)" of whoever holds a lock on the file, when the system says; else "".
std::string holder_of(const std::string& path);

}  // namespace maskscope::document::store
