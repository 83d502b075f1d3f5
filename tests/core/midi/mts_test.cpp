#include "core/midi/mts.h"

#include <gtest/gtest.h>

#include <string_view>
#include <vector>

namespace letoff::core {
namespace {

using Bytes = std::vector<std::uint8_t>;
using Told = MtsTuning::Told;

void append(Bytes& bytes, std::string_view name) {
    for (std::size_t i = 0; i < MtsTuning::kName_bytes; ++i)
        bytes.push_back(i < name.size() ? static_cast<std::uint8_t>(name[i]) : ' ');
}

/// All notes a quarter of a semitone sharp, but note 60, which is left as it is, and note 69, a fifth up.
Bytes bulk(bool with_bank, bool sum_with_first) {
    Bytes bytes{0x7E, 0x10, 0x08, static_cast<std::uint8_t>(with_bank ? 4 : 1)};
    if (with_bank) bytes.push_back(1);
    bytes.push_back(3);
    append(bytes, "Quarter\x01up");
    for (int note = 0; note < kMidiNotes; ++note) {
        const auto pitch = static_cast<std::uint8_t>(note == 69 ? 76 : note);
        const Bytes one = note == 60 ? Bytes{0x7F, 0x7F, 0x7F} : Bytes{pitch, 0x20, 0x00};
        bytes.insert(bytes.end(), one.begin(), one.end());
    }
    std::uint8_t sum = 0;
    for (std::size_t i = sum_with_first ? 0 : 1; i < bytes.size(); ++i) sum ^= bytes[i];
    bytes.push_back(sum & 127U);
    return bytes;
}

TEST(Mts, ABulkDumpTunesAllNotes) {
    for (const bool with_bank : {false, true}) {
        for (const bool sum_with_first : {false, true}) {
            MtsTuning tuning;
            ASSERT_EQ(tuning.take(bulk(with_bank, sum_with_first)), Told::kTuning) << with_bank << sum_with_first;
            EXPECT_EQ(tuning.name(), "Quarter up");
            EXPECT_EQ(tuning.pitches()[21], 21.25);
            EXPECT_EQ(tuning.pitches()[60], 60);
            EXPECT_EQ(tuning.pitches()[69], 76.25);
            EXPECT_EQ(tuning.pitches()[127], 127.25);
        }
    }
}

TEST(Mts, ADamagedDumpChangesNothing) {
    const Bytes whole = bulk(false, true);
    for (const std::size_t size : {std::size_t{4}, std::size_t{20}, whole.size() - 1}) {
        MtsTuning tuning;
        EXPECT_EQ(tuning.take(std::span(whole).first(size)), Told::kDamaged) << size;
        EXPECT_EQ(tuning.pitches()[21], 21);
    }
    Bytes wrong = whole;
    wrong[100] ^= 1;
    MtsTuning tuning;
    EXPECT_EQ(tuning.take(wrong), Told::kDamaged);
    EXPECT_EQ(tuning.pitches()[21], 21);
    EXPECT_EQ(tuning.name(), "");
    EXPECT_EQ(tuning.take(Bytes{0x7E, 0x7F, 0x06, 0x01}), Told::kNothing);        // who is there?
    EXPECT_EQ(tuning.take(Bytes{0x7E, 0x7F, 0x08, 0x00, 0x00}), Told::kNothing);  // a dump is asked for
    EXPECT_EQ(tuning.take({}), Told::kNothing);
}

TEST(Mts, SingleNotesAreTunedAtOnce) {
    MtsTuning tuning;
    EXPECT_EQ(tuning.take(Bytes{0x7F, 0x00, 0x08, 0x02, 5, 2, 69, 68, 0x7F, 0x7F, 60, 60, 0x40, 0}), Told::kTuning);
    EXPECT_EQ(tuning.pitches()[69], 68 + 16383 / 16384.0);
    EXPECT_EQ(tuning.pitches()[60], 60.5);
    EXPECT_EQ(tuning.pitches()[61], 61);
    EXPECT_EQ(tuning.take(Bytes{0x7E, 0x00, 0x08, 0x07, 0, 5, 1, 61, 62, 0, 0}), Told::kTuning);  // with a bank
    EXPECT_EQ(tuning.pitches()[61], 62);
    EXPECT_EQ(tuning.take(Bytes{0x7F, 0x00, 0x08, 0x02, 5, 2, 69, 10, 0, 0}), Told::kDamaged);  // one of two
    EXPECT_EQ(tuning.pitches()[69], 68 + 16383 / 16384.0);
}

TEST(Mts, AnOctaveIsTunedInEveryOctave) {
    MtsTuning tuning;
    Bytes one{0x7F, 0x7F, 0x08, 0x08, 3, 127, 127};
    for (int c = 0; c < 12; ++c) one.push_back(static_cast<std::uint8_t>(c == 4 ? 0x40 - 14 : c == 11 ? 0x7F : 0x40));
    ASSERT_EQ(tuning.take(one), Told::kTuning);
    EXPECT_DOUBLE_EQ(tuning.pitches()[64], 63.86);
    EXPECT_DOUBLE_EQ(tuning.pitches()[28], 27.86);
    EXPECT_DOUBLE_EQ(tuning.pitches()[71], 71.63);
    EXPECT_DOUBLE_EQ(tuning.pitches()[69], 69);
    Bytes two{0x7E, 0x7F, 0x08, 0x09, 3, 127, 127};
    for (int c = 0; c < 12; ++c) {
        two.push_back(c == 0 ? 0 : 0x40);
        two.push_back(c == 9 ? 1 : 0);
    }
    ASSERT_EQ(tuning.take(two), Told::kTuning);
    EXPECT_DOUBLE_EQ(tuning.pitches()[60], 59);  // -100 cents
    EXPECT_DOUBLE_EQ(tuning.pitches()[69], 69 + 1.0 / 8192);
    EXPECT_DOUBLE_EQ(tuning.pitches()[64], 64);  // what was is forgotten
    two.pop_back();
    EXPECT_EQ(tuning.take(two), Told::kDamaged);
}

TEST(Mts, AnOctaveDumpHasANameAndASum) {
    for (const std::size_t width : {std::size_t{1}, std::size_t{2}}) {
        Bytes bytes{0x7E, 0x00, 0x08, static_cast<std::uint8_t>(width == 1 ? 5 : 6), 0, 0};
        append(bytes, "Meantone");
        for (std::size_t c = 0; c < 12; ++c) {
            bytes.push_back(c == 7 ? 0x20 : 0x40);
            if (width == 2) bytes.push_back(0);
        }
        std::uint8_t sum = 0;
        for (const std::uint8_t byte : bytes) sum ^= byte;
        bytes.push_back(sum & 127U);
        MtsTuning tuning;
        ASSERT_EQ(tuning.take(bytes), Told::kTuning) << width;
        EXPECT_EQ(tuning.name(), "Meantone");
        EXPECT_DOUBLE_EQ(tuning.pitches()[67], width == 1 ? 66.68 : 66.5);
        bytes.back() ^= 1;
        EXPECT_EQ(tuning.take(bytes), Told::kDamaged);
    }
}

}  // namespace
}  // namespace letoff::core
