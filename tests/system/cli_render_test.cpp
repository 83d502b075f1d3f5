#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "tests/system/midi_bytes.h"
#include "tests/system/performance_file.h"
#include "tests/system/run_program.h"

namespace letoff::test {
namespace {

using Json = nlohmann::json;
namespace fs = std::filesystem;

std::vector<Json> json_lines(const std::string& text) {
    std::vector<Json> lines;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) lines.push_back(Json::parse(line));
    return lines;
}

// field_cases.md, case 38: one note-on whose off never comes, in a file of half a second. It ends with the piece, and
// the sound when it has died away, at the latest 30 s after.
TEST(CliRender, Case38ANoteThatIsNeverLetGoEndsWithThePiece) {
    const unsigned char bytes[] = {'M', 'T', 'h', 'd', 0, 0, 0, 6,    0,  0,  0,    1,    0x01, 0xE0, 'M', 'T',
                                   'r', 'k', 0,   0,   0, 9, 0, 0x90, 60, 64, 0x83, 0x60, 0xFF, 0x2F, 0};
    const TempDir dir;
    const std::string piece = dir.write("hangs.mid", {reinterpret_cast<const char*>(bytes), sizeof bytes});
    const std::string wav = (dir.path() / "hangs.wav").string();
    const ProgramRun run = run_letoff({"render", piece, "-o", wav, "--json", "--executor", "inline"}, kept_cache());
    ASSERT_EQ(run.status, 0) << run.err;
    const double duration_s = Json::parse(run.out)["duration_s"].get<double>();
    EXPECT_GT(duration_s, 0.5);
    EXPECT_LT(duration_s, 0.5 + 30);
    EXPECT_EQ(Json::parse(run.out)["strikes"], 1);
    EXPECT_NEAR(static_cast<double>(fs::file_size(wav)), 6 * 48000 * duration_s, 1000);
}

TEST(CliRender, WhatIsNotAPianosIsSaid) {
    // Note 20 is a key below A0; note 38 on channel 10 is a snare drum.
    const unsigned char bytes[] = {'M',  'T',  'h',  'd', 0, 0, 0,    6,  0,    0,  0,    1,    0x01, 0xE0, 'M',
                                   'T',  'r',  'k',  0,   0, 0, 21,   0,  0x90, 20, 64,   0,    0x99, 38,   64,
                                   0x83, 0x60, 0x80, 20,  0, 0, 0x89, 38, 0,    0,  0xFF, 0x2F, 0};
    const TempDir dir;
    const std::string piece = dir.write("drums.mid", {reinterpret_cast<const char*>(bytes), sizeof bytes});
    const ProgramRun run = run_letoff(
        {"render", piece, "-o", (dir.path() / "drums.wav").string(), "--json", "--executor", "inline"}, kept_cache());
    ASSERT_EQ(run.status, 0) << run.err;
    EXPECT_EQ(Json::parse(run.out)["notes"], 1);
    EXPECT_EQ(Json::parse(run.out)["notes_outside_keys"], 1);
    EXPECT_EQ(Json::parse(run.out)["notes_percussion"], 1);
    EXPECT_NE(run.err.find("beyond the 88 keys A0 to C8, which are left out: 1"), std::string::npos) << run.err;
    EXPECT_NE(run.err.find("channel 10, General MIDI's drums, which a piano plays here: 1"), std::string::npos);
}

// A second note after five hours; a WAV file holds four.
TEST(CliRender, WhatIsTooLongForAWavFileIsSaidBeforeItIsPlayed) {
    const unsigned char bytes[] = {'M',  'T',  'h',  'd',  0,    0,  0,  6,    0,    0,  0,  1,    0x01, 0xE0, 'M',
                                   'T',  'r',  'k',  0,    0,    0,  23, 0,    0x90, 60, 64, 0x60, 0x80, 60,   0,
                                   0x88, 0x9E, 0xD8, 0x00, 0x90, 60, 64, 0x60, 0x80, 60, 0,  0,    0xFF, 0x2F, 0};
    const TempDir dir;
    const std::string piece = dir.write("long.mid", {reinterpret_cast<const char*>(bytes), sizeof bytes});
    const ProgramRun run = run_letoff({"render", piece, "-o", (dir.path() / "long.wav").string()}, kept_cache());
    EXPECT_EQ(run.status, 1);
    EXPECT_NE(run.err.find("longer than the 4 GiB that a WAV file holds"), std::string::npos) << run.err;
    EXPECT_FALSE(fs::exists(dir.path() / "long.wav"));
}

TEST(CliRender, TwoNotesGiveSoundEventsAndMidiTheSameEveryTime) {
    const TempDir dir;
    const std::string piece = dir.write("two.mid", two_notes_midi());
    const auto path = [&](const std::string& name) { return (dir.path() / name).string(); };
    const ProgramRun run = run_letoff({"render", piece, "-o", path("a.wav"), "--events", path("a.jsonl"), "--midi",
                                       path("a.mid"), "--json", "--executor", "inline"},
                                      kept_cache());
    ASSERT_EQ(run.status, 0) << run.err;
    EXPECT_EQ(run.err, "");

    const Json report = Json::parse(run.out);
    for (const char* name : {"duration_s", "real_time_factor", "notes", "strikes", "silent_presses", "missed_notes",
                             "max_abs_sample", "threads", "tick_hz"}) {
        EXPECT_TRUE(report.contains(name) && report[name].is_number()) << name;
    }
    EXPECT_EQ(report["notes"], 2);
    EXPECT_EQ(report["strikes"], 2);
    EXPECT_EQ(report["missed_notes"], 0);
    EXPECT_EQ(report["threads"], 1);
    EXPECT_EQ(report["tick_hz"], 4000);
    EXPECT_GT(report["max_abs_sample"], 0.001);

    // 44 bytes of header at least, 2 x 3 bytes a sample.
    const double samples = report["duration_s"].get<double>() * 48000;
    EXPECT_NEAR(static_cast<double>(fs::file_size(path("a.wav"))), 6 * samples, 1000);

    const std::vector<Json> events = json_lines(read_text(path("a.jsonl")));
    ASSERT_EQ(events.size(), 2u);
    for (const Json& event : events) {
        for (const char* name :
             {"key", "note_time_s", "note_velocity", "strike_time_s", "hammer_speed_mps", "escapement_time_s",
              "key_bottom_time_s", "midi_velocity", "velocity_14bit", "note_shortened_ms"}) {
            EXPECT_TRUE(event.contains(name)) << name;
        }
        EXPECT_NEAR(event["strike_time_s"].get<double>(), event["note_time_s"].get<double>(), 0.25e-3);
        EXPECT_NEAR(event["midi_velocity"].get<double>(), event["note_velocity"].get<double>(), 0.5);
    }
    EXPECT_EQ(events[0]["key"], 40);
    EXPECT_EQ(events[1]["key"], 52);
    EXPECT_EQ(events[1]["note_time_s"], 0.5);

    const core::Performance played = read_performance(path("a.mid"));
    ASSERT_EQ(played.notes.size(), 2u);
    EXPECT_EQ(played.notes[0].key_index, 39);
    EXPECT_EQ(played.notes[0].velocity_14bit, events[0]["velocity_14bit"].get<int>());
    EXPECT_NEAR(played.notes[1].on_time_s, 0.5, 0.35e-3);  // and a tick of 0.1 ms
    EXPECT_NEAR(played.notes[0].off_time_s, 0.5, 0.1);     // the damper falls after the finger has left

    const ProgramRun again = run_letoff({"render", piece, "-o", path("b.wav"), "--events", path("b.jsonl"), "--midi",
                                         path("b.mid"), "--threads", "2", "--executor", "threads", "--simd", "scalar"},
                                        kept_cache());
    ASSERT_EQ(again.status, 0) << again.err;
    for (const std::string ending : {".wav", ".jsonl", ".mid"}) {
        EXPECT_TRUE(read_text(path("a" + ending)) == read_text(path("b" + ending))) << ending;
    }
    EXPECT_EQ(names_in(dir.path()).size(), 7u);  // the piece and two times three files, no part of one
}

}  // namespace
}  // namespace letoff::test
