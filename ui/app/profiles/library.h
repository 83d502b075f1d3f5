// The factory profiles and those that the user keeps in a database, found by one name: NAME, or NAME@7 for revision 7.
//
// The database lies in $XDG_DATA_HOME/letoff/profiles.db, else in ~/.local/share/letoff, or where --db says.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "storage/profile_store.h"

namespace letoff::ui {

struct FoundProfile {
    storage::Profile content;
    std::optional<storage::ProfileHead> head;  // empty: a factory profile
    int revision = 0;                          // whose content it is; 0: of a factory profile
    bool by_number = false;                    // asked for as NAME@7: what is saved meanwhile is not for it
};

class ProfileLibrary {
  public:
    enum class Missing { kIsEmpty, kIsMade };

    /// `db`: the file, or "" for the user's own. Where none is there yet, it is made only if it is to be.
    static core::Result<ProfileLibrary> open(const std::string& db, Missing missing);

    /// An unknown name says which there are.
    core::Result<FoundProfile> find(std::string_view name, storage::Deleted deleted = storage::Deleted::kLeftOut);
    /// One that may be changed: not a factory profile.
    core::Result<storage::ProfileHead> find_own(std::string_view name,
                                                storage::Deleted deleted = storage::Deleted::kLeftOut);

    /// Makes one change to the profile as it is then.
    using Change = std::function<core::Result<storage::Saved>(storage::ProfileStore&, const storage::ProfileHead&)>;
    /// Changes one's own profile; where another program was faster, again from what that one saved.
    core::Result<storage::Saved> change(std::string_view name, storage::Deleted deleted, const Change& change);

    /// Null where there is no database.
    storage::ProfileStore* store() { return store_ ? &*store_ : nullptr; }
    /// A damaged database was set aside as it was opened.
    bool was_damaged() const { return store_ && store_->was_damaged(); }
    std::vector<std::string> warnings() const { return store_ ? store_->warnings() : std::vector<std::string>(); }

  private:
    core::Error unknown(std::string_view name);

    std::optional<storage::ProfileStore> store_;
};

struct NameAndRevision {
    std::string name;
    std::optional<int> revision;
};
/// "My grand@7".
core::Result<NameAndRevision> parse_profile_name(std::string_view text);

}  // namespace letoff::ui
