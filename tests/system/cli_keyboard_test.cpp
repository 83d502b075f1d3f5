// `letoff keyboard` as a user runs it; what it learns is tested in tests/core/midi/input_map_test.cpp.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "storage/midi_file.h"
#include "tests/system/profiled_program.h"

namespace letoff::test {
namespace {

using ::testing::HasSubstr;

class CliKeyboard : public ProfiledProgram {};

TEST_F(CliKeyboard, LearnsFromAFileIsSetByHandListedAndForgotten) {
    std::vector<core::TimedMidiMessage> played;
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
                               "10-100", "--sustain-controller", "11"});
    EXPECT_EQ(set["channels"], "split");
    EXPECT_EQ(set["split_note"], 48);
    EXPECT_EQ(set["soft"], nlohmann::json({10, 100}));
    EXPECT_EQ(set["sustain"], learnt["sustain"]) << "what was learnt stays";
    EXPECT_EQ(reported({"keyboard", "list"}).size(), 1u);
    reported({"keyboard", "forget", "Keys:Keys MIDI 1"});
    EXPECT_EQ(reported({"keyboard", "list"}).size(), 0u);
}

TEST_F(CliKeyboard, WhatCannotBeIsOneSentence) {
    for (const auto& [arguments, status, what] :
         {std::tuple<std::vector<std::string>, int, std::string>{
              {"keyboard", "set", "Keys", "--channels", "two"}, 2, "split:LOWER,UPPER,NOTE"},
          {{"keyboard", "set", "Keys", "--channels", "one:17"}, 2, "1 to 16"},
          {{"keyboard", "set", "Keys", "--sustain", "60-64"}, 2, "16 apart"},
          {{"keyboard", "set", "Keys", "--sustain", "60"}, 2, "UP-DOWN"},
          {{"keyboard", "forget", "Keys"}, 1, "'Keys'"},
          {{"keyboard", "learn", "Keys", "--from", "/none.mid"}, 1, "/none.mid"}}) {
        const ProgramRun done = run(arguments);
        EXPECT_EQ(done.status, status) << done.err;
        expect_one_sentence(done.err);
        EXPECT_THAT(done.err, HasSubstr(what));
    }
}

}  // namespace
}  // namespace letoff::test
