// One track chunk of a Standard MIDI File -> events at their ticks. Source: Standard MIDI Files 1.0 (RP-001), "MTrk
// event".
//
// A track is used as far as it can be read: where a byte makes no sense the rest cannot be trusted, because nothing in
// the format marks where the next event begins. Meta events carry their length, so a wrong one is stepped over. Nothing
// is allocated by a length that the file only claims.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/midi/message.h"

namespace letoff::storage {

/// Sentences for the user about what was put right; a hopeless file does not fill the screen.
class Warnings {
  public:
    static constexpr std::size_t kMost = 20;

    void add(std::string sentence);
    std::vector<std::string> take();  // with "... and n more" at the end

  private:
    std::vector<std::string> sentences_;
    std::size_t more_ = 0;
};

struct TrackEvent {
    std::int64_t tick = 0;
    int tempo_us_per_quarter = 0;  // not 0: a tempo change, and no message
    core::MidiMessage message;
};

struct Track {
    std::vector<TrackEvent> events;
    std::int64_t end_tick = 0;
    std::size_t bytes_read = 0;  // to just behind the end-of-track where there is one
    bool ended = false;          // by an end-of-track event
    bool broken = false;         // by a byte that makes no sense, or in the middle of an event
};

/// `number` counts from 1 and names the track in warnings.
Track read_track(std::span<const std::uint8_t> bytes, int number, Warnings& warnings);

/// Appends a variable-length quantity, 0..2^28-1.
void append_variable_length(std::vector<std::uint8_t>& bytes, std::uint32_t value);

}  // namespace letoff::storage
