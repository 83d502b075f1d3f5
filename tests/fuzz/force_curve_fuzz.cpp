// Any bytes as a measured force curve: refused with a sentence, or points that are numbers within their limits.
#include <cmath>
#include <cstdint>
#include <string_view>

#include "keyboard/regulation/fit.h"
#include "tests/fuzz/require.h"

using namespace letoff::keyboard;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto points = parse_force_curve({reinterpret_cast<const char*>(data), size}, "curve.csv");
    if (!points) {
        require(!points.error().empty());
        return 0;
    }
    for (const CurvePoint& p : points.value()) {
        require(p.dip_m >= -0.001 && p.dip_m <= 0.020 && std::abs(p.force_N) <= 100);
    }
    for (const double force_N : gridded(points.value()).down_N) {
        require(std::isfinite(force_N));
    }
    return 0;
}
