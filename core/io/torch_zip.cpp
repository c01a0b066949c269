// SPDX-License-Identifier: Apache-2.0
// What torch.save writes since PyTorch 1.6: a zip of <name>/data.pkl, which tells how tensors lie in storages, and
// <name>/data/<key>, one member for each storage. Stored members are mapped; views of one storage share it.
#include "core/base/checked.h"
#include "core/base/utf8.h"
#include "core/io/format.h"
#include "core/io/limits.h"
#include "core/io/pickle_tree.h"
#include "core/io/zip_directory.h"

#include <cstring>
#include <mutex>
#include <unordered_map>
#include <utility>

namespace maskscope::io {
namespace {

using FilePointer = std::shared_ptr<const MappedFile>;

bool starts_with(std::span<const std::byte> head, std::string_view text) {
    return head.size() >= text.size() && std::memcmp(head.data(), text.data(), text.size()) == 0;
}

constexpr std::string_view kZipMagic = "PK\x03\x04";
// A long integer that torch.save put first before 1.6.
constexpr std::string_view kLegacyMagic("\x80\x02\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19", 14);

bool recognises(std::span<const std::byte> head, std::string_view extension) {
    if (extension == ".pt" || extension == ".pth") return true;
    const bool torch_extension =
        extension == ".bin" || extension == ".ckpt" || extension == ".pkl" || extension == ".pickle";
    if (starts_with(head, kLegacyMagic) || (torch_extension && starts_with(head, "\x80"))) return true;
    if (!starts_with(head, kZipMagic) || head.size() < 30) return false;
    // The first member of PyTorch's files is <name>/data.pkl.
    const auto length = static_cast<std::size_t>(head[26]) | static_cast<std::size_t>(head[27]) << 8U;
    const auto name = head.subspan(30, std::min(length, head.size() - 30));
    return std::string_view(reinterpret_cast<const char*>(name.data()), name.size()).ends_with("/data.pkl");
}

Error not_a_zip(std::span<const std::byte> bytes) {
    if (starts_with(bytes, kLegacyMagic))
        return input_error(MS_TEXT("this is the form that torch.save wrote before PyTorch 1.6, not a zip"))
            .with_hint(MS_TEXT("Save it again in Python: torch.save(torch.load(path, weights_only=True), path)"));
    if (starts_with(bytes, "\x80"))
        return input_error(MS_TEXT("this is a plain pickle, and Maskscope runs no code from a file"))
            .with_hint(MS_TEXT("Load it where it was made and save its tensors with torch.save or numpy.savez"));
    return input_error(MS_TEXT("this is no PyTorch file: it is not a zip")).at(0);
}

// A storage that cannot be mapped (deflated or misaligned) and is unpacked when it is asked for. Tensors that are
// loaded while another one of the same storage lives share it.
class UnpackedStorage {
public:
    UnpackedStorage(FilePointer file, ZipMember member) : file_(std::move(file)), member_(std::move(member)) {}

    Result<std::shared_ptr<Storage>> get(const JobContext& context) {
        const std::lock_guard lock(mutex_);
        if (auto alive = storage_.lock()) return alive;
        MS_TRY(storage, Storage::allocate(static_cast<std::size_t>(member_.size)));
        const std::span out(storage->writable_data(), static_cast<std::size_t>(member_.size));
        if (member_.deflated) {
            MS_CHECK(inflate_member(file_->bytes(), member_, out, context));
        } else if (!out.empty()) {
            std::memcpy(out.data(), packed_bytes(file_->bytes(), member_).data(), out.size());
        }
        if (file_->changed()) return input_error(MS_TEXT("the file changed on disk while it was read; reload it"));
        storage_ = storage;
        return storage;
    }

private:
    FilePointer file_;
    ZipMember member_;
    std::mutex mutex_;
    std::weak_ptr<Storage> storage_;
};

// Elements from the storage's start to the end of the tensor's last one; nothing when that overflows.
std::optional<std::int64_t> reach_of(const pickle::TensorRecord& tensor) {
    std::optional<std::int64_t> last = tensor.offset;
    for (int d = 0; d < tensor.shape.rank(); ++d) {
        if (tensor.shape[d] == 0) return 0;
        const auto step = checked_mul(tensor.shape[d] - 1, tensor.strides[d]);
        if (!step) return std::nullopt;
        last = checked_add(*last, *step);
        if (!last) return std::nullopt;
    }
    return checked_add<std::int64_t>(*last, 1);
}

class Archive {
public:
    explicit Archive(FilePointer file) : file_(std::move(file)) {}

    Result<FileContents> read(const JobContext& context) {
        if (!starts_with(file_->bytes(), kZipMagic)) return not_a_zip(file_->bytes());
        MS_TRY(directory, read_zip_directory(file_->bytes()));
        directory_ = std::move(directory);
        MS_TRY(pickle_member, find_pickle());
        MS_CHECK(check_byte_order(context));
        if (pickle_member->size > kMaxPickleBytes)
            return input_error(MS_TEXT("{} holds {} bytes; at most {} are read"), in_quotes(pickle_member->name),
                               pickle_member->size, kMaxPickleBytes);
        // PyTorch can be told to leave the CRC out, so it is not asked for: the pickle proves itself by its form.
        MS_TRY(bytes, member_head(file_->bytes(), *pickle_member, static_cast<std::size_t>(pickle_member->size)));
        auto read = pickle::read(std::move(bytes));
        if (!read) {
            auto error = std::move(read).error();
            // Of the pickle's byte; a deflated pickle has no such place in the file.
            if (error.where.offset && !pickle_member->deflated) *error.where.offset += pickle_member->data_offset;
            return error;
        }
        pickle_ = std::move(*read);
        MS_TRY(leaves, pickle::flatten(pickle_));
        return contents(std::move(leaves));
    }

private:
    Result<const ZipMember*> find_pickle() {
        const ZipMember* found = nullptr;
        for (const auto& member : directory_.members) {
            if (member.name != "data.pkl" && !member.name.ends_with("/data.pkl")) continue;
            if (found == nullptr || member.name.size() < found->name.size()) found = &member;
        }
        if (found == nullptr) return input_error(MS_TEXT("this is no PyTorch file: the zip has no data.pkl"));
        prefix_ = found->name.substr(0, found->name.size() - std::string_view("data.pkl").size());
        if (directory_.find(prefix_ + "constants.pkl") != nullptr)
            return input_error(MS_TEXT("this is a TorchScript program, not a file of tensors"))
                .with_hint(MS_TEXT("Save its tensors in Python: torch.save(torch.jit.load(path).state_dict(), path)"));
        return found;
    }

    Result<void> check_byte_order(const JobContext& context) const {
        const auto* member = directory_.find(prefix_ + "byteorder");
        if (member == nullptr) return {};
        MS_TRY(bytes, read_member(file_->bytes(), *member, 16, context));
        const std::string_view order(reinterpret_cast<const char*>(bytes.data()), bytes.size());
        if (order == "little") return {};
        if (order == "big")
            return input_error(MS_TEXT("the tensors are stored in big-endian byte order"))
                .at(member->data_offset)
                .with_hint(MS_TEXT("Load and save the file again on a little-endian machine"));
        return input_error(MS_TEXT("the byteorder record says neither \"little\" nor \"big\"")).at(member->data_offset);
    }

    Result<FileContents> contents(pickle::Leaves leaves) {
        FileContents out;
        out.path = file_->path();
        out.format_id = "torch_zip";
        out.metadata = std::move(leaves.plain);
        for (const auto& leaf : leaves.tensors) {
            const auto unread = pickle_.tensors[leaf.tensor].unread_dtype;
            if (!unread.empty()) {
                out.metadata.emplace(kNotReadPrefix + leaf.key, fmt::format("the dtype {} is not read", unread));
                continue;
            }
            MS_TRY(item, make_item(leaf));
            out.items.push_back(std::move(item));
        }
        for (auto& leaf : leaves.texts) {
            Item item;
            item.key = std::move(leaf.key);
            item.shape = {static_cast<std::int64_t>(leaf.texts.size())};
            item.labels = Labels{.rows = {std::move(leaf.texts)}};
            out.items.push_back(std::move(item));
        }
        return out;
    }

    Result<Item> make_item(const pickle::TensorLeaf& leaf) {
        const auto& tensor = pickle_.tensors[leaf.tensor];
        const auto& record = pickle_.storages[tensor.storage];
        const std::string name = fmt::format("{}data/{}", prefix_, record.key);
        const auto* member = directory_.find(name);
        if (member == nullptr)
            return input_error(MS_TEXT("the zip has no member {} for the tensor {}"), in_quotes(name), shown(leaf));
        if (member->size != record.bytes)
            return input_error(MS_TEXT("the member {} holds {} bytes where the pickle says {}"), in_quotes(name),
                               member->size, record.bytes)
                .at(member->data_offset);
        const auto width = size_of(tensor.dtype);
        const auto count = element_count(tensor.shape);
        const auto bytes = count ? checked_mul(*count, static_cast<std::int64_t>(width)) : std::nullopt;
        const auto reach = reach_of(tensor);
        if (!bytes || !reach || static_cast<std::uint64_t>(*reach) > member->size / width)
            return input_error(MS_TEXT("the tensor {} of shape {} reaches outside its storage of {} bytes"),
                               shown(leaf), text_of(tensor.shape), member->size)
                .at(member->data_offset);

        Item item;
        item.key = leaf.key;
        item.dtype = tensor.dtype;
        item.shape = tensor.shape;
        item.bytes = static_cast<std::size_t>(*bytes);
        if (!member->deflated && member->data_offset % width == 0) {
            item.mapped = true;
            auto view =
                Tensor::view_of(mapped_storage(*member), tensor.dtype, tensor.shape, tensor.strides, tensor.offset);
            if (!view) return std::move(view).error();
            item.tensor = std::move(*view);
        } else {
            item.note = member->deflated ? "deflated in the file" : "not aligned in the file";
            item.load = [unpacked = unpacked_storage(*member), tensor](const JobContext& context) -> Result<Tensor> {
                MS_TRY(storage, unpacked->get(context));
                return Tensor::view_of(storage, tensor.dtype, tensor.shape, tensor.strides, tensor.offset);
            };
        }
        return item;
    }

    static std::string shown(const pickle::TensorLeaf& leaf) {
        return leaf.key.empty() ? "of the file" : in_quotes(leaf.key);
    }

    std::shared_ptr<Storage> mapped_storage(const ZipMember& member) {
        auto& storage = mapped_[member.name];
        if (!storage)
            storage = Storage::mapped(file_, static_cast<std::size_t>(member.data_offset),
                                      static_cast<std::size_t>(member.size));
        return storage;
    }
    std::shared_ptr<UnpackedStorage> unpacked_storage(const ZipMember& member) {
        auto& storage = unpacked_[member.name];
        if (!storage) storage = std::make_shared<UnpackedStorage>(file_, member);
        return storage;
    }

    FilePointer file_;
    ZipDirectory directory_;
    std::string prefix_;
    pickle::Pickle pickle_;
    std::unordered_map<std::string, std::shared_ptr<Storage>> mapped_;
    std::unordered_map<std::string, std::shared_ptr<UnpackedStorage>> unpacked_;
};

Result<FileContents> read_torch_zip(const FilePointer& file, const JobContext& context) {
    return Archive(file).read(context);
}

}  // namespace

Format torch_zip_format() {
    return {.id = "torch_zip",
            .title = MS_TEXT("PyTorch file"),
            .extensions = {".pt", ".pth"},
            .about = MS_TEXT("tensors of torch.save in dicts, lists and tuples; mapped, never run"),
            .recognises = recognises,
            .read = read_torch_zip,
            .write = nullptr};
}

}  // namespace maskscope::io
