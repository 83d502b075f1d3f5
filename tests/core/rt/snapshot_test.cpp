#include "core/rt/snapshot.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <thread>

namespace letoff::core {
namespace {

/// Counts itself, and knows the thread that may free it.
struct Parameters {
    Parameters(int value_, std::atomic<int>& alive_) : value(value_), copy(value_), alive(alive_) { ++alive; }
    ~Parameters() {
        if (std::this_thread::get_id() != home) freed_on_a_wrong_thread = true;
        --alive;
    }
    int value;
    int copy;
    std::atomic<int>& alive;
    std::thread::id home = std::this_thread::get_id();
    static inline std::atomic<bool> freed_on_a_wrong_thread{false};
};

TEST(SnapshotTest, ANewSnapshotHoldsFromTheNextTick) {
    std::atomic<int> alive{0};
    SnapshotSwap<Parameters> swap(std::make_unique<Parameters>(1, alive));
    const Parameters& first = swap.begin_tick();
    swap.publish(std::make_unique<Parameters>(2, alive));
    EXPECT_EQ(first.value, 1);
    EXPECT_EQ(alive, 2);
    EXPECT_EQ(swap.begin_tick().value, 2);
    EXPECT_EQ(swap.begin_tick().value, 2);
    EXPECT_EQ(alive, 2);  // the tick does not free
    swap.collect();
    EXPECT_EQ(alive, 1);
    EXPECT_EQ(swap.alive(), 1);
}

TEST(SnapshotTest, WithoutTicksOnlyTheNewestWaits) {
    std::atomic<int> alive{0};
    SnapshotSwap<Parameters> swap(std::make_unique<Parameters>(0, alive));
    for (int i = 1; i <= 100; ++i) swap.publish(std::make_unique<Parameters>(i, alive));
    EXPECT_EQ(alive, 2);
    EXPECT_EQ(swap.begin_tick().value, 100);
}

TEST(SnapshotTest, TheEndFreesEverything) {
    std::atomic<int> alive{0};
    {
        SnapshotSwap<Parameters> swap(std::make_unique<Parameters>(1, alive));
        swap.publish(std::make_unique<Parameters>(2, alive));
        swap.begin_tick();
        swap.publish(std::make_unique<Parameters>(3, alive));
    }
    EXPECT_EQ(alive, 0);
}

// The control thread publishes as fast as it can while ticks run: never a freed or half-built snapshot in a tick, never
// more than kMaxAlive, and all of them freed on the control thread.
TEST(SnapshotTest, TwoThreadsStayBoundedAndFreeOnTheControlThread) {
    constexpr int kSnapshots = 100'000;
    std::atomic<int> alive{0};
    std::atomic<bool> done{false};
    Parameters::freed_on_a_wrong_thread = false;
    int most = 0;
    int back = 0;
    int broken = 0;
    {
        SnapshotSwap<Parameters> swap(std::make_unique<Parameters>(0, alive));
        std::thread ticks([&] {
            int last = 0;
            for (bool end = false; !end;) {
                end = done.load(std::memory_order_acquire);
                const Parameters& parameters = swap.begin_tick();
                back += parameters.value < last;
                broken += parameters.copy != parameters.value;
                last = parameters.value;
            }
            back += last != kSnapshots;
        });
        for (int i = 1; i <= kSnapshots; ++i) {
            swap.publish(std::make_unique<Parameters>(i, alive));
            most = std::max({most, swap.alive(), alive.load()});
        }
        done.store(true, std::memory_order_release);
        ticks.join();
    }
    EXPECT_LE(most, SnapshotSwap<Parameters>::kMaxAlive);
    EXPECT_EQ(back, 0);
    EXPECT_EQ(broken, 0);
    EXPECT_EQ(alive, 0);
    EXPECT_FALSE(Parameters::freed_on_a_wrong_thread);
}

}  // namespace
}  // namespace letoff::core
