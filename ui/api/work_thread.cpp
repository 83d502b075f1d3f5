#include "ui/api/work_thread.h"

#include <utility>

namespace letoff::ui {

WorkThread::WorkThread() : thread_([this] { run(); }) {}

WorkThread::~WorkThread() {
    {
        const std::lock_guard lock(mutex_);
        stop_ = true;
        jobs_.clear();
    }
    changed_.notify_one();
    thread_.join();
}

bool WorkThread::post(std::function<void()> job, bool urgent) {
    {
        const std::lock_guard lock(mutex_);
        if (jobs_.size() >= kMostWaiting) return false;
        const auto place = urgent ? jobs_.begin() + static_cast<std::ptrdiff_t>(urgent_++) : jobs_.end();
        jobs_.insert(place, std::move(job));
    }
    changed_.notify_one();
    return true;
}

void WorkThread::run() {
    std::unique_lock lock(mutex_);
    for (;;) {
        changed_.wait(lock, [this] { return stop_ || !jobs_.empty(); });
        if (stop_) return;
        const std::function<void()> job = std::move(jobs_.front());
        jobs_.pop_front();
        if (urgent_ > 0) --urgent_;
        lock.unlock();
        job();
        lock.lock();
    }
}

}  // namespace letoff::ui
