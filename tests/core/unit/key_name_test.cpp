#include "core/unit/key_name.h"

#include <gtest/gtest.h>

#include <string>

#include "core/unit/keys.h"

namespace letoff::core {
namespace {

TEST(KeyNameTest, NumbersNamesAndMidiNotesMeanTheSameKey) {
    EXPECT_EQ(parse_key("1").value(), 0);
    EXPECT_EQ(parse_key("A0").value(), 0);
    EXPECT_EQ(parse_key("midi:21").value(), 0);
    EXPECT_EQ(parse_key("49").value(), 48);  // 440 Hz
    EXPECT_EQ(parse_key("A4").value(), 48);
    EXPECT_EQ(parse_key("midi:69").value(), 48);
    EXPECT_EQ(parse_key("C4").value(), 39);
    EXPECT_EQ(parse_key("midi:60").value(), 39);
    EXPECT_EQ(parse_key("88").value(), 87);
    EXPECT_EQ(parse_key("C8").value(), 87);
}

TEST(KeyNameTest, SharpsAndFlats) {
    EXPECT_EQ(parse_key("C#4").value(), 40);
    EXPECT_EQ(parse_key("Db4").value(), 40);
    EXPECT_EQ(parse_key("Bb3").value(), 37);
    EXPECT_EQ(parse_key("bb3").value(), 37);
    EXPECT_EQ(parse_key("b3").value(), 38);
    EXPECT_EQ(parse_key("Cb4").value(), 38);  // the octave goes with the letter
    EXPECT_EQ(parse_key("B#3").value(), 39);
    EXPECT_EQ(parse_key("Bb0").value(), 1);
}

TEST(KeyNameTest, EveryKeysNameIsReadBack) {
    for (int key = 0; key < kKeyCount; ++key) {
        EXPECT_EQ(parse_key(key_name(key)).value(), key) << key_name(key);
        EXPECT_EQ(parse_key(std::to_string(key + 1)).value(), key);
    }
    EXPECT_EQ(key_name(0), "A0");
    EXPECT_EQ(key_name(40), "C#4");
    EXPECT_EQ(key_name(87), "C8");
}

TEST(KeyNameTest, KeysBesideThePianoAreSaidToBe) {
    for (const char* text : {"0", "89", "-1", "99999999999999", "C#8", "G0", "Ab0", "C9", "midi:20", "midi:109"}) {
        const auto result = parse_key(text);
        ASSERT_FALSE(result.ok()) << text;
        EXPECT_EQ(result.error(), "The key '" + std::string(text) +
                                      "' is not on the piano; use 1 to 88, A0 to C8, or midi:21 to midi:108.");
    }
}

TEST(KeyNameTest, WhatIsNoKeyIsSaidNotToBe) {
    for (const char* text : {"",    " ",     "A",      "H4",       "#4",      "C##4",    "Cbb4", "C#",
                             "C4 ", " C4",   "4C",     "C10",      "C-1",     "C+4",     "1.5",  "+5",
                             "49x", "midi:", "midi:x", "midi: 60", "MIDI:60", "midi:C4", "all",  "\xE2\x99\xAF"}) {
        const auto result = parse_key(text);
        ASSERT_FALSE(result.ok()) << text;
        EXPECT_EQ(result.error(),
                  "The key '" + std::string(text) +
                      "' is not a key; write a number from 1 to 88, a name like A0, C#4 or Bb3, or midi:60.");
    }
}

}  // namespace
}  // namespace letoff::core
