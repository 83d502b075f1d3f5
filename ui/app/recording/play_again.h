// A recording played again off line, with sound into a file or without: what `letoff record` and the settings page do.
#pragma once

#include <string>
#include <vector>

#include "core/result.h"
#include "storage/recording_store.h"
#include "ui/app/instrument.h"
#include "ui/app/recording/take_run.h"

namespace letoff::ui {

struct PlayedAgain {
    ReplayReport report;
    std::vector<std::string> warnings;
};

/// Builds the recording's instrument (`from`: what a recording does not decide) and plays it again. `sound_file`: a WAV
/// or FLAC file by its ending, which is there whole or not at all; "": no sound is made. An exception of `progress`
/// leaves no file either.
core::Result<PlayedAgain> play_again(const storage::Recording& recording, const InstrumentSetting& from,
                                     const std::string& sound_file, const Progress& progress);

}  // namespace letoff::ui
