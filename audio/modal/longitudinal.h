// The longitudinal motion of one note's strings (core/string/longitudinal.h), what of it is heard, and the account of
// its energy. The bridge is pulled along the strings; the board is driven by that as by kBridgeTakes of a force that
// stands on it.
//
// Energy: the work W that the strings' transverse motion does on the longitudinal one swings with the slow part of the
// tension and grows by what the modes lose. Of it the greatest value so far is taken from the partials, each by the
// same share, at the end of each tick: charged = max W. So
//
//   transverse + held,   held = (charged - W) + energy of the longitudinal modes   (charged less what these have lost)
//
// never grows without a blow, and strings can give the longitudinal motion no more than they have: what cannot be paid
// sets it to rest. Charged at a fortissimo are some percent of a bass note's energy, of what the keybed's own strings
// (keyboard/strike) know nothing.
//
// Set-up allocates nothing; advance() is real-time safe. Notes are independent of each other.
#pragma once

#include <array>

#include "audio/modal/longitudinal_kernel.h"
#include "core/string/modal_string.h"

namespace letoff::audio {

/// The bridge stands some centimetres high on the board and strings bear down on it by a degree or two: what pulls
/// along the strings rocks it. How much of that counts is fitted to what was measured: phantoms of E1 about 20 dB below
/// the partials beside them (reference/physics_data.md, 4.6), here the median over its partials 21 to 45 struck at 5
/// m/s.
inline constexpr double kBridgeTakes = 0.2;

class Longitudinal {
  public:
    Longitudinal() = default;
    /// level: of what is heard, 1 the mechanics; 0: there is none. The note's volume is a matter of its loudness alone:
    /// the strings are told forces times it, and move lengthwise as without.
    Longitudinal(const core::NoteStrings& note, double level, int sample_rate_hz);

    /// Partials of the set in phase that have to be told; 0: none ever.
    int partials() const { return partials_; }
    int blocks() const { return (partials_ + kModeLanes - 1) / kModeLanes; }
    bool moves() const { return moves_; }
    /// A hammer is on the strings.
    void wake() { moves_ = partials_ > 0; }
    void rest();

    /// Adds a tick of it to the force on the bridge, of the partials as the string kernel told them; those beyond
    /// told_blocks rest. `turned_N`: scratch, as LongitudinalTick has it. Returns the energy that is now due from them,
    /// J: pay() it.
    double advance(const float* told_N, int told_blocks, int samples, float* turned_N, float* bridge_N) noexcept;
    /// What the partials could give of it.
    void pay(double paid_J) noexcept;
    /// Goes to rest where it would pull less than this from now on.
    void rest_below(double force_N) noexcept;

    double held_J() const { return (charged_J_ - work_J_) + modes_J(); }

  private:
    double modes_J() const;

    int partials_ = 0, count_ = 0;
    bool moves_ = false;
    float gain_1pN_ = 0, square_N2_ = 0;
    double modes_J_per_N4_ = 0;
    std::array<double, kLongitudinalLanes> omega_radps_{};
    double sigma_1ps_ = 0;
    LongitudinalBlock modes_{};
    LongitudinalState state_{};
    double work_J_ = 0, charged_J_ = 0;
};

}  // namespace letoff::audio
