#include "core/simd/target.h"

#include <fmt/format.h>

#include <cstdint>

#include "hwy/highway.h"

namespace letoff::core {
namespace {

struct Target {
    std::string_view name;
    std::int64_t bit;
};
// Best first; these are the targets that are compiled (CMakeLists.txt).
constexpr Target kTargets[] = {{"avx512", HWY_AVX3}, {"avx2", HWY_AVX2}, {"scalar", HWY_SCALAR}};

/// What this processor can do, whatever was chosen. The scalar twin runs everywhere.
std::int64_t able() {
    hwy::SetSupportedTargetsForTest(0);
    return hwy::SupportedTargets() | HWY_SCALAR;
}

/// 0: the machine's best.
void use(std::int64_t targets) {
    hwy::SetSupportedTargetsForTest(targets);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
}

}  // namespace

Result<std::string_view> choose_simd(std::string_view name) {
    const std::int64_t before = hwy::SupportedTargets();
    const std::int64_t here = able();
    if (name == "auto") {
        use(0);
        return simd_name();
    }
    std::string choices = "auto";
    for (const Target& target : kTargets) {
        if ((target.bit & here) == 0) continue;
        if (target.name == name) {
            use(target.bit);
            return target.name;
        }
        choices += fmt::format(", {}", target.name);
    }
    use(before);
    return Error{fmt::format("SIMD target '{}' cannot be used on this machine: one of {} is needed", name, choices)};
}

std::string_view simd_name() {
    const std::int64_t targets = hwy::SupportedTargets();
    for (const Target& target : kTargets) {
        if ((target.bit & targets) != 0) return target.name;
    }
    return "scalar";
}

}  // namespace letoff::core
