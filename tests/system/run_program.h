// Runs the built program letoff as a user would and gives back what it said and how it ended.
#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <spawn.h>
#include <sys/wait.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "tests/support/temp_dir.h"

namespace letoff::test {

struct ProgramRun {
    int status = -1;  // exit status; -1: it did not end by itself
    std::string out, err;
};

inline std::string read_text(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

/// A cache beside the program, so that the finger tables (a minute of computing) are made once for a build.
inline std::filesystem::path kept_cache() {
    const std::filesystem::path folder = std::filesystem::path(LETOFF_PROGRAM).parent_path() / "test_cache";
    std::filesystem::create_directories(folder);
    return folder;
}

/// `cache`: folder for its caches and, if `data` is not given, its profiles, so that no test depends on the user's.
inline ProgramRun run_letoff(std::vector<std::string> arguments, const std::filesystem::path& cache,
                             const std::filesystem::path& data = {}) {
    const TempDir said;
    const std::string out = said.path() / "out", err = said.path() / "err";
    std::string program = LETOFF_PROGRAM;
    std::vector<char*> argv{program.data()};
    for (std::string& argument : arguments) argv.push_back(argument.data());
    argv.push_back(nullptr);
    std::vector<std::string> environment{"XDG_CACHE_HOME=" + cache.string(),
                                         "XDG_DATA_HOME=" + (data.empty() ? cache : data).string(),
                                         "PATH=/usr/bin:/bin"};
    std::vector<char*> envp;
    for (std::string& variable : environment) envp.push_back(variable.data());
    envp.push_back(nullptr);

    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 1, out.c_str(), O_WRONLY | O_CREAT, 0600);
    posix_spawn_file_actions_addopen(&actions, 2, err.c_str(), O_WRONLY | O_CREAT, 0600);
    pid_t child = 0;
    const int error = posix_spawn(&child, LETOFF_PROGRAM, &actions, nullptr, argv.data(), envp.data());
    posix_spawn_file_actions_destroy(&actions);
    EXPECT_EQ(error, 0) << "cannot start " << LETOFF_PROGRAM;
    ProgramRun run;
    int status = 0;
    if (error == 0 && waitpid(child, &status, 0) == child && WIFEXITED(status)) run.status = WEXITSTATUS(status);
    run.out = read_text(out);
    run.err = read_text(err);
    return run;
}

inline std::vector<std::string> names_in(const std::filesystem::path& folder) {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
        names.push_back(std::filesystem::relative(entry.path(), folder).string());
    }
    std::sort(names.begin(), names.end());
    return names;
}

/// One line that begins with the program's name and ends there: no usage text, no second line, no full path of a
/// source.
inline void expect_one_sentence(const std::string& err) {
    EXPECT_EQ(std::count(err.begin(), err.end(), '\n'), 1) << err;
    EXPECT_TRUE(err.starts_with("letoff")) << err;
    EXPECT_GT(err.size(), 20u) << err;
}

}  // namespace letoff::test
