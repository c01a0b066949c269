// SPDX-License-Identifier: Apache-2.0
#include "core/document/store/schema.h"

#include <array>
#include <filesystem>
#include <fstream>
#include <vector>

namespace maskscope::document::store {

namespace {

// `whole`: every tile that is not here is zero; else it is as the mask's file has it, until the base is written.
// Unsigned 64-bit numbers are kept by their bits.
constexpr const char* kTables =
    "CREATE TABLE session (one INTEGER PRIMARY KEY CHECK (one = 1), position INTEGER NOT NULL, "
    "unsaved INTEGER NOT NULL, changed_at INTEGER NOT NULL, msk TEXT NOT NULL) STRICT;\n"
    "CREATE TABLE file (place INTEGER PRIMARY KEY, path TEXT NOT NULL, size INTEGER NOT NULL, "
    "mtime_ns INTEGER NOT NULL, device INTEGER NOT NULL, inode INTEGER NOT NULL) STRICT;\n"
    "CREATE TABLE setting (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;\n"
    "CREATE TABLE mask (id INTEGER PRIMARY KEY, path TEXT NOT NULL, key TEXT NOT NULL, shape TEXT NOT NULL, "
    "dtype TEXT NOT NULL, changed INTEGER NOT NULL, UNIQUE (path, key)) STRICT;\n"
    "CREATE TABLE plane (mask INTEGER NOT NULL, number INTEGER NOT NULL, rows INTEGER NOT NULL, "
    "cols INTEGER NOT NULL, whole INTEGER NOT NULL, PRIMARY KEY (mask, number)) STRICT;\n"
    "CREATE TABLE tile (mask INTEGER NOT NULL, plane INTEGER NOT NULL, number INTEGER NOT NULL, "
    "cells BLOB NOT NULL, PRIMARY KEY (mask, plane, number)) STRICT;\n"
    "CREATE TABLE step (number INTEGER PRIMARY KEY, mask INTEGER NOT NULL, plane INTEGER NOT NULL, "
    "tool TEXT NOT NULL, name TEXT NOT NULL, delta BLOB NOT NULL) STRICT;\n"
    "CREATE TABLE stroke (one INTEGER PRIMARY KEY CHECK (one = 1), mask INTEGER NOT NULL, plane INTEGER NOT NULL, "
    "tool TEXT NOT NULL, name TEXT NOT NULL, delta BLOB NOT NULL) STRICT;\n";

constexpr std::size_t kHeaderBytes = 100;

std::uint64_t big_endian(const std::array<unsigned char, kHeaderBytes>& header, std::size_t at, int bytes) {
    std::uint64_t out = 0;
    for (int i = 0; i < bytes; ++i) out = out << 8U | header[at + static_cast<std::size_t>(i)];
    return out;
}

Error no_session(const std::string& path) {
    return input_error(MS_TEXT("this is not a Maskscope session")).in_file(path);
}

Error too_new(std::int64_t version) {
    return input_error(MS_TEXT("this session was written by a newer Maskscope (its format is {}, this one reads {})"),
                       version, kSchemaVersion)
        .with_hint(MS_TEXT("Open it with that one"));
}

Result<std::vector<std::string>> objects_of(Database& database, const char* sql) {
    std::vector<std::string> out;
    auto take = [&](const Row& row) -> Result<void> {
        out.push_back(row.text(0) + '\n' + row.text(1) + '\n' + row.text(2));
        return {};
    };
    MS_CHECK(database.each(sql, {}, take));
    return out;
}

Result<void> same_objects(Database& database, const char* sql) {
    MS_TRY(model, Database::memory());
    MS_CHECK(model.script(kTables));
    MS_TRY(wanted, objects_of(model, "SELECT type, name, sql FROM main.sqlite_schema ORDER BY name"));
    MS_TRY(found, objects_of(database, sql));
    if (found != wanted) return input_error(MS_TEXT("its tables are not those of a Maskscope session"));
    return {};
}

}  // namespace

Result<void> create_schema(Database& database) {
    MS_TRY(transaction, Transaction::begin(database));
    MS_CHECK(database.script(kTables));
    MS_CHECK(database.script("PRAGMA application_id = " + std::to_string(kApplicationId)));
    MS_CHECK(database.script("PRAGMA user_version = " + std::to_string(kSchemaVersion)));
    return transaction.commit();
}

Result<void> check_schema(Database& database) {
    MS_TRY(id, database.integer("PRAGMA application_id"));
    if (id != kApplicationId) return input_error(MS_TEXT("this is not a Maskscope session"));
    MS_TRY(version, database.integer("PRAGMA user_version"));
    if (version > kSchemaVersion) return too_new(version);
    return same_objects(database, "SELECT type, name, sql FROM main.sqlite_schema ORDER BY name");
}

Result<void> check_header(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    std::array<unsigned char, kHeaderBytes> header{};
    in.read(reinterpret_cast<char*>(header.data()), kHeaderBytes);
    if (!in) return no_session(path);
    constexpr std::string_view kMagic("SQLite format 3\0", 16);
    if (std::string_view(reinterpret_cast<const char*>(header.data()), kMagic.size()) != kMagic) {
        return no_session(path);
    }
    if (big_endian(header, 68, 4) != static_cast<std::uint64_t>(kApplicationId)) return no_session(path);
    const auto version = static_cast<std::int64_t>(big_endian(header, 60, 4));
    if (version > kSchemaVersion) return too_new(version).in_file(path);
    const auto raw_page = big_endian(header, 16, 2);
    const auto page = raw_page == 1 ? 65536U : raw_page;
    const auto pages = big_endian(header, 28, 4);
    std::error_code failed;
    const auto size = std::filesystem::file_size(path, failed);
    if (!failed && size < page * pages) {
        return input_error(MS_TEXT("this session is cut off: {} of {} bytes are there"), size, page * pages)
            .in_file(path);
    }
    return {};
}

Result<void> copy_from_source(Database& database) {
    MS_CHECK(same_objects(database, "SELECT type, name, sql FROM source.sqlite_schema ORDER BY name"));
    MS_TRY(transaction, Transaction::begin(database));
    for (const char* table : {"session", "file", "setting", "mask", "plane", "tile", "step"}) {
        const std::string name = table;
        MS_CHECK(database.script("INSERT INTO main." + name + " SELECT * FROM source." + name));
    }
    MS_CHECK(database.script("INSERT INTO main.stroke SELECT * FROM source.stroke"));
    return transaction.commit();
}

}  // namespace maskscope::document::store
