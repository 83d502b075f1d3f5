// How long the way through a device is: from the moment a FORCE frame goes out to the arrival of the first MOTION frame
// whose header knows of it (force_sequence, PROTOCOL.md section 8.1). With
//
//   s   what the device needs from a sample to its frame (sense_delay_us, as it states it),  T   a frame's time
//
// no answer can come sooner than s, and the soonest comes within s + T and what the bus needs. So the least of a second
// tells a device that senses later, or sooner, than it states. Its act_delay_us is not seen this way: nothing in the
// frames tells when a force has reached a motor.
// Pure, one thread, no allocation.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>

namespace letoff::hw {

class RoundTrip {
  public:
    static constexpr double kBus_s = 1e-3;  // both ways over an idle bus: two transfers within some microframes
    static constexpr double kWindow_s = 1.0;
    static constexpr int kLeastAnswers = 100;  // a window with fewer tells nothing
    enum class Verdict : std::uint8_t { kUnknown, kAsStated, kLater, kSooner };

    void sent(std::uint32_t sequence, double now_s) noexcept { sent_[sequence % sent_.size()] = {sequence, now_s}; }

    void answered(std::uint32_t force_sequence, double now_s) noexcept {
        if (force_sequence == last_) return;
        last_ = force_sequence;
        const Sent& frame = sent_[force_sequence % sent_.size()];
        if (frame.sequence != force_sequence || frame.at_s < 0) return;
        if (now_s - window_from_s_ >= kWindow_s) {
            least_s_ = answers_ >= kLeastAnswers ? window_least_s_ : 0;
            window_from_s_ = now_s;
            window_least_s_ = std::numeric_limits<double>::infinity();
            answers_ = 0;
        }
        window_least_s_ = std::min(window_least_s_, now_s - frame.at_s);
        ++answers_;
    }

    /// The least of the last whole second; 0: not known yet.
    double least_s() const noexcept { return least_s_; }
    Verdict verdict(double stated_s, double frame_s) const noexcept {
        if (least_s_ <= 0) return Verdict::kUnknown;
        if (least_s_ < stated_s) return Verdict::kSooner;
        return least_s_ > stated_s + frame_s + kBus_s ? Verdict::kLater : Verdict::kAsStated;
    }

  private:
    struct Sent {
        std::uint32_t sequence = 0;
        double at_s = -1;
    };
    std::array<Sent, 64> sent_{};
    std::uint32_t last_ = 0;
    double window_from_s_ = 0, window_least_s_ = std::numeric_limits<double>::infinity(), least_s_ = 0;
    int answers_ = 0;
};

}  // namespace letoff::hw
