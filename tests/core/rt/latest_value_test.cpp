#include "core/rt/latest_value.h"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <thread>

namespace letoff::core {
namespace {

TEST(LatestValueTest, StartsWithTheFirstValueAndNothingNew) {
    LatestValue<int> latest(5);
    EXPECT_FALSE(latest.update());
    EXPECT_EQ(latest.value(), 5);
}

TEST(LatestValueTest, ReaderGetsTheLastOfManyWrites) {
    LatestValue<int> latest(0);
    for (int i = 1; i <= 10; ++i) latest.write(i);
    EXPECT_TRUE(latest.update());
    EXPECT_EQ(latest.value(), 10);
    EXPECT_FALSE(latest.update());
    EXPECT_EQ(latest.value(), 10);
}

TEST(LatestValueTest, ValueReadStaysWhileTheWriterGoesOn) {
    LatestValue<int> latest(0);
    latest.write(1);
    latest.update();
    const int& held = latest.value();
    for (int i = 2; i <= 9; ++i) latest.write(i);
    EXPECT_EQ(held, 1);
    EXPECT_TRUE(latest.update());
    EXPECT_EQ(latest.value(), 9);
}

// The reader never sees a torn value nor goes back in time, and at the end has the last one.
TEST(LatestValueTest, TwoThreadsNeverTearAndNeverGoBack) {
    struct Wide {
        std::array<std::int64_t, 16> copies{};
    };
    constexpr std::int64_t kValues = 100'000;
    LatestValue<Wide> latest;
    std::atomic<bool> done{false};
    std::thread writer([&] {
        for (std::int64_t i = 1; i <= kValues; ++i) {
            latest.draft().copies.fill(i);
            latest.publish();
        }
        done.store(true, std::memory_order_release);
    });
    std::int64_t last = 0;
    std::int64_t torn = 0;
    std::int64_t back = 0;
    for (bool end = false; !end;) {
        end = done.load(std::memory_order_acquire);  // read before the update: after it nothing newer can come
        if (!latest.update()) {
            std::this_thread::yield();
            continue;
        }
        const Wide& wide = latest.value();
        for (const std::int64_t copy : wide.copies) torn += copy != wide.copies[0];
        back += wide.copies[0] <= last;
        last = wide.copies[0];
    }
    writer.join();
    EXPECT_EQ(torn, 0);
    EXPECT_EQ(back, 0);
    EXPECT_EQ(last, kValues);
}

}  // namespace
}  // namespace letoff::core
