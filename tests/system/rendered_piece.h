// `letoff render` of a piece of two notes, with the options of a test.
#pragma once

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/system/midi_bytes.h"
#include "tests/system/run_program.h"

namespace letoff::test {

struct RenderedPiece : testing::Test {
    /// Its report; `more` are further options.
    nlohmann::json render(const std::string& out, const std::vector<std::string>& more) {
        std::vector<std::string> arguments = {"render", piece, "-o", in(out), "--json"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        run = run_letoff(arguments, kept_cache());
        EXPECT_EQ(run.status, 0) << run.err;
        return nlohmann::json::parse(run.out, nullptr, false);
    }
    std::string in(const std::string& name) const { return dir.path() / name; }

    TempDir dir;
    std::string piece = dir.write("two.mid", two_notes_midi());
    ProgramRun run;  // the last one
};

}  // namespace letoff::test
