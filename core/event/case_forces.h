// Forces with which the moving parts of 88 actions push on what holds them, by what a pianist hears of it. A part's
// force counts for the bass end and the treble end of the instrument by where its key lies. Newtons, of the last step
// of a tick, without sign: felts push one way.
#pragma once

#include <array>
#include <cstddef>

namespace letoff::core {

enum class NoiseKind : std::size_t {
    key_bottom,     // key on the front rail
    key_return,     // key on the back rail
    let_off,        // jack on its button
    hammer_return,  // hammer on its cushion and on the check
    damper,         // damper on its strings and on its stop
    pedal,          // tray under the dampers
};
inline constexpr std::size_t kNoiseKinds = 6;

using NoiseForces = std::array<double, kNoiseKinds>;

struct CaseForces {
    NoiseForces bass_N{}, treble_N{};
};

}  // namespace letoff::core
