#include "keyboard/keybed/keybed.h"

#include <gtest/gtest.h>

#include <string>

#include "core/simd/target.h"
#include "tests/keyboard/keybed/piano_keys.h"

namespace letoff::keyboard {
namespace {

struct Played {
    std::uint64_t state_hash = 0;
    KeptEvents events;
    int most_asleep = 0, most_awake_blocks = 0;
    bool moved = false;
    std::int64_t faults = 0;
};

/// 0.25 s on 88 keys: 16 struck from soft to loud, half of them let go again, the pedal pressed half way.
Played play_quarter_second(core::Executor& executor) {
    Keybed keybed(piano_keys(), 4000, executor);
    Played played;
    for (int tick = 0; tick < 1000; ++tick) {
        for (int i = 0; i < 16; ++i) {
            const int key = i * 87 / 15;
            if (tick == 10 * i) keybed.press(key, keybed.now_s() + 1e-5 * i, 4.0 + 3.0 * i);
            if (tick == 500 + 10 * i && i % 2 == 0) keybed.lift(key, keybed.now_s(), 0.3);
        }
        if (tick >= 600) keybed.set_tray(std::min(0.5, (tick - 600) / 200.0));
        keybed.tick(&played.events, &played.events);
        played.most_asleep = std::max(played.most_asleep, keybed.sleeping_keys());
    }
    played.state_hash = keybed.state_hash();
    played.faults = keybed.faults();
    return played;
}

Played played_with(const char* kind, int threads) {
    const auto executor = std::move(core::make_executor(kind, threads).value());
    return play_quarter_second(*executor);
}

void expect_same(const Played& a, const Played& b, const std::string& what) {
    EXPECT_EQ(a.state_hash, b.state_hash) << what;
    EXPECT_EQ(a.events.force_hash, b.events.force_hash) << what;
    ASSERT_EQ(a.events.strikes.size(), b.events.strikes.size()) << what;
    for (size_t i = 0; i < a.events.strikes.size(); ++i) {
        EXPECT_EQ(a.events.strikes[i].key_index, b.events.strikes[i].key_index) << what;
        EXPECT_EQ(a.events.strikes[i].strike_time_s, b.events.strikes[i].strike_time_s) << what;
        EXPECT_EQ(a.events.strikes[i].hammer_speed_mps, b.events.strikes[i].hammer_speed_mps) << what;
    }
    ASSERT_EQ(a.events.releases.size(), b.events.releases.size()) << what;
    for (size_t i = 0; i < a.events.releases.size(); ++i) {
        EXPECT_EQ(a.events.releases[i].time_s, b.events.releases[i].time_s) << what;
        EXPECT_EQ(a.events.releases[i].key_speed_mps, b.events.releases[i].key_speed_mps) << what;
    }
}

TEST(Keybed, SixteenKeysStrikeWithoutAFault) {
    const Played played = played_with("inline", 1);
    EXPECT_EQ(played.events.strikes.size(), 16u);
    EXPECT_GE(played.events.releases.size(), 8u);
    EXPECT_EQ(played.faults, 0);
}

TEST(Keybed, SameBitsOnAnyNumberOfThreads) {
    const Played alone = played_with("inline", 1);
    for (const int threads : {1, 2, 4}) expect_same(alone, played_with("threads", threads), std::to_string(threads));
}

TEST(Keybed, SameBitsOnAnyNumberOfThreadsTbb) {
    const Played alone = played_with("inline", 1);
    for (const int threads : {1, 2, 4}) expect_same(alone, played_with("tbb", threads), std::to_string(threads));
}

TEST(Keybed, SameBitsOnEverySimdTarget) {
    ASSERT_TRUE(core::choose_simd("scalar").ok());
    const Played scalar = played_with("inline", 1);
    int others = 0;
    for (const char* name : {"avx2", "avx512"}) {
        if (!core::choose_simd(name).ok()) continue;  // this machine cannot
        ++others;
        expect_same(scalar, played_with("inline", 1), name);
    }
    EXPECT_TRUE(core::choose_simd("auto").ok());
    if (others == 0) GTEST_SKIP() << "the machine has neither AVX2 nor AVX-512";
}

/// A second on 32 settled keys: one of each block struck, held, let go and struck again at other times, the pedal in
/// the end; a keybed kept awake may not sleep through any tick, and so never moves a key to another block.
Played play_on_rested_keys(bool kept_awake) {
    const auto executor = std::move(core::make_executor("inline", 1).value());
    Keybed keybed(piano_keys(40, 32), 4000, *executor);
    keybed.settle();
    const auto key_of = [](int i) { return 10 * i + 1; };
    std::array<const ActionBlock*, 4> settled_in{};
    for (int i = 0; i < 4; ++i) settled_in[static_cast<size_t>(i)] = &keybed.block_of(key_of(i));
    Played played;
    for (int tick = 0; tick < 4000; ++tick) {
        if (kept_awake) {
            for (int key = 0; key < keybed.keys(); key += core::kLanes)
                keybed.block_of(key).set_state(keybed.block_of(key).state());
        }
        for (int i = 0; i < 4; ++i) {
            const int key = key_of(i);
            if (tick == 400 + 40 * i || tick == 1900 + 7 * i) keybed.press(key, keybed.now_s(), 10 + 2 * i);
            if (tick == 800 + 60 * i || tick == 2300 - 9 * i) keybed.lift(key, keybed.now_s(), 0.3);
            played.moved |= &keybed.block_of(key) != settled_in[static_cast<size_t>(i)];
        }
        if (tick >= 3200) keybed.set_tray(0.3);
        if (tick > 400 && tick < 3200)
            played.most_awake_blocks = std::max(played.most_awake_blocks, keybed.awake_blocks());
        keybed.tick(&played.events, &played.events);
        played.most_asleep = std::max(played.most_asleep, keybed.sleeping_keys());
    }
    played.state_hash = keybed.state_hash();
    return played;
}

TEST(Keybed, AllKeysSleepSoonAfterTheyWerePlayed) {
    const auto executor = std::move(core::make_executor("inline", 1).value());
    Keybed keybed(piano_keys(), 4000, *executor);
    keybed.settle();
    EXPECT_EQ(keybed.sleeping_keys(), keybed.keys());
    for (int key = 0; key < keybed.keys(); ++key) keybed.press(key, keybed.now_s(), 2.0 + 0.5 * key);
    for (int tick = 0; tick < 12000; ++tick) {
        if (tick == 100) {
            EXPECT_EQ(keybed.sleeping_keys(), 0);
        }
        // The softest lie after 0.15 s; their levers creep on the drop screw's felts for another 0.35 s.
        if (tick == 2100) {
            EXPECT_EQ(keybed.sleeping_keys(), keybed.keys()) << "held down they rest too";
            for (int key = 0; key < keybed.keys(); ++key) keybed.lift(key, keybed.now_s(), 0.25);
        }
        keybed.tick(nullptr, nullptr);
    }
    EXPECT_EQ(keybed.sleeping_keys(), keybed.keys());
    EXPECT_LE(keybed.not_converged(), 10) << "of 1,056,000 steps";
}

TEST(Keybed, SleepChangesNoBit) {
    const Played slept = play_on_rested_keys(false), awake = play_on_rested_keys(true);
    EXPECT_GE(slept.most_asleep, 28);  // else nothing is tested
    EXPECT_TRUE(slept.moved);
    EXPECT_FALSE(awake.moved);
    EXPECT_EQ(slept.events.strikes.size(), 8u);
    expect_same(slept, awake, "asleep and awake");
}

TEST(Keybed, FourKeysFarApartShareOneBlock) {
    EXPECT_EQ(play_on_rested_keys(true).most_awake_blocks, 4);
    EXPECT_EQ(play_on_rested_keys(false).most_awake_blocks, 1);
}

TEST(Keybed, KeysOfAChordAreGathered) {
    const auto executor = std::move(core::make_executor("inline", 1).value());
    Keybed keybed(piano_keys(), 4000, *executor);
    keybed.settle();
    int moved = 0;
    for (int i = 0; i < 8; ++i) {  // in eight blocks, at once
        const ActionBlock* const before = &keybed.block_of(11 * i);
        keybed.press(11 * i, keybed.now_s(), 5);
        moved += &keybed.block_of(11 * i) != before ? 1 : 0;
    }
    EXPECT_EQ(moved, 2) << "what a tick may spend on moving keys is bounded";
    for (int tick = 0; tick < 100; ++tick) keybed.tick(nullptr, nullptr);
    EXPECT_EQ(keybed.keys() - keybed.sleeping_keys(), 8);
    EXPECT_EQ(keybed.awake_blocks(), 1);
}

TEST(Keybed, StrikesOfOneTickComeInTheOrderOfKeys) {
    // Sixteen twins, two blocks: all strike at the same instant.
    std::vector<KeyBuild> twins(16, piano_keys(48, 1)[0]);
    for (int k = 0; k < 16; ++k) twins[static_cast<size_t>(k)].key_index = k;
    const auto executor = std::move(core::make_executor("threads", 2).value());
    Keybed keybed(twins, 4000, *executor);
    KeptEvents events;
    for (int k = 15; k >= 0; --k) keybed.press(k, 0, 20);
    for (int tick = 0; tick < 400; ++tick) keybed.tick(&events, &events);
    ASSERT_EQ(events.strikes.size(), 16u);
    for (int k = 0; k < 16; ++k) {
        EXPECT_EQ(events.strikes[static_cast<size_t>(k)].key_index, k);
        EXPECT_EQ(events.strike_ticks[static_cast<size_t>(k)], events.strike_ticks[0]);
        EXPECT_EQ(events.strikes[static_cast<size_t>(k)].strike_time_s, events.strikes[0].strike_time_s);
    }
}

TEST(Keybed, StrikesComeInTheOrderOfTicksSoonAfterTheyHappened) {
    const Played played = played_with("inline", 1);
    const KeptEvents& events = played.events;
    ASSERT_EQ(events.strikes.size(), 16u);
    for (size_t i = 0; i < events.strikes.size(); ++i) {
        EXPECT_GE(events.strike_ticks[i], events.strike_ticks[i > 0 ? i - 1 : 0]);
        const double told_s = static_cast<double>(events.strike_ticks[i] + 1) / 4000;
        // A strike is told when 0.1 mN s have been given: the felt's soft beginning takes a tick or two.
        EXPECT_LE(events.strikes[i].strike_time_s, told_s);
        EXPECT_GT(events.strikes[i].strike_time_s, told_s - 3.0 / 4000);
        EXPECT_LT(events.strikes[i].escapement_time_s, events.strikes[i].strike_time_s);
        EXPECT_GT(events.strikes[i].escapement_time_s, events.strikes[i].strike_time_s - 0.05);
    }
}

TEST(Keybed, EveryPressGivesOneReleaseFasterForAFasterFinger) {
    const auto executor = std::move(core::make_executor("inline", 1).value());
    Keybed keybed(piano_keys(48, 8), 4000, *executor);
    keybed.settle();
    KeptEvents events;
    const auto lift_mps = [](int key) { return 0.05 + 0.05 * key; };
    for (int tick = 0; tick < 4000; ++tick) {
        for (int k = 0; k < 8; ++k) {
            if (tick % 2000 == 0) keybed.press(k, keybed.now_s(), 2.0 + 4 * k);
            if (tick % 2000 == 1000) keybed.lift(k, keybed.now_s(), lift_mps(k));
        }
        keybed.tick(&events, &events);
    }
    EXPECT_EQ(events.strikes.size(), 16u);
    ASSERT_EQ(events.releases.size(), 16u);
    std::array<int, 8> count{};
    double slow_mps = 0, fast_mps = 0;  // sums over the fingers at 0.05 to 0.15 m/s and at 0.20 to 0.40 m/s
    for (const core::Release& release : events.releases) {
        const int k = release.key_index - 48;
        ASSERT_TRUE(k >= 0 && k < 8);
        ++count[static_cast<size_t>(k)];
        EXPECT_GT(release.key_speed_mps, 0.02) << k;
        // The finger leaves 0.25 s after a multiple of 0.5 s; the key comes up with it.
        const double after_s = release.time_s - (release.time_s < 0.5 ? 0.25 : 0.75);
        EXPECT_GT(after_s, 0.004) << k;
        EXPECT_LT(after_s, 0.030 + 0.010 / lift_mps(k)) << k;
        (release.key_index < 51 ? slow_mps : fast_mps) += release.key_speed_mps;
    }
    for (const int c : count) EXPECT_EQ(c, 2);
    EXPECT_GT(fast_mps / 10, 1.5 * slow_mps / 6);
}

TEST(Keybed, AStrikeOnARingingStringDoesNotCutIt) {
    const auto executor = std::move(core::make_executor("inline", 1).value());
    Keybed keybed(piano_keys(24, 1), 4000, *executor);  // A2
    keybed.settle();
    keybed.set_tray(1.0);  // undamped
    KeptEvents events;
    double loud_J = 0;
    for (int tick = 0; tick < 4000; ++tick) {
        if (tick == 400) keybed.press(0, keybed.now_s(), 60);
        if (tick == 1200) keybed.lift(0, keybed.now_s(), 0.3);
        if (tick == 2400) loud_J = keybed.block_of(0).string_energy_J(0);
        if (tick == 2400) keybed.press(0, keybed.now_s(), 1.5);
        keybed.tick(&events, &events);
    }
    ASSERT_EQ(events.strikes.size(), 2u);
    EXPECT_GT(events.strikes[0].hammer_speed_mps, 3 * events.strikes[1].hammer_speed_mps);
    const double after_J = keybed.block_of(0).string_energy_J(0);
    const double soft_J = 0.5 * piano_strings().notes[24].hammer_mass_kg * events.strikes[1].hammer_speed_mps *
                          events.strikes[1].hammer_speed_mps;
    EXPECT_GT(loud_J, 3 * soft_J);
    EXPECT_GT(after_J, 3 * soft_J);  // far more than the soft blow alone could give
}

}  // namespace
}  // namespace letoff::keyboard
