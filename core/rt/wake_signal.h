// One thread sleeps until an instant or until another wakes it.
//
// Threads: wait_until_ns() is the sleeper's; wake() is for any thread that may call the system.
#pragma once

#include <semaphore.h>

#include <cstdint>

namespace letoff::core {

class WakeSignal {
  public:
    WakeSignal() noexcept;
    ~WakeSignal();
    WakeSignal(const WakeSignal&) = delete;
    WakeSignal& operator=(const WakeSignal&) = delete;

    void wake() noexcept;
    /// CLOCK_MONOTONIC, whatever signals come meanwhile; true: it was woken, now or since it last waited. Wakes that
    /// came while nobody waited are one.
    bool wait_until_ns(std::int64_t monotonic_ns) noexcept;

  private:
    sem_t wake_{};
};

}  // namespace letoff::core
