// SPDX-License-Identifier: Apache-2.0
// Small files made of bytes that the test spells out.
#pragma once

#include "core/io/format.h"

#include <QTemporaryDir>

#include <cstdint>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace maskscope::test {

class ScratchFolder {
public:
    std::string path(const std::string& name) const {
        return folder_.filePath(QString::fromStdString(name)).toStdString();
    }
    std::string write(const std::string& name, const std::string& bytes) const {
        std::ofstream(path(name), std::ios::binary) << bytes;
        return path(name);
    }
    std::string folder() const { return folder_.path().toStdString(); }

private:
    QTemporaryDir folder_;
};

inline std::string read_bytes(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

template <class T>
std::string bytes_of(std::initializer_list<T> values) {
    std::string out(values.size() * sizeof(T), '\0');
    std::memcpy(out.data(), values.begin(), out.size());
    return out;
}

// The number in `width` bytes, the lowest first.
inline void put(std::string& out, std::uint64_t value, int width) {
    for (int i = 0; i < width; ++i) out += static_cast<char>((value >> (8 * i)) & 0xFFU);
}

// A version 1.0 npy whose header is `dict` as it stands.
inline std::string npy(const std::string& dict, const std::string& data) {
    std::string out = "\x93NUMPY";
    out += '\x01';
    out += '\0';
    put(out, dict.size(), 2);
    return out + dict + data;
}

// The length field of a safetensors file before its header.
inline std::string safetensors(const std::string& header, const std::string& data) {
    std::string out;
    put(out, header.size(), 8);
    return out + header + data;
}

template <class T>
std::vector<T> values_of(const Tensor& tensor) {
    auto dense = tensor.contiguous();
    if (!dense) return {};
    const T* first = dense->template data_as<T>();
    return {first, first + dense->numel()};
}

}  // namespace maskscope::test
