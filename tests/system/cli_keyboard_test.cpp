// `letoff keyboard` as a user runs it; what it learns is tested in tests/core/midi/input_map_test.cpp.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "storage/midi_file.h"
#include "tests/system/profiled_program.h"

namespace letoff::test {
namespace {

using CliKeyboard = ProfiledProgram;

TEST_F(CliKeyboard, LearnsFromAFileIsSetByHandListedAndForgotten) {
    std::vector<core::TimedMidiMessage> played;
    played.reserve(304);
    for (int i = 0; i < 300; ++i) played.push_back({0.01 * i, core::note_on(0, 40 + i % 40, 70 + i % 50)});
    for (const int value : {127, 60, 0, 127})
        played.push_back({4, core::control_change(0, core::kSustainPedal, value)});
    const std::string file = data_.path() / "played.mid";
    ASSERT_TRUE(storage::write_midi_file(file, played).ok());

    const auto learnt = reported({"keyboard", "learn", "Keys:Keys MIDI 1 20:0", "--from", file});
    EXPECT_EQ(learnt["name"], "Keys:Keys MIDI 1");
    EXPECT_EQ(learnt["curve"].size(), 127u);
    EXPECT_EQ(learnt["sustain"], nlohmann::json({123, 4}));
    const auto set = reported({"keyboard", "set", "Keys:Keys MIDI 1 28:0", "--channels", "split:1,2,48", "--soft",
                               "10-100", "--sustain-controller", "11", "--fine-velocity", "off"});
    EXPECT_EQ(set["channels"], "split");
    EXPECT_EQ(set["split_note"], 48);
    EXPECT_EQ(set["soft"], nlohmann::json({10, 100}));
    EXPECT_EQ(learnt["fine_velocity"], true);
    EXPECT_EQ(set["fine_velocity"], false);
    EXPECT_EQ(set["sustain"], learnt["sustain"]) << "what was learnt stays";
    EXPECT_EQ(reported({"keyboard", "list"}).size(), 1u);
    reported({"keyboard", "forget", "Keys:Keys MIDI 1"});
    EXPECT_EQ(reported({"keyboard", "list"}).size(), 0u);
}

TEST_F(CliKeyboard, WhatCannotBeIsOneSentence) {
    expect_failure(2, {"keyboard", "set", "Keys", "--channels", "two"}, "split:LOWER,UPPER,NOTE");
    expect_failure(2, {"keyboard", "set", "Keys", "--channels", "one:17"}, "1 to 16");
    expect_failure(2, {"keyboard", "set", "Keys", "--sustain", "60-64"}, "16 apart");
    expect_failure(2, {"keyboard", "set", "Keys", "--sustain", "60"}, "UP-DOWN");
    expect_failure(2, {"keyboard", "set", "Keys", "--fine-velocity", "maybe"}, "on");
    expect_failure(1, {"keyboard", "forget", "Keys"}, "'Keys'");
    expect_failure(1, {"keyboard", "learn", "Keys", "--from", "/none.mid"}, "/none.mid");
}

}  // namespace
}  // namespace letoff::test
