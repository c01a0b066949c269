// SPDX-License-Identifier: Apache-2.0
// A large array that is written once before it is read, so it is not zeroed first.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <memory>

namespace maskscope::render {

class RawArray {
public:
    RawArray() = default;
    // Null data when there is no memory. Ordinary pages: the first use of huge ones took longer than the whole pass
    // that fills them.
    explicit RawArray(std::size_t bytes) : data_(static_cast<std::byte*>(std::malloc(bytes + 1))), size_(bytes) {}

    std::byte* data() { return data_.get(); }
    const std::byte* data() const { return data_.get(); }
    template <class T>
    T* as() {
        return reinterpret_cast<T*>(data_.get());
    }
    template <class T>
    const T* as() const {
        return reinterpret_cast<const T*>(data_.get());
    }
    std::size_t size() const { return size_; }

private:
    struct Free {
        void operator()(std::byte* p) const { std::free(p); }
    };
    std::unique_ptr<std::byte[], Free> data_;
    std::size_t size_ = 0;
};

}  // namespace maskscope::render
