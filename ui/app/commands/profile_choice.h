// The options --profile and --db of every subcommand that plays or measures with a touch.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/result.h"
#include "ui/app/commands/command.h"
#include "ui/app/profiles/factory.h"
#include "ui/app/profiles/profile_watch.h"
#include "ui/app/profiles/touch.h"

namespace letoff::ui {

struct ProfileChoice {
    std::string name{kDefaultProfile}, db;
    std::string action;  // in place of the profile's; empty: the profile's

    void add_to(CommandLine& command);
    /// --action too.
    void add_action_to(CommandLine& command);

    /// What to do where the database of profiles cannot be used: leave, or go on with the default factory profile.
    enum class Without { kNothing, kFactory };
    struct Chosen {
        Touch touch;
        FoundProfile found;                 // of which the touch is made
        std::optional<ProfileWatch> watch;  // of a profile that may be changed meanwhile
    };
    /// Says warnings on stderr. A factory profile needs no database and looks at none.
    core::Result<Chosen> choose(std::string_view command, Without without = Without::kNothing) const;
    core::Result<Touch> touch(std::string_view command, Without without = Without::kNothing) const;
};

/// The profile that a MIDI program stands for: first the factory's, then one's own, as `letoff profile list` has them;
/// "" where there are not so many. program: from 0.
std::string profile_of_program(std::size_t program, const std::string& db);

}  // namespace letoff::ui
