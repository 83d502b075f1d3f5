// The device's clock on the keybed's: where on our time line a moment of device time lies.
//
//   A frame that was ready at device time t arrives at t mapped plus a delay, never less than the least delay of the
//   bus and often much more (the computer was busy). So the line is fitted to the earliest arrivals: in windows of
//   100 ms the least residual is taken, and a loop of second order (proportional kPhaseGain, integral kRateGain a
//   window, which lets an error fall to a tenth in 1.5 s) follows offset and rate. A rate of +-200 ppm (PROTOCOL.md,
//   section 1) leaves no lasting error because of the integral part. After kWindowsToLock windows it is called locked;
//   from then on the line is corrected by at most kMostStep_s a window, far less than the distance of two samples, so
//   mapped times never run backwards. A least residual of more than kLost_s is another time line: it begins anew.
//
// Pure: arrival times are given. One thread.
#pragma once

#include <cstdint>

namespace letoff::hw {

class DeviceClock {
  public:
    static constexpr std::int64_t kWindow_us = 100'000;
    static constexpr double kPhaseGain = 0.3;   // of the residual a window
    static constexpr double kRateGain = 0.025;  // about kPhaseGain^2 / 4: critically damped
    static constexpr double kMostRate = 500e-6;
    static constexpr double kMostStep_s = 40e-6;
    static constexpr double kLost_s = 0.020;
    static constexpr int kWindowsToPull = 2;  // in which an earlier arrival moves the line at once
    static constexpr int kWindowsToLock = 5;

    void reset() noexcept { *this = DeviceClock(); }
    /// Something of device time `device_us` reached us at `arrival_s`.
    void observe(std::uint64_t device_us, double arrival_s) noexcept;

    bool started() const noexcept { return started_; }
    bool locked() const noexcept { return windows_ >= kWindowsToLock; }
    /// When what has this device time reaches us without a needless delay.
    double host_s(std::uint64_t device_us) const noexcept;
    /// How much faster than ours the device's clock runs, in parts per million.
    double rate_ppm() const noexcept { return -rate_ * 1e6; }
    int restarts() const noexcept { return restarts_; }

  private:
    double since_anchor_s(std::uint64_t device_us) const noexcept;
    void start(std::uint64_t device_us, double arrival_s) noexcept;
    bool close_window(std::uint64_t device_us) noexcept;

    bool started_ = false;
    std::uint64_t anchor_us_ = 0;  // on the line, with its host time
    double anchor_s_ = 0;
    double rate_ = 0;  // host seconds more than device seconds, a device second
    std::uint64_t window_start_us_ = 0;
    double least_residual_s_ = 0;
    bool window_has_one_ = false;
    int windows_ = 0;
    int restarts_ = 0;
};

}  // namespace letoff::hw
