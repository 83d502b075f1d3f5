// The options of `letoff play`.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "ui/app/commands/command_line.h"
#include "ui/app/commands/instrument_options.h"
#include "ui/app/live/live_play.h"

namespace letoff::ui {

inline constexpr std::string_view kRecordOff = "off";  // --record: nothing is kept

struct PlayOptions {
    InstrumentOptions instrument;
    std::string audio = "auto", midi_in = "auto", rt = "auto", keybed = "auto";
    std::vector<std::string> midi_out = {"virtual"};
    std::string key_position_in = "off", local = "on", osc_in, osc_out;
    int key_position_hz = 0;
    std::string http = "127.0.0.1:8088";
    bool http_given = false, http_look = false;
    int frames = 128;
    std::optional<double> catch_up_percent;  // else the profile's
    bool demo = false, once = false, json = false;
    std::string record, recordings, events, midi_velocity = "88";
};

/// What they ask of LivePlay; the error names the option's value and what would be accepted.
core::Result<LiveSetting> live_setting(const PlayOptions& options);

/// `options` must outlive the command.
void add_play_options(CommandLine& command, PlayOptions& options);

}  // namespace letoff::ui
