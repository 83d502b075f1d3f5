// What a thread needs from the system to be on time: the scheduling class SCHED_FIFO, which no ordinary thread can hold
// up, and memory that is never paged out. Both need a privilege. Without it the instrument still plays (automatic),
// says so in one sentence with the way to get it, or refuses to start (require, as for a motor array); off asks for
// nothing.
//
// Threads: before the loop starts, never in it: these are system calls. make_thread_realtime is for the calling thread;
// its new threads inherit the class.
#pragma once

#include <string>
#include <string_view>

#include "core/result.h"

namespace letoff::core {

enum class RtMode { automatic, require, off };
/// auto, require or off.
Result<RtMode> parse_rt_mode(std::string_view text);
std::string_view rt_mode_name(RtMode mode) noexcept;

// The shorter the period, the higher the priority (rate-monotonic: Liu & Layland 1973): a keybed tick is 125 to 1000
// us, an audio block 1300 us and more. Both above the kernel's threaded interrupt handlers (50), and below its own
// watchdogs (99). JACK gives its clients a priority of its own; kAudioPriority is for the other audio systems.
inline constexpr int kKeybedPriority = 80;
inline constexpr int kArrayPriority = 75;  // frames of motorised keys: late ones let the keys' forces fade
inline constexpr int kAudioPriority = 70;
inline constexpr int kSamplePriority = 60;  // a block's samples have a whole block's time, the strings' a share of it

struct RtGrant {
    bool granted = false;
    std::string sentence;  // what is missing and how to get it; empty when granted, or when nothing was asked
};

/// The system's calls, so that tests can refuse them. Each returns 0 or an errno.
struct RtCalls {
    int (*set_fifo)(int priority);    // the calling thread to SCHED_FIFO
    int (*lock_all)();                // all pages, and future ones once they are used
    bool (*memory_lock_unlimited)();  // no bound on locked memory
};
const RtCalls& system_rt_calls() noexcept;

/// The calling thread to SCHED_FIFO. priority: 1..99.
Result<RtGrant> make_thread_realtime(RtMode mode, int priority, const RtCalls& calls = system_rt_calls());

/// Locks the program's memory, present and future, once for the whole process.
Result<RtGrant> lock_memory(RtMode mode, const RtCalls& calls = system_rt_calls());

/// Writes to the next 256 KiB of the calling thread's stack, so that no tick is the first to use a page of it.
void touch_stack() noexcept;

}  // namespace letoff::core
