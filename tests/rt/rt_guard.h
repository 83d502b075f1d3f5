// The rules of a real-time thread as a test: while an RtGuard lives, its thread may not allocate, free, lock or wait.
// This binary replaces malloc and its family, operator new and delete, and the pthread locks and waits by versions that
// count when the calling thread is armed and then do what they always do. Nothing here works under a sanitizer, which
// replaces the same functions.
//
//     RtGuard guard;              // arms this thread
//     keybed.tick(...);
//     guard.disarm();             // before any EXPECT: GoogleTest allocates
//     EXPECT_EQ(guard.total(), 0) << guard.report();
//
// Work that runs on other threads arms them itself, with a guard inside the work; rt_violations_of_all_threads() adds
// them up. With LETOFF_RT_ABORT set in the environment, the first violation ends the program where it happens, for a
// debugger.
#pragma once

#include <array>
#include <cstdint>
#include <string>

namespace letoff::test {

enum class RtViolation : int { kAllocate, kFree, kLock, kWait, kCount };
inline constexpr int kRtViolations = static_cast<int>(RtViolation::kCount);

struct RtCounts {
    std::array<std::int64_t, kRtViolations> of_kind{};
    const char* first_call = nullptr;    // the function that was called first
    const void* first_caller = nullptr;  // the address it was called from
};

class RtGuard {
  public:
    RtGuard() noexcept;
    ~RtGuard() { disarm(); }
    RtGuard(const RtGuard&) = delete;
    RtGuard& operator=(const RtGuard&) = delete;

    /// Ends the guard. Guards nest: an inner one's violations are the outer one's too.
    void disarm() noexcept;

    /// Violations of this thread while the guard was armed.
    std::int64_t count(RtViolation kind) const noexcept { return counts().of_kind[static_cast<std::size_t>(kind)]; }
    std::int64_t total() const noexcept;
    /// The function that was called first, null for none.
    const char* first_call() const noexcept { return counts().first_call; }
    /// For a failed test: how many of what, and the first caller as `binary+offset` for addr2line.
    std::string report() const;

  private:
    RtCounts counts() const noexcept;

    RtCounts before_;
    RtCounts found_;
    bool armed_ = true;
};

/// Since the program began.
std::int64_t rt_violations_of_all_threads() noexcept;

}  // namespace letoff::test
