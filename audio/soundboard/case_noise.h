// The noises of the action: keys that meet their rails, hammers that fall back, jacks at their buttons, dampers, the
// pedal's tray. Each is the force of a simulated contact, carried by the case to the soundboard; so it is as loud as
// the playing makes it, silent where nothing moves, and nothing has to be triggered.
//
// A force comes once a tick and is taken straight between ticks (a felt gives its force in a millisecond or more). What
// rests on a felt makes no sound: the board gets the force less its slow mean (f - f_slow, f_slow following at
// kRests_hz). One thread; real-time safe.
#pragma once

#include <array>
#include <span>

#include "core/event/case_forces.h"

namespace letoff::audio {

/// Times the natural level, by core::NoiseKind; 0: not heard.
using NoiseLevels = std::array<double, core::kNoiseKinds>;
inline constexpr NoiseLevels kNaturalNoise{1, 1, 1, 1, 1, 1};

class CaseNoise {
  public:
    CaseNoise(const NoiseLevels& levels, int sample_rate_hz);

    /// The case reaches the board's bridge where these notes do.
    static constexpr int kBassKey = 15, kTrebleKey = 63;

    /// Force at both places in each sample of a tick, at the end of which the actions push with `forces`. False:
    /// nothing sounds, both are untouched.
    bool render(const core::CaseForces& forces, std::span<float> bass_N, std::span<float> treble_N) noexcept;
    /// What rests then rests from now on.
    void silence() noexcept { started_ = false; }

  private:
    struct Force {
        double direct_N = 0;
        double tray_N = 0;
    };
    struct End {
        Force now;  // of the actions, weighted by the levels
        double soft_tray_N = 0;
        double slow_N = 0;
        bool rests(const Force& next) noexcept;
    };
    Force weighted(const core::NoiseForces& forces_N) const noexcept;
    void render_end(End& end, const Force& next, std::span<float> out_N) const noexcept;

    NoiseLevels gain_{};
    double rests_, tray_;  // shares of the way that the slow means go in a sample
    bool started_ = false;
    End bass_, treble_;
};

}  // namespace letoff::audio
