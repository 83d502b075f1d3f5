// SIGINT, SIGTERM and SIGHUP as something to wait for, instead of ending the program anywhere. What whoever started us
// ignores (nohup) stays ignored.
//
// Threads: made before any thread is started, so that every thread leaves them alone; the rest on the one that waits.
#pragma once

#include <signal.h>

#include <chrono>

namespace letoff::ui {

class StopSignals {
  public:
    StopSignals() {
        sigemptyset(&set_);
        for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
            struct sigaction now{};
            if (sigaction(signal, nullptr, &now) == 0 && now.sa_handler != SIG_IGN) sigaddset(&set_, signal);
        }
        pthread_sigmask(SIG_BLOCK, &set_, &before_);
        // A reader of what is written who goes away is an error of that writing, no reason to end.
        signal(SIGPIPE, SIG_IGN);
    }
    /// What came while it ended is what it ended for, not a death before its last words are written: `timeout` sends a
    /// signal to its child and another to its group.
    ~StopSignals() {
        while (wait(std::chrono::nanoseconds(0))) {
        }
        pthread_sigmask(SIG_SETMASK, &before_, nullptr);
    }
    StopSignals(const StopSignals&) = delete;
    StopSignals& operator=(const StopSignals&) = delete;

    /// One that has come ends the program here and now: for the long work before anything plays, when there is nothing
    /// to put in order.
    void let_through() const {
        pthread_sigmask(SIG_SETMASK, &before_, nullptr);
        pthread_sigmask(SIG_BLOCK, &set_, nullptr);
    }
    /// True when one came within the time.
    bool wait(std::chrono::nanoseconds time) const {
        constexpr std::chrono::nanoseconds::rep kSecond_ns = 1'000'000'000;
        const timespec wait{static_cast<time_t>(time.count() / kSecond_ns),
                            static_cast<long>(time.count() % kSecond_ns)};
        return sigtimedwait(&set_, nullptr, &wait) > 0;
    }

  private:
    sigset_t set_{}, before_{};
};

}  // namespace letoff::ui
