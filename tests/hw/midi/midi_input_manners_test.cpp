// What a keyboard sends beside its notes, and how it is known: tunings, clock, active sensing, its own map.
#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include "tests/hw/midi/midi_inputs_fixture.h"
#include "tests/support/wait_for.h"

namespace letoff::hw {
namespace {

using test::port;

TEST_F(MidiInputsTest, TuningsAreKeptApartFromTheMusic) {
    alsa->source_ports = {port("a")};
    const auto in = inputs("auto");
    in->poll();
    const auto* a = alsa->in("a");
    // In pieces, with a note's clock among them, and with another System Exclusive before.
    a->play({0xF0, 0x7E, 0x7F, 0x06, 0x01, 0xF7, 0xF0, 0x7F, 0x00, 0x08});
    a->play({0x02, 0xF8, 0x00, 0x01, 69, 70, 0, 0});
    TuningMessage tuning;
    EXPECT_FALSE(in->pop_tuning(tuning));
    a->play({0xF7, 0x90, 60, 64});
    ASSERT_TRUE(in->pop_tuning(tuning));
    EXPECT_EQ(std::vector(tuning.sysex().begin(), tuning.sysex().end()),
              (std::vector<std::uint8_t>{0x7F, 0x00, 0x08, 0x02, 0x00, 0x01, 69, 70, 0, 0}));
    EXPECT_FALSE(in->pop_tuning(tuning));
    const auto all = taken(*in);
    ASSERT_EQ(all.size(), 1u);
    EXPECT_EQ(all[0].message, core::note_on(0, 60, 64));
}

TEST_F(MidiInputsTest, WhatWasLearntOfAKeyboardIsAppliedToItAlone) {
    alsa->source_ports = {port("Worn"), port("New")};
    MidiInputs in({.choice = parse_midi_input("auto").value(),
                   .map_of =
                       [](const std::string& name) {
                           core::InputMap map;
                           if (name == "Worn") map.sustain = {127, 0};
                           return map;
                       }},
                  {alsa}, faults);
    in.poll();
    alsa->in("Worn")->play({0xB0, 64, 0, 64, 127});
    alsa->in("New")->play({0xB0, 64, 0});
    std::vector<int> values;
    for (const MidiInputRecord& record : taken(in)) values.push_back(record.message.data2);
    EXPECT_EQ(values, (std::vector{127, 0, 0}));
}

TEST_F(MidiInputsTest, AKeyboardThatSensesAndFallsSilentIsReleasedOnce) {
    alsa->source_ports = {port("Keys")};
    const auto in = inputs("Keys");
    in->poll();
    alsa->in("Keys")->play({0x90, 60, 64, 0xFE});
    const auto begin = std::chrono::steady_clock::now();
    const auto lost = [&] {
        in->poll();
        for (const MidiInputRecord& record : taken(*in)) {
            if (record.kind == MidiInputRecord::Kind::kSourceLost) return true;
        }
        return false;
    };
    EXPECT_FALSE(lost());
    ASSERT_TRUE(letoff::test::wait_for(10, lost));
    EXPECT_GE(std::chrono::steady_clock::now() - begin, std::chrono::nanoseconds(MidiInputs::kSensing_ns));
    EXPECT_EQ(in->open_sources(), 1);  // it may go on
    EXPECT_FALSE(lost());
    alsa->in("Keys")->play({0x90, 62, 64});
    ASSERT_EQ(taken(*in).size(), 1u);
}

TEST_F(MidiInputsTest, ASilentKeyboardThatNeverSensedIsLeftAlone) {
    alsa->source_ports = {port("Keys")};
    const auto in = inputs("Keys");
    in->poll();
    alsa->in("Keys")->play({0x90, 60, 64});
    const auto until = std::chrono::steady_clock::now() + std::chrono::nanoseconds(MidiInputs::kSensing_ns * 3 / 2);
    while (std::chrono::steady_clock::now() < until) {
        in->poll();
        for (const MidiInputRecord& record : taken(*in)) EXPECT_EQ(record.kind, MidiInputRecord::Kind::kMessage);
        std::this_thread::yield();
    }
}

TEST_F(MidiInputsTest, TellsTheTempoOfAClockAndNoneWithout) {
    alsa->source_ports = {port("Keys")};
    const auto in = inputs("Keys");
    in->poll();
    EXPECT_EQ(in->tempo_bpm(0), 0);
    for (int i = 0; i < core::ClockFollower::kPerQuarter; ++i) alsa->in("Keys")->play({0xF8});
    EXPECT_GT(in->tempo_bpm(0), 0);  // how fast depends on this machine
    EXPECT_EQ(in->tempo_bpm(99), 0);
}

}  // namespace
}  // namespace letoff::hw
