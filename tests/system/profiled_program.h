// The program with caches and touch profiles of its own, as the tests of its subcommands run it.
#pragma once

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "tests/system/run_program.h"

namespace letoff::test {

class ProfiledProgram : public testing::Test {
  protected:
    ProgramRun run(const std::vector<std::string>& arguments) const {
        return run_letoff(arguments, cache_.path(), data_.path());
    }
    std::string out(const std::vector<std::string>& arguments) const {
        const ProgramRun done = run(arguments);
        EXPECT_EQ(done.status, 0) << done.err;
        EXPECT_EQ(done.err, "");
        return done.out;
    }
    nlohmann::json reported(std::vector<std::string> arguments) const {
        arguments.push_back("--json");
        return nlohmann::json::parse(out(arguments));
    }
    void expect_failure(int status, const std::vector<std::string>& arguments, const std::string& word) const {
        expect_failed(run(arguments), status, word);
    }
    /// The sentence with which it fails.
    std::string refused(int status, const std::vector<std::string>& arguments) const {
        const ProgramRun done = run(arguments);
        expect_failed(done, status);
        return done.err;
    }

    TempDir cache_, data_;
};

}  // namespace letoff::test
