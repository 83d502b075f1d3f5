#include "tests/system/play_stage.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

#include "core/rt/periodic_loop.h"
#include "tests/support/process_status.h"
#include "tests/system/run_program.h"

namespace letoff::test {
namespace {

// A child that is killed has to be asked for within this; SIGKILL is obeyed at once.
constexpr double kLastEnd_s = 10;

/// NAME=value for each that this process has.
std::vector<std::string> environment_of(std::initializer_list<const char*> names) {
    std::vector<std::string> all;
    for (const char* name : names) {
        if (const char* value = std::getenv(name)) all.push_back(std::string(name) + "=" + value);
    }
    return all;
}

}  // namespace

PlayingProgram::PlayingProgram(std::vector<std::string> arguments, const std::filesystem::path& folder,
                               const Start& start) {
    arguments.insert(arguments.begin(), LETOFF_PROGRAM);
    std::vector<std::string> environment =
        environment_of({"JACK_DEFAULT_SERVER", "JACK_NO_START_SERVER", "PULSE_SERVER", "XDG_RUNTIME_DIR", "HOME"});
    environment.push_back("XDG_CACHE_HOME=" + (start.cache.empty() ? kept_cache() : start.cache).string());
    // What it captures is not this user's.
    environment.push_back("XDG_DATA_HOME=" + (words_.path() / "data").string());
    environment.emplace_back("PATH=/usr/bin:/bin");
    const std::vector<char*> argv = pointers_to(arguments), envp = pointers_to(environment);
    const std::string out = words_.path() / "out", err = words_.path() / "err", where = folder.string();
    const pid_t parent = getpid();
    pid_ = fork();
    if (pid_ < 0) ADD_FAILURE() << "no process can be made for " << LETOFF_PROGRAM;
    if (pid_ != 0) return;
    // In the child: only what is allowed after a fork. No test that dies leaves a program behind.
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (start.ignored_signal != 0) signal(start.ignored_signal, SIG_IGN);
    if (getppid() != parent || chdir(where.c_str()) != 0) _exit(126);
    const int in = ::open("/dev/null", O_RDONLY);
    const int to_out = ::open(out.c_str(), O_WRONLY | O_CREAT, 0600);
    const int to_err = ::open(err.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600);
    if (in < 0 || to_out < 0 || to_err < 0) _exit(126);
    if (dup2(in, 0) < 0 || dup2(to_out, 1) < 0 || dup2(to_err, 2) < 0) _exit(126);
    execve(argv[0], argv.data(), envp.data());
    _exit(127);
}

PlayingProgram::~PlayingProgram() {
    if (pid_ <= 0 || ended()) return;
    send(SIGCONT);
    send(SIGTERM);
    if (ends()) return;
    ADD_FAILURE() << "letoff hung and was killed; it had said: " << err();
    send(SIGKILL);
    ends(kLastEnd_s);
}

std::string PlayingProgram::err() const {
    return read_text(words_.path() / "err");
}

std::string PlayingProgram::out() const {
    return read_text(words_.path() / "out");
}

bool PlayingProgram::says(const std::string& part, double seconds, std::size_t after) {
    bool said = false;
    const bool settled = wait_for(seconds, [&] {
        const bool over = ended();  // before the look, or last words would be missed
        said = err().find(part, after) != std::string::npos;
        return said || over;
    });
    if (!said) {
        ADD_FAILURE() << (settled ? "letoff ended" : "letoff waited") << " without saying '" << part
                      << "'; it said: " << err().substr(std::min(after, err().size()));
    }
    return said;
}

std::uintmax_t PlayingProgram::bytes_written_in(const std::filesystem::path& folder) const {
    std::uintmax_t most = 0;
    std::error_code error;
    for (const auto& file : std::filesystem::directory_iterator("/proc/" + std::to_string(pid_) + "/fd", error)) {
        const std::string target = std::filesystem::read_symlink(file.path(), error).string();
        if (error || !target.starts_with(folder.string() + "/")) continue;
        const std::uintmax_t size = std::filesystem::file_size(file.path(), error);
        if (!error) most = std::max(most, size);
    }
    return most;
}

double PlayingProgram::cpu_s() const {
    std::ifstream stat("/proc/" + std::to_string(pid_) + "/stat");
    std::string line;
    if (!std::getline(stat, line)) return -1;
    // Behind the name in brackets the 12th and 13th word are user's and system's ticks.
    std::istringstream words(line.substr(line.rfind(')') + 1));
    std::string skipped;
    for (int i = 0; i < 11; ++i) words >> skipped;
    double user = 0, system = 0;
    words >> user >> system;
    return (user + system) / static_cast<double>(sysconf(_SC_CLK_TCK));
}

double PlayingProgram::memory_MB() const {
    return static_cast<double>(status_figure("/proc/" + std::to_string(pid_), "VmRSS").value_or(0)) / 1024;
}

std::int64_t PlayingProgram::wakes() const {
    std::int64_t sum = 0;
    for (const auto& task : std::filesystem::directory_iterator("/proc/" + std::to_string(pid_) + "/task"))
        sum += status_figure(task.path(), "voluntary_ctxt_switches").value_or(0);
    return sum;
}

double wake_cost_s() {
    constexpr int kSleeps = 500;
    core::ThreadCpuClock clock;
    const double before_s = clock.used_s();
    for (int i = 0; i < kSleeps; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    return (clock.used_s() - before_s) / kSleeps;
}

void PlayingProgram::send(int signal_number) const {
    if (pid_ > 0 && !over_) kill(pid_, signal_number);
}

bool PlayingProgram::ended() {
    over_ = over_ || (pid_ > 0 && waitpid(pid_, &status_, WNOHANG) == pid_);
    return over_;
}

std::optional<int> PlayingProgram::ends(double seconds) {
    if (!wait_for(seconds, [&] { return ended(); })) return std::nullopt;
    return WIFEXITED(status_) ? WEXITSTATUS(status_) : -WTERMSIG(status_);
}

nlohmann::json PlayingProgram::report() const {
    const auto json = nlohmann::json::parse(out(), nullptr, false);
    return json.is_object() ? json : nlohmann::json::object();
}

nlohmann::json stop_and_report(PlayingProgram& program) {
    program.send(SIGTERM);
    EXPECT_EQ(program.ends(), 0) << program.err();
    const nlohmann::json report = program.report();
    EXPECT_FALSE(report.empty()) << "no JSON: " << program.out();
    return report;
}

void forget_all_servers() {
    for (const auto& [name, value] : kNoServers) setenv(name, value, 1);
}

}  // namespace letoff::test
