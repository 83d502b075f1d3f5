// Which SIMD target the kernels run on. Every target gives the same bits, so choosing one is for tests, benchmarks and
// for comparing machines; by default each machine's best is taken.
#pragma once

#include <string_view>

#include "core/result.h"

namespace letoff::core {

/// auto, avx512, avx2 or scalar. Returns the name of the target that is now in use; an error leaves the earlier one.
/// For the whole program: call it before threads run kernels.
Result<std::string_view> choose_simd(std::string_view name);

/// avx512, avx2 or scalar: what the kernels run on now.
std::string_view simd_name();

}  // namespace letoff::core
