#include "keyboard/bench/linkage.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "core/unit/constants.h"
#include "tests/keyboard/bench/bench_key.h"

namespace letoff::keyboard {
namespace {

using Coordinates = std::array<double, kGrandBodies>;

const Linkage& grand() {
    static const Linkage linkage(make_grand(grand_defaults()));
    return linkage;
}

Coordinates coordinates_of(const Bench& bench) {
    Coordinates q{};
    for (std::size_t b = 0; b < kGrandBodies; ++b) q[b] = bench.block().state().q[b].lane[0];
    return q;
}

TEST(Linkage, TouchesWhereTheStepTouches) {
    // A loud stroke with its check and its return: the step's compressions (gaps linear in the step) are the linkage's
    // to the step's third order.
    Bench bench(a4());
    bench.press(0, 30.0);
    std::array<bool, kGrandContacts> seen{};
    const auto compare = [&] {
        const Coordinates q = coordinates_of(bench);
        for (int c = 0; c < kGrandContacts; ++c) {
            if (c == kDamperTray || bench.contact_N(static_cast<GrandContact>(c), 0) <= 0) continue;
            seen[static_cast<std::size_t>(c)] = true;
            ASSERT_NEAR(-grand().touching(c, q).gap_m, bench.compression_m(static_cast<GrandContact>(c), 0), 2e-6)
                << grand().mechanism().contacts[static_cast<std::size_t>(c)].name << " at " << bench.now_s();
        }
    };
    bench.run(0.3, compare);
    bench.lift(0, 0.25);
    bench.run(0.3, compare);
    for (int c : {kCapstanHeel, kJackKnuckle, kLeverKnuckle, kJackButton, kTailBackcheck, kKeyFrontRail,
                  kLeverDropScrew, kJackStop, kLeverStop, kKeyDamper, kDamperString, kFingerKey})
        EXPECT_TRUE(seen[static_cast<std::size_t>(c)]) << c;
}

TEST(Linkage, SpeedOfAPointIsHowItsPlaceChanges) {
    Coordinates q{0.02, 0.03, 0.05, -0.04, -0.2, 0.001, 0.002}, v{1.1, -0.7, 2.0, 0.4, -5.0, 0.3, 0.2};
    constexpr double kStep_s = 1e-6;
    for (int b = 0; b < kHead; ++b) {
        const core::Point local{0.03, -0.02};
        Coordinates before = q, after = q;
        for (std::size_t i = 0; i < q.size(); ++i) {
            before[i] -= 0.5 * kStep_s * v[i];
            after[i] += 0.5 * kStep_s * v[i];
        }
        const core::Point p0 = grand().place(b, local, before), p1 = grand().place(b, local, after);
        const core::Point speed = grand().velocity(b, grand().place(b, local, q), q, v);
        EXPECT_NEAR(speed.x_m, (p1.x_m - p0.x_m) / kStep_s, 1e-8) << b;
        EXPECT_NEAR(speed.y_m, (p1.y_m - p0.y_m) / kStep_s, 1e-8) << b;
    }
}

TEST(Linkage, EnergiesOfASwingingHammer) {
    Coordinates q{}, v{};
    v[kHammer] = 10;
    EXPECT_NEAR(grand().kinetic_J(q, v), 0.5 * grand_defaults()[grand_row("hammer_inertia_kgm2")] * 100, 1e-12);
    // Raised by an angle, its centre of mass rises by arm times sine.
    Coordinates up = q;
    up[kHammer] = 0.1;
    const double x = 0.110, y = 0.004, mass = grand_defaults()[grand_row("hammer_mass_kg")];
    const double rise_m = x * std::sin(0.1) + y * (std::cos(0.1) - 1);
    EXPECT_NEAR(grand().height_J(up) - grand().height_J(q), mass * core::kGravity_mps2 * rise_m, 1e-12);
    // A felt gives back what pressing it took: the integral of k d^r.
    core::Contact contact;
    contact.felt = {7e9, 3.0, 0};
    EXPECT_NEAR(Linkage::felt_J(contact, 2e-4), 7e9 * std::pow(2e-4, 4) / 4, 1e-18);
    EXPECT_EQ(Linkage::felt_J(contact, -1e-4), 0.0);
    Coordinates turned = q;
    turned[kJack] = 0.2;  // against its spring, whose rest is at -0.2188
    const double k = grand_defaults()[grand_row("jack_spring_Nm_per_rad")],
                 rest = grand_defaults()[grand_row("jack_spring_rest_rad")];
    EXPECT_NEAR(grand().springs_J(turned) - grand().springs_J(q), 0.5 * k * ((0.2 - rest) * (0.2 - rest) - rest * rest),
                1e-12);
}

}  // namespace
}  // namespace letoff::keyboard
