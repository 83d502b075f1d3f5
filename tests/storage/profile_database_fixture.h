// What the tests of the database of touch profiles share: one in a folder of its own, ways to damage it, and work in a
// process of its own.
#pragma once

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <string>

#include "tests/storage/profile_examples.h"

namespace letoff::storage {

namespace fs = std::filesystem;

class ProfileDatabaseTest : public test::ProfileFolder {
  protected:
    void make_example() const {
        ProfileStore store = opened();
        ASSERT_TRUE(store.create(test::example(), "").ok());
    }
    /// Two revisions over many pages.
    void make_large() const {
        make_example();
        ProfileStore store = opened();
        Profile profile = test::example();
        for (int i = 0; i < 1000; ++i) profile.values[{1 + i % 88, "row_" + std::to_string(i)}] = {i / 8.0, false};
        ASSERT_TRUE(store.save(head(store), profile, "").ok());
    }
    std::string backup() const { return file() + ".backup"; }
    bool exists(const std::string& ending) const { return fs::exists(file() + ending); }

    void write(const std::string& bytes) const { std::ofstream(file(), std::ios::binary) << bytes; }
    /// Noise over all pages but the first.
    void damage() const {
        const auto size = fs::file_size(file());
        ASSERT_GT(size, 8192u);
        std::fstream out(file(), std::ios::in | std::ios::out | std::ios::binary);
        out.seekp(4096);
        out << std::string(size - 4096, '\x55');
    }

    /// Runs in a process of its own; what it says must be "".
    static void expect_in_child(const std::function<std::string()>& work) {
        int ends[2];
        ASSERT_EQ(::pipe(ends), 0);
        const pid_t child = ::fork();
        ASSERT_GE(child, 0);
        if (child == 0) {
            std::string said;
            try {
                said = work();
            } catch (const std::exception& error) {
                said = error.what();
            }
            ::_exit(::write(ends[1], said.data(), said.size()) == static_cast<ssize_t>(said.size()) ? 0 : 1);
        }
        ::close(ends[1]);
        std::string said;
        char buffer[512];
        for (ssize_t count = 0; (count = ::read(ends[0], buffer, sizeof buffer)) > 0;)
            said.append(buffer, static_cast<std::size_t>(count));
        ::close(ends[0]);
        int status = 0;
        ASSERT_EQ(::waitpid(child, &status, 0), child);
        EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
        EXPECT_EQ(said, "");
    }
};

}  // namespace letoff::storage
