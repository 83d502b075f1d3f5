// The joint between keybed and sound: the audio strings receive the energy that the hammer gave, because they are
// excited with exactly its force.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <vector>

#include "audio/modal/string_bank.h"
#include "core/rt/executor.h"
#include "keyboard/strike/hammer_string.h"
#include "tests/keyboard/gesture/throws.h"

namespace letoff::test {
namespace {

using keyboard::HammerOnString;

constexpr int kTick_hz = 4000;
constexpr int kPerTick = core::kStrikeGrid_hz / kTick_hz;
constexpr std::array<int, 3> kKeys{0, 39, 75};  // A0, C4, C7

core::StringSet without_losses(core::StringSet set) {
    for (core::NoteStrings& note : set.notes) {
        for (core::StringModes& modes : note.set) std::fill(modes.sigma_1ps.begin(), modes.sigma_1ps.end(), 0.0);
    }
    return set;
}

std::span<const float> render(audio::StringBank& bank, int key, std::span<const core::StringForce> force) {
    return bank.render_note(key, force.empty() ? nullptr : &force.front(), 0);
}

TEST(HammerEnergy, WorkOfTheHammerIsWhatTheAudioStringsReceive) {
    const core::StringSet strings = without_losses(keyboard::piano_strings());
    for (const int key : kKeys) {
        const core::NoteStrings& note = strings.notes[static_cast<std::size_t>(key)];
        const HammerOnString model(note);
        for (const double speed_mps : {1.0, 2.8, 9.0}) {
            auto bank = audio::StringBank::create(strings, {});
            ASSERT_TRUE(bank.ok()) << bank.error();
            keyboard::HammerOnStringState state = model.at_rest();
            keyboard::HammerState hammer{-1e-4, speed_mps, note.hammer_mass_kg, 0};
            keyboard::StringContact contact;
            std::vector<core::StringForce> forces(1);
            forces[0].key_index = key;
            forces[0].count = kPerTick;
            for (int tick = 0; tick < 400 && !HammerOnString::take_contact(state, contact); ++tick) {
                model.step(state, hammer, kPerTick, forces[0].force_N.data());
                render(bank.value(), key, forces);
            }
            ASSERT_GT(contact.string_work_J, 0) << key << " " << speed_mps;
            EXPECT_LT(contact.string_work_J, 0.5 * note.hammer_mass_kg * speed_mps * speed_mps);
            EXPECT_NEAR(bank.value().energy_J(key) / contact.string_work_J, 1, 0.01)
                << "key " << key + 1 << " at " << speed_mps << " m/s: " << contact.string_work_J << " J";
        }
    }
}

/// Whole keys: the finger plays, the action throws, the keybed tells the forces.
TEST(HammerEnergy, AudioStringsHoldTheEnergyOfTheKeybedsStringsAfterAStroke) {
    const auto executor = std::move(core::make_executor("inline", 1).value());
    for (const int key : kKeys) {
        const auto throws = keyboard::Thrower(key, 1).find({1.0, 2.8, 9.0});
        for (const keyboard::LaneThrows& lanes : throws) {
            struct Sink final : core::SoundSink {
                Sink(audio::StringBank& to, int of) : bank(to), key(of) {}
                void on_tick(const core::SoundFrame& frame) noexcept override {
                    render(bank, key, frame.forces);
                    in_contact = !frame.forces.empty();
                }
                audio::StringBank& bank;
                int key;
                bool in_contact = false;
            };
            auto bank = audio::StringBank::create(keyboard::piano_strings(), {});
            ASSERT_TRUE(bank.ok()) << bank.error();
            Sink sink(bank.value(), key);
            keyboard::Keybed keybed(keyboard::piano_keys(key, 1), kTick_hz, *executor);
            keybed.settle();
            keyboard::KeptEvents events;
            keybed.press(0, keybed.now_s(), lanes[0].acceleration_mps2);
            double keybed_J = 0, audio_J = 0;
            for (int tick = 0; tick < 1200; ++tick) {
                keybed.tick(&sink, &events);
                if (!sink.in_contact) continue;
                // Both are at the end of this tick: the keybed's strings stand still from here until they are asked.
                keybed_J = keybed.block_of(0).string_energy_J(0);
                audio_J = bank.value().energy_J(key);
            }
            ASSERT_EQ(events.strikes.size(), 1u);
            EXPECT_NEAR(events.strikes[0].hammer_speed_mps, lanes[0].speed_mps, 0.01 * lanes[0].speed_mps);
            ASSERT_GT(keybed_J, 0);
            EXPECT_NEAR(audio_J / keybed_J, 1, 0.01) << "key " << key + 1 << " at " << lanes[0].speed_mps << " m/s";
        }
    }
}

/// Two strokes on one string sound as the sum of both: the second cuts nothing of the first off.
TEST(HammerEnergy, ASecondStrokeAddsToTheRingingString) {
    constexpr int kKey = 27;  // C3
    const HammerOnString model(keyboard::piano_strings().notes[kKey]);
    keyboard::HammerOnStringState state = model.at_rest();
    std::vector<core::StringForce> all;
    for (const double speed_mps : {5.0, 1.0}) {
        keyboard::HammerState hammer{-1e-4, speed_mps, keyboard::piano_strings().notes[kKey].hammer_mass_kg, 0};
        model.advance_to(state, static_cast<std::int64_t>(all.size()) * kPerTick);
        for (int tick = 0; tick < 400; ++tick) {
            core::StringForce force;
            force.key_index = kKey;
            force.count = kPerTick;
            if (tick < 60) model.step(state, hammer, kPerTick, force.force_N.data());
            all.push_back(force);
        }
    }
    std::array<std::vector<float>, 3> sound;  // both strokes, the first alone, the second alone
    for (std::size_t which = 0; which < 3; ++which) {
        auto bank = audio::StringBank::create(keyboard::piano_strings(), {});
        ASSERT_TRUE(bank.ok()) << bank.error();
        for (std::size_t tick = 0; tick < all.size(); ++tick) {
            const bool played = which == 0 || (which == 1) == (tick < 400);
            const auto bridge_N = render(bank.value(), kKey, std::span(all).subspan(tick, played ? 1 : 0));
            for (int i = 0; i < bank.value().samples_per_tick(); ++i)
                sound[which].push_back(bridge_N.empty() ? 0.0F : bridge_N[static_cast<std::size_t>(i)]);
        }
    }
    double greatest_N = 0, first_late_N = 0, off_N = 0;
    for (std::size_t i = 0; i < sound[0].size(); ++i) {
        greatest_N = std::max(greatest_N, std::abs(static_cast<double>(sound[0][i])));
        if (i > sound[0].size() / 2) first_late_N = std::max(first_late_N, std::abs(static_cast<double>(sound[1][i])));
        off_N = std::max(off_N, std::abs(static_cast<double>(sound[0][i]) - sound[1][i] - sound[2][i]));
    }
    EXPECT_GT(first_late_N, 0.1 * greatest_N);  // the string was still ringing
    EXPECT_LT(off_N, 1e-4 * greatest_N);
}

}  // namespace
}  // namespace letoff::test
