// The instrument's clock, in ticks of the keybed and in seconds. The keybed's loop is the same live and off line: it
// asks the clock to wait for its next tick. The virtual clock never waits, so what is computed with it depends on no
// machine's speed.
#pragma once

#include <cstdint>

namespace letoff::core {

class Clock {
  public:
    virtual ~Clock() = default;

    virtual int tick_hz() const noexcept = 0;
    /// Ticks since the start, whole ones.
    virtual std::int64_t now_ticks() const noexcept = 0;
    virtual double now_s() const noexcept = 0;
    /// Returns at that tick, or at once if it has passed. False: it had passed by a whole tick or more, the caller is
    /// late.
    virtual bool wait_until(std::int64_t tick) noexcept = 0;
    /// Returns at that tick, or earlier after wake(). A clock that cannot be woken waits to the end.
    virtual void wait_until_or_wake(std::int64_t tick) noexcept { wait_until(tick); }
    /// Any thread that may make a system call: ends a wait_until_or_wake, the next one if none is going on.
    virtual void wake() noexcept {}
};

/// Time that passes only when someone waits for it. One thread.
class VirtualClock final : public Clock {
  public:
    explicit VirtualClock(int tick_hz) noexcept : tick_hz_(tick_hz) {}

    int tick_hz() const noexcept override { return tick_hz_; }
    std::int64_t now_ticks() const noexcept override { return now_ticks_; }
    /// Divided, never summed: no error grows with the length of a piece.
    double now_s() const noexcept override { return static_cast<double>(now_ticks_) / tick_hz_; }
    bool wait_until(std::int64_t tick) noexcept override {
        if (tick < now_ticks_) return false;
        now_ticks_ = tick;
        return true;
    }

  private:
    const int tick_hz_;
    std::int64_t now_ticks_ = 0;
};

}  // namespace letoff::core
