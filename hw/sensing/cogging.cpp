#include "hw/sensing/cogging.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace letoff::hw {

namespace {

struct Mean {
    double sum = 0;
    int count = 0;
    double value() const noexcept { return sum / count; }
};

double middle_m(std::size_t bin) noexcept {
    return (static_cast<double>(bin) + 0.5) * CoggingTable::kBin_m;
}

}  // namespace

double CoggingTable::force_N(double position_m) const noexcept {
    const double at = position_m / kBin_m - 0.5;
    if (first == last || !(at >= static_cast<double>(first)) || !(at < static_cast<double>(last - 1))) return 0;
    const auto bin = static_cast<std::size_t>(at);
    const double share = at - static_cast<double>(bin);
    return (1 - share) * force_in_bin_N[bin] + share * force_in_bin_N[bin + 1];
}

core::Result<CoggingTable> fit_cogging(std::span<const CoggingPoint> points) {
    std::array<std::array<Mean, 2>, CoggingTable::kBins> bins{};
    for (const CoggingPoint& p : points) {
        if (!std::isfinite(p.force_N) || !(p.position_m >= 0)) continue;
        const double bin = p.position_m / CoggingTable::kBin_m;
        if (!(bin < static_cast<double>(CoggingTable::kBins))) continue;
        Mean& mean = bins[static_cast<std::size_t>(bin)][p.down ? 1 : 0];
        mean.sum += p.force_N;
        ++mean.count;
    }
    // The longest run of bins that the key went through both ways.
    CoggingTable table;
    for (std::size_t from = 0, to = 0; from < bins.size(); from = to + 1) {
        to = from;
        while (to < bins.size() && bins[to][0].count > 0 && bins[to][1].count > 0) ++to;
        if (to - from > table.last - table.first) {
            table.first = from;
            table.last = to;
        }
    }
    const auto count = static_cast<double>(table.last - table.first);
    if (count * CoggingTable::kBin_m < kLeastCoggingRange_m - 1e-9) {
        return core::Error{
            fmt::format("The motor has to move the key both ways over {} mm or more without a gap, not over {:.1f} mm.",
                        kLeastCoggingRange_m * 1e3, count * CoggingTable::kBin_m * 1e3)};
    }
    double mean_x = 0;
    double mean_N = 0;
    for (std::size_t i = table.first; i < table.last; ++i) {
        table.force_in_bin_N[i] = 0.5 * (bins[i][0].value() + bins[i][1].value());
        mean_x += middle_m(i) / count;
        mean_N += table.force_in_bin_N[i] / count;
    }
    double xx = 0;
    double xf = 0;
    for (std::size_t i = table.first; i < table.last; ++i) {
        xx += (middle_m(i) - mean_x) * (middle_m(i) - mean_x);
        xf += (middle_m(i) - mean_x) * (table.force_in_bin_N[i] - mean_N);
    }
    double most_N = 0;
    for (std::size_t i = table.first; i < table.last; ++i) {
        table.force_in_bin_N[i] -= mean_N + xf / xx * (middle_m(i) - mean_x);
        most_N = std::max(most_N, std::abs(table.force_in_bin_N[i]));
    }
    if (!(most_N <= kMostCogging_N)) {
        return core::Error{fmt::format(
            "The force that holds the key changes by {:.2f} N along its way; {} N or less is accepted. Does it rub?",
            most_N, kMostCogging_N)};
    }
    return table;
}

}  // namespace letoff::hw
