#include "core/rt/periodic_thread.h"

#include <fmt/format.h>
#include <pthread.h>

#include <csignal>
#include <future>
#include <system_error>
#include <utility>

#include "core/rt/denormals.h"

namespace letoff::core {

PeriodicThread::PeriodicThread(std::string name, Clock& clock, PeriodicWork& work, FaultCounters& faults,
                               const RtCalls& calls)
    : name_(std::move(name)), clock_(clock), calls_(calls), loop_(clock, cpu_, work, faults) {}

Result<RtGrant> PeriodicThread::start(RtMode mode, int priority) {
    std::promise<Result<RtGrant>> promise;
    std::future<Result<RtGrant>> granted = promise.get_future();
    try {
        const std::lock_guard lock(joining_);
        thread_ = std::thread([this, mode, priority, told = std::move(promise)]() mutable {
            // A handler would run in the middle of a tick.
            sigset_t all;
            sigfillset(&all);
            pthread_sigmask(SIG_BLOCK, &all, nullptr);
            pthread_setname_np(pthread_self(), name_.c_str());
            Result<RtGrant> grant = make_thread_realtime(mode, priority, calls_);
            const bool go = grant.ok();
            if (go) {
                touch_stack();
                loop_.begin();
                id_.store(std::this_thread::get_id(), std::memory_order_relaxed);
                running_.store(true, std::memory_order_release);
            }
            told.set_value(std::move(grant));
            if (go) run();
        });
    } catch (const std::system_error& error) {
        return Error{
            fmt::format("The thread '{}' could not be started ({}); end other programs, or raise the limit on "
                        "threads.",
                        name_, error.code().message())};
    }
    return granted.get();
}

void PeriodicThread::run() noexcept {
    const DenormalsOff denormals_off;
    while (!stopping_.load(std::memory_order_relaxed)) loop_.step();
    running_.store(false, std::memory_order_release);
    id_.store({}, std::memory_order_relaxed);
}

void PeriodicThread::stop() noexcept {
    stopping_.store(true, std::memory_order_relaxed);
    clock_.wake();
    if (id_.load(std::memory_order_relaxed) == std::this_thread::get_id()) return;  // the work itself
    const std::lock_guard lock(joining_);
    if (thread_.joinable()) thread_.join();
}

}  // namespace letoff::core
