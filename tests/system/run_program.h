// Runs the built program letoff as a user would and gives back what it said and how it ended.
#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <spawn.h>
#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <utility>
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

/// Where kept_cache() has the finger tables.
inline std::filesystem::path kept_tables() {
    const std::filesystem::path folder = kept_cache() / "letoff";
    std::filesystem::create_directories(folder);
    return folder / "strokes.db";
}

/// Variables with which a program finds no sound server, and starts none.
inline constexpr std::array<std::pair<const char*, const char*>, 3> kNoServers{
    {{"JACK_DEFAULT_SERVER", "letoff-test-nobody"},
     {"JACK_NO_START_SERVER", "1"},
     {"PULSE_SERVER", "unix:/nowhere/pulse.sock"}}};

/// As execve takes them, with a null at the end; they point into the words.
inline std::vector<char*> pointers_to(std::vector<std::string>& words) {
    std::vector<char*> pointers;
    pointers.reserve(words.size() + 1);
    for (std::string& word : words) pointers.push_back(word.data());
    pointers.push_back(nullptr);
    return pointers;
}

/// `cache`: folder for its caches and, if `data` is not given, its profiles, so that no test depends on the user's; nor
/// does it find the user's sound servers.
inline ProgramRun run_letoff(std::vector<std::string> arguments, const std::filesystem::path& cache,
                             const std::filesystem::path& data = {}) {
    const TempDir said;
    const std::string out = said.path() / "out", err = said.path() / "err";
    arguments.insert(arguments.begin(), LETOFF_PROGRAM);
    std::vector<std::string> environment{"XDG_CACHE_HOME=" + cache.string(),
                                         "XDG_DATA_HOME=" + (data.empty() ? cache : data).string(),
                                         "PATH=/usr/bin:/bin"};
    for (const auto& [name, value] : kNoServers) environment.push_back(std::string(name) + "=" + value);
    const std::vector<char*> argv = pointers_to(arguments), envp = pointers_to(environment);

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

/// How often a text has a part.
inline int times_in(const std::string& text, const std::string& part) {
    int times = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + part.size())) ++times;
    return times;
}

/// One line that begins with the program's name and ends there: no usage text, no second line, no full path of a
/// source.
inline void expect_one_sentence(const std::string& err) {
    EXPECT_EQ(std::count(err.begin(), err.end(), '\n'), 1) << err;
    EXPECT_TRUE(err.starts_with("letoff")) << err;
    EXPECT_GT(err.size(), 20u) << err;
}

/// It ended with this status, said nothing on stdout and one sentence on stderr, with this in it.
inline void expect_failed(const ProgramRun& run, int status, const std::string& word = {}) {
    EXPECT_EQ(run.status, status) << run.err;
    expect_one_sentence(run.err);
    EXPECT_NE(run.err.find(word), std::string::npos) << run.err;
    EXPECT_EQ(run.out, "");
}

}  // namespace letoff::test
