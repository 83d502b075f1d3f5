#include "core/rt/privilege.h"

#include <fmt/format.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <system_error>

namespace letoff::core {

namespace {

// Our deepest real-time call chain uses some 20 KiB; a page fault costs about a microsecond and may sleep.
constexpr std::size_t kTouchedStack_bytes = std::size_t{256} * 1024;
constexpr std::size_t kPage_bytes = 4096;  // the smallest of the supported machines

/// What to do for a limit that packaging/realtime/95-letoff.conf holds.
std::string how_to_get(std::string_view limit) {
    return fmt::format(
        "copy packaging/realtime/95-letoff.conf into /etc/security/limits.d (its line is '@audio - {}'), join the "
        "group with 'sudo usermod -aG audio $USER', and log in again",
        limit);
}

Result<RtGrant> refused(RtMode mode, std::string sentence) {
    if (mode == RtMode::require) return Error{std::move(sentence)};
    return RtGrant{false, std::move(sentence)};
}

int set_fifo(int priority) {
    sched_param parameters{};
    parameters.sched_priority = priority;
    return pthread_setschedparam(pthread_self(), SCHED_FIFO, &parameters);
}

/// What is there is read in and stays; what comes later stays from its first use on. Filled at once, every thread's
/// stack would take 8 MB, also those that RtAudio leaves behind, one for each JACK server that died, and JACK's shared
/// memory 100. Real-time threads touch their stacks (touch_stack), and what they use is written where it is made.
int lock_all() {
    return mlockall(MCL_CURRENT) == 0 && mlockall(MCL_FUTURE | MCL_ONFAULT) == 0 ? 0 : errno;
}

bool memory_lock_unlimited() {
    rlimit limit{};
    return geteuid() == 0 || (getrlimit(RLIMIT_MEMLOCK, &limit) == 0 && limit.rlim_cur == RLIM_INFINITY);
}

constexpr RtCalls kSystemCalls{set_fifo, lock_all, memory_lock_unlimited};

}  // namespace

Result<RtMode> parse_rt_mode(std::string_view text) {
    for (const RtMode mode : {RtMode::automatic, RtMode::require, RtMode::off}) {
        if (text == rt_mode_name(mode)) return mode;
    }
    return Error{fmt::format("The real-time mode '{}' does not exist; use auto, require or off.", text)};
}

std::string_view rt_mode_name(RtMode mode) noexcept {
    switch (mode) {
        case RtMode::automatic:
            return "auto";
        case RtMode::require:
            return "require";
        case RtMode::off:
            return "off";
    }
    return "";
}

const RtCalls& system_rt_calls() noexcept {
    return kSystemCalls;
}

Result<RtGrant> make_thread_realtime(RtMode mode, int priority, const RtCalls& calls) {
    if (priority < 1 || priority > 99) {
        return Error{fmt::format("The real-time priority is {}, it must be between 1 and 99.", priority)};
    }
    if (mode == RtMode::off) return RtGrant{};
    const int error = calls.set_fifo(priority);
    if (error == 0) return RtGrant{true, ""};
    return refused(mode, fmt::format("The system gives no real-time priority {} ({}); to get it, {}.", priority,
                                     std::generic_category().message(error), how_to_get("rtprio 95")));
}

Result<RtGrant> lock_memory(RtMode mode, const RtCalls& calls) {
    if (mode == RtMode::off) return RtGrant{};
    // Under a bound, locking the future would turn page faults into failed allocations later on: worse than none.
    const int error = calls.memory_lock_unlimited() ? calls.lock_all() : EPERM;
    if (error == 0) return RtGrant{true, ""};
    return refused(
        mode, fmt::format("The system does not let the program lock its memory without a limit ({}); to get it, {}.",
                          std::generic_category().message(error), how_to_get("memlock unlimited")));
}

[[gnu::noinline]] void touch_stack() noexcept {
    volatile unsigned char stack[kTouchedStack_bytes];
    for (std::size_t i = 0; i < kTouchedStack_bytes; i += kPage_bytes) stack[i] = 0;
    static_cast<void>(stack[0]);
}

}  // namespace letoff::core
