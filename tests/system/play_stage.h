// The program `letoff` while it plays, as a user's shell sees it: a child process whose words are kept as they come,
// that gets signals, and whose end is waited for with a deadline.
//
// Threads: one.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/temp_dir.h"
#include "tests/support/wait_for.h"

namespace letoff::test {

// The first start of all learns the touch of 88 keys: half a minute on two idle cores.
inline constexpr double kStartsWithin_s = 300;
inline constexpr double kEndsWithin_s = 30;
// What the machine does at its leisure: a port seen, a server found again.
inline constexpr double kSoon_s = 30;

class PlayingProgram {
  public:
    struct Start {
        std::filesystem::path cache;  // folder; empty: the one that all tests of a build share
        int ignored_signal = 0;       // by whoever starts it, as nohup does
    };
    /// Starts at once, in `folder`. It finds the sound servers of this process's environment.
    PlayingProgram(std::vector<std::string> arguments, const std::filesystem::path& folder, const Start& start);
    PlayingProgram(std::vector<std::string> arguments, const std::filesystem::path& folder)
        : PlayingProgram(std::move(arguments), folder, Start()) {}
    /// SIGTERM, and SIGKILL to one that hangs.
    ~PlayingProgram();
    PlayingProgram(const PlayingProgram&) = delete;
    PlayingProgram& operator=(const PlayingProgram&) = delete;

    /// What it wrote to stderr so far, and to stdout.
    std::string err() const;
    std::string out() const;
    /// Waits for a part of what it says on stderr after the first `after` bytes; false: it ended or the time is over.
    bool says(const std::string& part, double seconds, std::size_t after = 0);
    /// It plays: until here nothing is worth a measurement.
    bool plays() { return says("Ctrl-C ends", kStartsWithin_s); }
    /// As plays(), and notes strike as their messages come.
    bool plays_with_tables() { return plays() && says("notes sound as they come", kStartsWithin_s); }

    /// Size of the largest file that it holds open there, with a name or without.
    std::uintmax_t bytes_written_in(const std::filesystem::path& folder) const;

    /// Processor's time that it has used, on all its threads; negative: it has ended.
    double cpu_s() const;
    /// What it has in memory now.
    double memory_MB() const;
    /// How often its threads went to sleep and were woken.
    std::int64_t wakes() const;

    void send(int signal_number) const;
    /// How it ended: its exit status, or minus the signal. Nothing: it still runs.
    std::optional<int> ends(double seconds = kEndsWithin_s);
    /// The report of --json, after its end; an empty object where there is none.
    nlohmann::json report() const;

  private:
    bool ended();

    TempDir words_;
    pid_t pid_ = -1;
    int status_ = 0;
    bool over_ = false;
};

/// Processor's time that this machine takes to let a thread sleep for a millisecond and wake it.
double wake_cost_s();

/// SIGTERM, exit status 0 in good time and the report.
nlohmann::json stop_and_report(PlayingProgram& program);

/// From here on this process and its children find no sound server.
void forget_all_servers();

}  // namespace letoff::test
