#include "ui/app/render_report.h"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <sstream>

#include "core/midi/velocity.h"
#include "core/versions.h"

namespace letoff::ui {
namespace {

keyboard::NoteOutcome struck_note(int key, double time_s, double velocity, double late_s, double speed_factor = 1) {
    keyboard::NoteOutcome note;
    note.key_index = key;
    note.note_time_s = time_s;
    note.note_velocity = velocity;
    note.struck = true;
    note.strike = {key, time_s + late_s, speed_factor * core::speed_mps_of_midi_velocity(velocity), time_s - 0.01,
                   core::kNotYet_s};
    return note;
}

keyboard::NoteOutcome missed_note(int key, double time_s, bool repetition) {
    keyboard::NoteOutcome note;
    note.key_index = key;
    note.note_time_s = time_s;
    note.note_velocity = 20;
    note.repetition = repetition;
    return note;
}

std::vector<nlohmann::ordered_json> lines_of(const std::string& text) {
    std::vector<nlohmann::ordered_json> lines;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) lines.push_back(nlohmann::ordered_json::parse(line));
    return lines;
}

TEST(RenderReport, AStrikeHasTheNamesAndUnitsThatScriptsReadWithNullForWhatHasNotCome) {
    const keyboard::NoteOutcome notes[] = {struck_note(48, 1.5, 64, 0.0001)};
    const std::string text = events_as_json_lines({notes, {}, {}});
    ASSERT_EQ(text.back(), '\n');
    const auto line = lines_of(text).at(0);
    static_assert(core::kEventsVersion == 1, "another name taken away or given another meaning is another version");
    const char* names[] = {"key",
                           "note_time_s",
                           "note_velocity",
                           "strike_time_s",
                           "hammer_speed_mps",
                           "escapement_time_s",
                           "key_bottom_time_s",
                           "midi_velocity",
                           "velocity_14bit",
                           "note_shortened_ms"};
    std::size_t i = 0;
    for (auto it = line.begin(); it != line.end() && i < std::size(names); ++it, ++i) EXPECT_EQ(it.key(), names[i]);
    EXPECT_EQ(i, std::size(names));
    EXPECT_EQ(line["key"], 49);
    EXPECT_EQ(line["note_time_s"].get<double>(), 1.5);
    EXPECT_EQ(line["strike_time_s"].get<double>(), 1.5001);  // to the last bit: what is written reads back
    EXPECT_EQ(line["escapement_time_s"].get<double>(), 1.49);
    EXPECT_TRUE(line["key_bottom_time_s"].is_null());
    EXPECT_NEAR(line["midi_velocity"].get<double>(), 64, 1e-9);
    EXPECT_EQ(line["velocity_14bit"], 64 * 128);
}

TEST(RenderReport, MissedNotesAndExtraStrikesAreLinesOfTheirOwnInTheOrderOfTime) {
    const keyboard::NoteOutcome notes[] = {struck_note(10, 1.0, 64, 0), missed_note(20, 3.0, false)};
    const core::Strike extra[] = {{10, 2.0, 0.5, core::kNotYet_s, core::kNotYet_s}};
    const auto lines = lines_of(events_as_json_lines({notes, extra, {}}));
    ASSERT_EQ(lines.size(), 3u);
    EXPECT_EQ(lines[1]["key"], 11);
    EXPECT_TRUE(lines[1]["note_time_s"].is_null());
    EXPECT_TRUE(lines[1]["note_velocity"].is_null());
    EXPECT_EQ(lines[1]["strike_time_s"].get<double>(), 2.0);
    EXPECT_EQ(lines[1]["hammer_speed_mps"].get<double>(), 0.5);
    EXPECT_EQ(lines[2]["note_time_s"].get<double>(), 3.0);
    EXPECT_TRUE(lines[2]["strike_time_s"].is_null());
    EXPECT_TRUE(lines[2]["hammer_speed_mps"].is_null());
    EXPECT_TRUE(lines[2]["velocity_14bit"].is_null());
}

TEST(RenderReport, StrikesBecomeNotesThatEndWhenTheirDamperFalls) {
    const keyboard::NoteOutcome notes[] = {struck_note(10, 1.0, 64, 0.001), missed_note(10, 1.2, true),
                                           struck_note(10, 1.4, 90, 0), struck_note(11, -0.0, 50, -0.0001)};
    const core::Release releases[] = {{10, 0.5, 0.1}, {10, 1.9, 0.2}, {11, 0.3, 0.1}};
    core::Performance from;
    from.sustain = {{0.2, 0.5}};
    from.end_s = 2;
    const core::Performance played = strikes_as_performance({notes, {}, releases}, from);
    ASSERT_EQ(played.notes.size(), 3u);
    EXPECT_EQ(played.notes[0].on_time_s, 0.0);  // no MIDI event comes before the file's beginning
    EXPECT_EQ(played.notes[0].off_time_s, 0.3);
    EXPECT_EQ(played.notes[1].on_time_s, 1.001);
    EXPECT_EQ(played.notes[1].off_time_s, 1.4);  // struck again before its damper fell
    EXPECT_EQ(played.notes[1].velocity_14bit, 64 * 128);
    EXPECT_FALSE(played.notes[1].release_velocity_14bit.has_value());
    EXPECT_EQ(played.notes[2].off_time_s, 1.9);
    EXPECT_EQ(played.notes[2].release_velocity_14bit, core::velocity_14bit_of_speed(1.0));  // 5 times 0.2 m/s
    ASSERT_EQ(played.sustain.size(), 1u);
    EXPECT_EQ(played.sustain[0].position, 0.5);
}

TEST(RenderReport, PercentilesAreNearestRanks) {
    EXPECT_EQ(percentile({}, 0.5), 0);
    EXPECT_EQ(percentile({3, 1, 2}, 0.5), 2);
    EXPECT_EQ(percentile({4, 3, 1, 2}, 0.5), 2);
    EXPECT_EQ(percentile({4, 3, 1, 2}, 0.95), 4);
    EXPECT_EQ(percentile({4, 3, 1, 2}, 0), 1);
}

TEST(RenderReport, OnlyOrdinaryNotesCountForTiming) {
    keyboard::NoteOutcome late_repetition = struck_note(3, 4.0, 64, 0.020);
    late_repetition.repetition = true;
    late_repetition.note_shortened_ms = 12;
    const keyboard::NoteOutcome notes[] = {struck_note(1, 1.0, 64, -0.0002, 1.01),
                                           struck_note(2, 2.0, 64, 0.0004, 0.98), missed_note(5, 3.0, false),
                                           late_repetition, missed_note(3, 5.0, true)};
    const StrikeStatistics s = strike_statistics(notes);
    EXPECT_EQ(s.ordinary_notes, 3);
    EXPECT_EQ(s.repetitions, 2);
    EXPECT_EQ(s.missed_ordinary, 1);
    EXPECT_EQ(s.missed_repetitions, 1);
    EXPECT_EQ(s.shortened_notes, 1);
    EXPECT_NEAR(s.ordinary_within_quarter_ms_share, 1.0 / 3, 1e-12);
    EXPECT_NEAR(s.strike_minus_note_p50_ms, 0.2, 1e-9);
    EXPECT_NEAR(s.strike_minus_note_max_ms, 0.4, 1e-9);
    EXPECT_NEAR(s.speed_error_p50_percent, 1.0, 1e-9);
    EXPECT_NEAR(s.speed_error_max_percent, 2.0, 1e-9);
}

}  // namespace
}  // namespace letoff::ui
