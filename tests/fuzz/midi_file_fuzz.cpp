// Any bytes as a Standard MIDI File: no crash, and what is accepted keeps its promises through the performance and back
// into a file.
#include <cmath>

#include "core/midi/performance.h"
#include "core/unit/keys.h"
#include "storage/midi_file.h"
#include "tests/fuzz/require.h"

using namespace letoff;

namespace {

void check_notes(const core::Performance& performance) {
    double last_on_s = 0;
    double key_free_s[core::kKeyCount] = {};
    for (const core::PerformedNote& note : performance.notes) {
        require(note.key_index >= 0 && note.key_index < core::kKeyCount);
        require(note.on_time_s >= last_on_s && note.off_time_s >= note.on_time_s);
        require(note.on_time_s >= key_free_s[note.key_index] && note.off_time_s <= performance.end_s);
        require(note.velocity >= 1 && note.velocity <= 127 && note.midi_velocity() < 128);
        last_on_s = note.on_time_s;
        key_free_s[note.key_index] = note.off_time_s;
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto file = storage::parse_midi_file({data, size}, "fuzz.mid");
    if (!file) {
        require(!file.error().empty());
        return 0;
    }
    const auto& messages = file.value().messages;
    require(messages.size() <= size);
    double last_s = 0;
    for (const core::TimedMidiMessage& message : messages) {
        require(message.time_s >= last_s && message.time_s <= storage::kLongestPiece_s);
        last_s = message.time_s;
    }
    require(file.value().end_s >= last_s);

    const core::Performance performance = core::performance_of(messages, file.value().end_s);
    check_notes(performance);

    const auto again = storage::parse_midi_file(storage::midi_file_bytes(messages), "again.mid");
    require(again.ok() && again.value().warnings.empty() && again.value().messages.size() == messages.size());
    for (std::size_t i = 0; i < messages.size(); ++i) {
        require(again.value().messages[i].message == messages[i].message);
        require(std::abs(again.value().messages[i].time_s - messages[i].time_s) < 51e-6);  // half a tick of 0.1 ms
    }

    const auto round_trip = core::performance_of(core::messages_of(performance), performance.end_s);
    check_notes(round_trip);
    require(round_trip.notes.size() == performance.notes.size());
    for (std::size_t i = 0; i < performance.notes.size(); ++i) {
        require(round_trip.notes[i].on_time_s == performance.notes[i].on_time_s);
        require(round_trip.notes[i].off_time_s == performance.notes[i].off_time_s);
        require(round_trip.notes[i].velocity == performance.notes[i].velocity);
    }
    require(round_trip.sustain.size() == performance.sustain.size());
    return 0;
}
