#include "core/fault/black_box.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <thread>

namespace letoff::core {
namespace {

TEST(BlackBoxTest, KeepsTheLastNOldestFirst) {
    BlackBox<int, 4> box;
    box.record(1);
    box.record(2);
    ASSERT_EQ(box.size(), 2u);
    EXPECT_EQ(box.at(0), 1);
    EXPECT_EQ(box.at(1), 2);
    for (int i = 3; i <= 9; ++i) box.record(i);
    ASSERT_EQ(box.size(), 4u);
    for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(box.at(i), 6 + static_cast<int>(i));
}

TEST(BlackBoxTest, AFrozenBoxKeepsWhatLedToTheFault) {
    BlackBox<int, 4> box;
    for (int i = 0; i < 6; ++i) box.record(i);
    box.freeze();
    box.record(99);
    EXPECT_EQ(box.at(3), 5);
    box.thaw();
    EXPECT_FALSE(box.frozen());
    EXPECT_EQ(box.size(), 0u);
    box.record(7);
    ASSERT_EQ(box.size(), 1u);
    EXPECT_EQ(box.at(0), 7);
}

// The reader takes frozen boxes out while the writer records and freezes every 1000th tick: each is a run without a
// gap.
TEST(BlackBoxTest, TwoThreadsNeverSeeAHalfWrittenRecord) {
    BlackBox<std::int64_t, 16> box;
    std::atomic<bool> done{false};
    std::thread writer([&] {
        for (std::int64_t tick = 1; tick <= 100'000; ++tick) {
            box.record(tick);
            if (tick % 1000 == 0) box.freeze();
        }
        done.store(true);
    });
    int gaps = 0;
    int boxes = 0;
    for (bool end = false; !end;) {
        end = done.load();
        if (!box.frozen()) continue;
        for (std::size_t i = 1; i < box.size(); ++i) gaps += box.at(i) != box.at(i - 1) + 1;
        ++boxes;
        box.thaw();
    }
    writer.join();
    EXPECT_EQ(gaps, 0);
    EXPECT_GE(boxes, 1);
}

}  // namespace
}  // namespace letoff::core
