#include "core/fault/fault.h"

#include <gtest/gtest.h>

#include <set>
#include <string_view>
#include <thread>
#include <vector>

namespace letoff::core {
namespace {

TEST(FaultTest, NumbersAreStable) {
    // A fault put in the middle of a block would shift the ones after it.
    EXPECT_EQ(static_cast<int>(Fault::kEventRingFull), 106);
    EXPECT_EQ(static_cast<int>(Fault::kAudioDeviceLost), 204);
    EXPECT_EQ(static_cast<int>(Fault::kMidiPortLost), 303);
    EXPECT_EQ(static_cast<int>(Fault::kUsbTransferLate), 403);
    EXPECT_EQ(static_cast<int>(Fault::kStorageQueueFull), 502);
    EXPECT_EQ(static_cast<int>(Fault::kDetailShed), 604);
}

TEST(FaultTest, EveryFaultHasANameOfItsOwnAndASentence) {
    std::set<std::string_view> names;
    for (const FaultRow& row : fault_table()) {
        EXPECT_TRUE(names.insert(row.name).second) << row.name;
        EXPECT_TRUE(row.sentence.ends_with('.')) << row.name;
    }
    EXPECT_EQ(names.size(), 29u);
}

TEST(FaultTest, EachFaultIsCountedAloneAndLimitsAreNoErrors) {
    FaultCounters counters;
    std::uint64_t times = 0;
    for (const FaultRow& row : fault_table()) counters.raise(row.fault, ++times);
    times = 0;
    for (const FaultRow& row : fault_table()) EXPECT_EQ(counters.count(row.fault), ++times) << row.name;
    EXPECT_EQ(counters.errors(), 24u * 25u / 2u);
}

TEST(FaultTest, ThreadsLoseNoCount) {
    FaultCounters counters;
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i) {
        threads.emplace_back([&] {
            for (int n = 0; n < 10'000; ++n) counters.raise(Fault::kTickLate);
        });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(counters.count(Fault::kTickLate), 40'000u);
}

}  // namespace
}  // namespace letoff::core
