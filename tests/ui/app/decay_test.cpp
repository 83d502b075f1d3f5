// How a note dies away, from the hammer to the ear.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <memory>
#include <numeric>
#include <vector>

#include "audio/sound_engine.h"
#include "core/string/string_design.h"
#include "keyboard/strike/hammer_string.h"

namespace letoff {
namespace {

constexpr int kTick_hz = 4000, kGrid = core::kStrikeGrid_hz / kTick_hz, kSamples = 48000 / kTick_hz;
constexpr double kHeadAndShank = 1.15;  // effective mass at the crown, times the head's (shank of 3.4 g, a third of it)

/// Mean square of a millisecond each, of a held note struck at mezzoforte while all other dampers lie on their strings.
std::vector<double> heard_mf(int key, int milliseconds) {
    const auto set = std::make_unique<core::StringSet>(core::design_strings({}));
    const core::NoteStrings& note = set->notes[static_cast<std::size_t>(key)];
    const keyboard::HammerOnString strings(note);
    keyboard::HammerOnStringState state = strings.at_rest();
    keyboard::HammerState hammer{0, 2.8, kHeadAndShank * note.hammer_mass_kg, 0};
    audio::SoundEngine engine = std::move(audio::SoundEngine::create(*set, {.ticks_at_once = 4}).value());
    std::array<double, core::kKeyCount> dampers{};
    for (int other = 0; other < 68; ++other) dampers[static_cast<std::size_t>(other)] = other == key ? 0 : 0.3e-3;
    std::vector<double> mean_square;
    std::vector<float> left(4 * kSamples), right(left);
    for (int ms = 0; ms < milliseconds; ++ms) {
        std::array<std::vector<core::StringForce>, 4> forces;
        std::vector<core::SoundFrame> frames;
        for (int t = 0; t < 4; ++t) {
            auto& of_tick = forces[static_cast<std::size_t>(t)];
            if (ms < 20) {
                core::StringForce& force = of_tick.emplace_back();
                force.key_index = key;
                force.count = kGrid;
                strings.step(state, hammer, kGrid, force.force_N.data());
            }
            frames.push_back({4 * ms + t, kTick_hz, of_tick, dampers});
        }
        engine.render(frames, left, right);
        mean_square.push_back(std::inner_product(left.begin(), left.end(), left.begin(), 0.0) +
                              std::inner_product(right.begin(), right.end(), right.begin(), 0.0));
    }
    return mean_square;
}

double level_dB(const std::vector<double>& mean_square, int from_ms) {
    return 10 * std::log10(std::accumulate(mean_square.begin() + from_ms, mean_square.begin() + from_ms + 100, 0.0));
}

// Rows of decay_iowa_steinwayB.csv; 4 dB are asked.
TEST(Decay, LevelsFallAsMeasured) {
    struct Row {
        int key;
        std::array<double, 4> at_1_2_4_8_s_dB;
    };
    for (const Row& row :
         {Row{15, {-10, -12, -22, -24}}, Row{39, {-21, -25, -31, -45}}, Row{63, {-22, -36, -47, -69}}}) {
        const std::vector<double> heard = heard_mf(row.key, 8100);
        const double begin_dB = level_dB(heard, 20);
        for (std::size_t i = 0; i < 4; ++i) {
            const int seconds = 1 << i;
            EXPECT_NEAR(level_dB(heard, 1000 * seconds - 50) - begin_dB, row.at_1_2_4_8_s_dB[i], 4)
                << "key " << row.key << " after " << seconds << " s";
        }
    }
}

}  // namespace
}  // namespace letoff
