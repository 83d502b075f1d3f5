// An executor with worker threads of its own. Worker w of n takes indices [count w / n, count (w+1) / n), the caller is
// worker 0.
//
//   call_ counts the calls. The caller fills in the work, sets running_ to the number of workers, adds one to call_
//   (release) and does its own part; a worker that sees call_ change (acquire) does its part and takes one off running_
//   (release); the caller goes on when running_ is 0 (acquire). Both sides spin for a while before they sleep in the
//   kernel: a keybed tick is 250 us long, and a wake-up through the kernel alone costs tens of microseconds.
#pragma once

#include <atomic>
#include <cstdint>
#include <string_view>
#include <thread>
#include <vector>

#include "core/rt/cache_line.h"
#include "core/rt/executor.h"

namespace letoff::core {

class ThreadsExecutor final : public Executor {
  public:
    /// threads >= 1, the caller included. Throws std::system_error if the system refuses a thread.
    explicit ThreadsExecutor(int threads);
    ~ThreadsExecutor() override;

    void run(int count, Work work, void* context) noexcept override;
    std::string_view kind() const noexcept override { return "threads"; }
    int threads() const noexcept override { return threads_; }

  private:
    void work_loop(int worker) noexcept;
    void run_part(int worker) noexcept;
    void stop() noexcept;

    const int threads_;
    int count_ = 0;
    Work work_ = nullptr;
    void* context_ = nullptr;
    bool stopping_ = false;
    std::atomic<bool> busy_{false};
    alignas(kCacheLine) std::atomic<std::uint32_t> call_{0};
    alignas(kCacheLine) std::atomic<std::uint32_t> running_{0};
    std::vector<std::thread> workers_;
};

}  // namespace letoff::core
