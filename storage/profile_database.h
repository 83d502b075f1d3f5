// Opening the file of the profile database: whose it is, whether it is whole, its backup copy, its version. Internal to
// storage.
//
// While one program opens the file others wait (flock on FILE.lock), so that no two of them set the same damage aside.
#pragma once

#include <SQLiteCpp/SQLiteCpp.h>
#include <sys/types.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "storage/atomic_file.h"
#include "storage/profile_store.h"

namespace letoff::storage {

class ProfileDatabase {
  public:
    static core::Result<std::unique_ptr<ProfileDatabase>> open(const ProfileStoreSetting& setting);

    SQLite::Database& sqlite() { return *sqlite_; }
    const std::string& file() const { return file_; }
    const std::vector<std::string>& warnings() const { return warnings_; }
    bool was_damaged() const { return was_damaged_; }

    /// Whether it may be written to, and is still the file of that name.
    Done check_writable() const;
    /// One sentence for the user: `what` could not be done.
    core::Error failure(std::string_view what, const SQLite::Exception& exception) const;

  private:
    struct Identity {
        dev_t device = 0;
        ino_t inode = 0;
        bool operator==(const Identity&) const = default;
    };
    enum class State { kEmpty, kWhole, kDamaged };

    explicit ProfileDatabase(const ProfileStoreSetting& setting)
        : file_(setting.file),
          own_place_(setting.own_place),
          largest_bytes_(setting.largest_bytes),
          patience_ms_(static_cast<int>(setting.patience.count())) {}

    Done open_file();
    void connect();
    core::Result<State> inspect();
    Done set_aside(std::string_view what);
    Done leave_backup();
    void tune();
    void keep_backup();
    static Identity identity_of(const std::string& file);

    std::string file_;
    bool own_place_;
    std::int64_t largest_bytes_;
    int patience_ms_;
    std::unique_ptr<SQLite::Database> sqlite_;
    std::vector<std::string> warnings_;
    bool was_damaged_ = false, read_only_ = false;
    Identity identity_;
};

}  // namespace letoff::storage
