#include "hw/midi/echo_guard.h"

#include <gtest/gtest.h>

#include "core/midi/velocity.h"

namespace letoff::hw {
namespace {

constexpr std::int64_t kMs = 1'000'000;
constexpr std::int64_t kStart_ns = 1'000'000 * kMs;  // the machine has run for 1000 s

struct EchoGuardTest : ::testing::Test {
    bool echo(const core::MidiMessage& message, std::int64_t ms) {
        return guard.is_echo(source, message, kStart_ns + ms * kMs);
    }
    void sent(const core::MidiMessage& message, std::int64_t ms) { guard.sent(message, kStart_ns + ms * kMs); }

    EchoGuard guard;
    EchoState source;
};

TEST_F(EchoGuardTest, OurNoteWithItsPrefixIsDroppedWithinTheWindowOnly) {
    const auto note = core::note_on_14bit(0, 60, 8321);
    for (const auto& m : note) sent(m, 0);
    EXPECT_FALSE(echo(note[0], 52));
    EXPECT_FALSE(echo(note[1], 52));
    EXPECT_TRUE(echo(note[0], 5));
    EXPECT_TRUE(echo(note[1], 5));
}

TEST_F(EchoGuardTest, AnEqualNoteWithoutOurPrefixIsThePlayers) {
    for (const auto& m : core::note_on_14bit(0, 60, 8321)) sent(m, 0);
    EXPECT_FALSE(echo(core::note_on(0, 60, 8321 / 128), 5));
    EXPECT_FALSE(echo(core::note_on(1, 60, 8321 / 128), 5)) << "another channel";
    EXPECT_FALSE(echo(core::control_change(0, core::kVelocityPrefix, 2), 5)) << "another prefix";
    EXPECT_FALSE(echo(core::note_on(0, 60, 8321 / 128), 5)) << "a note after a prefix that was not ours";
}

TEST_F(EchoGuardTest, ThePedalIsThePlayersUntilANoteWasAnEcho) {
    const auto pedal = core::control_change(0, core::kSustainPedal, 60);
    sent(pedal, 0);
    EXPECT_FALSE(echo(pedal, 5));
    const auto note = core::note_on_14bit(0, 60, 8321);
    for (const auto& m : note) sent(m, 6);
    for (const auto& m : note) EXPECT_TRUE(echo(m, 8));
    EXPECT_TRUE(echo(pedal, 9));
    sent(pedal, 6000);
    EXPECT_FALSE(echo(pedal, 6001)) << "five seconds later the source is no longer suspect";
}

TEST_F(EchoGuardTest, ThreeEqualNotesRunningAreAnEchoWithoutPrefix) {
    for (int note = 60; note < 64; ++note) sent(core::note_on(0, note, 70), 0);
    EXPECT_FALSE(echo(core::note_on(0, 60, 70), 3));
    EXPECT_FALSE(echo(core::note_on(0, 61, 70), 3));
    EXPECT_TRUE(echo(core::note_on(0, 62, 70), 3));
    EXPECT_TRUE(echo(core::note_on(0, 63, 70), 3));
    EXPECT_FALSE(echo(core::note_on(0, 64, 70), 3)) << "never sent";
}

TEST_F(EchoGuardTest, APortConnectedToOurOutputIsSuspectAtOnce) {
    source.connected_to_us = true;
    sent(core::note_on(0, 60, 70), 0);
    EXPECT_TRUE(echo(core::note_on(0, 60, 70), 3));
    EXPECT_FALSE(echo(core::note_on(0, 60, 71), 3));
}

TEST_F(EchoGuardTest, TheOldestOfManyIsForgottenTheNewestAreNot) {
    source.connected_to_us = true;
    for (int i = 0; i < 257; ++i) sent(core::note_on(i / 128, i % 128, 1), 0);
    EXPECT_FALSE(echo(core::note_on(0, 0, 1), 1));
    EXPECT_TRUE(echo(core::note_on(0, 1, 1), 1));
    EXPECT_TRUE(echo(core::note_on(2, 0, 1), 1));
}

}  // namespace
}  // namespace letoff::hw
