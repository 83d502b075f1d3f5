// One thread for what may take seconds: measuring, solving, the database. Jobs run in the order they came, urgent ones
// before the others; when many wait, more are refused.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>

namespace letoff::ui {

class WorkThread {
  public:
    static constexpr std::size_t kMostWaiting = 64;

    WorkThread();
    /// Waits for the job at work; those that wait are forgotten.
    ~WorkThread();
    WorkThread(const WorkThread&) = delete;
    WorkThread& operator=(const WorkThread&) = delete;

    /// False: too many wait already. Any thread.
    bool post(std::function<void()> job, bool urgent);

  private:
    void run();

    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<std::function<void()>> jobs_;
    std::size_t urgent_ = 0;  // of them, at the front
    bool stop_ = false;
    std::thread thread_;
};

}  // namespace letoff::ui
