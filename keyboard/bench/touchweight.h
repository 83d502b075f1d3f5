// The technician's gram weights, laid on the key 13 mm behind its front edge with their own mass, dampers lifted.
//   down weight: the least that falls from rest to let-off without a push
//   up weight: the greatest that the key lifts back from just above let-off
//   friction = (down - up) / 2, balance weight = (down + up) / 2                                   (design, section 5)
#pragma once

#include "keyboard/bench/regulation.h"

namespace letoff::keyboard {

struct Touchweight {
    double down_weight_g = 0;
    double up_weight_g = 0;
    double friction_g() const { return 0.5 * (down_weight_g - up_weight_g); }
    double balance_weight_g() const { return 0.5 * (down_weight_g + up_weight_g); }
};

inline constexpr double kWeightStep_g = 0.5;

Touchweight measure_touchweight(const TestKey& key, const Regulation& regulation);
/// The same of at most core::kLanes keys side by side, one weight on each at a time; quick where `expected`, one a key,
/// is near.
std::vector<Touchweight> measure_touchweights(std::span<const TestKey> keys, std::span<const Regulation> regulations,
                                              std::span<const Touchweight> expected);

/// Where a weight goes that is laid on a key standing still at each of these dips (from the drawing), dampers lifted.
struct LaidWeight {
    double start_dip_m = 0, first_dip_m = 0, last_dip_m = 0;  // as put; come to rest; `seconds` later
};
std::vector<LaidWeight> lay_weight(const TestKey& key, double weight_g, std::span<const double> dips_m, double seconds);

}  // namespace letoff::keyboard
