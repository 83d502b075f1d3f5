// The tuning and the notes' own sound as rows, for profiles, command line and page; and what the strings become by
// them.
#pragma once

#include <array>
#include <cstddef>

#include "core/param/row.h"
#include "core/string/string_design.h"

namespace letoff::core {

// clang-format off
#define LETOFF_PITCH_CLASS(name, spoken) {"temper_" name "_cents", "cents", 0, -50, 50, Live::kPlayer, "How much higher every " spoken " is than the temperament has it."}
inline constexpr Row kStringRows[] = {
    // Of the whole instrument.
    {"a4_hz", "Hz", kFork_hz, kLowestA4_hz, kHighestA4_hz, Live::kPlayer, "Pitch of A4, exactly; where none is asked for, the measured stretch puts it 3.1 cents above 440 Hz."},
    {"temperament", "", 0, 0, kTemperamentNames.size() - 1, Live::kPlayer, "Where the twelve notes of the octave lie.", kTemperamentNames},
    {"temperament_root", "", 0, 0, kPitchClassNames.size() - 1, Live::kPlayer, "The key in which the temperament is at its best.", kPitchClassNames},
    {"stretch_curve", "", 0, 0, kStretchCurveNames.size() - 1, Live::kPlayer, "Octaves wider than 2:1: as measured on a grand, computed from the strings' inharmonicity, or each key's own stretch_cents.", kStretchCurveNames},
    {"stretch", "", 1, 0, 3, Live::kPlayer, "How much of the stretch curve; 0 makes octaves of 2:1."},
    LETOFF_PITCH_CLASS("C", "C"), LETOFF_PITCH_CLASS("C_sharp", "C#"), LETOFF_PITCH_CLASS("D", "D"), LETOFF_PITCH_CLASS("E_flat", "Eb"),
    LETOFF_PITCH_CLASS("E", "E"), LETOFF_PITCH_CLASS("F", "F"), LETOFF_PITCH_CLASS("F_sharp", "F#"), LETOFF_PITCH_CLASS("G", "G"),
    LETOFF_PITCH_CLASS("G_sharp", "G#"), LETOFF_PITCH_CLASS("A", "A"), LETOFF_PITCH_CLASS("B_flat", "Bb"), LETOFF_PITCH_CLASS("B", "B"),
    {"una_corda_shift_mm", "mm", 3, 0, 5, Live::kNobody, "How far the una corda pedal shifts the action; at 3 mm hammers leave one of two or three strings."},
    // Of the whole instrument or a key.
    {"note_cents", "cents", 0, -100, 100, Live::kPlayer, "Fine tuning of a note."},
    {"note_volume_dB", "dB", 0, kSilent_dB, 12, Live::kPlayer, "Loudness of a note; its hammer and its key do not change. At the least it is silent."},
    {"hammer_hardness", "", 1, 0.25, 4, Live::kPlayer, "Voicing: the stiffness K of the hammer's felt, as a factor; more is brighter."},
    {"una_corda_hardness", "", 0.6, 0.1, 1, Live::kPlayer, "Stiffness of the felt beside the strings' grooves, which the una corda pedal brings to the strings, as a factor of the hammer's."},
    {"unison_cents", "cents", 0.4, 0, 25, Live::kPlayer, "How far the second string of a note lies from the first; a third lies 1.2 times as far on the other side."},
    {"scale_cents", "cents", 0, -11000, 11000, Live::kPlayer, "What a scale that is no temperament adds to a note's equal temperament (letoff tune --scala)."},
    {"stretch_cents", "cents", 0, -100, 100, Live::kPlayer, "The key's own stretch, for stretch_curve=own (letoff tune --stretch)."},
};
#undef LETOFF_PITCH_CLASS
// clang-format on
static_assert(table_is_sound(kStringRows));

inline constexpr std::size_t kStringRowCount = std::size(kStringRows);

consteval std::size_t string_row(std::string_view id) {
    return index_of_row(kStringRows, id);
}
/// Rows before this one are for the whole instrument only.
inline constexpr std::size_t kFirstKeyRow = string_row("note_cents");

/// What is asked for, in the rows' order and units.
struct StringValues {
    using Values = std::array<double, kStringRowCount>;
    Values whole{};
    std::array<Values, kKeyCount> keys{};
    bool a4_is_asked_for = false;

    StringValues();  // the rows' defaults
    bool operator==(const StringValues&) const = default;
    /// For the whole instrument: keys that have something of their own are to be set after it.
    void set_whole(std::size_t row, double value);
};

StringDesign string_design(const StringValues& values);

}  // namespace letoff::core
