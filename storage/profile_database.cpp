#include "storage/profile_database.h"

#include <fmt/format.h>
#include <sqlite3.h>
#include <sys/stat.h>

#include <filesystem>
#include <system_error>
#include <utility>

#include "storage/file_lock.h"
#include "storage/migration.h"
#include "storage/profile_backup.h"
#include "storage/profile_schema.h"

namespace letoff::storage {

namespace fs = std::filesystem;

namespace {

constexpr std::chrono::milliseconds kLongestStart{10000};  // of another program: integrity check, copy, migration
constexpr int kLargestLog_bytes = 1 << 20;                 // the write-ahead log is cut back to this
constexpr int kCheckpoint_pages = 256;                     // and written into the file when it has so many
constexpr int kNewestVersion = core::kProfileSchemaVersion;

core::Error unusable(std::string_view file, std::string_view why) {
    return {fmt::format("the touch profiles in '{}' cannot be used: {}", file, why)};
}

std::string reason(const SQLite::Exception& exception) {
    switch (exception.getErrorCode()) {
        case SQLITE_FULL:
            return "there is no room left for it";
        case SQLITE_READONLY:
            return "it may only be read";
        case SQLITE_BUSY:
        case SQLITE_LOCKED:
            return "another program keeps it locked, try again";
        case SQLITE_CORRUPT:
        case SQLITE_NOTADB:
            return "it is damaged; start again, and it is set aside and its backup copy taken";
        case SQLITE_CANTOPEN:
            return "it cannot be opened or made there";
        case SQLITE_IOERR:
            return fmt::format("the disk fails or is full ({})", exception.what());
        default:
            return exception.what();
    }
}

bool is_damage(const SQLite::Exception& exception) {
    return exception.getErrorCode() == SQLITE_CORRUPT || exception.getErrorCode() == SQLITE_NOTADB;
}

/// A file that cannot change and has no log needs no lock and no shared memory: so a folder that may only be read can
/// be read from.
std::string immutable_uri(const std::string& file) {
    std::string uri = "file:";
    for (const char c : fs::absolute(file).string()) {
        if (c == '?' || c == '#' || c == '%') {
            uri += fmt::format("%{:02X}", static_cast<unsigned char>(c));
        } else {
            uri += c;
        }
    }
    return uri + "?immutable=1";
}

bool missing_or_empty(const std::string& file) {
    std::error_code error;
    const auto size = fs::file_size(file, error);
    return error || size == 0;
}

std::string backup_of(const std::string& file) {
    return file + ".backup";
}

}  // namespace

core::Result<std::unique_ptr<ProfileDatabase>> ProfileDatabase::open(const ProfileStoreSetting& setting) {
    if (setting.file.empty()) return unusable(setting.file, "the name is empty");
    std::unique_ptr<ProfileDatabase> database(new ProfileDatabase(setting));
    try {
        if (auto done = database->open_file(); !done) return core::Error{done.error()};
    } catch (const SQLite::Exception& exception) {
        return unusable(setting.file, reason(exception));
    }
    return database;
}

Done ProfileDatabase::open_file() {
    std::error_code ignored;
    if (fs::is_directory(file_, ignored)) return unusable(file_, "it is a folder");
    const bool in_memory = file_ == ":memory:";
    const auto lock = FileLock::take(in_memory ? "" : file_ + ".lock", kLongestStart);
    if (!lock) return unusable(file_, lock.error());
    const auto has_copy = [&] { return !in_memory && extent_of_file(backup_of(file_)); };
    // Gone, yet there is a copy: a start was cut short while it set damage aside, or somebody took the file away.
    const bool log_alone = missing_or_empty(file_) && !missing_or_empty(file_ + "-wal");
    if (log_alone || (missing_or_empty(file_) && has_copy())) {
        if (auto done = set_aside("gone"); !done) return done;
    }
    connect();
    auto state = inspect();
    if (!state) return core::Error{state.error()};
    if (state.value() == State::kDamaged || (state.value() == State::kEmpty && has_copy())) {
        if (auto done = set_aside("damaged"); !done) return done;
        connect();
        state = inspect();
        if (!state) return core::Error{state.error()};
        if (state.value() == State::kDamaged) {
            if (auto done = leave_backup(); !done) return done;
            state = inspect();
            if (!state) return core::Error{state.error()};
        }
        if (state.value() == State::kDamaged) return unusable(file_, "what was made in its place is damaged too");
    }
    identity_ = identity_of(file_);
    if (read_only_) {
        if (const int version = extent_of(*sqlite_).version; version != kNewestVersion) {
            return unusable(file_, fmt::format("its tables are of version {}, and to bring them to {} it must be "
                                               "possible to write it",
                                               version, kNewestVersion));
        }
        return std::monostate{};
    }
    tune();
    if (!in_memory) keep_backup();
    if (auto done = migrate(*sqlite_, kProfileApplicationId, kProfileSchemaSteps); !done)
        return unusable(file_, done.error());
    return std::monostate{};
}

void ProfileDatabase::connect() {
    sqlite_.reset();
    try {
        sqlite_ = std::make_unique<SQLite::Database>(file_, SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE, patience_ms_);
        read_only_ = sqlite3_db_readonly(sqlite_->getHandle(), "main") == 1;
        if (read_only_) sqlite_->execAndGet("PRAGMA schema_version");
    } catch (const SQLite::Exception& exception) {
        if (is_damage(exception)) return;  // inspect() finds it again
        std::error_code error;
        const bool has_log = fs::exists(file_ + "-wal", error) && !missing_or_empty(file_ + "-wal");
        if (has_log || missing_or_empty(file_)) throw;
        sqlite_ = std::make_unique<SQLite::Database>(immutable_uri(file_), SQLite::OPEN_READONLY | SQLite::OPEN_URI,
                                                     patience_ms_);
        read_only_ = true;
    }
}

core::Result<ProfileDatabase::State> ProfileDatabase::inspect() {
    bool ours = own_place_;
    try {
        const int owner = sqlite_->execAndGet("PRAGMA application_id").getInt();
        const int version = sqlite_->execAndGet("PRAGMA user_version").getInt();
        ours = ours || owner == kProfileApplicationId;
        const int objects = sqlite_->execAndGet("SELECT count(*) FROM sqlite_master").getInt();
        if (owner == 0 && version == 0 && objects == 0) return State::kEmpty;
        if (owner != kProfileApplicationId) return unusable(file_, "it is the database of another program");
        if (version < 1 || version > kNewestVersion) {
            return unusable(file_, fmt::format("its tables are of version {}, made by another build; this one knows 1 "
                                               "to {}",
                                               version, kNewestVersion));
        }
        const std::string found = sqlite_->execAndGet("PRAGMA integrity_check").getString();
        return found == "ok" ? State::kWhole : State::kDamaged;
    } catch (const SQLite::Exception& exception) {
        if (!is_damage(exception)) throw;
        if (ours) return State::kDamaged;
        return unusable(file_, "it is not a database of touch profiles");
    }
}

Done ProfileDatabase::set_aside(std::string_view what) {
    if (read_only_) return unusable(file_, "it is damaged, and may only be read");
    sqlite_.reset();
    std::string story = fmt::format("'{}' was {}", file_, what);
    was_damaged_ = true;
    std::error_code error;
    if (fs::exists(file_, error) || fs::exists(file_ + "-wal", error)) {
        const auto name = set_file_aside(file_, "damaged");
        if (!name) return unusable(file_, fmt::format("it is damaged, and {}", name.error()));
        story += fmt::format(" and is kept as '{}'", name.value());
    }
    const std::string backup = backup_of(file_);
    if (!extent_of_file(backup)) {
        warnings_.push_back(story + "; there is no backup copy, so only the factory profiles are there");
        return std::monostate{};
    }
    SQLite::Database copy(backup, SQLite::OPEN_READONLY);
    if (auto done = copy_database(copy, file_); !done) return unusable(file_, done.error());
    warnings_.push_back(fmt::format("{}; its backup copy '{}' took its place", story, backup));
    return std::monostate{};
}

/// What was made from the copy is damaged: the copy looked whole, but its rows disagree.
Done ProfileDatabase::leave_backup() {
    const auto name = set_file_aside(backup_of(file_), "damaged");
    if (!name) return unusable(file_, name.error());
    warnings_.push_back(fmt::format("'{}' is damaged too and is kept as '{}'", backup_of(file_), name.value()));
    if (auto done = set_aside("damaged"); !done) return done;
    connect();
    return std::monostate{};
}

void ProfileDatabase::tune() {
    // Not every file system can share the memory of a write-ahead log, and where others have the file open it may not
    // be the moment; the answer is then another mode, and that is safe too.
    if (sqlite_->execAndGet("PRAGMA journal_mode").getString() != "wal") {
        try {
            sqlite_->execAndGet("PRAGMA journal_mode = WAL");
        } catch (const SQLite::Exception& exception) {
            if (exception.getErrorCode() != SQLITE_BUSY) throw;
        }
    }
    sqlite_->exec("PRAGMA synchronous = FULL");
    sqlite_->exec("PRAGMA foreign_keys = ON");
    sqlite_->execAndGet(fmt::format("PRAGMA journal_size_limit = {}", kLargestLog_bytes));
    sqlite_->execAndGet(fmt::format("PRAGMA wal_autocheckpoint = {}", kCheckpoint_pages));
    const std::int64_t page_bytes = sqlite_->execAndGet("PRAGMA page_size").getInt64();
    sqlite_->execAndGet(fmt::format("PRAGMA max_page_count = {}", largest_bytes_ / page_bytes));
}

/// A copy that cannot be made is no reason not to play.
void ProfileDatabase::keep_backup() {
    const std::string backup = backup_of(file_);
    try {
        const ProfileExtent extent = extent_of(*sqlite_);
        if (extent.last_revision == 0) return;
        const auto kept = extent_of_file(backup);
        if (kept == extent) return;
        if (kept && !contains(*sqlite_, *kept)) {
            const auto name = set_file_aside(backup, "older");
            if (!name) throw SQLite::Exception(name.error());
            warnings_.push_back(
                fmt::format("'{}' holds profiles that '{}' does not; it is kept as '{}'", backup, file_, name.value()));
        }
        if (auto done = copy_database(*sqlite_, backup); !done) throw SQLite::Exception(done.error());
        // Before its tables are changed the file is kept as it was, for an older build.
        const std::string as_it_was = fmt::format("{}.version-{}", file_, extent.version);
        std::error_code ignored;
        if (extent.version < kNewestVersion && !fs::exists(as_it_was, ignored)) {
            if (auto done = copy_database(*sqlite_, as_it_was); !done) throw SQLite::Exception(done.error());
        }
    } catch (const SQLite::Exception& exception) {
        warnings_.push_back(fmt::format("no backup copy of the touch profiles in '{}' could be made: {}", file_,
                                        exception.getErrorCode() > 0 ? reason(exception) : exception.what()));
    }
}

ProfileDatabase::Identity ProfileDatabase::identity_of(const std::string& file) {
    struct stat status{};
    if (::stat(file.c_str(), &status) != 0) return {};
    return {status.st_dev, status.st_ino};
}

Done ProfileDatabase::check_writable() const {
    if (read_only_) {
        return core::Error{fmt::format("the touch profiles in '{}' may only be read: nothing was saved", file_)};
    }
    if (identity_of(file_) == identity_) return std::monostate{};
    return core::Error{fmt::format("'{}' was replaced meanwhile: nothing was saved, start again", file_)};
}

core::Error ProfileDatabase::failure(std::string_view what, const SQLite::Exception& exception) const {
    return {fmt::format("{} in '{}': {}", what, file_, reason(exception))};
}

}  // namespace letoff::storage
