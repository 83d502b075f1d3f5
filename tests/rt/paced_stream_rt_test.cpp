// The device's thread of `none` and `wav:FILE`, from one block to the next: the gate, what plays, the ring to the
// thread that writes the file, the wait. The wait is the only call.
#include <gtest/gtest.h>
#include <sys/syscall.h>

#include <atomic>
#include <memory>
#include <optional>

#include "audio/device/audio_out.h"
#include "audio/live/live_sound.h"
#include "tests/keyboard/keybed/piano_keys.h"
#include "tests/rt/rt_guard.h"
#include "tests/rt/system_call_trap.h"
#include "tests/support/temp_dir.h"
#include "tests/support/wait_for.h"

namespace letoff::test {
namespace {

constexpr std::int64_t kFirst = 4, kBlocks = 200;

/// Live sound, and what is done to the device's thread from its fourth block on until kBlocks later.
class WatchedSound final : public audio::BlockSource, public audio::AudioClient {
  public:
    enum class By : std::uint8_t { kGuard, kTrap };
    explicit WatchedSound(By by) : by_(by) {}

    void render(float* left, float* right, int frames, std::int64_t request_time_ns) noexcept override {
        live_->render(left, right, frames, request_time_ns);
        ++block_;
        if (block_ == kFirst && by_ == By::kGuard) guard_.emplace();
        if (block_ == kFirst && by_ == By::kTrap) trap_this_thread({SYS_clock_nanosleep});
        if (block_ != kFirst + kBlocks) return;
        if (guard_) guard_->disarm();
        done_.store(true, std::memory_order_release);
    }
    audio::BlockSource* stream_opening(int rate_hz, int /*frames*/) override {
        live_ = std::move(
            audio::LiveSound::create(keyboard::piano_strings(), {.sample_rate_hz = rate_hz}, faults_).value());
        return this;
    }
    void stream_stopped() override {}

    bool done() const { return done_.load(std::memory_order_acquire); }
    /// When it is done.
    const RtGuard& guard() const { return *guard_; }

  private:
    const By by_;
    core::FaultCounters faults_;
    std::unique_ptr<audio::LiveSound> live_;
    std::int64_t block_ = 0;
    std::optional<RtGuard> guard_;
    std::atomic<bool> done_{false};
};

audio::AudioSetting setting_for(const std::string& choice) {
    audio::AudioSetting setting;
    setting.choice = audio::parse_audio_choice(choice).value();
    setting.frames = 64;
    return setting;
}

class PacedStreamRt : public testing::TestWithParam<std::string> {
  protected:
    std::string choice() const { return GetParam() == "wav" ? "wav:" + (folder_.path() / "out.wav").string() : "none"; }

  private:
    TempDir folder_;
};

INSTANTIATE_TEST_SUITE_P(Ways, PacedStreamRt, testing::Values("none", "wav"),
                         [](const auto& way) { return way.param; });

TEST_P(PacedStreamRt, ItsThreadKeepsTheRulesFromBlockToBlock) {
    WatchedSound sound(WatchedSound::By::kGuard);
    auto out = audio::AudioOut::open(setting_for(choice()), sound);
    ASSERT_TRUE(out.ok()) << out.error();
    ASSERT_TRUE(wait_for(30, [&] { return sound.done(); }));
    EXPECT_EQ(sound.guard().count(RtViolation::kWait), kBlocks) << sound.guard().report();  // until the next block
    EXPECT_EQ(sound.guard().total(), kBlocks) << sound.guard().report();
    EXPECT_TRUE(out.value()->stop().ok());
}

TEST_P(PacedStreamRt, ItsThreadOnlySleeps) {
    if (!clock_is_no_system_call()) GTEST_SKIP() << "this machine's clock is a system call";
    const TrapReport report = run_in_child([&]() -> std::int64_t {
        auto* sound = new WatchedSound(WatchedSound::By::kTrap);  // the child ends with its thread still playing
        auto out = audio::AudioOut::open(setting_for(choice()), *sound);
        if (!out) return -1;
        const bool done = wait_for(30, [&] { return sound->done(); });
        return done ? out.value().release()->counters().blocks.load() : 0;
    });
    EXPECT_TRUE(report.clean()) << report.text();
    EXPECT_GE(report.answer, kBlocks);
}

}  // namespace
}  // namespace letoff::test
