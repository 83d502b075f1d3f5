#include "core/midi/clock_follower.h"

#include <algorithm>
#include <cmath>

namespace letoff::core {

void ClockFollower::see(const MidiMessage& message, std::int64_t time_ns) noexcept {
    switch (message.kind) {
        case MidiKind::start:
            clocks_ = 0;
            running_ = true;
            return;
        case MidiKind::resume:
            running_ = true;
            return;
        case MidiKind::stop:
            running_ = false;
            return;
        case MidiKind::song_position:
            clocks_ = (message.data2 << 7 | message.data1) * (kPerQuarter / 4);
            return;
        case MidiKind::clock:
            break;
        default:
            return;
    }
    if (running_) ++clocks_;
    if (count_ > 0 && (time_ns - times_ns_[count_ - 1] > kPause_ns || time_ns < times_ns_[count_ - 1])) count_ = 0;
    if (count_ == kMost) keep_newest(kMost - 1);
    times_ns_[count_++] = time_ns;
    // The last beat against all that came before it.
    if (count_ < 2 * kPerQuarter) return;
    const double all = slope_ns(count_), last = slope_ns(kPerQuarter);
    if (std::abs(last - all) > kChange * all) keep_newest(kPerQuarter);
}

std::optional<double> ClockFollower::tempo_bpm() const noexcept {
    if (count_ < kPerQuarter) return std::nullopt;
    const double ns = slope_ns(count_);
    if (!(ns > 0)) return std::nullopt;
    return 60e9 / (ns * kPerQuarter);
}

/// ns a clock, of the newest so many.
double ClockFollower::slope_ns(std::size_t newest) const noexcept {
    const std::size_t first = count_ - newest;
    const double middle = static_cast<double>(newest - 1) / 2;
    double sum = 0, squares = 0;
    for (std::size_t i = 0; i < newest; ++i) {
        const double x = static_cast<double>(i) - middle;
        sum += x * static_cast<double>(times_ns_[first + i] - times_ns_[first]);
        squares += x * x;
    }
    return sum / squares;
}

void ClockFollower::keep_newest(std::size_t count) noexcept {
    std::copy(times_ns_.begin() + static_cast<std::ptrdiff_t>(count_ - count),
              times_ns_.begin() + static_cast<std::ptrdiff_t>(count_), times_ns_.begin());
    count_ = count;
}

}  // namespace letoff::core
