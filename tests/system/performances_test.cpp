// Real performances through the instrument: SMF -> instrument -> recording -> SMF, every note and pedal value, times
// within 1 ms, velocities within 1. Their folder is given by LETOFF_PERFORMANCES (they are not part of the project).
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <nlohmann/json.hpp>

#include "tests/system/performance_file.h"
#include "tests/system/run_program.h"

namespace letoff::test {
namespace {

namespace fs = std::filesystem;

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
        SCOPED_TRACE(name);
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
        const core::Performance asked = read_performance(entry.path());
        expect_same_performance(read_performance(out), asked);
        const core::Performance hammers = read_performance(struck);
        const std::size_t as_asked = struck_as_asked(hammers, asked);
        std::cout << name << ": " << asked.notes.size() << " notes, " << asked.sustain.size() << " pedal values; "
                  << hammers.notes.size() << " strikes, " << as_asked << " within 1 ms and 1 step of what was asked, "
                  << taken["silent"] << " silent\n";
        ++pieces;
    }
    EXPECT_GT(pieces, 0);
}

}  // namespace letoff::test
