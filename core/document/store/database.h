// SPDX-License-Identifier: Apache-2.0
// A SQLite database as the session needs it. Used by one thread at a time.
#pragma once

#include "core/base/function_ref.h"
#include "core/base/result.h"

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

namespace maskscope::document::store {

// What a value in a statement may be.
using Value = std::variant<std::int64_t, std::string_view, std::span<const std::byte>>;

// A row of an answer; its text and bytes live until the next row.
class Row {
public:
    explicit Row(void* statement) : statement_(statement) {}
    std::int64_t integer(int column) const;
    std::string text(int column) const;
    std::span<const std::byte> bytes(int column) const;

private:
    void* statement_;
};

// Why the last call failed: it decides whether to try again, or to begin a new file.
enum class Cause : std::uint8_t { none, full, read_only, damaged, busy, other };

class Database {
public:
    // A journal: in write-ahead mode, synced at each commit, held by this process alone, so that no shared memory file
    // stands beside it which others could cut off under our feet.
    static Result<Database> journal(const std::string& path, bool create);
    // The same, to look at one that was left behind: what is in its log stays there.
    static Result<Database> look_at(const std::string& path);
    // A new file that is written once, then synced by whoever wrote it.
    static Result<Database> plain(const std::string& path);
    static Result<Database> memory();

    Database(Database&&) noexcept;
    Database& operator=(Database&&) noexcept;
    ~Database();

    // Makes a file that cannot change readable under the name `source`. Nothing is written to it or beside it.
    Result<void> attach_unchanging(const std::string& path);
    void detach();

    // One statement, prepared once.
    Result<void> run(const char* sql, std::initializer_list<Value> values = {});
    using TakeRow = FunctionRef<Result<void>(const Row&)>;
    Result<void> each(const char* sql, std::initializer_list<Value> values, TakeRow take);
    // The single integer of the answer's first row; 0 when there is none.
    Result<std::int64_t> integer(const char* sql);
    // Several statements without values.
    Result<void> script(const std::string& sql);

    Cause cause() const;
    // Closes without moving the log into the file: for a journal that is given up.
    void abandon();

private:
    struct Handle;
    explicit Database(std::unique_ptr<Handle> handle);
    static Result<Database> open(const std::string& path, int flags);
    Error failure(int code);

    std::unique_ptr<Handle> handle_;
};

// BEGIN now; what was not committed is rolled back.
class Transaction {
public:
    static Result<Transaction> begin(Database& database);
    Transaction(Transaction&& other) noexcept : database_(std::exchange(other.database_, nullptr)) {}
    Transaction& operator=(Transaction&&) = delete;
    ~Transaction();
    Result<void> commit();

private:
    explicit Transaction(Database& database) : database_(&database) {}
    Database* database_;
};

}  // namespace maskscope::document::store
