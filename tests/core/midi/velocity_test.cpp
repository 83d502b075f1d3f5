#include "core/midi/velocity.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

using namespace letoff::core;

TEST(VelocityLaw, HoldsTheMeasuredPoints) {
    EXPECT_DOUBLE_EQ(midi_velocity_of_speed(1.0), 57.96);
    EXPECT_NEAR(midi_velocity_of_speed(10.0), 129.26, 1e-9);
    EXPECT_NEAR(speed_mps_of_midi_velocity(30), 0.41, 0.005);
    EXPECT_NEAR(speed_mps_of_midi_velocity(64), 1.22, 0.005);
    EXPECT_NEAR(speed_mps_of_midi_velocity(127), 9.3, 0.05);
}

TEST(VelocityLaw, BothWaysAgree) {
    for (double speed_mps = 0.2; speed_mps < 10; speed_mps *= 1.3) {
        EXPECT_NEAR(speed_mps_of_midi_velocity(midi_velocity_of_speed(speed_mps)), speed_mps, 1e-12 * speed_mps);
    }
    for (int fine = kVelocity14bitMin; fine <= kVelocity14bitMax; ++fine) {
        ASSERT_EQ(velocity_14bit_of_speed(speed_mps_of_velocity_14bit(fine)), fine);
    }
}

TEST(VelocityLaw, RoundsAndClampsFourteenBits) {
    EXPECT_EQ(velocity_14bit_of_speed(1.0), 7419);  // 128 * 57.96 = 7418.88
    EXPECT_EQ(velocity_14bit_of_speed(0.01), 128);  // never a note-off
    EXPECT_EQ(velocity_14bit_of_speed(30.0), 16383);
    EXPECT_EQ(velocity_14bit_of_speed(0.0), 128);
    EXPECT_EQ(velocity_14bit_of_speed(-1.0), 128);
    EXPECT_EQ(velocity_14bit_of_speed(std::numeric_limits<double>::quiet_NaN()), 128);
    EXPECT_EQ(velocity_14bit_of_speed(std::numeric_limits<double>::infinity()), 16383);
    EXPECT_EQ(velocity_7bit_of(7419), 57);
    EXPECT_EQ(velocity_7bit_of(5), 1);
}

TEST(VelocityPrefix, IsUsedOnceAndCleared) {
    VelocityPrefix prefix;
    EXPECT_EQ(prefix.see(control_change(0, 88, 0x40)), std::nullopt);
    EXPECT_EQ(prefix.see(note_on(0, 60, 0x40)), 0x40 * 128 + 64);
    EXPECT_EQ(prefix.see(note_on(0, 60, 0x40)), std::nullopt);
}

TEST(VelocityPrefix, WaitsForItsOwnChannelThroughOtherMessages) {
    VelocityPrefix prefix;
    prefix.see(control_change(0, 88, 1));
    prefix.see(control_change(1, 88, 2));
    EXPECT_EQ(prefix.see(control_change(0, 64, 127)), std::nullopt);
    EXPECT_EQ(prefix.see(note_on(2, 60, 10)), std::nullopt);
    EXPECT_EQ(prefix.see(note_on(1, 60, 10)), 10 * 128 + 2);
    EXPECT_EQ(prefix.see(note_off(0, 60, 10)), 10 * 128 + 1);  // release velocity too
}

TEST(VelocityPrefix, ResetAllControllersForgetsIt) {
    VelocityPrefix prefix;
    prefix.see(control_change(0, 88, 1));
    prefix.see(control_change(0, kResetAllControllers, 0));
    EXPECT_EQ(prefix.see(note_on(0, 60, 10)), std::nullopt);
}

TEST(VelocityPrefix, EveryFourteenBitVelocitySurvivesTheWire) {
    VelocityPrefix prefix;
    for (int fine = kVelocity14bitMin; fine <= kVelocity14bitMax; ++fine) {
        const auto [first, second] = note_on_14bit(3, 60, fine);
        ASSERT_EQ(prefix.see(first), std::nullopt);
        ASSERT_EQ(prefix.see(second), fine);
        ASSERT_EQ(second.kind, MidiKind::note_on);
    }
}

TEST(VelocityPrefix, XpAddsThreeBitsToTheVeryNextNoteOnly) {
    VelocityPrefix prefix;
    EXPECT_FALSE(prefix.see(control_change(0, kXpExtension, 0x50)));
    EXPECT_EQ(prefix.see(note_on(0, 60, 64)), 64 * 128 + 0x50);  // ten bits: 64 * 8 + 5
    EXPECT_FALSE(prefix.see(note_on(0, 60, 64)));
    // A slider of that number that moves while the pedal does.
    prefix.see(control_change(0, kXpExtension, 0x70));
    prefix.see(control_change(0, kSustainPedal, 3));
    EXPECT_FALSE(prefix.see(note_on(0, 60, 64)));
    prefix.see(control_change(0, kXpExtension, 0x70));
    prefix.see(control_change(1, kSustainPedal, 3));  // another channel does not matter
    EXPECT_EQ(prefix.see(note_off(0, 60, 3)), 3 * 128 + 0x70);
}

TEST(FineNote, EveryFormComesBackAsFineAsItIs) {
    for (int fine = kVelocity14bitMin; fine <= kVelocity14bitMax; ++fine) {
        for (const auto& [form, step] :
             {std::pair{VelocityForm::seven_bit, 128}, {VelocityForm::prefix_88, 1}, {VelocityForm::xp, 16}}) {
            VelocityPrefix prefix;
            std::optional<int> back;
            int plain = 0;
            const FineNote note(form, note_on(0, 60, 1), fine);
            for (const MidiMessage& message : note.messages()) {
                back = prefix.see(message);
                plain = message.data2;
            }
            ASSERT_GE(plain, 1);
            if (form == VelocityForm::seven_bit) {
                ASSERT_EQ(plain, fine / step);
            } else if (form == VelocityForm::prefix_88) {
                ASSERT_EQ(back.value(), fine);
            } else {
                ASSERT_LE(std::abs(back.value() - fine), fine > kVelocity14bitMax - 8 ? 15 : 8) << fine;
            }
        }
    }
}
