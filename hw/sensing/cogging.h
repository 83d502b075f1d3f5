// The cogs of a motor's iron, felt at the key: a force that depends on where the key is, and how it is found and taken
// away (field case 64: a slow press over +-0.1 N of cogs).
//
// No gauge is needed. While the motor itself moves the key slowly, its force is
//
//   F(x, down) = S(x) - c,   F(x, up) = S(x) + c      c: dry friction, S: what holds the key still at x
//
// so the mean of both ways is S: weight, spring and cogs. Weight and spring are a line in x, and the haptics know them;
// what is left beside that line is what the motor has to add so that the cogs are not felt.
// Position positive downwards, force on the finger, positive upwards. The table is plain and real-time safe; the fit
// allocates for its sentence when it refuses.
#pragma once

#include <array>
#include <cstddef>
#include <span>

#include "core/result.h"

namespace letoff::hw {

struct CoggingPoint {
    double position_m = 0;
    double force_N = 0;  // the motor's
    bool down = false;   // the way the key goes
};

class CoggingTable {
  public:
    static constexpr double kBin_m = 0.1e-3;  // a motor's cogs are 2 mm or more of dip: twenty points each
    static constexpr std::size_t kBins = 100;
    /// What the motor adds at this position: between the middles of bins a line, nothing outside of what was measured.
    double force_N(double position_m) const noexcept;
    bool operator==(const CoggingTable&) const = default;

    std::array<double, kBins> force_in_bin_N{};
    std::size_t first = 0, last = 0;  // bins that were measured; none: first == last
};

inline constexpr double kLeastCoggingRange_m = 6e-3;  // both ways, without a gap: three cogs of 2 mm
inline constexpr double kMostCogging_N = 0.5;         // more is a key that rubs or a motor that is broken

core::Result<CoggingTable> fit_cogging(std::span<const CoggingPoint> points);

}  // namespace letoff::hw
