// The 88 keys and how they are numbered.
// Key numbers are 1..88 (A0 = 1, C8 = 88); key indices, used inside, are 0..87; MIDI note = key number + 20.
#pragma once

namespace letoff::core {

inline constexpr int kKeyCount = 88;
inline constexpr int kFirstMidiNote = 21;

constexpr int midi_note_of_key(int key_index) {
    return key_index + kFirstMidiNote;
}
constexpr int key_of_midi_note(int midi_note) {
    return midi_note - kFirstMidiNote;
}
constexpr bool is_piano_note(int midi_note) {
    return midi_note >= kFirstMidiNote && midi_note < kFirstMidiNote + kKeyCount;
}

}  // namespace letoff::core
