// Any bytes as a felt's compression test: refused with a sentence, or points within their limits whose fit, if there is
// one, is of numbers.
#include <cmath>
#include <cstdint>
#include <string_view>

#include "keyboard/regulation/felt_fit.h"
#include "tests/fuzz/require.h"

using namespace letoff::keyboard;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto points = parse_felt_test({reinterpret_cast<const char*>(data), size}, "felt.csv");
    if (!points) {
        require(!points.error().empty());
        return 0;
    }
    for (const FeltPoint& p : points.value()) {
        require(p.strain >= 0 && p.strain < 1 && p.stress_Pa >= 0 && p.stress_Pa <= 1e9);
    }
    if (points.value().size() > 64) return 0;  // the fit takes milliseconds
    const auto fit = fit_felt(points.value(), letoff::core::Fibres{.v_f0 = 0.389}, "felt.csv");
    if (!fit) {
        require(!fit.error().empty());
        return 0;
    }
    for (const double x : {fit.value().felt.loading.K_p_Pa, fit.value().felt.unloading.gamma,
                           fit.value().loading_rms_Pa, fit.value().unloading_rms_Pa, fit.value().loop_loss}) {
        require(std::isfinite(x));
    }
    return 0;
}
