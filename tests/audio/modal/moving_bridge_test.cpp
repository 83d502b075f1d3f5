// Strings whose bridge is moved by the soundboard: the bank takes its speed and gives its force.
#include <gtest/gtest.h>

#include "tests/audio/modal/string_player.h"

namespace letoff::audio {
namespace {

TEST(StringBank, AMovingBridgeTakesFromTheStringTheWorkOfItsForce) {
    for (const double bridge_hz : {37.0, 440.0, 1320.0}) {
        const auto set = set_with(kA4, {plain_string(440, 1e-9, 12)});  // without losses
        StringPlayer player(*set);
        player.strike(10);
        player.play(kA4, 40);
        StringBank& bank = player.bank();
        const double before_J = bank.energy_J(kA4);
        double given_J = 0;
        float last_N = 0;
        std::vector<float> speed_mps(12);
        for (int tick = 0; tick < 400; ++tick) {
            for (int s = 0; s < 12; ++s)
                speed_mps[static_cast<size_t>(s)] =
                    1e-3F * static_cast<float>(std::sin(2 * core::kPi * bridge_hz * (12 * tick + s + 0.5) / 48000));
            const auto bridge_N = bank.render_note(kA4, nullptr, 0, 12, speed_mps);
            for (size_t s = 0; s < 12; ++s) {
                given_J += 0.5 * (last_N + bridge_N[s]) * speed_mps[s] / 48000;
                last_N = bridge_N[s];
            }
        }
        EXPECT_GT(std::abs(given_J), 1e-7) << bridge_hz;
        EXPECT_NEAR(before_J - bank.energy_J(kA4), given_J, 0.02 * std::abs(given_J) + 1e-9) << bridge_hz;
    }
}

TEST(StringBank, AMovingBridgeSetsOnlyUndampedStringsGoing) {
    const auto set = set_with(kA4, {plain_string(440, 1, 12)});
    for (const double loss_1ps : {0.0, 30.0, 290.0}) {
        StringPlayer player(*set);
        std::vector<float> speed_mps(12, 1e-4F);
        const auto bridge_N = player.bank().render_note(kA4, nullptr, loss_1ps, 12, speed_mps);
        EXPECT_EQ(bridge_N.empty(), loss_1ps > 60) << loss_1ps;
        EXPECT_EQ(player.bank().sounding(kA4), loss_1ps < 60) << loss_1ps;
    }
    StringPlayer still(*set);
    EXPECT_TRUE(still.bank().render_note(kA4, nullptr, 0, 12, std::vector<float>(12, 1e-8F)).empty());  // -140 dB
}

}  // namespace
}  // namespace letoff::audio
