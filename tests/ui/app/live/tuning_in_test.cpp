#include "ui/app/live/tuning_in.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <vector>

#include "core/unit/keys.h"
#include "storage/scala.h"
#include "tests/support/temp_dir.h"

namespace letoff::ui {
namespace {

using ::testing::HasSubstr;
constexpr std::int64_t kSecond_ns = 1'000'000'000;

/// C and G of every octave 14 cents flat.
std::vector<std::uint8_t> octave() {
    std::vector<std::uint8_t> bytes{0x7F, 0x7F, 0x08, 0x08, 3, 127, 127};
    for (int c = 0; c < 12; ++c) bytes.push_back(c == 0 || c == 7 ? 0x40 - 14 : 0x40);
    return bytes;
}

TEST(TuningIn, IsKeptAsAScaleThatTunesTheSame) {
    const test::TempDir folder;
    TuningIn in(folder.path() / "letoff");
    in.take(octave(), kSecond_ns);
    // A single note at once after it: A4 a fifth of a semitone up.
    in.take(std::vector<std::uint8_t>{0x7F, 0, 0x08, 0x02, 0, 1, 69, 69, 0x19, 0x4D}, kSecond_ns + 1);
    EXPECT_EQ(in.poll(kSecond_ns + 2), "");  // more may come
    const std::string sentence = in.poll(2 * kSecond_ns);
    EXPECT_THAT(sentence, HasSubstr("'By MIDI' came by MIDI, up to +20.0 cents"));
    EXPECT_EQ(in.poll(3 * kSecond_ns), "");

    const auto scale = storage::read_scale(folder.path() / "letoff" / "midi_tuning.scl");
    const auto map = storage::read_key_map(folder.path() / "letoff" / "midi_tuning.kbm");
    ASSERT_TRUE(scale.ok()) << scale.error();
    ASSERT_TRUE(map.ok()) << map.error();
    core::Tuning equal;
    equal.stretch = 0;
    const auto tuning = core::with_scale(scale.value(), map.value(), equal, "midi_tuning");
    ASSERT_TRUE(tuning.ok()) << tuning.error();
    const auto cents_at = [&](int midi) {
        const double hz = core::tuned_hz(tuning.value(), core::key_of_midi_note(midi));
        return 1200 * std::log2(hz / 440) - 100 * (midi - 69);
    };
    EXPECT_NEAR(cents_at(21), 0, 1e-3);
    EXPECT_NEAR(cents_at(60), -14, 1e-3);
    EXPECT_NEAR(cents_at(67), -14, 1e-3);
    EXPECT_NEAR(cents_at(69), 20, 5e-3);
    EXPECT_NEAR(cents_at(81), 0, 1e-3);
    EXPECT_NEAR(cents_at(108), -14, 1e-3);
}

TEST(TuningIn, WhatIsDamagedIsSaidAndNothingIsWritten) {
    const test::TempDir folder;
    TuningIn in(folder.path());
    auto bytes = octave();
    bytes.pop_back();
    in.take(bytes, 0);
    EXPECT_EQ(in.poll(kSecond_ns), "a tuning came by MIDI damaged: what is tuned stays");
    EXPECT_FALSE(std::filesystem::exists(folder.path() / "midi_tuning.scl"));
    in.take(std::vector<std::uint8_t>{0x7E, 0x7F, 0x06, 0x01}, 2 * kSecond_ns);
    EXPECT_EQ(in.poll(4 * kSecond_ns), "");
}

TEST(TuningIn, AFolderThatCannotBeWrittenIsOneSentence) {
    const test::TempDir folder;
    std::ofstream(folder.path() / "file") << "x";
    TuningIn in(folder.path() / "file" / "letoff");
    in.take(octave(), 0);
    EXPECT_THAT(in.poll(kSecond_ns), HasSubstr("cannot be kept: "));
}

}  // namespace
}  // namespace letoff::ui
