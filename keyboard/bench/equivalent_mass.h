// Equivalent mass: what the key front weighs to acceleration at 4 mm of dip, dF/da with the hammer carried and the
// damper lifted. Eight copies of the key go down at 10 mm/s, their speed modulated by 7.5 mm/s at 2 Hz, each so that it
// passes 4 mm in another eighth of the modulation. There
//   F = F0 + m a + c v,   a = u w cos(phase), v = v0 + u sin(phase),
// and the mean of F cos(phase) over the eight is m u w / 2. No key turns round, so friction only grows with its load;
// no felt swings, because the action's first swing on its felts (some 12 Hz) is far above 2 Hz.
#pragma once

#include "keyboard/bench/test_key.h"

namespace letoff::keyboard {

inline constexpr double kMassDip_m = 0.004;

double measure_equivalent_mass_kg(const TestKey& key, double at_m = kMassDip_m);

}  // namespace letoff::keyboard
