// A keybed and a sound device on virtual time, each with its own clock: ticks are told when the keybed's thread would
// tell them, blocks are asked for when the device would ask.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <memory>
#include <random>
#include <vector>

#include "audio/live/live_sound.h"
#include "core/unit/constants.h"
#include "tests/audio/factory_strings.h"

namespace letoff::audio::test {

/// A hammer on its strings: a half sine of force.
struct Stroke {
    int key_index = 39;
    double start_s = 0;
    double length_s = 2e-3;
    double peak_N = 20;
    double force_N(std::int64_t grid) const {
        const double t_s = (static_cast<double>(grid) + 0.5) / core::kStrikeGrid_hz - start_s;
        return t_s >= 0 && t_s < length_s ? peak_N * std::sin(core::kPi * t_s / length_s) : 0;
    }
};

/// One tick's frame, with what it points to.
struct Tick {
    std::vector<core::StringForce> forces;
    std::array<double, core::kKeyCount> damper_m{};
    core::SoundFrame frame(std::int64_t tick, int tick_hz) const { return {tick, tick_hz, forces, damper_m}; }
};

inline Tick make_tick(std::int64_t tick, int tick_hz, const std::vector<Stroke>& strokes) {
    Tick out;
    const int grid = core::kStrikeGrid_hz / tick_hz;
    for (const Stroke& stroke : strokes) {
        core::StringForce force;
        force.key_index = stroke.key_index;
        force.count = grid;
        double sum = 0;
        for (int i = 0; i < grid; ++i) sum += force.force_N[static_cast<size_t>(i)] = stroke.force_N(tick * grid + i);
        if (sum > 0) out.forces.push_back(force);
    }
    return out;
}

struct PlaySetting {
    LiveSoundConfig live{};
    int frames = 128;
    double drift = 0;     // device slower than its name
    double jitter_s = 0;  // callbacks late by up to this, even chances
    double first_request_s = 0.05;
    double keybed_late_s = 0;  // from a tick's time until its frame is told
    unsigned seed = 1;
};

class VirtualPlay {
  public:
    explicit VirtualPlay(const PlaySetting& setting, const core::StringSet& strings = piano())
        : setting_(setting), random_(setting.seed) {
        live_ = std::move(LiveSound::create(strings, setting.live, faults_).value());
        live_->set_time_zero_ns(kZero_ns);
        next_request_s_ = setting.first_request_s;
    }

    std::vector<Stroke> strokes;
    std::function<bool(std::int64_t tick)> told = [](std::int64_t) { return true; };  // false: left out
    std::function<void(std::int64_t tick, Tick&)> change = [](std::int64_t, Tick&) {};

    /// Plays until keybed time end_s; the sound is added to left and right.
    void play_until(double end_s) {
        while (next_request_s_ < end_s) {
            const double jitter_s = setting_.jitter_s * std::uniform_real_distribution<double>(0, 1)(random_);
            const double asked_s = next_request_s_ + jitter_s;
            tell_until(asked_s);
            const size_t at = left.size();
            left.resize(at + static_cast<size_t>(setting_.frames));
            right.resize(left.size());
            live_->render(left.data() + at, right.data() + at, setting_.frames, kZero_ns + std::llround(1e9 * asked_s));
            requests_s.push_back(next_request_s_);
            ++blocks_;
            next_request_s_ = setting_.first_request_s + paused_s_ + static_cast<double>(blocks_) * block_s();
        }
    }
    /// The device asks for its next blocks so much later.
    void pause(double seconds) {
        paused_s_ += seconds;
        next_request_s_ += seconds;
    }
    double block_s() const { return setting_.frames * (1 + setting_.drift) / setting_.live.sample_rate_hz; }
    /// When the device plays sample n, on the keybed's clock; its own buffer left out.
    double time_of_sample_s(size_t n) const {
        const auto frames = static_cast<size_t>(setting_.frames);
        return requests_s[n / frames] + static_cast<double>(n % frames) / setting_.live.sample_rate_hz;
    }
    double delay_s() const { return block_s() + 1.0 / setting_.live.tick_hz + setting_.live.margin_s; }

    LiveSound& live() { return *live_; }
    const core::FaultCounters& faults() const { return faults_; }
    LiveSoundStatus status() {
        live_->take_status(status_);
        return status_;
    }

    std::vector<float> left, right;
    std::vector<double> requests_s;

  private:
    static constexpr std::int64_t kZero_ns = 5'000'000'000;

    void tell_until(double now_s) {
        // The tick that covers (t - 1 tick, t] is told at t.
        while (static_cast<double>(tick_ + 1) / setting_.live.tick_hz + setting_.keybed_late_s <= now_s + 1e-12) {
            Tick tick = make_tick(tick_, setting_.live.tick_hz, strokes);
            change(tick_, tick);
            if (told(tick_)) live_->on_tick(tick.frame(tick_, setting_.live.tick_hz));
            ++tick_;
        }
    }

    PlaySetting setting_;
    std::mt19937 random_;
    core::FaultCounters faults_;
    std::unique_ptr<LiveSound> live_;
    LiveSoundStatus status_;
    std::int64_t tick_ = 0;
    long blocks_ = 0;
    double paused_s_ = 0;
    double next_request_s_ = 0;
};

}  // namespace letoff::audio::test
