// A harpsichord's jack: order of its states, where and with what force it plucks, and what its string is given.
#include "keyboard/action/harpsichord.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <string>
#include <vector>

#include "keyboard/bench/speech.h"
#include "tests/keyboard/bench/bench_key.h"

namespace letoff::keyboard {
namespace {

using C = HarpsichordConstants;

const core::StringSet& strings() {
    static const core::StringSet set = core::design_strings({.stringing = core::Stringing::kHarpsichord});
    return set;
}
KeyBuild build(int key = 49) {
    return action_build("harpsichord", key, strings());
}
const TestKey& test_key() {
    static const TestKey key = settle_test_key(build());
    return key;
}

/// What a string gives way at its plucking point to a steady newton.
double compliance_m_per_N(const core::NoteStrings& note) {
    double sum = 0;
    for (int s = 0; s < note.sets; ++s) {
        const core::StringModes& m = note.set[static_cast<std::size_t>(s)];
        for (std::size_t j = 0; j < m.omega_radps.size(); ++j) {
            const double stiffness = m.omega_radps[j] * m.omega_radps[j] + m.sigma_1ps[j] * m.sigma_1ps[j];
            sum += m.phi_strike[j] * m.phi_strike[j] / (stiffness * note.strings);
        }
    }
    return sum;
}

/// The string's modes under a force that is constant over each interval of the strike grid, exactly: as they sound.
class String {
  public:
    explicit String(const core::NoteStrings& note) {
        for (int s = 0; s < note.sets; ++s) {
            const core::StringModes& m = note.set[static_cast<std::size_t>(s)];
            for (std::size_t j = 0; j < m.omega_radps.size(); ++j) {
                const std::complex<double> pole(-m.sigma_1ps[j], m.omega_radps[j]);
                const std::complex<double> turn = std::exp(pole / double{core::kStrikeGrid_hz});
                const std::complex<double> push =
                    std::complex<double>(0, -m.phi_strike[j] / note.strings / m.omega_radps[j]) * (turn - 1.0) / pole;
                modes_.push_back({turn, push, pole, 0});
            }
        }
    }
    void pull(double force_N) {
        for (Mode& m : modes_) m.z = m.z * m.turn + m.push * force_N;
    }
    double energy_J() const {
        double sum = 0;
        for (const Mode& m : modes_) {
            const double speed = m.pole.real() * m.z.real() - m.pole.imag() * m.z.imag();
            sum += 0.5 * (speed * speed + std::norm(m.pole) * m.z.real() * m.z.real());
        }
        return sum;
    }

  private:
    struct Mode {
        std::complex<double> turn, push, pole, z;
    };
    std::vector<Mode> modes_;
};

struct Pluck {
    std::string order = "b";  // of the states, by their first letters (passes: 'd' for down)
    int plucks = 0, force_ticks = 0;
    double most_N = 0, energy_J = 0, dip_m = 0;
};
/// Drives the key to a dip from rest, soon as fast as asked.
template <typename Look>
void drive(Bench& bench, double speed_mps, double to_m, Look&& look) {
    constexpr double kStart_mps2 = 100;
    const double way = to_m + test_key().rest_dip_m > bench.dip_m(0) ? 1 : -1;
    double now_mps = 0;
    while (way * (to_m + test_key().rest_dip_m - bench.dip_m(0)) > 0) {
        now_mps = std::min(speed_mps, now_mps + kStart_mps2 * bench.h_s());
        bench.drive_tick(way * now_mps);
        look();
    }
    bench.drive_tick(0);
    look();
}

/// Pressed by the dip and let up again at a speed; the string hears what the keybed sends it.
Pluck press_and_lift(double speed_mps) {
    constexpr char kLetters[] = {'b', 'p', 'a', 'd'};
    Bench bench(test_key());
    String string(*test_key().build.strings);
    Pluck seen;
    const auto look = [&] {
        const ActionBlock::Events& events = bench.block().events(0);
        const char phase = kLetters[bench.block().phase(0)];
        if (phase != seen.order.back()) seen.order += phase;
        if (events.on_strings) ++seen.force_ticks;
        for (int i = 0; events.on_strings && i < events.force.count; ++i) {
            const double force_N = events.force.force_N[static_cast<std::size_t>(i)];
            seen.most_N = std::max(seen.most_N, force_N);
            string.pull(force_N);
        }
        if (!events.struck) return;
        ++seen.plucks;
        seen.energy_J = string.energy_J();
        seen.dip_m = bench.dip_m(0) - test_key().rest_dip_m;
        EXPECT_FALSE(events.strike.by_hammer);
    };
    drive(bench, speed_mps, 0.0068, look);
    const int forces_before = seen.force_ticks;
    drive(bench, speed_mps, 0, look);
    for (int i = 0; i < 400; ++i) {
        bench.drive_tick(0);
        look();
    }
    EXPECT_EQ(seen.force_ticks, forces_before) << "the string feels nothing of the plectrum on its way down";
    return seen;
}

TEST(Harpsichord, PlucksOnTheWayUpOnly) {
    for (const double speed_mps : {0.005, 0.05, 0.5}) {
        const Pluck seen = press_and_lift(speed_mps);
        EXPECT_EQ(seen.order, "bpadb") << speed_mps;
        EXPECT_EQ(seen.plucks, 1) << speed_mps;
        EXPECT_NEAR(seen.most_N, C::kRelease_N, 0.02 * C::kRelease_N) << speed_mps;
    }
}

// The force that ends at the threshold leaves in the string what a string plucked by it holds: F^2 / 2 k. A few of the
// highest modes lose some of theirs within the tick.
TEST(Harpsichord, LeavesThePluckedShapesEnergyInTheString) {
    const double wanted_J = 0.5 * C::kRelease_N * C::kRelease_N * compliance_m_per_N(*build().strings);
    EXPECT_NEAR(press_and_lift(0.002).energy_J, wanted_J, 0.02 * wanted_J);
}

TEST(Harpsichord, HardlyHearsHowFastItsKeyGoes) {
    const double slow_J = press_and_lift(0.01).energy_J, fast_J = press_and_lift(0.6).energy_J;
    EXPECT_LT(std::abs(10 * std::log10(fast_J / slow_J)), 2.0);
}

// Let go while the plectrum has not passed its string again, it is silent; let up that far, it plucks anew.
TEST(Harpsichord, PlucksAgainOnceThePlectrumIsUnderItsString) {
    const Speech speech = measure_speech(test_key(), test_key().rest_dip_m + 0.007);
    EXPECT_NEAR(speech.dip_m, 0.0040, 0.0005);
    EXPECT_NEAR(speech.force_N, 0.55, 0.06);
    // Lift of jack over dip is 8 / 9; between pluck and reset lie the string's and the plectrum's way and its height.
    const double way_m = (C::kRelease_N / C::kSpring_N_per_m + C::kPlectrum_m) * 225 / 200;
    EXPECT_NEAR(speech.dip_m - speech.resets_m, way_m, 0.0003);
}

TEST(Harpsichord, EveryPlectrumIsStifferThanNothing) {
    for (int key = 1; key <= core::kKeyCount; ++key) {
        const double string_N_per_m = 1 / compliance_m_per_N(*build(key).strings);
        EXPECT_GT(string_N_per_m, 1.1 * C::kSpring_N_per_m) << key << ": plectrum and string in series";
    }
}

TEST(Harpsichord, SendsTheVelocityThatItsRowSays) {
    const auto sent_mps = [](double velocity_out, double speed_mps) {
        KeyBuild key = build();
        key.velocity_out = velocity_out;
        Bench bench(settle_test_key(key));
        double sent = 0;
        drive(bench, speed_mps, 0.0068, [&] {
            if (bench.block().events(0).struck) sent = bench.block().events(0).strike.hammer_speed_mps;
        });
        return sent;
    };
    EXPECT_EQ(sent_mps(64, 0.02), core::speed_mps_of_midi_velocity(64));
    EXPECT_EQ(sent_mps(64, 0.2), sent_mps(64, 0.02));
    EXPECT_NEAR(sent_mps(0, 0.2), core::kHammerPerKey * 0.2, 1e-6);  // the key's own speed
}

}  // namespace
}  // namespace letoff::keyboard
