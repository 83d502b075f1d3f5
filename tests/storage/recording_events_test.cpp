#include "storage/recording_events.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/storage/recording_examples.h"

namespace letoff::storage {
namespace {

using core::TakeEvent;
using core::TakeKind;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(RecordingEvents, TheBytesOfAnEventAreTheSameOnEveryMachine) {
    const std::vector<TakeEvent> events = {{.tick = 0x0102,
                                            .time_s = 1.0,
                                            .value = -2.0,
                                            .bits = 0x0304,
                                            .kind = TakeKind::strike,
                                            .key = 5,
                                            .message = core::note_off(6, 7, 8)}};
    const std::vector<std::uint8_t> bytes = take_bytes(events);
    ASSERT_EQ(bytes.size(), kTakeEvent_bytes);
    EXPECT_THAT(std::vector(bytes.begin(), bytes.begin() + 2), ElementsAre(2, 1));
    EXPECT_THAT(std::vector(bytes.begin() + 14, bytes.begin() + 16), ElementsAre(0xF0, 0x3F));
    EXPECT_THAT(std::vector(bytes.begin() + 23, bytes.begin() + 26), ElementsAre(0xC0, 4, 3));
    EXPECT_THAT(std::vector(bytes.begin() + 32, bytes.end()), ElementsAre(32, 5, 0x80, 6, 7, 8, 0, 0));
    EXPECT_EQ(take_events(bytes), events);
    EXPECT_THAT(take_events(std::vector<std::uint8_t>(kTakeEvent_bytes - 1)), IsEmpty());
}

TEST(RecordingEvents, PackedEventsKeepEveryBitInFewBytes) {
    std::vector<TakeEvent> events = some_events(4000);
    events.push_back({.tick = 4002, .bits = 300, .kind = TakeKind::key_moved, .key = 87});
    events.push_back({.tick = -5, .time_s = -1e300, .bits = ~std::uint64_t{0}, .kind = TakeKind{200}, .key = -1});
    const std::vector<std::uint8_t> bytes = packed_take(events);
    EXPECT_EQ(packed_events(bytes), events);
    // kind, fields, tick 4000 in two bytes of seven bits, lowest first; then 0.1 and the message.
    EXPECT_THAT(std::vector(bytes.begin(), bytes.begin() + 4), ElementsAre(1, 1 + 2 + 32, 0xA0, 31));
    EXPECT_THAT(std::vector(bytes.begin() + 12, bytes.begin() + 16), ElementsAre(0x90, 3, 60, 99));
    const std::vector<TakeEvent> moved = {{.tick = 1, .bits = 300, .kind = TakeKind::key_moved, .key = 87}};
    EXPECT_THAT(packed_take(moved), ElementsAre(13, 1 + 8 + 16, 1, 0xAC, 2, 87));
    // Cut anywhere, what is whole is there.
    for (std::size_t size = 0; size < bytes.size(); ++size) {
        const auto some = packed_events(std::span(bytes).first(size));
        ASSERT_LT(some.size(), events.size());
        EXPECT_TRUE(std::equal(some.begin(), some.end(), events.begin())) << size;
    }
    EXPECT_THAT(packed_events(std::vector<std::uint8_t>{1, 64, 1, 0}), IsEmpty());  // a field that nobody knows
}

}  // namespace
}  // namespace letoff::storage
