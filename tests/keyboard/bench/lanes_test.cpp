// A key's motion depends on nothing but the key: not on its neighbours in the lanes, not on the SIMD target.
#include <gtest/gtest.h>

#include <cstring>
#include <string>

#include "core/simd/target.h"
#include "keyboard/bench/test_key.h"
#include "tests/keyboard/bench/bench_key.h"

namespace letoff::keyboard {
namespace {

/// FNV-1a over the bits of one lane's coordinates and speeds.
struct LaneHash {
    std::uint64_t value = 14695981039346656037ULL;
    void add(double x) {
        std::uint64_t bits;
        std::memcpy(&bits, &x, sizeof bits);
        for (int i = 0; i < 8; ++i) {
            value ^= (bits >> (8 * i)) & 0xff;
            value *= 1099511628211ULL;
        }
    }
    void add(const core::LaneState& state, int lane) {
        for (size_t b = 0; b < kGrandBodies; ++b) {
            add(state.q[b].lane[lane]);
            add(state.v[b].lane[lane]);
        }
    }
};

constexpr double kStroke_s = 0.3;

/// A stroke of lane 0 with this acceleration, hashed tick by tick; its neighbours do what `others` says.
std::uint64_t stroke_hash_with(const TestKey& key, double acceleration_mps2, int copies, double others_mps2,
                               int lane = 0) {
    Bench bench(key, copies);
    for (int l = 0; l < copies; ++l) {
        if (l == lane) {
            bench.press(l, acceleration_mps2);
        } else if (others_mps2 > 0) {
            bench.press(l, others_mps2 * (1 + l));
        }
    }
    LaneHash hash;
    bench.run(kStroke_s, [&] { hash.add(bench.block().state(), lane); });
    return hash.value;
}

TEST(Lanes, NeighboursDoNotMatter) {
    const std::uint64_t alone = stroke_hash_with(a4(), 9.0, 1, 0);
    EXPECT_EQ(stroke_hash_with(a4(), 9.0, core::kLanes, 0), alone);
    EXPECT_EQ(stroke_hash_with(a4(), 9.0, core::kLanes, 3.0), alone);
    EXPECT_EQ(stroke_hash_with(a4(), 9.0, core::kLanes, 60.0), alone);
    for (int lane = 1; lane < core::kLanes; ++lane)
        EXPECT_EQ(stroke_hash_with(a4(), 9.0, core::kLanes, 17.0, lane), alone) << lane;
    EXPECT_NE(stroke_hash_with(a4(), 9.1, 1, 0), alone);
}

class SimdTargets : public ::testing::Test {
  protected:
    void TearDown() override { ASSERT_TRUE(core::choose_simd("auto")); }
};

TEST_F(SimdTargets, SameBits) {
    const TestKey key = a4();
    ASSERT_TRUE(core::choose_simd("scalar"));
    const std::uint64_t scalar = stroke_hash_with(key, 17.0, core::kLanes, 5.0);
    EXPECT_EQ(settle_test_key(a4_build()).rest_dip_m, key.rest_dip_m);
    for (const char* name : {"avx2", "avx512"}) {
        if (!core::choose_simd(name)) continue;  // this machine has not got it
        EXPECT_EQ(stroke_hash_with(key, 17.0, core::kLanes, 5.0), scalar) << name;
    }
}

// Changes only with a change of the model, of its numbers or of the arithmetic, and then on purpose: put the new value
// here and say why in the commit. Without strings, because their design uses the C library's exponentials.
TEST(Golden, StrokeOfTheRegulatedA4) {
    KeyBuild build = a4_build();
    build.strings = nullptr;
    constexpr std::uint64_t kGolden = 986802051560881611ULL;
    EXPECT_EQ(stroke_hash_with(settle_test_key(build), 9.0, 1, 0), kGolden);
}

}  // namespace
}  // namespace letoff::keyboard
