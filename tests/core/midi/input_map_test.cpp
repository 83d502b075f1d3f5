#include "core/midi/input_map.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "core/midi/input_fit.h"

using namespace letoff::core;

namespace {

std::vector<MidiMessage> mapped(InputMapper& mapper, const MidiMessage& message) {
    const auto out = mapper.map(message);
    return {out.begin(), out.end()};
}

/// Velocity, in steps of MIDI velocity, of what a note comes out as.
double velocity_out(InputMapper& mapper, int note, int velocity) {
    VelocityPrefix prefix;
    std::optional<int> fine;
    MidiMessage last;
    for (const MidiMessage& message : mapper.map(note_on(0, note, velocity))) {
        fine = prefix.see(message);
        last = message;
    }
    return fine ? *fine / 128.0 : last.data2;
}

using Messages = std::vector<MidiMessage>;

}  // namespace

TEST(InputMap, TheDefaultChangesNotAByte) {
    InputMapper mapper;
    for (int channel = 0; channel < kMidiChannels; ++channel) {
        for (const MidiMessage& message :
             {control_change(channel, kVelocityPrefix, 5), note_on(channel, 60, 64), note_off(channel, 60, 3),
              control_change(channel, kSustainPedal, 77), pitch_bend(channel, 100)}) {
            EXPECT_EQ(mapped(mapper, message), Messages{message});
        }
    }
}

TEST(InputMap, ChannelsOmniOneAndSplit) {
    InputMap map;
    map.policy = ChannelPolicy::one;
    map.channel = 3;
    InputMapper mapper(map);
    EXPECT_EQ(mapped(mapper, note_on(3, 60, 64)).size(), 1u);
    EXPECT_TRUE(mapped(mapper, note_on(2, 60, 64)).empty());
    EXPECT_TRUE(mapped(mapper, control_change(2, kSustainPedal, 64)).empty());
    EXPECT_EQ(mapped(mapper, {MidiKind::system_reset, 0, 0, 0}).size(), 1u);

    map.policy = ChannelPolicy::split;
    map.channel = 0;
    map.upper_channel = 5;
    map.split_note = 60;
    mapper.set(map);
    EXPECT_EQ(mapped(mapper, note_on(0, 59, 64)).size(), 1u);
    EXPECT_TRUE(mapped(mapper, note_on(0, 60, 64)).empty());
    EXPECT_TRUE(mapped(mapper, note_on(5, 59, 64)).empty());
    EXPECT_EQ(mapped(mapper, note_on(5, 60, 64)).size(), 1u);
    EXPECT_EQ(mapped(mapper, control_change(0, kSustainPedal, 1)).size(), 1u);
    EXPECT_EQ(mapped(mapper, control_change(5, kSustainPedal, 1)).size(), 1u);
    EXPECT_TRUE(mapped(mapper, control_change(1, kSustainPedal, 1)).empty());
}

TEST(InputMap, PedalEndsArePutRightBothWaysRound) {
    InputMap map;
    map.sustain = {11, 110};
    map.soft = {127, 0};
    InputMapper mapper(map);
    const auto out = [&](int controller, int value) {
        return mapped(mapper, control_change(0, controller, value))[0].data2;
    };
    EXPECT_EQ(out(kSustainPedal, 0), 0);
    EXPECT_EQ(out(kSustainPedal, 11), 0);
    EXPECT_EQ(out(kSustainPedal, 110), 127);
    EXPECT_EQ(out(kSustainPedal, 127), 127);
    EXPECT_EQ(out(kSustainPedal, 60), 63);  // (60 - 11) / 99 * 127 = 62.9
    EXPECT_EQ(out(kSoftPedal, 127), 0);
    EXPECT_EQ(out(kSoftPedal, 0), 127);
    EXPECT_EQ(out(kSoftPedal, 100), 27);
    EXPECT_EQ(out(kSostenutoPedal, 77), 77);
}

TEST(InputMap, AnExpressionPedalOfFourteenBitsPlaysTheSustainPedal) {
    InputMap map;
    map.sustain_controller = 4;
    InputMapper mapper(map);
    EXPECT_EQ(mapped(mapper, control_change(0, 4, 127)), (Messages{control_change(0, kSustainPedal, 126)}));
    EXPECT_EQ(mapped(mapper, control_change(0, 36, 127)), (Messages{control_change(0, kSustainPedal, 127)}));
    EXPECT_EQ(mapped(mapper, control_change(0, 4, 0)), (Messages{control_change(0, kSustainPedal, 0)}));
    EXPECT_TRUE(mapped(mapper, control_change(0, kSustainPedal, 64)).empty());
    EXPECT_EQ(mapped(mapper, control_change(0, 7, 64)), (Messages{control_change(0, 7, 64)}));
}

// 16 and 88 are prefixes too, which mapped notes swallow; 6 is half of the parameters' value.
TEST(InputMap, APedalMayHaveANumberThatMeansSomethingElse) {
    for (const int controller : {int{kXpExtension}, int{kVelocityPrefix}, 6}) {
        InputMap map;
        map.sustain_controller = controller;
        map.black_offset = -2;
        InputMapper mapper(map);
        EXPECT_EQ(mapped(mapper, control_change(0, controller, 64)), (Messages{control_change(0, kSustainPedal, 64)}))
            << controller;
        EXPECT_EQ(mapped(mapper, note_on(0, 61, 64)),
                  (Messages{control_change(0, kVelocityPrefix, 0), note_on(0, 61, 62)}))
            << controller;
    }
}

// Case 27 of the field: some keyboards send controller 88 for other things.
TEST(InputMap, PrefixesCanBeSwitchedOff) {
    for (const double offset : {0.0, -2.0}) {
        InputMap map;
        map.fine_velocity = false;
        map.black_offset = offset;
        InputMapper mapper(map);
        for (const int controller : {int{kXpExtension}, int{kVelocityPrefix}}) {
            EXPECT_TRUE(mapped(mapper, control_change(0, controller, 64)).empty());
            const Messages note = mapped(mapper, note_on(0, 61, 64));
            EXPECT_EQ(note.back(), note_on(0, 61, static_cast<int>(64 + offset))) << controller;
            EXPECT_EQ(note.size(), offset == 0 ? 1u : 2u);
            EXPECT_TRUE(note.size() == 1 || note.front() == control_change(0, kVelocityPrefix, 0)) << controller;
        }
    }
}

TEST(InputMap, ASourceThatComesAnewBeginsWithoutHalfAValue) {
    InputMap map;
    map.sustain_controller = 4;
    InputMapper mapper(map);
    EXPECT_EQ(mapped(mapper, control_change(0, 4, 64)).size(), 1u);
    mapper.set(map);
    EXPECT_EQ(mapped(mapper, control_change(0, 36, 5)), (Messages{control_change(0, 36, 5)}));
}

TEST(InputMap, AMappedNoteTakesItsPrefixWithItAndUsesItOnce) {
    InputMap map;
    map.black_offset = -2;
    InputMapper mapper(map);
    EXPECT_TRUE(mapped(mapper, control_change(0, kVelocityPrefix, 64)).empty());
    EXPECT_EQ(mapped(mapper, note_on(0, 61, 64)),
              (Messages{control_change(0, kVelocityPrefix, 64), note_on(0, 61, 62)}));
    EXPECT_EQ(mapped(mapper, note_on(0, 61, 64)),
              (Messages{control_change(0, kVelocityPrefix, 0), note_on(0, 61, 62)}));
    EXPECT_EQ(mapped(mapper, note_on(0, 60, 64)),
              (Messages{control_change(0, kVelocityPrefix, 0), note_on(0, 60, 64)}));
    EXPECT_EQ(mapped(mapper, note_off(0, 61, 9)), (Messages{note_off(0, 61, 9)}));
    EXPECT_EQ(velocity_out(mapper, 61, 1), 1);  // never a note-off
}

TEST(InputMap, WhatCannotBeIsSaid) {
    const auto problem = [](auto change) {
        InputMap map;
        change(map);
        return std::string(problem_of(map));
    };
    EXPECT_EQ(problem([](InputMap&) {}), "");
    EXPECT_NE(problem([](InputMap& m) { m.channel = 16; }), "");
    EXPECT_NE(problem([](InputMap& m) { m.sustain = {60, 70}; }), "");
    EXPECT_NE(problem([](InputMap& m) { m.soft = {0, 128}; }), "");
    EXPECT_NE(problem([](InputMap& m) {
                  m.curve.emplace();
                  (*m.curve)[5] = 1;
              }),
              "");
    EXPECT_NE(problem([](InputMap& m) { m.sustain_controller = 121; }), "");
}

TEST(InputFit, AKeyboardThatSkipsVelocitiesHasEveryLoudness) {
    // modartt forum 3460: nothing from 47 to 55 is ever sent; what is a little stronger than 46 comes as 56.
    std::mt19937 random(1);
    std::normal_distribution<double> played(62, 18);
    InputFit fit;
    for (int i = 0; i < 3000; ++i) {
        const int strength = static_cast<int>(std::lround(played(random)));
        fit.see(note_on(0, 60 + i % 12, std::clamp(strength > 46 ? strength + 9 : strength, 1, 127)));
    }
    const auto map = fit.map();
    ASSERT_TRUE(map.ok()) << map.error();
    InputMapper mapper(map.value());
    const double across = velocity_out(mapper, 60, 56) - velocity_out(mapper, 60, 46);
    EXPECT_LT(across, 4);
    EXPECT_GT(across, 0.5);
    for (int v = 2; v < 128; ++v) EXPECT_GT(velocity_out(mapper, 60, v), velocity_out(mapper, 60, v - 1)) << v;
}

TEST(InputFit, ALoudAndNarrowKeyboardIsSpreadOverThePianosLoudness) {
    std::mt19937 random(2);
    std::normal_distribution<double> played(100, 6);
    InputFit fit;
    for (int i = 0; i < 2000; ++i)
        fit.see(note_on(0, 60, std::clamp(static_cast<int>(std::lround(played(random))), 1, 127)));
    InputMapper mapper(fit.map().value());
    EXPECT_NEAR(velocity_out(mapper, 60, 100), 66, 3);  // the middle of what pianists play
    EXPECT_NEAR(velocity_out(mapper, 60, 94), 45, 4);   // a sixth of the notes is softer
    EXPECT_NEAR(velocity_out(mapper, 60, 106), 81, 4);
}

TEST(InputFit, BlackAndWhiteKeysOfOneStrokeComeOutAlike) {
    std::mt19937 random(3);
    std::normal_distribution<double> played(64, 12);
    InputFit fit;
    for (int i = 0; i < 2400; ++i) {
        const int note = 60 + i % 12;
        const bool black = note == 61 || note == 63 || note == 66 || note == 68 || note == 70;
        fit.see(note_on(0, note, std::clamp(static_cast<int>(std::lround(played(random))) + (black ? 6 : 0), 1, 127)));
    }
    InputMapper mapper(fit.map().value());
    for (const int touch : {50, 64, 78})
        EXPECT_NEAR(velocity_out(mapper, 60, touch), velocity_out(mapper, 61, touch + 6), 2.5) << touch;
}

TEST(InputFit, LearnsThePedalsEndsAndWhichWayItWorks) {
    InputFit fit;
    for (int i = 0; i < InputFit::kLeastNotes; ++i) fit.see(note_on(0, 60, 40 + i % 60));
    for (const int value : {11, 40, 100, 110, 60, 11}) fit.see(control_change(0, kSustainPedal, value));
    for (const int value : {120, 60, 4, 120}) fit.see(control_change(0, kSoftPedal, value));
    const InputMap map = fit.map().value();
    EXPECT_EQ(map.sustain, (PedalEnds{14, 107}));
    EXPECT_EQ(map.soft, (PedalEnds{117, 7}));
    EXPECT_EQ(map.sostenuto, PedalEnds());
    EXPECT_STREQ(problem_of(map), "");
}

TEST(InputFit, EndsOfAShortWayAreStillAPedals) {
    for (int way = PedalEnds::kLeastWay; way < PedalEnds::kLeastWay + 8; ++way) {
        InputFit fit;
        for (int i = 0; i < InputFit::kLeastNotes; ++i) fit.see(note_on(0, 60, 40 + i % 60));
        for (const int value : {20, 20 + way, 20}) fit.see(control_change(0, kSustainPedal, value));
        const InputMap map = fit.map().value();
        EXPECT_STREQ(problem_of(map), "") << way;
        EXPECT_NE(map.sustain, PedalEnds()) << way;
    }
}

TEST(InputFit, TooFewNotesAreSaid) {
    InputFit fit;
    for (int i = 0; i < InputFit::kLeastNotes - 1; ++i) fit.see(note_on(0, 60, 64));
    const auto map = fit.map();
    ASSERT_FALSE(map.ok());
    EXPECT_NE(map.error().find("199 notes"), std::string::npos);
}
