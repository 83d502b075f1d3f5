// A keybed's frames and a sound device on virtual time, through the gate to live sound in a room, as live play joins
// them; and playing them allocates nothing, so that it can run under the guard and the trap.
// (tests/audio/live/virtual_play.h keeps all it plays and judges the sound; this one judges only how it is made.)
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <utility>

#include "audio/device/callback_gate.h"
#include "audio/live/live_sound.h"
#include "audio/sample/sample_link.h"
#include "tests/keyboard/keybed/piano_keys.h"
#include "tests/rt/made_frames.h"
#include "tests/rt/system_call_trap.h"

namespace letoff::test {

class VirtualDevice {
  public:
    static constexpr int kLongestAsked = 10000;  // LiveSound takes 8192 at once

    VirtualDevice(int rate_hz, int tick_hz, int block_frames)
        : frames(tick_hz), rate_hz_(rate_hz), tick_hz_(tick_hz), block_frames_(block_frames) {
        samples_ =
            std::make_unique<audio::SampleLink>(rate_hz, tick_hz, audio::LiveSoundConfig{}.longest_block, faults);
        samples_->begin();
        const audio::LiveSoundConfig config{.sample_rate_hz = rate_hz,
                                            .tick_hz = tick_hz,
                                            .margin_s = 0.5 / tick_hz,
                                            .engine = audio::Engine::kBoth,
                                            .samples = samples_.get(),
                                            .room = hall(rate_hz)};
        live_ = std::move(audio::LiveSound::create(keyboard::piano_strings(), config, faults).value());
        live_->set_time_zero_ns(kZero_ns);
    }

    /// The keybed tells each tick when its time is over, the device asks when its block begins, late by up to 0.2 ms.
    void play(double seconds) noexcept {
        for (const double end_s = now_s_ + seconds; now_s_ < end_s;) ask(block_frames_);
    }
    void ask(int block_frames) noexcept {
        const double asked_s = now_s_ + 50e-6 * static_cast<double>(7 * blocks % 5);
        if (!hold) tell_until(asked_s);
        if (!hold) make_samples();
        const auto request_ns = kZero_ns + static_cast<std::int64_t>(1e9 * asked_s);
        if (gate.block(left_.data(), right_.data(), block_frames, rate_hz_, request_ns, xrun)) ++blocks;
        now_s_ += static_cast<double>(block_frames) / rate_hz_;
    }
    /// The device asks for nothing for a while.
    void pause(double seconds) noexcept { now_s_ += seconds; }
    /// What the keybed has not told yet it never will.
    void lose_held() noexcept { tick_ = static_cast<std::int64_t>((now_s_ - zero_s_) * tick_hz_); }
    /// The keybed's clock is set anew: its tick 0 is now.
    void set_time_zero() noexcept {
        zero_s_ = now_s_;
        tick_ = 0;
        live_->set_time_zero_ns(kZero_ns + static_cast<std::int64_t>(1e9 * now_s_));
    }
    void tell_until(double time_s) noexcept {
        for (; static_cast<double>(tick_ + 1) / tick_hz_ <= time_s - zero_s_; ++tick_) {
            if (frames.begins_at(tick_)) {
                for (int key = 0; key < core::kKeyCount; key += 16)
                    live_->on_strike({.key_index = key,
                                      .strike_time_s = (static_cast<double>(tick_) + 0.5) / tick_hz_,
                                      .hammer_speed_mps = 2});
            }
            live_->on_tick(frames.at(tick_));
        }
    }
    /// What the thread of the samples does, but for the samples: a tone of its own.
    void make_samples() noexcept {
        audio::SampleRequest request;
        audio::SampleEvent event;
        while (samples_->next_request(request)) {
            while (samples_->next_event(request, event)) ++sample_events;
            const auto count = static_cast<std::size_t>(request.frames);
            samples_->push_sound({tone_.data(), count}, {tone_.data(), count});
        }
    }

    audio::LiveSound& live() noexcept { return *live_; }
    double now_s() const noexcept { return now_s_; }

    core::FaultCounters faults;
    audio::CallbackCounters counters;
    audio::CallbackGate gate{counters, false};
    MadeFrames frames;
    bool hold = false;  // the keybed tells nothing, later all at once
    bool xrun = false;  // the host says so
    std::int64_t blocks = 0;
    std::int64_t sample_events = 0;

  private:
    /// Half a second of steps up and down that die away.
    static std::shared_ptr<const audio::RoomResponse> hall(int rate_hz) {
        auto response = std::make_shared<audio::RoomResponse>();
        response->rate_hz = rate_hz;
        for (int i = 0; i < rate_hz / 2; ++i) {
            const float size = std::exp(-5.0F * static_cast<float>(i) / static_cast<float>(rate_hz)) / 100;
            response->left.push_back(i * 31 % 7 < 3 ? size : -size);
        }
        response->right = response->left;
        return response;
    }

    static constexpr std::int64_t kZero_ns = 5'000'000'000;

    int rate_hz_, tick_hz_, block_frames_;
    std::unique_ptr<audio::SampleLink> samples_;
    std::unique_ptr<audio::LiveSound> live_;
    std::array<float, 8192> tone_{};
    double now_s_ = 0.1, zero_s_ = 0;
    std::int64_t tick_ = 0;
    std::array<float, kLongestAsked> left_{}, right_{};
};

/// All that can happen to a device's callback and to what fills it.
inline void play_through_everything(VirtualDevice& device) noexcept {
    using Kind = MadeFrames::Kind;
    device.play(0.02);  // nobody plays yet: silence
    device.gate.open(device.live());
    device.play(0.20);
    device.frames.press_dampers(0.5e-3);
    device.play(0.06);
    device.frames.press_dampers(0);  // pedal
    device.play(0.06);
    device.xrun = true;
    device.play(0.03);
    device.xrun = false;
    device.hold = true;  // underrun; then what was held comes late
    device.play(0.02);
    device.hold = false;
    device.play(0.08);
    device.hold = true;  // longer than is waited for, and lost
    device.play(0.12);
    device.hold = false;
    device.lose_held();
    device.play(0.20);
    device.pause(0.6);  // the keybed fills the ring, the device asks anew
    device.play(0.20);
    device.frames.kind = Kind::kSilent;
    device.live().set_resting(true);  // the keybed sleeps: its ticks come in bursts
    for (int burst = 0; burst < 20; ++burst) {
        device.hold = burst % 4 != 3;
        device.play(0.001);
    }
    device.live().set_resting(false);
    device.frames.kind = Kind::kPlayed;
    device.hold = false;
    device.play(0.10);
    device.set_time_zero();
    device.play(0.20);
    device.frames.kind = Kind::kTooLoud;
    device.play(0.10);
    device.frames.kind = Kind::kNotFinite;
    device.play(0.10);
    device.frames.kind = Kind::kPlayed;
    device.ask(VirtualDevice::kLongestAsked);
    device.play(0.10);
    device.live().device_stopped();
    device.pause(0.2);
    device.tell_until(device.now_s());
    device.play(0.20);
}

/// What of it did not, as a bit each; 0: all of it happened.
inline std::int64_t not_happened(VirtualDevice& device) noexcept {
    using core::Fault;
    audio::LiveSoundStatus status;
    device.live().take_status(status);
    return missing_of({
        device.faults.count(Fault::kSoundFrameMissing) > 0,
        device.faults.count(Fault::kClockLost) > 0,
        device.faults.count(Fault::kSoundRingFull) > 0,
        device.faults.count(Fault::kSoundLimited) > 0,
        device.faults.count(Fault::kSamplesLate) > 0,
        device.sample_events > 100,
        device.live().engine().bank().reset_count() > 0,
        status.running && status.peak > 0,
        status.stops > 0,
        device.counters.xruns > 0,
        device.counters.blocks == device.blocks && status.blocks >= device.blocks,
    });
}

}  // namespace letoff::test
