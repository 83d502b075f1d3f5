// A profile that plays while somebody may change it in another program: looks whether its database was changed, and
// brings the newest revision.
//
// Threads: one, which may wait for the database for a moment.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "ui/app/profiles/library.h"
#include "ui/app/profiles/touch.h"

namespace letoff::ui {

/// The look itself, ten times a second or less: it costs nothing while nothing is saved.
class NewestRevision {
  public:
    /// The newest head of the profile, where it is another revision than the one that plays and was not looked at yet.
    /// Error: the end of a sentence, told once however often it fails in the same way.
    core::Result<std::optional<storage::ProfileHead>> look(storage::ProfileStore& store,
                                                           const storage::ProfileHead& playing);

  private:
    std::int64_t change_count_ = -1;  // before the first look it is not known what was changed since the start
    std::string failure_;             // told already
};

struct PlayableRevision {
    storage::Profile profile;
    Touch touch;
};
/// Error: why the touch that plays stays, as the end of a sentence.
core::Result<PlayableRevision> playable_revision(storage::ProfileStore& store, const storage::ProfileHead& head);

class ProfileWatch {
  public:
    /// `playing`: the revision that plays.
    ProfileWatch(ProfileLibrary library, storage::ProfileHead playing);

    struct News {
        std::string title;           // "'My grand', revision 8"
        std::string sentence;        // where there is no touch: why the old one plays on
        std::optional<Touch> touch;  // the new one
        storage::Profile profile{};  // of which it is made
    };
    /// Call it ten times a second or less. Each revision is told once; of several only the newest.
    std::optional<News> look();

  private:
    ProfileLibrary library_;
    storage::ProfileHead playing_;
    NewestRevision newest_;
};

}  // namespace letoff::ui
