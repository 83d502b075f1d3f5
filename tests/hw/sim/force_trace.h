// The force that a simulated device gives a key, tick by tick, and a device whose keys it does not move.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "tests/hw/sim/device_rig.h"

namespace letoff::hw {

/// The force of one key, tick by tick.
struct Trace {
    std::vector<double> force_N;
    double most_N() const { return *std::max_element(force_N.begin(), force_N.end()); }
    double time_above_s(double N) const {
        return kPlantStep_s * static_cast<double>(std::count_if(force_N.begin(), force_N.end(),
                                                                [N](double f) { return std::abs(f) > N + 1e-9; }));
    }
    /// The most it grew in a tick; without end where it changed its sign and did not stop at nothing.
    double most_growth_N() const {
        double most = 0;
        for (std::size_t i = 1; i < force_N.size(); ++i) {
            const double before = force_N[i - 1], after = force_N[i];
            most = std::max(most, before * after < 0 ? 1e9 : std::abs(after) - std::abs(before));
        }
        return most;
    }
};

inline Trace played(DeviceRig& rig, double seconds, std::int16_t units) {
    Trace trace;
    rig.play(seconds, units, [&] { trace.force_N.push_back(rig.force_N()); });
    return trace;
}

/// Nothing moves by its motor and nothing ends up in another limit: heavy keys, as cold as they like.
inline DeviceSetup strong() {
    DeviceSetup s = octave();
    s.numbers.moving_mass_kg = 1000;
    for (firmware::KeyRow& row : s.rows) row.current_limit = 8000;
    return s;
}

}  // namespace letoff::hw
