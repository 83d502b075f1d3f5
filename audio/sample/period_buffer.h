// What FluidSynth computes, always a period of 64 frames on two sides, handed out in any number of frames; at twice its
// rate where it computes only half of ours. The frames between are those of Lagrange's polynomial through the six about
// them, so everything comes three frames late then.
//
// One thread at a time; no allocation.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>

namespace letoff::audio {

class PeriodBuffer {
  public:
    static constexpr std::size_t kPeriod = 64;  // frames

    void set_doubled(bool doubled) noexcept { doubled_ = doubled; }
    bool is_empty() const noexcept { return taken_ == ready_; }
    void clear() noexcept {
        sides_ = {};
        ready_ = taken_ = 0;
    }

    /// Room for the next period's left (0) or right (1) side; both are to be written before finish().
    std::span<float, kPeriod> side(std::size_t index) noexcept {
        return std::span<float, kPeriod>(sides_[index].in.data() + kTaps, kPeriod);
    }
    /// Before side(): the last frames of the period before stay in front of it.
    void begin() noexcept {
        for (Side& side : sides_) std::copy(side.in.end() - kTaps, side.in.end(), side.in.begin());
    }
    void finish() noexcept {
        for (Side& side : sides_) {
            doubled_ ? double_rate(side) : void(std::copy_n(side.in.begin() + kTaps, kPeriod, side.out.begin()));
        }
        ready_ = doubled_ ? 2 * kPeriod : kPeriod;
        taken_ = 0;
    }

    /// How many frames were there for left and right, which are of equal length.
    std::size_t take(std::span<float> left, std::span<float> right) noexcept {
        const std::size_t part = std::min(ready_ - taken_, left.size());
        std::copy_n(sides_[0].out.begin() + static_cast<std::ptrdiff_t>(taken_), part, left.begin());
        std::copy_n(sides_[1].out.begin() + static_cast<std::ptrdiff_t>(taken_), part, right.begin());
        taken_ += part;
        return part;
    }

  private:
    static constexpr std::size_t kTaps = 6;
    struct Side {
        std::array<float, kTaps + kPeriod> in{};
        std::array<float, 2 * kPeriod> out{};
    };
    /// Every frame and the one half way to the next.
    static void double_rate(Side& side) noexcept {
        for (std::size_t i = 0; i < kPeriod; ++i) {
            const float* x = side.in.data() + i + 1;
            side.out[2 * i] = x[2];
            side.out[2 * i + 1] = (3 * (x[0] + x[5]) - 25 * (x[1] + x[4]) + 150 * (x[2] + x[3])) * (1.0F / 256);
        }
    }

    bool doubled_ = false;
    std::array<Side, 2> sides_{};
    std::size_t ready_ = 0, taken_ = 0;
};

}  // namespace letoff::audio
