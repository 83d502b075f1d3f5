// What is heard of one blow: a hammer's head thrown at the strings of a note, and the audio strings driven by its
// force.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <span>
#include <vector>

#include "audio/sound_engine.h"
#include "core/string/modal_string.h"
#include "keyboard/strike/hammer_string.h"

namespace letoff::test {

struct HeardBlow {
    static constexpr int kRate_hz = 48000;
    std::array<std::vector<float>, 2> sound;  // left and right, from the strike on
    double contact_ms = 0;
};

/// At 4 kHz; the dampers are lifted.
inline HeardBlow heard_blow(const core::StringSet& strings, int key, double speed_mps, double seconds) {
    constexpr int kTick_hz = 4000, kPerTick = core::kStrikeGrid_hz / kTick_hz;
    const core::NoteStrings& note = strings.notes[static_cast<std::size_t>(key)];
    const keyboard::HammerOnString model(note);
    keyboard::HammerOnStringState state = model.at_rest();
    keyboard::HammerState hammer{-1e-4, speed_mps, note.hammer_mass_kg, 0};
    keyboard::StringContact contact;
    auto engine = audio::SoundEngine::create(strings, {.sample_rate_hz = HeardBlow::kRate_hz, .tick_hz = kTick_hz});
    EXPECT_TRUE(engine.ok());
    const auto per_tick = static_cast<std::size_t>(engine.value().samples_per_tick());
    std::vector<float> left(per_tick), right(per_tick);
    std::vector<core::StringForce> forces(1);
    forces[0].key_index = key;
    forces[0].count = kPerTick;
    const std::array<double, core::kKeyCount> lifted{};
    HeardBlow heard;
    bool struck = false;
    for (int tick = 0; tick < static_cast<int>(seconds * kTick_hz); ++tick) {
        if (!struck) model.step(state, hammer, kPerTick, forces[0].force_N.data());
        const core::SoundFrame frame{tick, kTick_hz, struck ? std::span<core::StringForce>() : std::span(forces),
                                     lifted};
        engine.value().render({&frame, 1}, left, right);
        heard.sound[0].insert(heard.sound[0].end(), left.begin(), left.end());
        heard.sound[1].insert(heard.sound[1].end(), right.begin(), right.end());
        struck = struck || keyboard::HammerOnString::take_contact(state, contact);
    }
    heard.contact_ms = 1e3 / core::kStrikeGrid_hz * static_cast<double>(contact.last_sample - contact.first_sample + 1);
    return heard;
}

}  // namespace letoff::test
