// Learns a foreign keyboard from about two minutes of playing on it: the map that makes it feel like this instrument.
//
//   velocity  Pianists play their instruments alike: the share of notes below a loudness is taken to be that of real
//             performances, kPlayed (the velocities of the six recordings in ../shared/midi on a computer-controlled
//             grand, 17,170 notes, at the shares 1/32, 3/32 ... 31/32). The curve goes through the points where the
//             keyboard's own shares are equal, linear between them, and on to 1 and 127 at its ends. So a gap in what a
//             keyboard sends (modartt forum 3460: none from 47 to 55) is closed. Of one that sends 127 for more than a
//             thirty-second of its notes, 127 is as loud as those are in the performances, not the loudest there is.
//   black     the difference of the medians of black and white keys, after the curve, taken back; kMostBlack at most.
//             Only as right as the music is even: a chromatic scale should be among it.
//   pedals    between the smallest and largest value seen, kEndMargin of the way inside, so that a worn pedal reaches
//             both; a pedal that first moves away from its largest value works the other way round. It begins
//             unpressed.
//
// The fit is data, no real-time code.
#pragma once

#include <array>

#include "core/midi/input_map.h"
#include "core/result.h"

namespace letoff::core {

class InputFit {
  public:
    static constexpr int kLeastNotes = 200;     // the medians and shares are then good to some steps
    static constexpr int kLeastOfAColour = 40;  // below, black and white stay as they are
    static constexpr double kMostBlack = 15;    // more is music, not a keyboard
    static constexpr double kEndMargin = 0.03;  // of the pedal's way

    /// Everything that the keyboard sends, in its order.
    void see(const MidiMessage& message);

    int notes() const { return notes_; }

    /// `from` with what was learnt in place of its curve, offset and pedal ends; a pedal that hardly moved keeps its
    /// ends. Error: too few notes.
    Result<InputMap> map(const InputMap& from = {}) const;

  private:
    struct Pedal {
        int least = kMidiDataMax + 1, most = -1;
        int first = -1;
        void see(int value);
        bool seen() const { return most - least >= PedalEnds::kLeastWay; }
        PedalEnds ends(const PedalEnds& before) const;
    };

    std::array<std::array<int, kMidiNotes>, 2> counts_{};  // of white and black keys, by velocity
    int notes_ = 0;
    std::array<Pedal, 3> pedals_{};  // sustain, sostenuto, soft
};

}  // namespace letoff::core
