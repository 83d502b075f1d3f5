// Keys that leave a block and come into another.
#include <gtest/gtest.h>

#include "keyboard/action/two_body.h"
#include "keyboard/keybed/action_block.h"
#include "tests/keyboard/keybed/piano_keys.h"

namespace letoff::keyboard {
namespace {

TEST(KeyTransfer, APhaseGoesWithItsKeyWhereverThatGoes) {
    GrandTouch touch;
    touch.action = find_action("two_body");
    const std::vector<KeyBuild> keys = grand_keys(piano_strings(), 40, 8, touch);
    ActionBlock from(keys, 4000), to(keys, 4000);
    from.input.key_force_N[1] = 10;
    for (std::int64_t tick = 0; tick < 400 && from.phase(1) != kTwoCoupledOnBed; ++tick) from.tick(tick);
    ASSERT_EQ(from.phase(1), kTwoCoupledOnBed);
    ASSERT_EQ(from.phase(0), kTwoCoupled);
    EXPECT_EQ(from.key_state(1).phase, kTwoCoupledOnBed);
    to.set_key_state(3, from.key_state(1));
    EXPECT_EQ(to.phase(3), kTwoCoupledOnBed);
    to.copy_key(from, 1, 4);
    EXPECT_EQ(to.phase(4), kTwoCoupledOnBed);
    ActionBlock::exchange(from, 1, to, 5);
    EXPECT_EQ(to.phase(5), kTwoCoupledOnBed);
    EXPECT_EQ(from.phase(1), kTwoCoupled);
}

}  // namespace
}  // namespace letoff::keyboard
