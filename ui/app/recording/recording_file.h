// Where recordings lie, and the instrument that one was played on.
#pragma once

#include <string>
#include <vector>

#include "core/result.h"
#include "core/string/string_rows.h"
#include "storage/input_map_store.h"
#include "storage/recording_store.h"
#include "ui/app/instrument.h"
#include "ui/app/profiles/library.h"

namespace letoff::ui {

/// `file`, or for "" the user's own, $XDG_DATA_HOME/letoff/recordings.db, whose folder is made.
core::Result<std::string> recordings_file(const std::string& file);
/// The same where it is there already; makes nothing. "": it is not.
std::string existing_recordings_file(const std::string& file);
core::Result<storage::RecordingStore> open_recordings(const std::string& file);
/// What was learnt of foreign keyboards; none, and no file made, where there is none yet.
core::Result<std::vector<storage::KnownKeyboard>> known_keyboards(const std::string& file);
/// Of the keyboard with that port; the default where it is not known.
core::InputMap map_of(const std::vector<storage::KnownKeyboard>& known, const std::string& port_name);

/// What a recording that begins now says about its instrument.
storage::RecordingHead recording_head(const std::string& name, const FoundProfile& profile,
                                      const core::StringValues& strings, const Instrument& instrument);

/// Of what is captured from now on: "Captured 2026-11-29 10:15".
std::string capture_name();

struct RecordedInstrument {
    InstrumentSetting setting;  // touch, strings, sound and tick rate filled in
    std::vector<std::string> warnings;
};
/// `from`: what a recording does not decide (threads, sample rate, cache).
core::Result<RecordedInstrument> instrument_of(const storage::RecordingHead& head, InstrumentSetting from);

/// The profile of a recording, by its text.
core::Result<storage::Profile> recorded_profile(const std::string& json, const std::string& recording);

/// Tuning and voicing as numbers in the order of this build's rows.
std::vector<double> flat(const core::StringValues& values);

}  // namespace letoff::ui
