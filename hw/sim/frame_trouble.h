// What a bad cable does to frames, at seeded rates: a whole frame goes in, none, one or two come out. For tests.
#pragma once

#include <utility>
#include <vector>

#include "hw/sim/device_frames.h"
#include "hw/sim/noise.h"

namespace letoff::hw {

/// Share of the frames, 0 to 1 each; at most one thing happens to a frame, drawn in this order.
struct TroubleRates {
    double drop = 0, corrupt = 0, shorten = 0, repeat = 0, reorder = 0;
};

class FrameTrouble {
  public:
    explicit FrameTrouble(std::uint64_t seed) : noise_(seed) {}

    TroubleRates rates;
    /// How many frames something happened to.
    struct Counts {
        int dropped = 0, corrupted = 0, shortened = 0, repeated = 0, reordered = 0;
    } counts;

    template <typename Each>
    void pass(firmware::Bytes frame, Each&& each) {
        double u = noise_.uniform();
        const auto drawn = [&u](double rate) { return (u -= rate) < 0; };
        if (drawn(rates.drop)) {
            ++counts.dropped;
            return;
        }
        if (drawn(rates.corrupt) && !frame.empty()) {  // one to three bits in a row
            ++counts.corrupted;
            const std::size_t bits = 8 * frame.size(), first = below(bits), flips = 1 + below(3);
            for (std::size_t bit = first; bit < first + flips; ++bit)
                frame[bit % bits / 8] = static_cast<std::uint8_t>(frame[bit % bits / 8] ^ 1u << bit % 8);
        } else if (drawn(rates.shorten) && !frame.empty()) {
            ++counts.shortened;
            frame.resize(below(frame.size()));
        } else if (drawn(rates.repeat)) {
            ++counts.repeated;
            each(frame);
        } else if (drawn(rates.reorder) && held_.empty()) {  // it waits until the next has gone by
            ++counts.reordered;
            held_ = std::move(frame);
            return;
        }
        each(std::move(frame));
        if (!held_.empty()) each(std::exchange(held_, {}));
    }
    void forget() { held_.clear(); }

  private:
    std::size_t below(std::size_t n) { return static_cast<std::size_t>(noise_.uniform() * static_cast<double>(n)); }

    Noise noise_;
    firmware::Bytes held_;
};

}  // namespace letoff::hw
