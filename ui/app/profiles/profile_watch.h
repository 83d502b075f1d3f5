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
    News news_of(const storage::ProfileHead& head);

    ProfileLibrary library_;
    storage::ProfileHead playing_;
    std::int64_t change_count_ = -1;  // before the first look it is not known what was changed since the start
    std::string failure_;             // told already
};

}  // namespace letoff::ui
