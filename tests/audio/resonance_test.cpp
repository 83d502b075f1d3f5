// Strings that nobody struck: they ring because soundboard and bridge carry what others play.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <random>
#include <vector>

#include "audio/sound_engine.h"
#include "core/unit/constants.h"
#include "tests/audio/factory_strings.h"
#include "tests/support/spectrum.h"

namespace letoff::audio {
namespace {

constexpr int kC3 = 27, kE3 = 31, kG3 = 34, kC4 = 39, kFSharp3 = 33;
constexpr double kSeated_m = 0.3e-3;

using test::piano;

double piano_hz(int key) {
    return piano().notes[static_cast<size_t>(key)].f1_target_hz;
}

// An instrument on its own clock of ticks. Keys above E6 have no damper.
class Piano {
  public:
    explicit Piano(double resonance = 1, const core::StringSet& strings = piano())
        : engine_(std::move(SoundEngine::create(strings, {.ticks_at_once = 4, .values = values(resonance)}).value())) {
        dampers(kSeated_m);
    }
    void dampers(double compression_m) {
        for (int key = 0; key < 68; ++key) damper(key, compression_m);
    }
    void damper(int key, double compression_m) { compression_m_[static_cast<size_t>(key)] = compression_m; }

    const std::vector<float>& left() const { return heard_; }
    // A half sine of 2 ms on the keys at the begin; returns the mean square of the sound.
    double play(int milliseconds, const std::vector<int>& keys = {}, double peak_N = 20) {
        double sum = 0;
        for (int ms = 0; ms < milliseconds; ++ms) {
            std::array<std::vector<core::StringForce>, 4> forces;
            std::vector<core::SoundFrame> frames;
            for (size_t t = 0; t < 4; ++t) {
                const int tick = 4 * ms + static_cast<int>(t);
                for (const int key : keys)
                    if (tick < 8) forces[t].push_back(half_sine(key, tick, peak_N));
                frames.push_back({tick_++, 4000, forces[t], compression_m_});
            }
            engine_.render(frames, left_, right_);
            heard_.insert(heard_.end(), left_.begin(), left_.end());
            for (size_t s = 0; s < left_.size(); ++s) sum += left_[s] * left_[s] + right_[s] * right_[s];
        }
        return sum / milliseconds;
    }
    double energy_J(const std::vector<int>& keys) const {
        double sum = 0;
        for (const int key : keys) sum += engine_.bank().energy_J(key);
        return sum;
    }
    const SoundEngine& engine() const { return engine_; }

  private:
    static SoundValues values(double resonance) {
        SoundValues values;
        values.of[sound_row("string_resonance_percent")] = 100 * resonance;
        return values;
    }
    static core::StringForce half_sine(int key, int tick, double peak_N) {
        core::StringForce force;
        force.key_index = key;
        force.count = 24;
        for (int g = 0; g < 24; ++g)
            force.force_N[static_cast<size_t>(g)] = peak_N * std::sin(core::kPi * (tick * 24 + g + 0.5) / 192);
        return force;
    }
    SoundEngine engine_;
    std::int64_t tick_ = 0;
    std::array<double, core::kKeyCount> compression_m_{};
    std::vector<float> heard_;
    std::vector<float> left_ = std::vector<float>(48), right_ = std::vector<float>(48);
};

double decibel(double ratio) {
    return 10 * std::log10(ratio);
}

// Bounds of the level, re the staccato note's first 50 ms: heard in a quiet room, far from loud. A chord of a third of
// C4's harmonics answers; F#3 has none of them.
TEST(Resonance, ASilentlyHeldChordRingsAfterAStaccatoNoteAndStopsWhenReleased) {
    const std::vector<int> held{kC3, kE3, kG3};
    Piano piano;
    for (const int key : held) piano.damper(key, 0);
    piano.damper(kC4, 0);
    const double loud = piano.play(50, {kC4});
    piano.play(150);
    piano.damper(kC4, kSeated_m);
    piano.play(400);
    const double ringing = piano.play(200);
    EXPECT_GT(decibel(ringing / loud), -60);
    EXPECT_LT(decibel(ringing / loud), -20);
    EXPECT_GT(piano.energy_J({kC3}), 10 * piano.energy_J({kC4}));  // what sounds is not the note that was played
    for (const int key : held) piano.damper(key, kSeated_m);
    piano.play(600);
    EXPECT_LT(decibel(piano.play(100) / ringing), -40);
}

TEST(Resonance, StringsAnswerWhatTheyShareWithTheNote) {
    Piano piano;
    for (const int key : {kC3, kFSharp3, kC4}) piano.damper(key, 0);
    piano.play(300, {kC4});
    // Partial 2 of C3 is C4; F#3 has no partial within a quarter tone of C4's first three.
    EXPECT_GT(decibel(piano.energy_J({kC3}) / piano.energy_J({kFSharp3})), 10);
}

TEST(Resonance, DampedStringsAndAnInstrumentWithoutResonanceStayStill) {
    Piano piano;
    piano.damper(kC4, 0);
    piano.play(300, {kC4});
    EXPECT_EQ(piano.energy_J({kC3}), 0);
    Piano without(0);
    without.dampers(0);
    without.play(300, {kC4});
    EXPECT_EQ(without.energy_J({kC3}), 0);
}

// Re the sounding note itself after half a second: the halo of a pedalled C4, bound to lie -25 to -3 dB below.
TEST(Resonance, WithThePedalTheWholeInstrumentRings) {
    Piano piano;
    piano.dampers(0);
    piano.play(500, {kC4});
    std::vector<int> others;
    int answering = 0;
    for (int key = 0; key < core::kKeyCount; ++key) {
        if (key == kC4) continue;
        others.push_back(key);
        answering += piano.energy_J({key}) > 0 ? 1 : 0;
    }
    EXPECT_EQ(answering, 86);  // C8's first partial lies above what strings feel of the board
    const double halo_dB = decibel(piano.energy_J(others) / piano.energy_J({kC4}));
    EXPECT_GT(halo_dB, -25);
    EXPECT_LT(halo_dB, -3);
}

TEST(Resonance, TheUndampedTrebleAnswersWithoutAPedal) {
    Piano piano;
    piano.damper(kC4, 0);
    piano.play(100, {kC4});
    int answering = 0;
    for (int key = 68; key < core::kKeyCount; ++key) answering += piano.energy_J({key}) > 0 ? 1 : 0;
    EXPECT_EQ(answering, 19);  // all but C8
}

// The board's first answer is in the strings' losses, so their sums agree over the periods of a note, not at each
// moment: within a millisecond strings and board together may seem to gain up to 1 %, over 50 ms never.
TEST(Resonance, StringsAndBoardTogetherNeverGainEnergy) {
    std::mt19937 random(7);
    Piano piano;
    std::vector<double> energy_J;
    const auto watch = [&](int milliseconds) {
        for (int ms = 0; ms < milliseconds; ++ms) {
            piano.play(1);
            energy_J.push_back(piano.engine().energy_J());
        }
        for (size_t i = 1; i < energy_J.size(); ++i) EXPECT_LT(energy_J[i], 1.01 * energy_J[i - 1]) << i;
        for (size_t i = 50; i < energy_J.size(); ++i) EXPECT_LE(energy_J[i], energy_J[i - 50]) << i;
        energy_J.clear();
    };
    for (int blow = 0; blow < 12; ++blow) {
        std::vector<int> keys;
        keys.reserve(10);
        for (unsigned i = 0; i < 1 + random() % 10; ++i) keys.push_back(static_cast<int>(random() % core::kKeyCount));
        std::sort(keys.begin(), keys.end());
        keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
        const bool pedal = blow % 3 != 0;
        piano.dampers(pedal ? 0 : kSeated_m);
        piano.play(4, keys, 5.0 + static_cast<double>(random() % 60));
        watch(60);
        for (int move = 0; move < 3; ++move) {  // the pedal flutters
            piano.dampers(0.1e-3 * static_cast<double>(random() % 4));
            watch(55);
        }
    }
}

// What the board does at once is missing from what strings feel of it, and is in their losses instead. A0 hardly lost
// anything in 16 s while its losses were less than that; it must lose what its strings lose without a board.
TEST(Resonance, NoNoteRingsLongerForTheBoardItHangsOn) {
    auto without_board = std::make_unique<core::StringSet>(piano());
    for (core::NoteStrings& note : without_board->notes)
        for (double& sigma : note.set[0].sigma_1ps) sigma -= note.drain_1ps;
    constexpr int kA0 = 0;
    Piano with(1), without(0, *without_board);
    for (Piano* piano : {&with, &without}) {
        piano->damper(kA0, 0);
        piano->play(8000, {kA0});
    }
    EXPECT_LT(with.energy_J({kA0}), without.energy_J({kA0}));
}

// The board's answer pulls at every string; they are tuned as they sound. A4 was three cents off without that.
TEST(Resonance, ANoteKeepsItsPitchOnTheBoard) {
    for (const int key : {15, 27, 39, 44, 48, 51, 56, 60}) {
        Piano piano;
        piano.damper(key, 0);
        piano.play(700, {key});
        const double wanted_hz = piano_hz(key);
        const double heard_hz = letoff::test::partial_hz(piano.left(), 48000, wanted_hz, 24000, 3000);
        EXPECT_NEAR(1200 * std::log2(heard_hz / wanted_hz), 0, 1) << key;
    }
}

TEST(Resonance, NoDriveLeavesEnergyThatNeverDies) {
    Piano piano;
    piano.dampers(0);
    piano.play(100, {kC4});
    const double early_J = piano.engine().energy_J();
    piano.dampers(kSeated_m);
    piano.play(3000);
    EXPECT_LT(piano.engine().energy_J(), 1e-3 * early_J);
}

}  // namespace
}  // namespace letoff::audio
