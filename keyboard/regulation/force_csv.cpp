#include <fmt/format.h>

#include "keyboard/regulation/branch_csv.h"
#include "keyboard/regulation/fit.h"

namespace letoff::keyboard {
namespace {

constexpr double kDeepest_mm = 20, kStrongest_N = 100;  // beyond any key and any hand on it

}  // namespace

core::Result<std::vector<CurvePoint>> parse_force_curve(std::string_view text, std::string_view file) {
    std::vector<CurvePoint> points;
    const auto read = read_branches(
        text, file, {"dip_mm", "force_N", "down", "up"}, [&](double dip_mm, double force_N, bool down) -> std::string {
            if (!(dip_mm >= -1 && dip_mm <= kDeepest_mm))
                return fmt::format("a dip of {} mm: -1 to {} mm from rest are possible", dip_mm, kDeepest_mm);
            if (!(force_N >= -kStrongest_N && force_N <= kStrongest_N))
                return fmt::format("a force of {} N: -{} to {} N are possible", force_N, kStrongest_N, kStrongest_N);
            points.push_back({dip_mm * 1e-3, force_N, down});
            return {};
        });
    if (!read) return core::Error{read.error()};
    return points;
}

}  // namespace letoff::keyboard
