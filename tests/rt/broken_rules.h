// What no real-time thread may do, for tests that show that it would be reported.
#pragma once

#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <mutex>
#include <vector>

namespace letoff::test {

/// One allocation, and its end.
inline void grow_a_vector() {
    std::vector<double> values;
    values.push_back(1.0);
    asm volatile("" : : "r"(values.data()) : "memory");  // or the compiler leaves both out
}

inline void lock_a_mutex() {
    static std::mutex mutex;
    const std::lock_guard lock(mutex);
}

/// The guard, which replaces functions, does not see it; the trap does.
inline void read_the_clock_by_system_call() {
    timespec now{};
    syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &now);
}

}  // namespace letoff::test
