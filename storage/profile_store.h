// Touch profiles with their whole history, in SQLite.
//
// Every save is a revision, with its time and a note; revisions are only ever added, by a deletion too, so nothing is
// lost. A change names the revision it started from: if another program was faster, nothing is written and the caller
// is told, so no save overwrites one it has not seen. A commit is on the disk when the call returns (write-ahead log,
// synchronous full); a killed program leaves the revision whole or not there.
//
// Factory profiles are not kept here: they are made by code. Their names are handed in, so that no stored profile takes
// one.
//
// One object is used by one thread at a time; several processes may share the file. All calls may block; a call waits
// for another program that is writing at most as long as the setting says.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "storage/profile.h"

namespace letoff::storage {

struct ProfileStoreSetting {
    std::string file{};      // its folder exists; ":memory:" keeps nothing
    bool own_place = false;  // nothing but our database can lie there: what is not readable as one is set aside
    RowTables rows{};        // must outlive the store
    std::vector<std::string> reserved_names{};
    std::chrono::milliseconds patience{5000};  // with another program that is writing; one save takes far less
    std::int64_t largest_bytes = std::int64_t{1} << 30;  // some hundred thousand revisions
    std::function<std::int64_t()> now_unix_s{};          // empty: the system's clock
};

/// A profile as it was when it was looked up; changes start from there.
struct ProfileHead {
    std::int64_t id = 0;
    std::string name;
    int newest = 0;  // revision
    bool deleted = false;
};

struct ProfileInfo {
    std::string name, action;
    int revision = 0;
    std::int64_t saved_unix_s = 0;
    bool deleted = false;
};

struct RevisionInfo {
    int number = 0;
    std::int64_t saved_unix_s = 0;
    std::string how;     // created, imported, saved, regulated, renamed, deleted, restored, undone
    int content_of = 0;  // restored, undone: the revision it went back to
    std::string note, name;
    bool deleted = false;
    int changed_values = 0;  // against the revision before
};

/// What became of a change.
struct Saved {
    int revision = 0;       // the newest now
    bool conflict = false;  // it is another program's, made since the change began; nothing was saved
};

enum class Deleted { kLeftOut, kToo };

class ProfileStore {
  public:
    /// Checks the file's integrity, keeps a copy of it as FILE.backup when it has changed, and brings its tables to
    /// this build's version (the old ones kept as FILE.version-N). A damaged file is renamed, never deleted, and the
    /// copy takes its place. A file that may only be read can be read.
    static core::Result<ProfileStore> open(ProfileStoreSetting setting);

    ~ProfileStore();
    ProfileStore(ProfileStore&&) noexcept;
    ProfileStore& operator=(ProfileStore&&) noexcept;

    /// What happened on opening that the user has to know.
    const std::vector<std::string>& warnings() const;
    /// A damaged file was set aside on opening.
    bool was_damaged() const;
    const std::string& file() const;

    core::Result<std::vector<ProfileInfo>> list(Deleted deleted = Deleted::kLeftOut);
    /// The profile of that name, upper and lower case alike; empty if there is none. Of deleted ones the latest.
    core::Result<std::optional<ProfileHead>> find(std::string_view name, Deleted deleted = Deleted::kLeftOut);
    /// The same by its number, deleted or not, whatever its name is now.
    core::Result<std::optional<ProfileHead>> find(std::int64_t id);
    /// A number that is another one after another program, or another object, has changed the file. Cheap.
    core::Result<std::int64_t> change_count();
    /// Its newest content, or that of a revision.
    core::Result<Profile> load(const ProfileHead& profile, std::optional<int> revision = {});
    /// Oldest first.
    core::Result<std::vector<RevisionInfo>> history(const ProfileHead& profile);

    core::Result<Saved> create(const Profile& content, std::string_view note, std::string_view how = "created");
    /// The content becomes the revision after profile.newest; a changed name renames.
    core::Result<Saved> save(const ProfileHead& profile, const Profile& content, std::string_view note,
                             std::string_view how = "saved");
    core::Result<Saved> remove(const ProfileHead& profile, std::string_view note);
    /// Brings back the values and notes of a revision, and a deleted profile; the name stays as it is.
    core::Result<Saved> restore(const ProfileHead& profile, int revision, std::string_view note);
    /// Back to before the newest revision, name and deletion included; again: back one further.
    core::Result<Saved> undo(const ProfileHead& profile, std::string_view note);

  private:
    class Impl;
    explicit ProfileStore(std::unique_ptr<Impl> impl);

    std::unique_ptr<Impl> impl_;
};

}  // namespace letoff::storage
