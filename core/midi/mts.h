// Tunings that come as System Exclusive: the MIDI Tuning Standard. Source: MIDI 1.0 Detailed Specification, "MIDI
// Tuning" (with CA-020 and CA-021, bank and scale/octave forms).
//
//   7E id 08 01 program name[16] (note fraction)[128] sum   all notes (bulk dump); 04: with a bank before the program
//   7F id 08 02 program count (key note fraction)[count]    single notes, at once; 07: with a bank, at once or not (7E)
//   7E id 08 05 bank program name[16] offset[12] sum        an octave, one byte a note; 06: two bytes a note
//   7x id 08 08 channels[3] offset[12]                      the same without a name; 09: two bytes a note
//
// note fraction, 3 bytes of 7 bits: semitones of equal temperament at A4 = 440 Hz and 1/16384 parts, 7F 7F 7F leaves
// the note as it is. offset: one byte -64 to 63 cents, 40h is 0; two bytes -100 to 100, 2000h is 0; of C to B. Programs
// and channels are one here, as strings have one tuning; what comes last holds. sum: of the bytes before by exclusive
// or; with and without 7E both are seen in the field.
//
// No allocation, no exception; any bytes are accepted. One thread.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "core/midi/message.h"

namespace letoff::core {

/// Whether a System Exclusive (without F0 and F7) is about tuning: the rest of it need not be sound.
constexpr bool is_mts(std::span<const std::uint8_t> sysex) {
    return sysex.size() >= 4 && (sysex[0] == 0x7E || sysex[0] == 0x7F) && sysex[2] == 0x08;
}
inline constexpr std::size_t kLargestMts_bytes = 7 + 4 * 127;  // single notes, as many as one can name

class MtsTuning {
  public:
    static constexpr std::size_t kName_bytes = 16;
    enum class Told : std::uint8_t { kNothing, kTuning, kDamaged };

    MtsTuning();

    /// kNothing: not about tuning, or a request for one. kDamaged: it is not taken, no note of it.
    Told take(std::span<const std::uint8_t> sysex);

    /// Where each note lies, in semitones above MIDI note 0 at A4 = 440 Hz.
    const std::array<double, kMidiNotes>& pitches() const { return pitches_; }
    /// As the last that had one: printable ASCII.
    std::string_view name() const { return {name_.data(), name_size_}; }

  private:
    Told bulk(std::span<const std::uint8_t> data, std::span<const std::uint8_t> summed, bool has_bank);
    Told single(std::span<const std::uint8_t> data, bool has_bank);
    Told octave_dump(std::span<const std::uint8_t> data, std::span<const std::uint8_t> summed, std::size_t width);
    Told octave(std::span<const std::uint8_t> offsets, std::size_t width);
    void take_name(std::span<const std::uint8_t> text);

    std::array<double, kMidiNotes> pitches_{};
    std::array<char, kName_bytes> name_{};
    std::size_t name_size_ = 0;
};

}  // namespace letoff::core
