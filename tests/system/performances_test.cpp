// Real performances through the instrument: SMF -> instrument -> recording -> SMF, every note and pedal value, times
// within 1 ms, velocities within 1. Their folder is given by LETOFF_PERFORMANCES (they are not part of the project).
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <nlohmann/json.hpp>

#include "core/midi/performance.h"
#include "storage/midi_file.h"
#include "tests/system/run_program.h"

namespace letoff::test {
namespace {

namespace fs = std::filesystem;

core::Performance read(const fs::path& file) {
    const auto midi = storage::read_midi_file(file);
    EXPECT_TRUE(midi.ok()) << midi.error();
    return core::performance_of(midi.value().messages, midi.value().end_s);
}

void expect_same(const core::Performance& got, const core::Performance& asked, const std::string& name) {
    ASSERT_EQ(got.notes.size(), asked.notes.size()) << name;
    for (std::size_t i = 0; i < got.notes.size(); ++i) {
        ASSERT_EQ(got.notes[i].key_index, asked.notes[i].key_index) << name << ' ' << i;
        ASSERT_NEAR(got.notes[i].on_time_s, asked.notes[i].on_time_s, 1e-3) << name << ' ' << i;
        ASSERT_NEAR(got.notes[i].off_time_s, asked.notes[i].off_time_s, 1e-3) << name << ' ' << i;
        ASSERT_NEAR(got.notes[i].midi_velocity(), asked.notes[i].midi_velocity(), 1) << name << ' ' << i;
    }
    for (const auto moves : {&core::Performance::sustain, &core::Performance::sostenuto, &core::Performance::soft}) {
        ASSERT_EQ((got.*moves).size(), (asked.*moves).size()) << name;
        for (std::size_t i = 0; i < (got.*moves).size(); ++i) {
            ASSERT_EQ((got.*moves)[i].position, (asked.*moves)[i].position) << name << ' ' << i;
            ASSERT_NEAR((got.*moves)[i].time_s, (asked.*moves)[i].time_s, 1e-3) << name << ' ' << i;
        }
    }
}

/// Of the notes asked for, how many a hammer struck within 1 ms and 1 step of velocity; the nearest strike of the key.
std::size_t struck_as_asked(const core::Performance& struck, const core::Performance& asked) {
    std::size_t count = 0;
    for (const core::PerformedNote& note : asked.notes) {
        for (const core::PerformedNote& strike : struck.notes) {
            if (strike.key_index != note.key_index || std::abs(strike.on_time_s - note.on_time_s) > 1e-3) continue;
            count += std::abs(strike.midi_velocity() - note.midi_velocity()) <= 1 ? 1 : 0;
            break;
        }
    }
    return count;
}

}  // namespace

TEST(PerformancesLong, SurviveInstrumentRecordingAndExport) {
    const char* folder = std::getenv("LETOFF_PERFORMANCES");
    if (folder == nullptr) GTEST_SKIP() << "LETOFF_PERFORMANCES names no folder with MIDI files";
    const TempDir data;
    int pieces = 0;
    for (const auto& entry : fs::directory_iterator(folder)) {
        if (entry.path().extension() != ".mid") continue;
        const std::string name = entry.path().stem();
        const auto run = [&](std::vector<std::string> arguments) {
            arguments.push_back("--json");
            const ProgramRun done = run_letoff(std::move(arguments), kept_cache(), data.path());
            EXPECT_EQ(done.status, 0) << done.err;
            return nlohmann::json::parse(done.out, nullptr, false);
        };
        const auto taken = run({"record", "import", entry.path(), name});
        const std::string out = data.path() / (name + "_out.mid"), struck = data.path() / (name + "_struck.mid");
        run({"record", "export", name, "-o", out});
        run({"record", "export", name, "-o", struck, "--of", "hammers"});
        const core::Performance asked = read(entry.path());
        expect_same(read(out), asked, name);
        const core::Performance hammers = read(struck);
        const std::size_t as_asked = struck_as_asked(hammers, asked);
        std::cout << name << ": " << asked.notes.size() << " notes, " << asked.sustain.size() << " pedal values; "
                  << hammers.notes.size() << " strikes, " << as_asked << " within 1 ms and 1 step of what was asked, "
                  << taken["silent"] << " silent\n";
        ++pieces;
    }
    EXPECT_GT(pieces, 0);
}

}  // namespace letoff::test
