// Real playing through the whole instrument: the notes of a performance are struck when they should be.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>

#include "core/unit/key_name.h"
#include "tests/system/performance_file.h"
#include "tests/system/run_program.h"
#include "ui/app/instrument.h"

namespace letoff::test {
namespace {

namespace fs = std::filesystem;

/// The notes that begin before end_s; what still sounds then is let go.
core::Performance beginning_of(core::Performance performance, double end_s) {
    std::erase_if(performance.notes, [&](const core::PerformedNote& note) { return note.on_time_s >= end_s; });
    for (core::PerformedNote& note : performance.notes)
        note.off_time_s = std::max(note.on_time_s, std::min(note.off_time_s, end_s + 0.5));
    for (auto* pedal : {&performance.sustain, &performance.sostenuto, &performance.soft})
        std::erase_if(*pedal, [&](const core::PedalMove& move) { return move.time_s >= end_s; });
    performance.end_s = end_s + 0.5;
    return performance;
}

TEST(Render, NotesOfABalladeAreStruckWithinAQuarterOfAMillisecond) {
    const fs::path piece = fs::path(LETOFF_SOURCE_DIR) / ".." / "shared" / "midi" / "chopin_ballade_1.mid";
    if (!fs::exists(piece)) GTEST_SKIP() << "no shared/midi beside the checkout";
    const core::Performance performance = beginning_of(read_performance(piece), 12);
    ASSERT_GT(performance.notes.size(), 20u);

    ui::InstrumentSetting setting;
    setting.cache_file = kept_tables();
    auto instrument = ui::Instrument::create(setting);
    ASSERT_TRUE(instrument.ok()) << instrument.error();
    std::size_t samples = 0;
    const ui::RenderSummary summary = instrument.value()->render(
        performance, [&](std::span<const float> left, std::span<const float>) { samples += left.size(); }, {}, 1.0);

    int ordinary = 0, on_time = 0;
    std::string wrong;
    for (const keyboard::NoteOutcome& outcome : summary.outcomes) {
        const double late_s = outcome.strike.strike_time_s - outcome.note_time_s;
        const bool good = outcome.struck && std::abs(late_s) <= 0.25e-3;
        if (!outcome.repetition) {
            ++ordinary;
            on_time += good ? 1 : 0;
        }
        if (!good) {
            wrong +=
                fmt::format("{} at {:.4f} s, velocity {}, {}: {}\n", core::key_name(outcome.key_index),
                            outcome.note_time_s, outcome.note_velocity, outcome.repetition ? "repetition" : "ordinary",
                            outcome.struck ? fmt::format("{:+.2f} ms", 1e3 * late_s) : "missed");
        }
        EXPECT_TRUE(outcome.struck || outcome.repetition)
            << core::key_name(outcome.key_index) << " at " << outcome.note_time_s << " s is missed and no repetition";
    }
    RecordProperty("ordinary_notes", ordinary);
    RecordProperty("on_time", on_time);
    EXPECT_GT(ordinary, static_cast<int>(summary.outcomes.size()) / 2);
    EXPECT_GE(on_time, 0.99 * ordinary) << "of " << ordinary << " ordinary notes " << on_time << " are on time:\n"
                                        << wrong;
    EXPECT_EQ(summary.faults, 0);
    EXPECT_EQ(summary.limited_samples, 0);
    EXPECT_GT(summary.max_abs_sample, 0.01);
    EXPECT_NEAR(static_cast<double>(samples), 48000 * summary.duration_s, 48 * 2);
}

}  // namespace
}  // namespace letoff::test
