// The options of every subcommand that builds an instrument: which one, and how it is computed.
#pragma once

#include <string>
#include <string_view>

#include "ui/app/commands/command.h"
#include "ui/app/commands/profile_choice.h"
#include "ui/app/commands/tuning_options.h"
#include "ui/app/instrument.h"

namespace letoff::ui {

/// How it is computed and what makes the sound; where a recording says the rest.
struct ComputeOptions {
    InstrumentSetting setting;
    std::string simd = "auto";
    std::string engine = "modal";
    bool no_cache = false;

    void add_to(CommandLine& command);
    /// --engine, --soundfont and --room too, for a subcommand that sounds.
    void add_engine_to(CommandLine& command);
    /// Numbers that do not go together, as one sentence; "" if all is well.
    std::string problem() const;
    /// The setting with the place of the cache; says on stderr if there is none.
    InstrumentSetting setting_for_use(std::string_view command) const;
};

struct InstrumentOptions : ComputeOptions {
    ProfileChoice profile;
    TuningOptions tuning;

    void add_to(CommandLine& command);
    std::string problem() const;
    /// The setting with the profile's touch, its tuning or the one asked for, and the place of the cache; says on
    /// stderr if there is none. Error: a tuning that cannot be.
    core::Result<InstrumentSetting> setting_for_use(std::string_view command, const Touch& touch) const;
};

}  // namespace letoff::ui
