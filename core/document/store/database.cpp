// SPDX-License-Identifier: Apache-2.0
#include "core/document/store/database.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include <cerrno>
#include <unordered_map>

namespace maskscope::document::store {

namespace {

constexpr int kLookBusyMs = 2000;  // two windows may look at the same journal

sqlite3_stmt* statement_of(void* statement) {
    return static_cast<sqlite3_stmt*>(statement);
}

Cause cause_of(int code, int system_error_number) {
    switch (system_error_number) {
        case ENOSPC:
        case EDQUOT:
        case EFBIG:
            return Cause::full;
        case EROFS:
        case EACCES:
        case EPERM:
            return Cause::read_only;
        default:
            break;
    }
    if (code == SQLITE_IOERR_SHORT_READ || code == SQLITE_IOERR_CORRUPTFS) return Cause::damaged;
    switch (code & 0xff) {
        case SQLITE_FULL:
            return Cause::full;
        case SQLITE_READONLY:
            return Cause::read_only;
        case SQLITE_CORRUPT:
        case SQLITE_NOTADB:
            return Cause::damaged;
        case SQLITE_BUSY:
        case SQLITE_LOCKED:
            return Cause::busy;
        default:
            return Cause::other;
    }
}

bool bind(sqlite3_stmt* statement, int place, const Value& value) {
    if (const auto* number = std::get_if<std::int64_t>(&value)) {
        return sqlite3_bind_int64(statement, place, *number) == SQLITE_OK;
    }
    // The values outlive the statement's run, so nothing is copied.
    if (const auto* text = std::get_if<std::string_view>(&value)) {
        const char* data = text->data() != nullptr ? text->data() : "";
        return sqlite3_bind_text64(statement, place, data, text->size(), SQLITE_STATIC, SQLITE_UTF8) == SQLITE_OK;
    }
    const auto& bytes = std::get<std::span<const std::byte>>(value);
    if (bytes.empty()) return sqlite3_bind_zeroblob(statement, place, 0) == SQLITE_OK;
    return sqlite3_bind_blob64(statement, place, bytes.data(), bytes.size(), SQLITE_STATIC) == SQLITE_OK;
}

// The path as SQLite's URI form takes it.
std::string uri_of(const std::string& path) {
    std::string out = "file:";
    for (const char c : path) {
        const auto u = static_cast<unsigned char>(c);
        const bool plain = (u >= '0' && u <= '9') || (u >= 'a' && u <= 'z') || (u >= 'A' && u <= 'Z') || u == '/' ||
                           u == '.' || u == '-' || u == '_';
        out += plain ? std::string(1, c) : fmt::format("%{:02X}", u);
    }
    return out + "?mode=ro&immutable=1";
}

}  // namespace

std::int64_t Row::integer(int column) const {
    return sqlite3_column_int64(statement_of(statement_), column);
}

std::string Row::text(int column) const {
    const auto* data = reinterpret_cast<const char*>(sqlite3_column_text(statement_of(statement_), column));
    if (data == nullptr) return {};
    return {data, static_cast<std::size_t>(sqlite3_column_bytes(statement_of(statement_), column))};
}

std::span<const std::byte> Row::bytes(int column) const {
    const auto* data = static_cast<const std::byte*>(sqlite3_column_blob(statement_of(statement_), column));
    if (data == nullptr) return {};
    return {data, static_cast<std::size_t>(sqlite3_column_bytes(statement_of(statement_), column))};
}

struct Database::Handle {
    sqlite3* db = nullptr;
    std::string path;
    Cause cause = Cause::none;
    std::unordered_map<std::string, sqlite3_stmt*> statements;

    void close() {
        for (const auto& [sql, statement] : statements) sqlite3_finalize(statement);
        statements.clear();
        sqlite3_close_v2(db);
        db = nullptr;
    }
    ~Handle() { close(); }
};

Database::Database(std::unique_ptr<Handle> handle) : handle_(std::move(handle)) {}
Database::Database(Database&&) noexcept = default;
Database& Database::operator=(Database&&) noexcept = default;
Database::~Database() = default;

Result<Database> Database::open(const std::string& path, int flags) {
    auto handle = std::make_unique<Handle>();
    handle->path = path;
    errno = 0;
    const int code = sqlite3_open_v2(path.c_str(), &handle->db, flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_URI, nullptr);
    Database database(std::move(handle));
    if (code != SQLITE_OK) return database.failure(code);
    sqlite3* db = database.handle_->db;
    sqlite3_extended_result_codes(db, 1);
    // A file from elsewhere may hold anything: it runs no code of its own.
    sqlite3_db_config(db, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
    sqlite3_db_config(db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
    sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, nullptr);
    sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_VIEW, 0, nullptr);
    MS_CHECK(database.script("PRAGMA cell_size_check = ON"));
    return database;
}

Result<Database> Database::journal(const std::string& path, bool create) {
    MS_TRY(database, open(path, SQLITE_OPEN_READWRITE | (create ? SQLITE_OPEN_CREATE : 0)));
    MS_CHECK(
        database.script("PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; "
                        "PRAGMA temp_store = MEMORY"));
    return std::move(database);
}

Result<Database> Database::look_at(const std::string& path) {
    MS_TRY(database, open(path, SQLITE_OPEN_READWRITE));
    sqlite3_busy_timeout(database.handle_->db, kLookBusyMs);
    sqlite3_db_config(database.handle_->db, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, nullptr);
    MS_CHECK(database.script("PRAGMA locking_mode = EXCLUSIVE; PRAGMA query_only = ON"));
    return std::move(database);
}

Result<Database> Database::plain(const std::string& path) {
    MS_TRY(database, open(path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE));
    MS_CHECK(database.script("PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF"));
    return std::move(database);
}

Result<Database> Database::memory() {
    return open(":memory:", SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE);
}

Result<void> Database::attach_unchanging(const std::string& path) {
    const std::string uri = uri_of(path);
    return run("ATTACH DATABASE ? AS source", {std::string_view(uri)});
}

void Database::detach() {
    static_cast<void>(script("DETACH DATABASE source"));
}

Result<void> Database::run(const char* sql, std::initializer_list<Value> values) {
    auto nothing = [](const Row&) -> Result<void> { return {}; };
    return each(sql, values, nothing);
}

Result<void> Database::each(const char* sql, std::initializer_list<Value> values, TakeRow take) {
    auto& statement = handle_->statements[sql];
    if (statement == nullptr) {
        const int code = sqlite3_prepare_v3(handle_->db, sql, -1, SQLITE_PREPARE_PERSISTENT, &statement, nullptr);
        if (code != SQLITE_OK) return failure(code);
    }
    int place = 0;
    bool bound = true;
    for (const auto& value : values) bound = bound && bind(statement, ++place, value);
    Result<void> taken;
    errno = 0;
    int code = bound ? SQLITE_ROW : sqlite3_extended_errcode(handle_->db);
    while (bound && taken && (code = sqlite3_step(statement)) == SQLITE_ROW) taken = take(Row(statement));
    // The error is asked for before the reset, which would clear what the system said.
    if (code != SQLITE_ROW && code != SQLITE_DONE) taken = failure(code);
    sqlite3_reset(statement);
    sqlite3_clear_bindings(statement);
    return taken;
}

Result<std::int64_t> Database::integer(const char* sql) {
    std::int64_t out = 0;
    auto take = [&](const Row& row) -> Result<void> {
        out = row.integer(0);
        return {};
    };
    MS_CHECK(each(sql, {}, take));
    return out;
}

Result<void> Database::script(const std::string& sql) {
    errno = 0;
    const int code = sqlite3_exec(handle_->db, sql.c_str(), nullptr, nullptr, nullptr);
    if (code != SQLITE_OK) return failure(code);
    return {};
}

Cause Database::cause() const {
    return handle_->cause;
}

void Database::abandon() {
    sqlite3_db_config(handle_->db, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, nullptr);
}

Error Database::failure(int code) {
    // A failed commit leaves only errno.
    int number = handle_->db != nullptr ? sqlite3_system_errno(handle_->db) : 0;
    if (number == 0) number = errno;
    const bool of_the_system = (code & 0xff) == SQLITE_IOERR || (code & 0xff) == SQLITE_CANTOPEN ||
                               (code & 0xff) == SQLITE_FULL || (code & 0xff) == SQLITE_READONLY;
    handle_->cause = cause_of(code, of_the_system ? number : 0);
    switch (handle_->cause) {
        case Cause::full:
            return input_error(MS_TEXT("no space is left, or a limit on the size of files is reached"))
                .in_file(handle_->path);
        case Cause::read_only:
            return input_error(MS_TEXT("this place is read-only")).in_file(handle_->path);
        case Cause::damaged:
            return input_error(MS_TEXT("the file is damaged")).in_file(handle_->path);
        case Cause::busy:
            return input_error(MS_TEXT("another program holds the file")).in_file(handle_->path);
        default:
            break;
    }
    if (of_the_system && number != 0) return system_error(MS_TEXT("cannot write"), number).in_file(handle_->path);
    const char* words = handle_->db != nullptr ? sqlite3_errmsg(handle_->db) : sqlite3_errstr(code);
    return input_error(MS_TEXT("the database answers: {}"), words).in_file(handle_->path);
}

Result<Transaction> Transaction::begin(Database& database) {
    MS_CHECK(database.run("BEGIN IMMEDIATE"));
    return Transaction(database);
}

Transaction::~Transaction() {
    // After some failures SQLite has rolled back by itself, and refuses: that is as good.
    if (database_ != nullptr) static_cast<void>(database_->script("ROLLBACK"));
}

Result<void> Transaction::commit() {
    MS_CHECK(database_->run("COMMIT"));
    database_ = nullptr;
    return {};
}

}  // namespace maskscope::document::store
