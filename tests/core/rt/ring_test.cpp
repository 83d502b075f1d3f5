#include "core/rt/ring.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <thread>

namespace letoff::core {
namespace {

TEST(RingTest, CapacityIsTheNextPowerOfTwo) {
    EXPECT_EQ(Ring<int>(0).capacity(), 1u);
    EXPECT_EQ(Ring<int>(1).capacity(), 1u);
    EXPECT_EQ(Ring<int>(4).capacity(), 4u);
    EXPECT_EQ(Ring<int>(5).capacity(), 8u);
}

TEST(RingTest, EverySlotIsUsedAndAFullRingRefusesWithoutLoss) {
    Ring<int> ring(4);
    for (int i = 0; i < 4; ++i) EXPECT_TRUE(ring.try_push(i));
    EXPECT_FALSE(ring.try_push(99));
    for (int i = 0; i < 4; ++i) {
        int value = -1;
        ASSERT_TRUE(ring.try_pop(value));
        EXPECT_EQ(value, i);
    }
    int untouched = 7;
    EXPECT_FALSE(ring.try_pop(untouched));
    EXPECT_EQ(untouched, 7);
}

TEST(RingTest, GoesRoundManyTimesWithAnyFill) {
    Ring<int> ring(8);
    int pushed = 0;
    int popped = 0;
    for (int round = 0; round < 100; ++round) {
        for (int i = 0; i < round % 9; ++i) ASSERT_TRUE(ring.try_push(pushed++));
        int value = -1;
        while (ring.try_pop(value)) ASSERT_EQ(value, popped++);
    }
    EXPECT_EQ(pushed, popped);
}

// Every value arrives once, in order and whole, however the two threads are scheduled.
TEST(RingTest, TwoThreadsPassEveryValueInOrder) {
    struct Message {
        std::int64_t number;
        std::int64_t check;
    };
    constexpr std::int64_t kValues = 100'000;
    Ring<Message> ring(64);
    std::thread producer([&] {
        for (std::int64_t i = 0; i < kValues; ++i) {
            while (!ring.try_push({i, ~i})) std::this_thread::yield();
        }
    });
    std::int64_t wrong = 0;
    for (std::int64_t i = 0; i < kValues; ++i) {
        Message message{};
        while (!ring.try_pop(message)) std::this_thread::yield();
        if (message.number != i || message.check != ~i) ++wrong;
    }
    producer.join();
    EXPECT_EQ(wrong, 0);
    Message none{};
    EXPECT_FALSE(ring.try_pop(none));
}

}  // namespace
}  // namespace letoff::core
