// Real performances, where the folder with them lies beside the checkout.
#include <gtest/gtest.h>

#include <filesystem>

#include "core/midi/performance.h"
#include "storage/midi_file.h"

using namespace letoff;
namespace fs = std::filesystem;

namespace {

const fs::path kRecordings = LETOFF_SOURCE_DIR "/../shared/midi";

struct Expected {
    const char* name;
    std::size_t notes;
    double end_s;
    double smallest_gap_s;
    std::size_t rested_notes;  // for 250 ms
};

class Recordings : public ::testing::TestWithParam<Expected> {
  protected:
    void SetUp() override {
        if (!fs::exists(kRecordings)) GTEST_SKIP() << "no recordings beside this checkout";
    }
};

}  // namespace

TEST_P(Recordings, AreReadWholeAndComeBackFromAFileOfOurs) {
    const Expected& expected = GetParam();
    const auto file = storage::read_midi_file(kRecordings / expected.name);
    ASSERT_TRUE(file.ok()) << file.error();
    const core::Performance played = core::performance_of(file.value().messages, file.value().end_s);
    const core::RestStatistics rest = core::rest_statistics(played, 0.25);
    EXPECT_EQ(played.notes.size(), expected.notes);
    EXPECT_DOUBLE_EQ(played.end_s, expected.end_s);
    EXPECT_NEAR(rest.smallest_gap_s, expected.smallest_gap_s, 1e-12);
    EXPECT_EQ(rest.rested_notes, expected.rested_notes);
    EXPECT_EQ(played.notes_outside_keys, 0u);
    EXPECT_EQ(played.notes_never_ended, 0u);
    EXPECT_GT(played.sustain.size(), 100u);

    const auto again = storage::parse_midi_file(storage::midi_file_bytes(core::messages_of(played)), "again.mid");
    ASSERT_TRUE(again.ok()) << again.error();
    const core::Performance back = core::performance_of(again.value().messages, again.value().end_s);
    ASSERT_EQ(back.notes.size(), played.notes.size());
    ASSERT_EQ(back.sustain.size(), played.sustain.size());
    EXPECT_NEAR(back.end_s, played.end_s, 51e-6);
}

// Figures of a second reader with rational arithmetic, written for this comparison only.
INSTANTIATE_TEST_SUITE_P(SixPieces, Recordings,
                         ::testing::Values(Expected{"bach_bwv846_fugue.mid", 754, 147.2421875, 0, 675},
                                           Expected{"beethoven_sonata_8_2.mid", 1641, 295.56652010416667, 0, 959},
                                           Expected{"chopin_ballade_1.mid", 4972, 503.2421875, 0, 4088},
                                           Expected{"chopin_etude_op10_2.mid", 1474, 81.79692675, 1.068375e-3, 1274},
                                           Expected{"liszt_la_campanella.mid", 4133, 267.40625, 0, 2638},
                                           Expected{"ravel_alborada.mid", 4196, 352.291314375, 0, 3296}),
                         [](const auto& info) { return fs::path(info.param.name).stem().string(); });
