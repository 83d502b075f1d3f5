// The last N tick records before a fault, kept so that the fault arrives with its evidence. One real-time thread
// writes; one other thread reads, only while the box is frozen, and then lets it run on. Nothing is allocated after
// construction.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <type_traits>

namespace letoff::core {

template <typename Record, std::size_t N>
class BlackBox {
    static_assert(std::is_trivially_copyable_v<Record> && N > 0);

  public:
    /// Writer: keeps the record, over the oldest one; does nothing while frozen.
    void record(const Record& record) noexcept {
        if (frozen_.load(std::memory_order_acquire)) return;
        records_[next_] = record;
        next_ = next_ + 1 == N ? 0 : next_ + 1;
        if (size_ < N) ++size_;
    }
    /// Writer, on a fault: what is recorded now stays until thaw(). A fault while frozen changes nothing, so the first
    /// one is kept.
    void freeze() noexcept { frozen_.store(true, std::memory_order_release); }

    bool frozen() const noexcept { return frozen_.load(std::memory_order_acquire); }

    /// Reader, only while frozen: how many records there are, and the i-th of them, 0 the oldest.
    std::size_t size() const noexcept { return size_; }
    const Record& at(std::size_t i) const noexcept { return records_[(next_ + N - size_ + i) % N]; }
    /// Reader, only while frozen: empties the box and lets it record again.
    void thaw() noexcept {
        next_ = 0;
        size_ = 0;
        frozen_.store(false, std::memory_order_release);
    }

  private:
    std::array<Record, N> records_{};
    std::size_t next_ = 0;
    std::size_t size_ = 0;
    std::atomic<bool> frozen_{false};
};

}  // namespace letoff::core
