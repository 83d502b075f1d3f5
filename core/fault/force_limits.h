// The limits of a key's force, in the path that no setting can switch off: keyboard/haptic, hw/usb and, written anew
// from hw/protocol/PROTOCOL.md section 7, the device each hold them by themselves.
//
//   |F| <= 60 N; above 15 N for at most 20 ms; above 5 N for at most 1 s; |F| grows by at most 5 N/ms
//
// Rows may lower these, never raise them. F is the force that leaves here. Times are budgets, spent by F in whole
// ticks: what was used comes back slowly while no more is asked for (the 20 ms within a second, the second within
// five), so that pulses cannot go round them, and who goes on asking does not feel a buzz of single ticks. As a budget
// runs out its bound comes down at the slew, and the way down is part of the budget: no force is dropped at its end.
// The slew bounds how a force grows; a change of sign stops at nothing. Towards nothing a force may fall at once,
// always: at a hard blow the key stops 30 N within 3 ms and turns round, and a force that then lagged behind at 5 N/ms
// would throw the finger back with 25 mJ (measured: 1 m/s with 8 N behind it). Less force is what every fault ends in,
// too. What is no number commands 0 N at once and is a fault. Real-time safe; one key, one owner.
#pragma once

#include <algorithm>
#include <cmath>

namespace letoff::core {

struct ForceLimitSetting {
    double peak_N = 60, strong_N = 15, continuous_N = 5;
    double slew_N_per_s = 5000;
    double peak_s = 0.020;  // above strong_N
};

class ForceLimits {
  public:
    static constexpr ForceLimitSetting kHard{};
    static constexpr double kStrong_s = 1.0;                      // above continuous_N
    static constexpr double kPeakBack = 0.02, kStrongBack = 0.2;  // seconds of budget that a second below gives back

    ForceLimits(const ForceLimitSetting& lower, double h_s)
        : h_s_(h_s),
          peak_N_(lowered(lower.peak_N, kHard.peak_N)),
          strong_N_(lowered(lower.strong_N, std::min(kHard.strong_N, peak_N_))),
          continuous_N_(lowered(lower.continuous_N, std::min(kHard.continuous_N, strong_N_))),
          step_N_(lowered(lower.slew_N_per_s, kHard.slew_N_per_s) * h_s),
          peak_s_(lowered(lower.peak_s, kHard.peak_s)) {}

    /// What is commanded for the next tick. Positive and negative forces share the budgets.
    double next_N(double wanted_N) noexcept {
        faulty_ = !std::isfinite(wanted_N);
        if (faulty_) {
            limited_ = true;
            stop();
            return 0;
        }
        const double bound_N = std::min({peak_N_, strong_N_ + step_N_ * ticks_of(peak_left_s_),
                                         continuous_N_ + step_N_ * ticks_of(strong_left_s_)});
        const double grown_up = last_N_ >= 0 ? last_N_ + step_N_ : 0.0,
                     grown_down = last_N_ <= 0 ? last_N_ - step_N_ : 0.0;
        const double next = std::clamp(wanted_N, std::max(-bound_N, grown_down), std::min(bound_N, grown_up));
        limited_ = next != wanted_N;
        last_N_ = next;
        spend(std::abs(next), std::abs(wanted_N));
        return next;
    }

    /// No force from now on; the budgets fill up.
    void stop() noexcept {
        last_N_ = 0;
        spend(0, 0);
    }

    /// To be asked for nothing would change nothing.
    bool rests() const {
        return last_N_ == 0 && !limited_ && !faulty_ && peak_left_s_ == peak_s_ && strong_left_s_ == kStrong_s;
    }
    double last_N() const { return last_N_; }
    bool limited() const { return limited_; }  // the last one
    bool faulty() const { return faulty_; }    // the last wish was no number

  private:
    static double lowered(double wish, double most) { return wish >= 0 ? std::min(wish, most) : 0.0; }
    /// Whole ticks that a budget still gives, up to as many as any bound asks for.
    double ticks_of(double left_s) const { return std::floor(left_s / h_s_ + 1e-6); }
    void spend(double force_N, double wish_N) noexcept {
        const auto after = [&](double left_s, double level_N, double back, double full_s) {
            if (force_N > level_N) return left_s - h_s_;
            return wish_N > level_N ? left_s : std::min(full_s, left_s + back * h_s_);
        };
        peak_left_s_ = after(peak_left_s_, strong_N_, kPeakBack, peak_s_);
        strong_left_s_ = after(strong_left_s_, continuous_N_, kStrongBack, kStrong_s);
    }

    double h_s_;
    double peak_N_, strong_N_, continuous_N_, step_N_, peak_s_;
    double last_N_ = 0;
    double peak_left_s_ = peak_s_, strong_left_s_ = kStrong_s;
    bool limited_ = false, faulty_ = false;
};

}  // namespace letoff::core
