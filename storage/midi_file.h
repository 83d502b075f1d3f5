// Standard MIDI Files, formats 0, 1 and 2, in and out (RP-001). The events themselves are core/midi's.
//
// Ours rather than Debian's libsmf (1.3): that one refuses format 2, SMPTE time and a header of other than 6 bytes,
// gives up on the whole file where one track is damaged, and keeps seconds as a running sum of doubles.
//
// Formats 0 and 1: all tracks at once, tempo events of any track apply to all. Format 2: its tracks are pieces of their
// own, played one after the other, each with its own tempo map. Refused, each with one sentence: what is no MIDI file,
// a file cut off in the middle of a track, division 0. Put right with a warning: see midi_track.h, and a wrong track
// count, chunk length or missing end-of-track.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/midi/message.h"
#include "core/result.h"
#include "storage/atomic_file.h"

namespace letoff::storage {

inline constexpr std::size_t kLargestMidiFile_bytes = std::size_t{64} << 20;  // a day of dense playing is about 10 MB
inline constexpr int kLongestPiece_s = 24 * 3600;  // one lying delta time may say 142 years: later events are left out

struct MidiFile {
    int format = 0;
    int tracks = 0;                                // those found, whatever the header says
    std::vector<core::TimedMidiMessage> messages;  // by time
    double end_s = 0;                              // the last end-of-track
    std::vector<std::string> warnings;
};

/// `name` is what the sentences call the bytes.
core::Result<MidiFile> parse_midi_file(std::span<const std::uint8_t> bytes, std::string_view name);
core::Result<MidiFile> read_midi_file(const std::filesystem::path& path);

/// Format 1, one tick = 0.1 ms: a tempo track and a track with the messages, which must be in order of time, times >=
/// 0. System messages are left out. For a performance: core::messages_of().
std::vector<std::uint8_t> midi_file_bytes(std::span<const core::TimedMidiMessage> messages);
Done write_midi_file(const std::filesystem::path& path, std::span<const core::TimedMidiMessage> messages);

}  // namespace letoff::storage
