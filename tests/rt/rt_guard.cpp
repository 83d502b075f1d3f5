#include "tests/rt/rt_guard.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <atomic>
#include <cstdlib>

#include "tests/rt/rt_count.h"

namespace letoff::test {

namespace {

// Trivial and constant-initialised: touching them allocates nothing, and they can be used before main.
constinit thread_local int armed = 0;
constinit thread_local RtCounts counts_of_thread;
constinit std::atomic<std::int64_t> all_threads{0};

bool abort_at_once() noexcept {
    static const bool wanted = std::getenv("LETOFF_RT_ABORT") != nullptr;
    return wanted;
}

}  // namespace

void rt_count(RtViolation kind, const char* call, const void* caller) noexcept {
    if (armed == 0) return;
    ++counts_of_thread.of_kind[static_cast<std::size_t>(kind)];
    if (counts_of_thread.first_call == nullptr) {
        counts_of_thread.first_call = call;
        counts_of_thread.first_caller = caller;
    }
    all_threads.fetch_add(1, std::memory_order_relaxed);
    if (abort_at_once()) std::abort();
}

RtGuard::RtGuard() noexcept : before_(counts_of_thread) {
    counts_of_thread.first_call = nullptr;
    abort_at_once();  // reads the environment now, not inside a replaced function
    ++armed;
}

void RtGuard::disarm() noexcept {
    if (!armed_) return;
    found_ = counts();
    armed_ = false;
    --armed;
    // The outer guard goes on with its own first caller, or with ours if it had none.
    if (before_.first_call != nullptr) {
        counts_of_thread.first_call = before_.first_call;
        counts_of_thread.first_caller = before_.first_caller;
    }
}

RtCounts RtGuard::counts() const noexcept {
    if (!armed_) return found_;
    RtCounts since = counts_of_thread;
    for (std::size_t kind = 0; kind < since.of_kind.size(); ++kind) since.of_kind[kind] -= before_.of_kind[kind];
    return since;
}

std::int64_t RtGuard::total() const noexcept {
    std::int64_t sum = 0;
    for (const std::int64_t count : counts().of_kind) sum += count;
    return sum;
}

std::string RtGuard::report() const {
    const RtCounts found = counts();
    if (found.first_call == nullptr) return "no violation";
    Dl_info where{};
    const char* binary = "?";
    std::uintptr_t offset = reinterpret_cast<std::uintptr_t>(found.first_caller);
    if (dladdr(found.first_caller, &where) != 0) {
        binary = where.dli_fname;
        offset -= reinterpret_cast<std::uintptr_t>(where.dli_fbase);
    }
    return fmt::format("{} allocations, {} frees, {} locks, {} waits; the first was {} from {}+{:#x}", found.of_kind[0],
                       found.of_kind[1], found.of_kind[2], found.of_kind[3], found.first_call, binary, offset);
}

std::int64_t rt_violations_of_all_threads() noexcept {
    return all_threads.load(std::memory_order_relaxed);
}

}  // namespace letoff::test
