// A real JACK server with its dummy driver for a test, under a name of its own, killed at the end.
#pragma once

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "tests/support/wait_for.h"

namespace letoff::hw::test {

using letoff::test::wait_for;

inline pid_t start_program(std::vector<std::string> command) {
    std::vector<char*> arguments;
    arguments.reserve(command.size() + 1);
    for (std::string& word : command) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    const pid_t pid = fork();
    if (pid != 0) return pid;
    const int nowhere = ::open("/dev/null", O_RDWR);
    for (int i = 0; nowhere >= 0 && i < 3; ++i) dup2(nowhere, i);
    execvp(arguments[0], arguments.data());
    _exit(127);
}

inline int run_program(std::vector<std::string> command) {
    int status = 0;
    waitpid(start_program(std::move(command)), &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

class JackServer {
  public:
    enum class State { kRunning, kNone };

    /// kNone: the name only, so that no other server of this machine is found.
    explicit JackServer(State state = State::kRunning) : name_("letoff-test-midi-" + std::to_string(getpid())) {
        setenv("JACK_DEFAULT_SERVER", name_.c_str(), 1);
        setenv("JACK_NO_START_SERVER", "1", 1);
        if (state == State::kRunning) start();
    }
    JackServer(const JackServer&) = delete;
    JackServer& operator=(const JackServer&) = delete;
    ~JackServer() { end(); }

    void start() {
        // -S: the server waits for its clients. Without it a client that the machine keeps waiting misses a whole
        // period and what came in it; that would be JACK's loss, not ours.
        pid_ = start_program({"jackd", "-n", name_, "-S", "-t", "5000", "-R", "-P", "70", "-d", "dummy", "-r", "48000",
                              "-p", "128", "-C", "2", "-P", "2"});
        up_ = wait_for(10, [] { return run_program({"jack_lsp"}) == 0; });
    }
    /// As a crash does. JACK's registry of the machine has eight places, and a killed server keeps its own until one of
    /// the same name starts: so a test that kills one starts it again.
    void kill() {
        if (pid_ <= 0) return;
        ::kill(pid_, SIGKILL);
        waitpid(pid_, nullptr, 0);
        pid_ = -1;
    }
    /// In good order.
    void end() {
        if (pid_ <= 0) return;
        ::kill(pid_, SIGCONT);
        ::kill(pid_, SIGTERM);
        if (wait_for(10, [&] { return waitpid(pid_, nullptr, WNOHANG) == pid_; })) pid_ = -1;
        kill();
    }
    void send_signal(int number) const { ::kill(pid_, number); }
    bool up() const { return up_; }

    /// JACK keeps one semaphore a client in shared memory, whether the client has ports or not.
    std::size_t clients() const {
        std::size_t count = 0;
        for (const auto& file : std::filesystem::directory_iterator("/dev/shm")) {
            const std::string name = file.path().filename().string();
            if (name.starts_with("jack_sem.") && name.find(name_) != std::string::npos) ++count;
        }
        return count;
    }

  private:
    const std::string name_;
    pid_t pid_ = -1;
    bool up_ = false;
};

}  // namespace letoff::hw::test
