// Parameters as an immutable snapshot. The control thread publishes a new one; the real-time thread swaps it in at the
// start of a tick and sends the old one back through a ring, and the control thread frees it. So every tick sees one
// whole set of parameters, and the real-time thread never frees, waits or counts references.
//
//   How many can be alive: publish() frees what has come back, then puts the new one in place of the pending one. After
//   it has looked, at most three can still come back before it looks again: one that the tick had replaced but not yet
//   sent, one replaced by what was pending, and one replaced by the new one. With the one in use that makes kMaxAlive,
//   and publish() never fails.
#pragma once

#include <atomic>
#include <memory>

#include "core/rt/cache_line.h"
#include "core/rt/ring.h"

namespace letoff::core {

template <typename T>
class SnapshotSwap {
  public:
    static constexpr int kMaxReturned = 3;
    static constexpr int kMaxAlive = 1 + kMaxReturned;

    /// Not for a real-time thread. `first` must not be null: a tick always has parameters.
    explicit SnapshotSwap(std::unique_ptr<const T> first) : in_use_(first.release()) {}
    /// Both threads have let go.
    ~SnapshotSwap() {
        collect();
        delete pending_.load(std::memory_order_acquire);
        delete in_use_;
    }
    SnapshotSwap(const SnapshotSwap&) = delete;
    SnapshotSwap& operator=(const SnapshotSwap&) = delete;

    /// Control thread: `next` holds from the next tick on. One that was published but never taken is freed here.
    void publish(std::unique_ptr<const T> next) {
        collect();
        ++alive_;
        const T* skipped = pending_.exchange(next.release(), std::memory_order_acq_rel);
        if (skipped != nullptr) --alive_;
        delete skipped;
    }

    /// Control thread: frees what the tick has finished with. publish() does it too; call it now and then so that
    /// nothing lingers.
    void collect() {
        const T* old = nullptr;
        while (returned_.try_pop(old)) {
            delete old;
            --alive_;
        }
    }

    /// Control thread: snapshots not freed yet, the one in use included.
    int alive() const { return alive_; }

    /// Whether begin_tick() will swap. Any thread.
    bool has_next() const noexcept { return pending_.load(std::memory_order_acquire) != nullptr; }

    /// Real-time thread, once at the start of a tick: the parameters of this tick, valid until the next call.
    const T& begin_tick() noexcept {
        if (pending_.load(std::memory_order_relaxed) != nullptr) {
            const T* next = pending_.exchange(nullptr, std::memory_order_acq_rel);
            returned_.try_push(in_use_);  // cannot be full: see how many can be alive
            in_use_ = next;
        }
        return *in_use_;
    }

  private:
    Ring<const T*> returned_{kMaxReturned};
    int alive_ = 1;
    alignas(kCacheLine) std::atomic<const T*> pending_{nullptr};
    alignas(kCacheLine) const T* in_use_;
};

}  // namespace letoff::core
