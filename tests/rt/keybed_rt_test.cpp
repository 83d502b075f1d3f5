// Real ticks of 88 keys with their strings and sound, under the guard.
#include <gtest/gtest.h>

#include <array>
#include <memory>

#include "audio/sound_engine.h"
#include "core/rt/denormals.h"
#include "core/rt/executor.h"
#include "tests/keyboard/keybed/piano_keys.h"
#include "tests/rt/rt_guard.h"

namespace letoff::test {
namespace {

/// Counts, and renders the sound as the instrument does.
class CountingSink final : public core::SoundSink, public core::StrikeSink {
  public:
    explicit CountingSink(audio::SoundEngine& engine) : engine_(engine) {}

    void on_tick(const core::SoundFrame& frame) noexcept override {
        ticks_with_force += frame.forces.empty() ? 0 : 1;
        const auto samples = static_cast<std::size_t>(engine_.samples_per_tick());
        engine_.render({&frame, 1}, std::span(left_).first(samples), std::span(right_).first(samples));
    }
    void on_strike(const core::Strike&) noexcept override { ++strikes; }
    void on_key_bottom(int, double) noexcept override { ++bottoms; }
    void on_release(const core::Release&) noexcept override { ++releases; }

    int ticks_with_force = 0, strikes = 0, bottoms = 0, releases = 0;

  private:
    audio::SoundEngine& engine_;
    std::array<float, audio::kMaxSamplesPerTick> left_{}, right_{};
};

TEST(KeybedRt, TicksOf88KeysAndTheirSoundKeepTheRules) {
    const auto executor = std::move(core::make_executor("inline", 1).value());
    keyboard::Keybed keybed(keyboard::piano_keys(), 4000, *executor);
    auto engine = audio::SoundEngine::create(keyboard::piano_strings(), {});
    ASSERT_TRUE(engine.ok()) << engine.error();
    CountingSink sink(engine.value());
    const core::DenormalsOff denormals_off;

    RtGuard guard;
    for (int tick = 0; tick < 200; ++tick) {
        // Half of the keys from soft to loud at once, the others 5 ms later; the first are let go, the pedal goes
        // down.
        if (tick == 0 || tick == 20) {
            for (int k = tick == 0 ? 0 : 1; k < keybed.keys(); k += 2) keybed.press(k, keybed.now_s(), 40.0 + k);
        }
        if (tick == 100) {
            for (int k = 0; k < keybed.keys(); k += 2) keybed.lift(k, keybed.now_s(), 0.5);
        }
        if (tick >= 150) keybed.set_tray((tick - 150) / 50.0);
        keybed.tick(&sink, &sink);
    }
    guard.disarm();
    EXPECT_EQ(guard.total(), 0) << guard.report();
    EXPECT_EQ(sink.strikes, 88);
    EXPECT_GT(sink.bottoms, 80);
    EXPECT_GE(sink.releases, 30);  // the slowest of the 44 need a little longer
    EXPECT_GT(sink.ticks_with_force, 10);
    EXPECT_GT(engine.value().max_abs_sample(), 0.01);
    EXPECT_EQ(keybed.faults(), 0);
}

TEST(KeybedRt, AnIdleKeybedKeepsTheRules) {
    const auto executor = std::move(core::make_executor("inline", 1).value());
    keyboard::Keybed keybed(keyboard::piano_keys(0, 16), 4000, *executor);
    keybed.settle();
    RtGuard guard;
    for (int tick = 0; tick < 20; ++tick) keybed.tick(nullptr, nullptr);
    guard.disarm();
    EXPECT_EQ(guard.total(), 0) << guard.report();
}

}  // namespace
}  // namespace letoff::test
