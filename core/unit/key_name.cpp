#include "core/unit/key_name.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <optional>

#include "core/unit/keys.h"

namespace letoff::core {

namespace {

constexpr int kNotesPerOctave = 12;

/// The whole text as one decimal number. A number too long to hold counts as one: it is out of every range.
std::optional<int> parse_number(std::string_view text) {
    constexpr int kTooLarge = 1'000'000;
    int number = 0;
    const char* const end = text.data() + text.size();
    const auto [stopped_at, error] = std::from_chars(text.data(), end, number);
    if (stopped_at != end || error == std::errc::invalid_argument) return std::nullopt;
    if (error == std::errc::result_out_of_range) return kTooLarge;
    return number;
}

/// Semitones above C for a letter, as MIDI counts.
std::optional<int> semitone_of_letter(char letter) {
    switch (letter | 0x20) {  // lower case
        case 'c':
            return 0;
        case 'd':
            return 2;
        case 'e':
            return 4;
        case 'f':
            return 5;
        case 'g':
            return 7;
        case 'a':
            return 9;
        case 'b':
            return 11;
        default:
            return std::nullopt;
    }
}

/// The MIDI note of a name, on the keyboard or not.
std::optional<int> midi_note_of_name(std::string_view name) {
    if (name.size() < 2) return std::nullopt;
    const std::optional<int> semitone = semitone_of_letter(name.front());
    if (!semitone) return std::nullopt;
    name.remove_prefix(1);
    int accidental = 0;
    if (name.front() == '#') accidental = 1;
    if (name.front() == 'b') accidental = -1;
    if (accidental != 0) name.remove_prefix(1);
    // One digit: no octave of a piano needs more, and a name like C10 or C-1 is better called unknown than out of
    // range.
    if (name.size() != 1 || name.front() < '0' || name.front() > '9') return std::nullopt;
    const int octave = name.front() - '0';
    return kNotesPerOctave * (octave + 1) + *semitone + accidental;  // C4 is 60
}

Error not_on_the_piano(std::string_view text) {
    return Error{fmt::format("The key '{}' is not on the piano; use 1 to 88, A0 to C8, or midi:21 to midi:108.", text)};
}

Result<int> index_of_midi_note(std::string_view text, int note) {
    if (!is_piano_note(note)) return not_on_the_piano(text);
    return key_of_midi_note(note);
}

}  // namespace

Result<int> parse_key(std::string_view text) {
    constexpr std::string_view kMidiPrefix = "midi:";
    if (text.starts_with(kMidiPrefix)) {
        if (const auto note = parse_number(text.substr(kMidiPrefix.size()))) return index_of_midi_note(text, *note);
    } else if (const auto number = parse_number(text)) {
        if (*number < 1 || *number > kKeyCount) return not_on_the_piano(text);
        return *number - 1;
    } else if (const auto note = midi_note_of_name(text)) {
        return index_of_midi_note(text, *note);
    }
    return Error{fmt::format(
        "The key '{}' is not a key; write a number from 1 to 88, a name like A0, C#4 or Bb3, or midi:60.", text)};
}

std::string key_name(int key_index) {
    constexpr std::array<std::string_view, kNotesPerOctave> kNames = {"C",  "C#", "D",  "D#", "E",  "F",
                                                                      "F#", "G",  "G#", "A",  "A#", "B"};
    const int note = midi_note_of_key(key_index);
    return fmt::format("{}{}", kNames[static_cast<std::size_t>(note % kNotesPerOctave)], note / kNotesPerOctave - 1);
}

}  // namespace letoff::core
