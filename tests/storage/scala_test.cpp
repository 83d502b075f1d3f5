#include "storage/scala.h"

#include <gtest/gtest.h>

#include <cmath>

namespace letoff::storage {
namespace {

// The example of scl_format.html.
constexpr std::string_view kMeantone = R"(! meanquar.scl
!
1/4-comma meantone scale. Pietro Aaron's temperament (1523)
 12
!
 76.04900
 193.15686
 310.26471
 5/4
 503.42157
 579.47057
 696.57843
 25/16
 889.73529
 1006.84314
 1082.89214
 2/1
)";

constexpr std::string_view kLinearMap = "! Size of map\n0\n0\n127\n60\n69\n440.0\n0\n";

double cents_of(std::string_view pitch) {
    const auto scale = parse_scale("one pitch\n1\n" + std::string(pitch) + "\n", "x.scl");
    EXPECT_TRUE(scale.ok()) << pitch;
    return scale ? scale.value().cents.at(0) : std::nan("");
}
std::string refusal_of(std::string_view text) {
    const auto scale = parse_scale(text, "x.scl");
    return scale ? "accepted" : scale.error();
}
std::string map_refusal_of(std::string_view text) {
    const auto map = parse_key_map(text, "x.kbm");
    return map ? "accepted" : map.error();
}
core::OfKeys hz_of(std::string_view scl, std::string_view kbm) {
    const auto scale = parse_scale(scl, "x.scl");
    const auto map = parse_key_map(kbm, "x.kbm");
    EXPECT_TRUE(scale.ok() && map.ok());
    core::Tuning tuning;
    tuning.stretch = 0;
    const auto with = core::with_scale(scale.value(), map.value(), tuning, "x.scl");
    EXPECT_TRUE(with.ok()) << (with ? "" : with.error());
    return core::tuned_hz(with.value());
}
std::size_t key(int midi) {
    return static_cast<std::size_t>(core::key_of_midi_note(midi));
}

TEST(Scala, ReadsTheExampleOfTheFormat) {
    const auto scale = parse_scale(kMeantone, "meanquar.scl");
    ASSERT_TRUE(scale.ok()) << scale.error();
    EXPECT_EQ(scale.value().description, "1/4-comma meantone scale. Pietro Aaron's temperament (1523)");
    ASSERT_EQ(scale.value().cents.size(), 12u);
    EXPECT_DOUBLE_EQ(scale.value().cents[0], 76.049);
    EXPECT_NEAR(scale.value().cents[3], 386.313714, 1e-6);
    EXPECT_NEAR(scale.value().cents[11], 1200, 1e-12);
}

TEST(Scala, ReadsEveryWayToWriteAPitch) {
    // All are in scl_format.html.
    EXPECT_NEAR(cents_of("81/64"), 407.820003, 1e-6);
    EXPECT_DOUBLE_EQ(cents_of("408.0"), 408);
    EXPECT_DOUBLE_EQ(cents_of("408."), 408);
    EXPECT_NEAR(cents_of("5"), 2786.313714, 1e-6);
    EXPECT_DOUBLE_EQ(cents_of("-5.0"), -5);
    EXPECT_NEAR(cents_of("10/20"), -1200, 1e-12);
    EXPECT_DOUBLE_EQ(cents_of("100.0 cents"), 100);
    EXPECT_DOUBLE_EQ(cents_of(" 100.0 C#"), 100);
    EXPECT_NEAR(cents_of(" 5/4   E\\"), 386.313714, 1e-6);
    EXPECT_DOUBLE_EQ(cents_of("\t701.955\r"), 701.955);
    EXPECT_NEAR(cents_of("2147483647/2147483646"), 8.06e-7, 1e-8);
}

TEST(Scala, AnEmptyDescriptionAndNoNotesAreScales) {
    const auto scale = parse_scale("\n0\n", "x.scl");
    ASSERT_TRUE(scale.ok());
    EXPECT_EQ(scale.value().description, "");
    EXPECT_TRUE(scale.value().cents.empty());
    EXPECT_EQ(core::with_scale(scale.value(), {}, {}, "'x.scl'").error(),
              "'x.scl': the scale has no notes; a keyboard needs one or more");
}

TEST(Scala, RefusesWithOneSentenceThatNamesLineAndValue) {
    EXPECT_EQ(refusal_of(""), "'x.scl' is no Scala scale: it has no description line");
    EXPECT_EQ(refusal_of("! only\n"), "'x.scl' is no Scala scale: it has no description line");
    EXPECT_EQ(refusal_of("a scale\n"), "'x.scl' ends before its number of notes");
    EXPECT_EQ(refusal_of("a scale\ntwelve\n"), "'x.scl' line 2: 'twelve' is not the number of notes, 0 to 10000");
    EXPECT_EQ(refusal_of("a scale\n-1\n"), "'x.scl' line 2: '-1' is not the number of notes, 0 to 10000");
    EXPECT_EQ(refusal_of("a scale\n10001\n"), "'x.scl' line 2: '10001' is not the number of notes, 0 to 10000");
    EXPECT_EQ(refusal_of("a scale\n3\n5/4\n3/2\n"), "'x.scl' says 3 notes and ends after 2");
    EXPECT_EQ(refusal_of("a scale\n! c\n2\n5/4\nfifth\n"),
              "'x.scl' line 5: note 2 of 2, 'fifth', is no pitch; 5/4 or 386.3 would be one");
    EXPECT_EQ(refusal_of("a scale\n1\n.\n"),
              "'x.scl' line 3: note 1 of 1, '.', is no pitch; 5/4 or 386.3 would be one");
    EXPECT_EQ(refusal_of("a scale\n1\n5/0\n"), "'x.scl' line 3: note 1 of 1, '5/0', divides by 0");
    EXPECT_EQ(refusal_of("a scale\n1\n5/\n"), "'x.scl' line 3: note 1 of 1, '5/', lacks the number under the slash");
    EXPECT_EQ(refusal_of("a scale\n1\n0/5\n"), "'x.scl' line 3: note 1 of 1, '0/5', is 0; a ratio is above 0");
    EXPECT_EQ(refusal_of("a scale\n1\n-5/4\n"),
              "'x.scl' line 3: note 1 of 1, '-5/4', is a negative ratio; a ratio is above 0, and cents have a period");
    EXPECT_EQ(refusal_of("a scale\n1\n120001.\n"),
              "'x.scl' line 3: note 1 of 1, '120001.', is too far; -120000 to 120000 cents are possible");
    EXPECT_EQ(refusal_of("a scale\n1\n" + std::string(400, '9') + "\n").find("is too far") != std::string::npos, true);
}

TEST(Scala, ReadsAMapAndLeavesOutKeys) {
    const auto map =
        parse_key_map("! white keys\n12\n21\n108\n60\n69\n432.5\n7\n0\nx\n1\nx\n2\n3\nx\n4\nx\n5\nx\n", "x.kbm");
    ASSERT_TRUE(map.ok()) << map.error();
    EXPECT_EQ(map.value().first_midi, 21);
    EXPECT_EQ(map.value().last_midi, 108);
    EXPECT_EQ(map.value().middle_midi, 60);
    EXPECT_EQ(map.value().reference_midi, 69);
    EXPECT_EQ(map.value().reference_hz, 432.5);
    EXPECT_EQ(map.value().octave_degree, 7);
    ASSERT_EQ(map.value().degree.size(), 12u);
    EXPECT_EQ(map.value().degree[0], 0);
    EXPECT_EQ(map.value().degree[1], std::nullopt);
    EXPECT_EQ(map.value().degree[9], 5);
    EXPECT_EQ(map.value().degree[11], std::nullopt);  // left out at the end
}

TEST(Scala, RefusesMapsWithOneSentence) {
    EXPECT_EQ(map_refusal_of("12\n0\n127\n"), "'x.kbm' is no Scala keyboard map: it ends before the middle note");
    EXPECT_EQ(map_refusal_of("12\n0\n128\n60\n69\n440\n12\n"),
              "'x.kbm' line 3: '128' is not the last MIDI note, 0 to 127");
    EXPECT_EQ(map_refusal_of("12\n9\n3\n60\n69\n440\n12\n"), "'x.kbm': the last MIDI note, 3, is before the first, 9");
    EXPECT_EQ(map_refusal_of("1\n0\n127\n60\n69\nloud\n12\n"),
              "'x.kbm' line 6: 'loud' is not the frequency of the reference note, 0.001 to 100000");
    EXPECT_EQ(map_refusal_of("1.5\n0\n127\n60\n69\n440\n12\n"),
              "'x.kbm' line 1: '1.5' is not the size of the map, 0 to 2048");
    EXPECT_EQ(map_refusal_of("2\n0\n127\n60\n69\n440\n12\n0\ny\n"),
              "'x.kbm' line 9: 'y' is no degree of the scale, -10000 to 10000, and no x");
    EXPECT_FALSE(read_key_map("/nowhere/x.kbm").ok());
    EXPECT_FALSE(read_scale(std::filesystem::temp_directory_path()).ok());
}

TEST(Scala, TunesTheKeysThatItMaps) {
    const core::OfKeys meantone = hz_of(kMeantone, kLinearMap);
    EXPECT_NEAR(meantone[key(69)], 440, 1e-9);
    EXPECT_NEAR(meantone[key(64)] / meantone[key(60)], 5.0 / 4, 1e-9);
    EXPECT_NEAR(meantone[key(72)] / meantone[key(60)], 2, 1e-9);
    EXPECT_NEAR(meantone[key(48)] / meantone[key(60)], 0.5, 1e-9);
    // A reference elsewhere: C4 at 256 Hz, and so A4 at 256 * 889.73529 cents.
    const core::OfKeys at_C = hz_of(kMeantone, "0\n0\n127\n60\n60\n256\n0\n");
    EXPECT_NEAR(at_C[key(60)], 256, 1e-9);
    EXPECT_NEAR(at_C[key(69)], 256 * std::exp2(889.73529 / 1200), 1e-9);
}

TEST(Scala, APatternOfSevenDegreesOnWhiteKeysRepeatsAtItsFormalOctave) {
    constexpr std::string_view kJust = "just diatonic\n7\n9/8\n5/4\n4/3\n3/2\n5/3\n15/8\n2\n";
    constexpr std::string_view kWhite = "12\n0\n127\n60\n60\n264\n7\n0\nx\n1\nx\n2\n3\nx\n4\nx\n5\nx\n6\n";
    const core::OfKeys hz = hz_of(kJust, kWhite);
    EXPECT_NEAR(hz[key(60)], 264, 1e-9);
    EXPECT_NEAR(hz[key(64)], 330, 1e-9);
    EXPECT_NEAR(hz[key(69)], 440, 1e-9);
    EXPECT_NEAR(hz[key(72)], 528, 1e-9);
    EXPECT_NEAR(hz[key(59)], 264.0 * 15 / 16, 1e-9);
    EXPECT_NEAR(hz[key(36)], 66, 1e-9);
    const auto scale = parse_scale(kJust, "j");
    const auto map = parse_key_map(kWhite, "w");
    const auto tuning = core::with_scale(scale.value(), map.value(), {}, "j");
    EXPECT_TRUE(tuning.value().silent[key(61)]);
    EXPECT_FALSE(tuning.value().silent[key(60)]);
    // The reference must be a key that is mapped.
    const auto bad = parse_key_map("12\n0\n127\n60\n61\n264\n7\n0\nx\n", "w");
    EXPECT_EQ(
        core::with_scale(scale.value(), bad.value(), {}, "'w'").error(),
        "'w': the map has nothing for its reference key, MIDI note 61; the frequency must be given for a key that it "
        "maps");
}

TEST(Scala, KeysBeyondTheMapKeepTheirPitch) {
    const core::OfKeys hz = hz_of(kMeantone, "0\n60\n71\n60\n69\n415\n0\n");
    EXPECT_NEAR(hz[key(69)], 415, 1e-9);
    EXPECT_NEAR(hz[key(72)], 440 * std::exp2(3.0 / 12), 1e-9);
    EXPECT_NEAR(hz[key(57)], 220, 1e-9);
}

// field_cases.md, case 46: a comment with a period behind a pitch, carriage returns, blank lines at the end; a map of
// no keys; a map with more degrees than the scale has notes.
TEST(Scala, Case46CommentsReturnsBlankLinesAndMapsThatDoNotFit) {
    const std::string scl =
        "! a.scl\r\nfive\r\n 5\r\n240. ! a.b\r\n480.0 cents. x\r\n3/2 ! 1.5\r\n960.\r\n1200. ! a.b\r\n\r\n \r\n";
    const auto scale = parse_scale(scl, "a.scl");
    ASSERT_TRUE(scale.ok()) << scale.error();
    EXPECT_EQ(scale.value().cents.size(), 5u);
    EXPECT_EQ(scale.value().cents[0], 240);
    EXPECT_NEAR(scale.value().cents[2], 701.955, 1e-3);
    EXPECT_EQ(scale.value().cents[4], 1200);
    // Size 0: one key after the other, also where lines follow that belong to nothing.
    const core::OfKeys none = hz_of(scl, "! b.kbm\r\n0\r\n60\r\n80\r\n69\r\n69\r\n440. ! A.4\r\n0\r\n\r\n\r\n");
    EXPECT_NEAR(none[key(70)] / 440, std::exp2(0.2), 1e-9);
    EXPECT_NEAR(none[key(72)] / 440, 1.5, 1e-9);
    EXPECT_NEAR(none[key(74)] / 440, 2, 1e-9);
    // Seven degrees on a scale of five: those beyond it are of the next octave.
    const core::OfKeys longer = hz_of(scl, "7\n60\n74\n60\n60\n264\n5\n0\n1\n2\n3\n4\n5\n6\n");
    EXPECT_NEAR(longer[key(65)] / 264, 2, 1e-9);
    EXPECT_NEAR(longer[key(66)] / 264, 2 * std::exp2(0.2), 1e-9);
    EXPECT_NEAR(longer[key(67)] / 264, 2, 1e-9);  // the next pattern
    // A degree that no octave of the strings has is refused, not played.
    const auto wild = parse_key_map("1\n0\n127\n60\n60\n264\n0\n9999\n", "w.kbm");
    ASSERT_TRUE(wild.ok());
    EXPECT_FALSE(core::with_scale(scale.value(), wild.value(), {}, "w").ok());
}

TEST(Scala, NineteenEqualStepsReachTheEndsAndTooWideOnesAreRefused) {
    std::string nineteen = "19 equal\n19\n";
    for (int i = 1; i <= 19; ++i) nineteen += std::to_string(1200.0 * i / 19) + "\n";
    const core::OfKeys hz = hz_of(nineteen, kLinearMap);
    EXPECT_NEAR(1200 * std::log2(hz[key(108)] / 440), 39 * 1200.0 / 19, 1e-3);
    const auto wide = parse_scale("octaves\n1\n2/1\n", "wide.scl");
    EXPECT_EQ(core::with_scale(wide.value(), {}, {}, "'wide.scl'").error(),
              "'wide.scl': A0 would be tuned to 1.563e-12 Hz; strings can be tuned to 20 to 10000 Hz");
}

}  // namespace
}  // namespace letoff::storage
