#include "core/finger/profile.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace letoff::core {
namespace {

FingerProfile first(FingerProfile::Kind kind) {
    for (const FingerProfile& f : finger_library()) {
        if (f.kind == kind) return f;
    }
    return {};
}

TEST(FingerProfile, EachKindGivesItsForceOverTime) {
    FingerProfile pulse = first(FingerProfile::Kind::pulse);
    pulse.force_N = 8;
    pulse.rise_s = 0.06;
    pulse.hold_N = 0.6;
    EXPECT_NEAR(pulse.force_at_N(0.015), 4.0, 1e-12);  // sin^2 at a quarter of its length
    EXPECT_NEAR(pulse.force_at_N(0.03), 8.0, 1e-12);
    EXPECT_NEAR(pulse.force_at_N(0.045), 4.0, 1e-12);
    EXPECT_NEAR(pulse.force_at_N(0.06), 0.6, 1e-12) << "its fall stops at what it holds";
    EXPECT_NEAR(pulse.force_at_N(0.001), 8 * std::pow(std::sin(M_PI / 60), 2), 1e-12) << "its rise does not";

    FingerProfile ramp = first(FingerProfile::Kind::ramp);
    ramp.force_N = 10;
    ramp.rise_s = 0.1;
    EXPECT_NEAR(ramp.force_at_N(0.05), 5.0, 1e-12);
    EXPECT_NEAR(ramp.force_at_N(0.3), 10.0, 1e-12);

    FingerProfile trill = first(FingerProfile::Kind::trill);
    trill.rate_hz = 10;
    trill.force_N = 6;
    trill.strokes = 3;
    EXPECT_NEAR(trill.force_at_N(0.025), 6.0, 1e-12);
    EXPECT_EQ(trill.force_at_N(0.075), 0.0) << "it lets the key lift it";
    EXPECT_NEAR(trill.force_at_N(0.125), 6.0, 1e-12);
    EXPECT_NEAR(trill.force_at_N(0.275), 6.0, 1e-12) << "the third press is held";
    EXPECT_NEAR(trill.length_s(), 0.225 + trill.held_s, 1e-12);
}

TEST(FingerProfile, NoFingerPullsAndEveryFingerLeaves) {
    std::vector<FingerProfile> all = finger_library();
    for (std::uint64_t seed = 0; seed < 200; ++seed) all.push_back(random_finger(seed));
    for (const FingerProfile& f : all) {
        double most = 0;
        for (double t = 0; t < f.length_s(); t += 1e-3) {
            ASSERT_GE(f.force_at_N(t), 0.0) << f.name();
            most = std::max(most, f.force_at_N(t));
        }
        EXPECT_NEAR(most, f.force_N, 0.01 * f.force_N) << f.name();
        EXPECT_EQ(f.force_at_N(-1e-9), 0.0) << f.name();
        EXPECT_EQ(f.force_at_N(f.length_s()), 0.0) << f.name();
        EXPECT_LT(f.length_s(), 2.5) << f.name();
    }
}

TEST(FingerProfile, LibraryHasEveryKindAndNoFingerTwice) {
    std::set<std::string> names;
    std::set<FingerProfile::Kind> kinds;
    for (const FingerProfile& f : finger_library()) {
        names.insert(f.name());
        kinds.insert(f.kind);
    }
    EXPECT_EQ(names.size(), finger_library().size());
    EXPECT_EQ(names.size(), 92u);
    EXPECT_EQ(kinds.size(), 5u);
}

TEST(FingerProfile, ASeedIsAFinger) {
    std::set<std::string> names;
    std::set<FingerProfile::Kind> kinds;
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
        EXPECT_EQ(random_finger(seed).name(), random_finger(seed).name());
        names.insert(random_finger(seed).name());
        kinds.insert(random_finger(seed).kind);
    }
    EXPECT_GT(names.size(), 95u);
    EXPECT_EQ(kinds.size(), 5u);
}

TEST(RandomForce, IsSmoothBoundedAndItsSeedsAlone) {
    const RandomForce one(1, 20.0, 0.02), again(1, 20.0, 0.02), other(2, 20.0, 0.02);
    double least = 20, most = 0, apart = 0, last = one.at_N(0);
    for (double t = 0; t < 10; t += 2.5e-4) {
        const double f = one.at_N(t);
        ASSERT_EQ(f, again.at_N(t));
        // Its steepest is 1.5 times a whole step in 20 ms.
        ASSERT_LE(std::abs(f - last), 1.5 * 20 * 2.5e-4 / 0.02 + 1e-9) << t;
        last = f;
        least = std::min(least, f);
        most = std::max(most, f);
        apart = std::max(apart, std::abs(f - other.at_N(t)));
    }
    EXPECT_GE(least, 0.0);
    EXPECT_LE(most, 20.0);
    EXPECT_LT(least, 1.0);
    EXPECT_GT(most, 19.0);
    EXPECT_GT(apart, 10.0);
}

}  // namespace
}  // namespace letoff::core
