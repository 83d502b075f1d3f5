#include "hw/midi/midi_strike_out.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "core/midi/velocity.h"

namespace letoff::hw {
namespace {

struct MidiStrikeOutTest : ::testing::Test {
    std::vector<core::MidiMessage> taken() {
        std::vector<core::MidiMessage> all;
        core::TimedMidiMessage next;
        while (queue.pop(next)) {
            all.push_back(next.message);
            last_time_s = next.time_s;
        }
        return all;
    }

    core::FaultCounters faults;
    MidiOutQueue queue{faults, 64};
    MidiStrikeOut out{queue};
    double last_time_s = 0;
    static constexpr int kA4 = 48;
};

// 2.8 m/s: 57.96 + 71.3 log10(2.8) = 89.84, times 128 = 11499.6: 89 and 108.
TEST_F(MidiStrikeOutTest, AStrikeIsAPrefixAndANoteOn) {
    out.on_strike({.key_index = kA4, .strike_time_s = 1.5, .hammer_speed_mps = 2.8});
    const auto all = taken();
    ASSERT_EQ(all.size(), 2u);
    EXPECT_EQ(all[0], core::control_change(0, 88, 108));
    EXPECT_EQ(all[1], core::note_on(0, 69, 89));
    EXPECT_EQ(last_time_s, 1.5);
}

// 0.2 m/s at the key is 1 m/s at the hammer: 57.96, times 128 = 7418.88: 57 and 123.
TEST_F(MidiStrikeOutTest, AReleaseHasTheLawOfFiveTimesTheKeysSpeed) {
    out.on_strike({.key_index = kA4, .strike_time_s = 1, .hammer_speed_mps = 1});
    taken();
    out.on_release({.key_index = kA4, .time_s = 2, .key_speed_mps = 0.2});
    const auto all = taken();
    ASSERT_EQ(all.size(), 2u);
    EXPECT_EQ(all[0], core::control_change(0, 88, 123));
    EXPECT_EQ(all[1], core::note_off(0, 69, 57));
}

TEST_F(MidiStrikeOutTest, Case72ThreeSpeedsOfReleaseAreThreeNoteOffVelocities) {
    out.set_velocity_form(core::VelocityForm::seven_bit);
    std::vector<core::MidiMessage> offs;
    for (const double key_speed_mps : {0.05, 0.2, 0.8}) {
        out.on_strike({.key_index = kA4, .strike_time_s = 1, .hammer_speed_mps = 1});
        taken();
        out.on_release({.key_index = kA4, .time_s = 2, .key_speed_mps = key_speed_mps});
        for (const core::MidiMessage& message : taken()) offs.push_back(message);
    }
    // 57.96 + 71.3 log10(5 v): 15.03, 57.96 and 100.89.
    EXPECT_EQ(offs, (std::vector{core::note_off(0, 69, 15), core::note_off(0, 69, 57), core::note_off(0, 69, 100)}));
}

// Ten bits: 11499.6 / 16 = 718.7, 719 = 89 * 8 + 7; and 7418.9 / 16 = 463.7, 464 = 58 * 8.
TEST_F(MidiStrikeOutTest, XpSaysTenBitsAndSevenBitsNoPrefix) {
    out.set_velocity_form(core::VelocityForm::xp);
    out.on_strike({.key_index = kA4, .strike_time_s = 1, .hammer_speed_mps = 2.8});
    out.on_release({.key_index = kA4, .time_s = 2, .key_speed_mps = 0.2});
    EXPECT_EQ(taken(), (std::vector<core::MidiMessage>{core::control_change(0, 16, 0x70), core::note_on(0, 69, 89),
                                                       core::control_change(0, 16, 0), core::note_off(0, 69, 58)}));
    out.set_velocity_form(core::VelocityForm::seven_bit);
    out.on_strike({.key_index = kA4, .strike_time_s = 3, .hammer_speed_mps = 2.8});
    EXPECT_EQ(taken(), (std::vector<core::MidiMessage>{core::note_on(0, 69, 89)}));
}

TEST_F(MidiStrikeOutTest, EveryNoteOnHasOneNoteOff) {
    out.on_release({.key_index = kA4, .time_s = 0.5, .key_speed_mps = 0.1});
    EXPECT_TRUE(taken().empty()) << "a key that never struck";
    out.on_strike({.key_index = kA4, .strike_time_s = 1, .hammer_speed_mps = 1});
    out.on_strike({.key_index = kA4, .strike_time_s = 1.1, .hammer_speed_mps = 1});
    out.on_release({.key_index = kA4, .time_s = 2, .key_speed_mps = 0.2});
    out.on_release({.key_index = kA4, .time_s = 2.1, .key_speed_mps = 0.2});
    std::vector<core::MidiKind> notes;
    for (const auto& message : taken()) {
        if (core::is_note(message)) notes.push_back(message.kind);
    }
    using enum core::MidiKind;
    EXPECT_EQ(notes, (std::vector{note_on, note_off, note_on, note_off}));
}

TEST_F(MidiStrikeOutTest, ThePedalIsSentWhenSevenBitsChange) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    for (const double position : {0.0, 0.001, 0.5, 0.501, 1.0, 7.0, nan, -1.0}) out.pedal(position, 0);
    std::vector<int> values;
    for (const auto& message : taken()) {
        EXPECT_TRUE(core::is_controller(message, core::kSustainPedal));
        values.push_back(message.data2);
    }
    EXPECT_EQ(values, (std::vector{64, 127, 0}));
    out.pedal(1, 0, core::kSoftPedal);
    EXPECT_EQ(taken(), std::vector{core::control_change(0, 67, 127)});
}

TEST_F(MidiStrikeOutTest, AFullRingIsCountedAndNeverWaits) {
    for (int i = 0; i < 40; ++i) out.on_strike({.key_index = i, .strike_time_s = 1, .hammer_speed_mps = 1});
    EXPECT_EQ(faults.count(core::Fault::kMidiOutputOverflow), 2u * 40 - 64);
    EXPECT_TRUE(queue.take_overflow());
    EXPECT_FALSE(queue.take_overflow());
    // The pedal that was refused is sent with the next position.
    out.pedal(1, 1);
    EXPECT_EQ(taken().size(), 64u);
    out.pedal(1, 1);
    EXPECT_EQ(taken(), std::vector{core::control_change(0, 64, 127)});
}

TEST_F(MidiStrikeOutTest, AKeyThatDoesNotExistSendsNothing) {
    out.on_strike({.key_index = 88, .strike_time_s = 1, .hammer_speed_mps = 1});
    out.on_strike({.key_index = -1, .strike_time_s = 1, .hammer_speed_mps = 1});
    out.on_release({.key_index = 88, .time_s = 1, .key_speed_mps = 1});
    EXPECT_TRUE(taken().empty());
}

TEST_F(MidiStrikeOutTest, AKeysPositionIsPolyphonicPressureWhenSevenBitsChange) {
    const auto pressure = [](int value) {
        return core::MidiMessage{core::MidiKind::poly_pressure, 0, 69, static_cast<std::uint8_t>(value)};
    };
    for (const double dip_m : {0.0, 0.00001, 0.005, 0.00501, 0.012, 0.010, -0.001}) out.key_position(kA4, dip_m, 1);
    out.key_position(kA4, std::numeric_limits<double>::quiet_NaN(), 1);
    out.key_position(88, 0.005, 1);
    EXPECT_EQ(taken(), (std::vector{pressure(64), pressure(127), pressure(0)}));
}

}  // namespace
}  // namespace letoff::hw
