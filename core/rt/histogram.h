// Times in microseconds, counted in bins whose width grows with the time: what a real-time loop needs for its
// quantiles, at a fixed cost.
//
//   Bins: sixteen equal ones to each doubling from 0.1 us up, so a bin is 3.1 to 6.25 % of its time wide and its middle
//   is at most 3.1 % away from every time in it. Bin 0 holds what is shorter than 0.1 us, the last one 1 s and more.
//
// Threads: add_us by one thread, real-time safe (relaxed atomics, no read-modify-write); everything else by any thread
// at any time. A reader sees a moment that may lie between two bins' updates: off by the newest few counts.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace letoff::core {

namespace detail {

// A double's exponent and the first four bits of its fraction, read as one whole number, count sixteenths of doublings
// from 1.0.
inline constexpr int kDroppedBits = 52 - 4;
inline constexpr std::uint64_t kBitsOfOne = std::bit_cast<std::uint64_t>(1.0) >> kDroppedBits;

/// Of x >= 1.
constexpr std::uint64_t sixteenths(double x) noexcept {
    return (std::bit_cast<std::uint64_t>(x) >> kDroppedBits) - kBitsOfOne;
}
constexpr double from_sixteenths(std::uint64_t count) noexcept {
    return std::bit_cast<double>((count + kBitsOfOne) << kDroppedBits);
}

}  // namespace detail

class Histogram {
  public:
    static constexpr double kShortest_us = 0.1;
    static constexpr double kLongest_us = 1e6;

    /// Writer. Not a number counts as the shortest.
    void add_us(double time_us) noexcept {
        bump(bins_[bin_of(time_us)]);
        if (time_us > max_us_.load(std::memory_order_relaxed)) max_us_.store(time_us, std::memory_order_relaxed);
    }

    std::uint64_t count() const noexcept {
        std::uint64_t sum = 0;
        for (const auto& bin : bins_) sum += bin.load(std::memory_order_relaxed);
        return sum;
    }
    /// Exact; 0 before the first.
    double max_us() const noexcept { return max_us_.load(std::memory_order_relaxed); }

    /// The time that `share` (0..1) of all times do not exceed, to 3.1 %: the middle of its bin, never above the
    /// longest time. 0 when there is none.
    double quantile_us(double share) const noexcept {
        std::array<std::uint64_t, kBins> counts;
        std::uint64_t total = 0;
        for (std::size_t bin = 0; bin < kBins; ++bin) total += counts[bin] = bins_[bin].load(std::memory_order_relaxed);
        const double longest_us = max_us();
        if (total == 0) return 0;
        // The smallest rank of 1..total that is at least share * total.
        const double wanted = share * static_cast<double>(total);
        std::uint64_t rank = wanted < 1 ? 1 : static_cast<std::uint64_t>(wanted);
        if (static_cast<double>(rank) < wanted) ++rank;
        if (rank >= total) return longest_us;
        std::size_t bin = 0;
        for (std::uint64_t seen = counts[0]; seen < rank; seen += counts[bin]) ++bin;
        if (bin == kBins - 1) return longest_us;
        const double middle_us = bin == 0 ? kShortest_us / 2 : (lower_us(bin) + lower_us(bin + 1)) / 2;
        return middle_us < longest_us ? middle_us : longest_us;
    }

    /// How many times lay between this and that, four of them to a doubling, from the first that is not empty to the
    /// last.
    struct Bin {
        double from_us = 0, to_us = 0;
        std::uint64_t count = 0;
    };
    std::vector<Bin> quarters() const {
        constexpr std::size_t kPerQuarter = 4;
        std::vector<Bin> all;
        std::size_t last = 0;
        for (std::size_t bin = 1; bin + 1 < kBins; bin += kPerQuarter) {
            Bin wide{lower_us(bin), lower_us(std::min(bin + kPerQuarter, kBins - 1)), 0};
            for (std::size_t i = bin; i < std::min(bin + kPerQuarter, kBins - 1); ++i)
                wide.count += bins_[i].load(std::memory_order_relaxed);
            if (wide.count == 0 && all.empty()) continue;
            all.push_back(wide);
            if (wide.count != 0) last = all.size();
        }
        all.resize(last);
        return all;
    }

  private:
    static constexpr std::size_t kBins = 3 + detail::sixteenths(kLongest_us / kShortest_us);  // with both ends

    static constexpr std::size_t bin_of(double time_us) noexcept {
        if (!(time_us >= kShortest_us)) return 0;
        if (time_us >= kLongest_us) return kBins - 1;
        return 1 + detail::sixteenths(time_us / kShortest_us);
    }
    /// The shortest time of a bin, 1..kBins - 1.
    static constexpr double lower_us(std::size_t bin) noexcept {
        return kShortest_us * detail::from_sixteenths(bin - 1);
    }
    static void bump(std::atomic<std::uint64_t>& count) noexcept {
        count.store(count.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
    }

    std::array<std::atomic<std::uint64_t>, kBins> bins_{};
    std::atomic<double> max_us_{0};
};

}  // namespace letoff::core
