#include "core/simd/target.h"

#include <gtest/gtest.h>

#include <string>

#include "hwy/targets.h"

namespace letoff::core {
namespace {

class SimdTarget : public testing::Test {
  protected:
    void TearDown() override { choose_simd("auto"); }
};

TEST_F(SimdTarget, TheScalarTwinRunsEverywhereAndAutoGoesBackToTheBest) {
    const std::string best(choose_simd("auto").value());
    ASSERT_TRUE(choose_simd("scalar").ok());
    EXPECT_EQ(simd_name(), "scalar");
    EXPECT_EQ(hwy::SupportedTargets(), HWY_SCALAR);  // what the kernels' dispatch reads
    EXPECT_EQ(choose_simd("auto").value(), best);
    EXPECT_EQ(simd_name(), best);
}

TEST_F(SimdTarget, AnUnknownNameChangesNothingAndSaysWhatThereIs) {
    ASSERT_TRUE(choose_simd("scalar").ok());
    for (const char* name : {"sse4", "", "AVX2"}) {
        const auto chosen = choose_simd(name);
        ASSERT_FALSE(chosen.ok()) << name;
        EXPECT_NE(chosen.error().find("auto"), std::string::npos);
        EXPECT_NE(chosen.error().find("scalar"), std::string::npos);
        EXPECT_EQ(simd_name(), "scalar");
    }
}

TEST_F(SimdTarget, AskingForATargetGivesThatOneOrAnError) {
    for (const char* name : {"avx512", "avx2"}) {
        const auto chosen = choose_simd(name);
        if (chosen.ok()) {
            EXPECT_EQ(simd_name(), name);
        }
    }
}

}  // namespace
}  // namespace letoff::core
