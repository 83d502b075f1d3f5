// Live play's rig (tests/ui/app/live/live_rig.h) on virtual time: the loop round the keybed's work, and a sound device.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

#include "core/rt/denormals.h"
#include "tests/ui/app/live/live_rig.h"

namespace letoff::test {

using ui::test::LiveRig;
using ui::test::RigKeys;

/// A heavier hammer on higher capstans, the pedal's tray, a finger that plays elsewhere: everything that a touch can
/// turn.
inline void publish_another_touch(LiveRig& rig, double by) {
    rig.publish_touch([by](keyboard::KeyBuild& key) {
        key.values[keyboard::grand_row("capstan_y_mm")] += 0.2 * by;
        key.values[keyboard::grand_row("hammer_inertia_kgm2")] *= 1 + 0.2 * by;
        key.values[keyboard::grand_row("knuckle_felt_r")] -= 0.2 * by;
        key.values[keyboard::grand_row("tray_travel_mm")] += by;
        key.values[keyboard::grand_row("touch_point_mm")] += 10 * by;
    });
}

/// Time passes only in waits; one of them ends late when the test says so.
struct LateClock final : core::Clock {
    std::int64_t now = 0, late_once = 0;
    int tick_hz() const noexcept override { return LiveRig::kTick_hz; }
    std::int64_t now_ticks() const noexcept override { return now; }
    double now_s() const noexcept override { return static_cast<double>(now) / tick_hz(); }
    bool wait_until(std::int64_t tick) noexcept override {
        now = std::max(now, tick + std::exchange(late_once, 0));
        return true;
    }
};

struct NoCpu final : core::CpuClock {
    double used_s() noexcept override { return 0; }
};

/// The rig on virtual time, with a sound device of 128 frames at 48 kHz.
class VirtualLive {
  public:
    explicit VirtualLive(std::size_t out_messages = 256) : rig_({kZero_ns, out_messages}, RigKeys::eight()) {
        rig_.work.follow(loop_);
        rig_.work.serve(page_);
        gate_.open(*rig_.sound.stream_opening(48000, kFrames));
        loop_.begin();
    }

    LiveRig& rig() { return rig_; }
    ui::PagePort& page() { return page_; }
    core::PeriodicLoop& loop() { return loop_; }
    audio::CallbackCounters& counters() { return counters_; }
    void be_late(double seconds) { clock_.late_once = static_cast<std::int64_t>(seconds * LiveRig::kTick_hz); }
    /// What the work does besides, at the end of one tick.
    void break_a_rule(void (*how)()) { extra_ = how; }

    void play(double seconds) {
        const core::DenormalsOff denormals_off;
        for (const double end_s = clock_.now_s() + seconds; clock_.now_s() < end_s;) {
            loop_.step();
            for (; next_block_s_ <= clock_.now_s(); next_block_s_ += kFrames / 48000.0)
                gate_.block(left_.data(), right_.data(), kFrames, 48000, rig_.clock.ns_at(next_block_s_), false);
        }
    }

  private:
    struct Work final : core::PeriodicWork {
        explicit Work(VirtualLive& all) : live(all) {}
        void on_period(std::int64_t tick) noexcept override {
            live.rig_.work.on_period(tick);
            if (tick == 100 && live.extra_ != nullptr) live.extra_();
        }
        std::int64_t idle_ticks() noexcept override { return live.rig_.work.idle_ticks(); }
        VirtualLive& live;
    };

    static constexpr int kFrames = 128;
    // Long after the stamps of all messages that will come: they act in the coming tick.
    const std::int64_t kZero_ns = core::monotonic_now_ns() + 3'600'000'000'000;

    LiveRig rig_;
    ui::PagePort page_{rig_.clock};
    LateClock clock_;
    NoCpu cpu_;
    Work work_{*this};
    core::PeriodicLoop loop_{clock_, cpu_, work_, rig_.faults};
    audio::CallbackCounters counters_;
    audio::CallbackGate gate_{counters_, false};
    void (*extra_)() = nullptr;
    double next_block_s_ = 0;
    std::array<float, kFrames> left_{}, right_{};
};

}  // namespace letoff::test
