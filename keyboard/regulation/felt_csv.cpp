#include <fmt/format.h>

#include "keyboard/regulation/branch_csv.h"
#include "keyboard/regulation/felt_fit.h"

namespace letoff::keyboard {
namespace {

constexpr double kHardest_Pa = 1e9;  // beyond wool itself

}  // namespace

core::Result<std::vector<FeltPoint>> parse_felt_test(std::string_view text, std::string_view file) {
    std::vector<FeltPoint> points;
    const auto read = read_branches(
        text, file, {"strain", "stress_Pa", "loading", "unloading"},
        [&](double strain, double stress_Pa, bool loading) -> std::string {
            if (!(strain >= 0 && strain < 1))
                return fmt::format("a strain of {}: 0 to less than 1 of the thickness is possible", strain);
            if (!(stress_Pa >= 0 && stress_Pa <= kHardest_Pa))
                return fmt::format("a stress of {} Pa: 0 to {} Pa are possible", stress_Pa, kHardest_Pa);
            points.push_back({strain, stress_Pa, loading});
            return {};
        });
    if (!read) return core::Error{read.error()};
    return points;
}

}  // namespace letoff::keyboard
