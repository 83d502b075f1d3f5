// Real sound servers for tests, each with a name of its own, ended with the test: JACK with its dummy driver,
// PulseAudio with a null sink. A machine has room for eight names of JACK servers, and one that is killed with SIGKILL
// keeps its own: so a server's last end is a SIGTERM, also when the test itself dies.
#pragma once

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "tests/support/temp_dir.h"
#include "tests/support/wait_for.h"

namespace letoff::audio::test {

using letoff::test::wait_for;

/// A program that runs until it is killed or ends by itself.
class Process {
  public:
    explicit Process(std::vector<std::string> command) {
        std::vector<char*> arguments;
        arguments.reserve(command.size() + 1);
        for (std::string& word : command) arguments.push_back(word.data());
        arguments.push_back(nullptr);
        pid_ = fork();
        if (pid_ != 0) return;
        prctl(PR_SET_PDEATHSIG, SIGTERM);
        const int nowhere = ::open("/dev/null", O_RDWR);
        if (nowhere < 0) _exit(126);
        for (const int each : {0, 1, 2}) dup2(nowhere, each);
        execvp(arguments[0], arguments.data());
        _exit(127);
    }
    Process(const Process&) = delete;
    Process& operator=(const Process&) = delete;
    ~Process() {
        send(SIGCONT);
        send(SIGTERM);
        for (int i = 0; i < 1000 && pid_ > 0; ++i) {
            if (waitpid(pid_, nullptr, WNOHANG) == pid_) pid_ = -1;
            if (pid_ > 0) std::this_thread::sleep_for(std::chrono::milliseconds(10));
        }
        end(SIGKILL);
    }

    void send(int signal_number) const {
        if (pid_ > 0) kill(pid_, signal_number);
    }
    void end(int signal_number) {
        if (pid_ <= 0) return;
        kill(pid_, signal_number);
        join();
    }
    /// Its exit status, when it has ended.
    int join() {
        int status = 0;
        if (pid_ > 0) waitpid(pid_, &status, 0);
        pid_ = -1;
        return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    }

  private:
    pid_t pid_ = -1;
};

inline int run(std::vector<std::string> command) {
    return Process(std::move(command)).join();
}

class JackServer {
  public:
    /// kWaits: the server waits for its clients. One that does not goes on without a client that the machine keeps
    /// waiting, and what came in that period is lost to it: JACK's loss, not ours.
    enum class Clients { kMayBeLate, kWaits };

    explicit JackServer(int frames = 128, Clients clients = Clients::kMayBeLate) : frames_(frames), clients_(clients) {
        name_ = "letoff-test-" + std::to_string(getpid());
        setenv("JACK_DEFAULT_SERVER", name_.c_str(), 1);
        setenv("JACK_NO_START_SERVER", "1", 1);
        start();
    }
    void start() {
        std::vector<std::string> command{"jackd", "-n", name_, "-R", "-P", "70"};
        if (clients_ == Clients::kWaits) command.insert(command.end(), {"-S", "-t", "5000"});
        const std::string frames = std::to_string(frames_);
        command.insert(command.end(), {"-d", "dummy", "-r", "48000", "-p", frames, "-C", "2", "-P", "2"});
        process_ = std::make_unique<Process>(std::move(command));
        up_ = wait_for(10, [] { return run({"jack_lsp"}) == 0; });
    }
    bool up() const { return up_; }
    Process& process() { return *process_; }

  private:
    const int frames_;
    const Clients clients_;
    std::string name_;
    std::unique_ptr<Process> process_;
    bool up_ = false;
};

class PulseServer {
  public:
    PulseServer() {
        setenv("XDG_RUNTIME_DIR", folder_.path().c_str(), 1);
        setenv("HOME", folder_.path().c_str(), 1);
        setenv("PULSE_SERVER", ("unix:" + file("pulse.sock")).c_str(), 1);
        start();
    }
    void start() {
        process_ = std::make_unique<Process>(std::vector<std::string>{
            "pulseaudio", "-n", "--daemonize=no", "--exit-idle-time=-1", "--realtime=no", "--disable-shm=yes",
            "--use-pid-file=no", "-L", "module-null-sink sink_name=letoff rate=48000 channels=2 format=float32le", "-L",
            "module-native-protocol-unix auth-anonymous=1 socket=" + file("pulse.sock")});
        up_ = wait_for(10, [] { return run({"pactl", "info"}) == 0; });
    }
    bool up() const { return up_; }
    Process& process() { return *process_; }
    /// In a folder of its own.
    std::string file(const std::string& name) const { return folder_.path() / name; }

  private:
    letoff::test::TempDir folder_;
    std::unique_ptr<Process> process_;
    bool up_ = false;
};

}  // namespace letoff::audio::test
