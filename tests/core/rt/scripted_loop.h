// What a periodic loop needs, as the test says it: a clock whose waits end when they shall, processor time, and work
// that writes down what it was asked to do.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/rt/periodic_loop.h"

namespace letoff::core {

inline constexpr int kTick_hz = 1024;                          // a power of two: every time below is exact
inline constexpr std::int64_t kMaxBacklog = 51, kMaxIdle = 4;  // 50 ms, 4 ms
inline constexpr double kTick_us = 1e6 / kTick_hz;

/// Time in ticks; a wait ends as late as the test has set for it.
struct ScriptedClock final : Clock {
    double now = 0;
    double next_wait_late = 0;       // once
    std::optional<double> woken_at;  // once, for the wait that can be woken
    std::int64_t last_wait = -1;
    bool last_could_be_woken = false;

    int tick_hz() const noexcept override { return kTick_hz; }
    std::int64_t now_ticks() const noexcept override { return static_cast<std::int64_t>(std::floor(now)); }
    double now_s() const noexcept override { return now / kTick_hz; }
    bool wait_until(std::int64_t tick) noexcept override {
        last_wait = tick;
        last_could_be_woken = false;
        const bool in_time = now < static_cast<double>(tick) + 1;
        now = std::max(now, static_cast<double>(tick) + next_wait_late);
        next_wait_late = 0;
        return in_time;
    }
    void wait_until_or_wake(std::int64_t tick) noexcept override {
        if (woken_at) {
            now = std::max(now, *woken_at);
            woken_at.reset();
            last_wait = tick;
        } else {
            wait_until(tick);
        }
        last_could_be_woken = true;
    }
};

struct ScriptedCpu final : CpuClock {
    double ticks = 0;  // used so far
    int reads = 0;
    double used_s() noexcept override { return ++reads, ticks / kTick_hz; }
};

/// Writes down what it was asked to do; takes the time and processor time that the test has set.
struct ScriptedWork final : PeriodicWork {
    ScriptedWork(ScriptedClock& c, ScriptedCpu& u) : clock(c), cpu(u) {}
    ScriptedClock& clock;
    ScriptedCpu& cpu;
    double wall_ticks = 0, cpu_ticks = 0;
    std::int64_t idle = 0;
    std::vector<std::string> told;
    std::vector<std::int64_t> ticks;

    void on_period(std::int64_t tick) noexcept override {
        told.push_back(std::to_string(tick));
        ticks.push_back(tick);
        clock.now += wall_ticks;
        cpu.ticks += cpu_ticks;
    }
    std::int64_t idle_ticks() noexcept override { return idle; }
    void on_idle(std::int64_t first, std::int64_t count) noexcept override {
        told.push_back("idle " + std::to_string(first) + "+" + std::to_string(count));
    }
    void on_gap(std::int64_t count) noexcept override { told.push_back("gap " + std::to_string(count)); }
};

}  // namespace letoff::core
