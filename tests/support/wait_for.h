// How a test waits for another thread or program: for the condition, with a deadline.
#pragma once

#include <chrono>
#include <functional>
#include <thread>

namespace letoff::test {

/// True as soon as the condition is; false after the deadline.
inline bool wait_for(double seconds, const std::function<bool()>& condition) {
    const auto until = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
    while (!condition()) {
        if (std::chrono::steady_clock::now() > until) return false;
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return true;
}

}  // namespace letoff::test
