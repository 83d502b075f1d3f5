#include "storage/input_map_store.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/storage/temporary_folder.h"

namespace letoff::storage {
namespace {

using ::testing::HasSubstr;

core::InputMap example() {
    core::InputMap map;
    map.policy = core::ChannelPolicy::split;
    map.channel = 2;
    map.upper_channel = 15;
    map.split_note = 48;
    map.curve.emplace();
    for (std::size_t v = 1; v < map.curve->size(); ++v) (*map.curve)[v] = 0.1 + 0.9 * static_cast<double>(v);
    map.black_offset = -1.0 / 3;
    map.sustain = {11, 110};
    map.soft = {127, 3};
    map.sustain_controller = 4;
    map.fine_velocity = false;
    return map;
}

class InputMapStoreTest : public letoff::test::TemporaryFolder {
  protected:
    InputMapStore opened() const {
        auto store = InputMapStore::open((folder_ / "recordings.db").string(), [] { return std::int64_t{5}; });
        EXPECT_TRUE(store.ok()) << store.error();
        return std::move(store.value());
    }
};

std::string refusal(const std::string& text) {
    const auto map = parse_input_map(text, "here");
    return map ? "" : map.error();
}

}  // namespace

TEST(InputMapJson, ComesBackToTheBit) {
    for (const core::InputMap& map : {core::InputMap(), example()}) {
        const auto back = parse_input_map(input_map_json(map), "here");
        ASSERT_TRUE(back.ok()) << back.error();
        EXPECT_EQ(back.value(), map);
    }
}

TEST(InputMapJson, WhatCannotBeIsOneSentence) {
    const std::string head = R"({"format": "letoff-keyboard", "version": 1)";
    EXPECT_EQ(refusal(head + "}"), "");
    EXPECT_THAT(refusal("nonsense"), HasSubstr("here: "));
    EXPECT_THAT(refusal("{}"), HasSubstr("no keyboard"));
    EXPECT_THAT(refusal(R"({"format": "letoff-keyboard", "version": 2})"), HasSubstr("version"));
    EXPECT_THAT(refusal(head + R"(, "channels": "two"})"), HasSubstr("omni, one or split"));
    EXPECT_THAT(refusal(head + R"(, "channel": 17})"), HasSubstr("channels"));
    EXPECT_THAT(refusal(head + R"(, "channel": 1.5})"), HasSubstr("'channel'"));
    EXPECT_THAT(refusal(head + R"(, "sustain": [0, 300]})"), HasSubstr("0 to 127"));
    EXPECT_THAT(refusal(head + R"(, "sustain": [60, 61]})"), HasSubstr("16 apart"));
    EXPECT_THAT(refusal(head + R"(, "curve": [1, 2]})"), HasSubstr("127 numbers"));
    EXPECT_THAT(refusal(head + R"(, "fine_velocity": "on"})"), HasSubstr("true or false"));
    EXPECT_THAT(refusal(head + R"(, "black_offset": "much"})"), HasSubstr("'black_offset'"));
}

TEST(InputMapJson, TheShiftingNumbersOfAPortAreLeftOut) {
    EXPECT_EQ(lasting_port_name("Keystation:Keystation MIDI 1 20:0"), "Keystation:Keystation MIDI 1");
    EXPECT_EQ(lasting_port_name("Keystation:Keystation MIDI 1"), "Keystation:Keystation MIDI 1");
    EXPECT_EQ(lasting_port_name("system:midi_capture_1"), "system:midi_capture_1");
    EXPECT_EQ(lasting_port_name(" 20:0"), " 20:0");
    EXPECT_EQ(lasting_port_name(""), "");
}

TEST_F(InputMapStoreTest, AKeyboardIsKnownAgainUnderAnotherNumber) {
    {
        InputMapStore store = opened();
        ASSERT_TRUE(store.save("Keys:Keys MIDI 1 20:0", example()).ok());
        ASSERT_TRUE(store.save("Other", core::InputMap()).ok());
    }
    InputMapStore store = opened();
    EXPECT_EQ(store.find("keys:Keys MIDI 1 28:0").value(), example());
    EXPECT_EQ(store.find("Keys:Keys MIDI 2 20:1").value(), std::nullopt);
    ASSERT_EQ(store.list().value().size(), 2u);
    EXPECT_EQ(store.list().value()[0].saved_unix_s, 5);
    ASSERT_TRUE(store.save("Keys:Keys MIDI 1 30:0", core::InputMap()).ok());
    EXPECT_EQ(store.find("Keys:Keys MIDI 1").value(), core::InputMap());
    EXPECT_THAT(store.remove("None").error(), HasSubstr("'Keys:Keys MIDI 1', 'Other'"));
    ASSERT_TRUE(store.remove("Other").ok());
    EXPECT_EQ(store.list().value().size(), 1u);
    core::InputMap wrong;
    wrong.channel = 99;
    EXPECT_THAT(store.save("Keys", wrong).error(), HasSubstr("not saved"));
}

}  // namespace letoff::storage
