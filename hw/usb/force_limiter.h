// The host's own limits on the force of one key, those of PROTOCOL.md section 7 (3) to (6) taken at the host already,
// so that a device never has to cut. In the path of every force frame; no setting switches it off, rows only lower it.
//
//   not a number         0
//   peak_N               at any time, 60 N at most
//   second_N             more than this for no longer than peak_s (20 ms), the way down included: as the time is used
//                        up, the limit comes down at the slew rate. The use falls at a tenth of time's rate while no
//                        more than second_N is asked for; the limit stays at second_N until it is 0.
//   continuous_N         the same with 1 s, and a use that falls with time
//   slew_N_per_s         most change, 5 N/ms at most
//
// An overload that goes on therefore ends at continuous_N and stays there.
// Pure, one key, one thread; no allocation.
#pragma once

#include "hw/protocol/messages.h"

namespace letoff::hw {

struct ForceLimits {
    double peak_N = kMostPeakForce * kForceUnit_N;
    double peak_s = kMostPeak_ms * 1e-3;
    double second_N = kMostSecondForce * kForceUnit_N;
    double continuous_N = kMostContinuousForce * kForceUnit_N;
    double slew_N_per_s = kMostSlew * kForceUnit_N * 1e3;
};

/// Those of a key, never above the protocol's own, whatever the row says.
ForceLimits limits_of(const KeyRow& row) noexcept;

class ForceLimiter {
  public:
    explicit ForceLimiter(const ForceLimits& limits = {}) noexcept : limits_(limits) {}

    /// The force of the next dt_s seconds.
    double limited(double asked_N, double dt_s) noexcept;
    /// The last force was cut.
    bool active() const noexcept { return active_; }
    /// From zero force; what was used up stays used up.
    void from_zero() noexcept { last_N_ = 0; }

  private:
    /// More than level_N for no longer than longest_s.
    struct Budget {
        double used_s = 0;
        bool spent = false;
        double most_N(double level_N, double longest_s, double slew_N_per_s) const noexcept;
        void account(double force_N, double asked_N, double level_N, double longest_s, double dt_s,
                     double recovery) noexcept;
    };
    ForceLimits limits_;
    double last_N_ = 0;
    Budget peak_, second_;
    bool active_ = false;
};

}  // namespace letoff::hw
