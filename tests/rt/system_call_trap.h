// The strictest check of a real-time rule: the work runs in a child process in which the kernel refuses every system
// call (seccomp-BPF), with the RtGuard armed besides. So it also sees what the replaced functions cannot: std::atomic's
// wait, a library's own futex, a clock read that is no vDSO call, a log line.
//
//     const TrapReport report = run_trapped([&] { keybed.tick(&sink, &sink); return sink.strikes; });
//     EXPECT_TRUE(report.clean()) << report.text();
//     EXPECT_EQ(report.answer, 88);
//
// What the work changes is changed in the child only: what a test wants to know it gets as the answer. Allowed calls
// are the child's own: its end, its report, the return from a signal. Work on other threads is not possible here: a
// forked child has one. Work that begins threads of its own goes into run_in_child(), where each thread that is to be
// trapped says so itself, with what it may call; the RtGuard is not armed there.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <string>

#include "tests/rt/rt_guard.h"

namespace letoff::test {

struct TrapReport {
    bool ended = false;            // the work came to its end (or to its first system call) and the child reported
    std::int64_t answer = 0;       // what the work returned; only without a system call
    int system_call = -1;          // number of the first system call; the child ends there
    const void* caller = nullptr;  // where it was made
    std::array<std::int64_t, kRtViolations> guard{};  // what the RtGuard counted
    std::array<char, 32> first_call{};                // the first of them by name

    bool clean() const;
    std::int64_t count(RtViolation kind) const { return guard[static_cast<std::size_t>(kind)]; }
    std::string text() const;
};

/// An answer: which of these did not happen, a bit each; 0: all of them did.
inline std::int64_t missing_of(std::initializer_list<bool> happened) noexcept {
    std::int64_t missing = 0, bit = 1;
    for (const bool one : happened) {
        missing |= one ? 0 : bit;
        bit <<= 1;
    }
    return missing;
}

/// Forks: no other thread of the program may hold a lock that the work needs.
TrapReport run_trapped(const std::function<std::int64_t()>& work);

/// Forks, and traps only the threads of the child that call trap_this_thread(). The child ends as soon as the work has
/// given its answer: threads that still run are not waited for, nor does anything else end in good order.
TrapReport run_in_child(const std::function<std::int64_t()>& work);
/// For the rest of its life, which must end with the child's: ending alone would take system calls.
void trap_this_thread(std::initializer_list<int> allowed = {});

/// The clock that a callback reads is no system call on this machine (it is one where the kernel cannot give its clock
/// to the vDSO): what reads it can be trapped.
bool clock_is_no_system_call();

}  // namespace letoff::test
