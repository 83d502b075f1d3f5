#include "core/rt/wake_signal.h"

#include <time.h>

#include <cerrno>

#include "core/rt/monotonic_clock.h"

namespace letoff::core {

WakeSignal::WakeSignal() noexcept {
    sem_init(&wake_, 0, 0);
}

WakeSignal::~WakeSignal() {
    sem_destroy(&wake_);
}

void WakeSignal::wake() noexcept {
    sem_post(&wake_);
}

bool WakeSignal::wait_until_ns(std::int64_t monotonic_ns) noexcept {
    const timespec until = timespec_of(monotonic_ns);
    int result = 0;
    do {
        result = sem_clockwait(&wake_, CLOCK_MONOTONIC, &until);
    } while (result != 0 && errno == EINTR);
    while (sem_trywait(&wake_) == 0) {
    }
    return result == 0;
}

}  // namespace letoff::core
