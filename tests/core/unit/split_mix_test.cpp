#include "core/unit/split_mix.h"

#include <gtest/gtest.h>

namespace letoff::core {
namespace {

// The first numbers of seed 0, as its authors' program gives them.
static_assert(split_mix(0) == 0xE220A8397B1DCDAFU);
static_assert(split_mix(kSplitMixStep) == 0x6E789E6AA1B965F4U);
static_assert(split_mix(2 * kSplitMixStep) == 0x06C45D188009454FU);

TEST(SplitMix, GivesOneNumberAfterTheOtherBelowOne) {
    SplitMix numbers(0);
    EXPECT_EQ(numbers.unit(), unit_of(0xE220A8397B1DCDAFU));
    EXPECT_EQ(numbers.unit(), unit_of(0x6E789E6AA1B965F4U));
    EXPECT_EQ(unit_of(0), 0);
    EXPECT_LT(unit_of(~std::uint64_t{0}), 1);
}

}  // namespace
}  // namespace letoff::core
