// Real ticks of 88 keys with their strings and sound, under the guard.
#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <span>

#include "audio/sound_engine.h"
#include "core/rt/executor.h"
#include "tests/keyboard/keybed/piano_keys.h"
#include "tests/rt/all_keys.h"
#include "tests/rt/rt_guard.h"

namespace letoff::test {
namespace {

/// Counts, and renders the sound as the instrument does.
class SoundingSink final : public CountingSink {
  public:
    explicit SoundingSink(audio::SoundEngine& engine) : engine_(engine) {}

    void on_tick(const core::SoundFrame& frame) noexcept override {
        CountingSink::on_tick(frame);
        const auto samples = static_cast<std::size_t>(engine_.samples_per_tick());
        engine_.render({&frame, 1}, std::span(left_).first(samples), std::span(right_).first(samples));
    }

  private:
    audio::SoundEngine& engine_;
    std::array<float, audio::kMaxSamplesPerTick> left_{}, right_{};
};

TEST(KeybedRt, TicksOf88KeysAndTheirSoundKeepTheRules) {
    const auto executor = std::move(core::make_executor("inline", 1).value());
    keyboard::Keybed keybed(keyboard::piano_keys(), 4000, *executor);
    auto engine = audio::SoundEngine::create(keyboard::piano_strings(), {});
    ASSERT_TRUE(engine.ok()) << engine.error();
    SoundingSink sink(engine.value());

    RtGuard guard;
    play_all_keys(keybed, sink, [](int) {});
    guard.disarm();
    EXPECT_EQ(guard.total(), 0) << guard.report();
    EXPECT_TRUE(all_was_told(sink)) << sink.strikes << " strikes";
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
