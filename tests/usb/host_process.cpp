#include "tests/usb/host_process.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>
#include <vector>

#include "hw/usb/usb_transport.h"

namespace letoff::test {

namespace {

volatile sig_atomic_t rearm_asked = 0;

/// The testbed's time, through the page that it shares.
class SharedClock final : public core::Clock {
  public:
    explicit SharedClock(int fd)
        : time_us_(static_cast<const std::atomic<std::int64_t>*>(
              ::mmap(nullptr, sizeof(std::atomic<std::int64_t>), PROT_READ, MAP_SHARED, fd, 0))) {}
    bool is_there() const { return time_us_ != MAP_FAILED; }
    int tick_hz() const noexcept override { return 4000; }
    std::int64_t now_ticks() const noexcept override { return *time_us_ / 250; }
    double now_s() const noexcept override { return 1e-6 * static_cast<double>(*time_us_); }
    bool wait_until(std::int64_t) noexcept override { return true; }

  private:
    const std::atomic<std::int64_t>* time_us_;
};

}  // namespace

int run_host_process() {
    int time_fd = -1;
    double force_N = 0;
    if (std::sscanf(std::getenv(kHostProcess), "%d %lf", &time_fd, &force_N) != 2) return 2;
    const SharedClock clock(time_fd);
    if (!clock.is_there()) return 2;
    ::signal(SIGUSR1, [](int) { rearm_asked = 1; });
    core::FaultCounters faults;
    hw::SessionOptions options;
    options.samples = 4;
    hw::ArrayHub hub({.session = options, .calibration = {}, .cogging = {}}, clock, faults);
    hw::UsbTransport transport(hub);
    hub.enable(true);
    if (!transport.start().ok()) return 2;
    core::KeyForces forces;
    forces.force_N.fill(force_N);
    while (true) {
        core::KeyMotion motion;
        hub.newest_motion(motion);
        hub.send_forces(forces);
        for (const auto& event : hub.take_events()) std::printf("%s\n", event.sentence.c_str());
        std::fflush(stdout);
        if (rearm_asked != 0) {
            rearm_asked = 0;
            hub.rearm();
        }
        std::this_thread::sleep_for(std::chrono::microseconds(500));
    }
}

HostProcess::HostProcess(const UsbTestbed& bed, double force_N) {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC | O_NONBLOCK) != 0) return;
    pipe_ = ends[0];
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    std::array<char, 96> mine{};
    std::snprintf(mine.data(), mine.size(), "%s=%d %g", kHostProcess, bed.time_fd(), force_N);
    std::vector<char*> environment;
    for (char** e = environ; *e != nullptr; ++e) environment.push_back(*e);
    environment.push_back(mine.data());
    environment.push_back(nullptr);
    std::array<char, 10> name{"usb_tests"};
    const std::array<char*, 2> arguments{name.data(), nullptr};
    if (::posix_spawn(&pid_, "/proc/self/exe", &actions, nullptr, arguments.data(), environment.data()) != 0) pid_ = -1;
    posix_spawn_file_actions_destroy(&actions);
    ::close(ends[1]);
}

void HostProcess::kill() {
    if (pid_ < 0) return;
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
    pid_ = -1;
    told();
    ::close(pipe_);
    pipe_ = -1;
}

void HostProcess::stop() {
    ::kill(pid_, SIGSTOP);
    ::waitpid(pid_, nullptr, WUNTRACED);
}
void HostProcess::go_on() {
    ::kill(pid_, SIGCONT);
}
void HostProcess::rearm() const {
    ::kill(pid_, SIGUSR1);
}

const std::string& HostProcess::told() {
    std::array<char, 4096> text{};
    while (pipe_ >= 0) {
        const auto n = ::read(pipe_, text.data(), text.size());
        if (n <= 0) break;
        told_.append(text.data(), static_cast<std::size_t>(n));
    }
    return told_;
}

}  // namespace letoff::test
