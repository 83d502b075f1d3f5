// A tone that is played through a sound device, what is heard of it, and what the device says.
#pragma once

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "audio/device/audio_out.h"
#include "core/rt/monotonic_clock.h"
#include "core/unit/constants.h"
#include "tests/audio/device/sound_servers.h"

namespace letoff::audio::test {

inline constexpr double kTone_hz = 440;

/// A sine on the left, its negative on the right, without a break over all its blocks.
class Tone final : public BlockSource, public AudioClient {
  public:
    void render(float* left, float* right, int frames, std::int64_t request_time_ns) noexcept override {
        last_request_ns = request_time_ns;
        for (int i = 0; i < frames; ++i, ++sample_) {
            left[i] =
                static_cast<float>(0.5 * std::sin(2 * core::kPi * kTone_hz * static_cast<double>(sample_) / rate));
            right[i] = -left[i];
        }
        ++blocks;
    }
    BlockSource* stream_opening(int rate_hz, int block_frames) override {
        rate = rate_hz;
        frames = block_frames;
        ++openings;
        return refuse ? nullptr : this;
    }
    void stream_stopped() override { ++stops; }

    std::atomic<std::int64_t> blocks{0}, last_request_ns{0};
    int rate = 48000, frames = 0, openings = 0, stops = 0;
    bool refuse = false;

  private:
    std::int64_t sample_ = 0;
};

inline AudioSetting setting_for(const std::string& choice) {
    AudioSetting setting;
    setting.choice = parse_audio_choice(choice).value();
    setting.stream_name = "letoff-test";
    return setting;
}

/// The most samples on end that go on as a sine of kTone_hz does. A busy host makes servers drop sound, but not over
/// whole stretches of many blocks, and a block of ours that did not join the last would leave no stretch at all.
inline size_t longest_unbroken(const std::vector<float>& sound, int rate_hz) {
    const double c = 2 * std::cos(2 * core::kPi * kTone_hz / rate_hz);
    size_t run = 0, longest = 0;
    for (size_t i = 1; i + 1 < sound.size(); ++i) {
        const double expected = c * static_cast<double>(sound[i]) - static_cast<double>(sound[i - 1]);
        const bool silent = sound[i] == 0 && sound[i + 1] == 0;
        const bool joins = !silent && std::abs(static_cast<double>(sound[i + 1]) - expected) < 1e-5;
        run = joins ? run + 1 : 0;
        longest = std::max(longest, run);
    }
    return longest;
}

inline std::vector<AudioEvent> poll_until(AudioOut& out, AudioEvent::Kind kind, double seconds) {
    std::vector<AudioEvent> all;
    wait_for(seconds, [&] {
        bool found = false;
        for (AudioEvent& event : out.poll()) {
            found = found || event.kind == kind;
            all.push_back(std::move(event));
        }
        return found;
    });
    return all;
}

/// Plays, and is beyond the time that a start may take.
inline bool plays_steadily(const Tone& tone) {
    const std::int64_t begin_ns = core::monotonic_now_ns();
    return wait_for(30, [&] {
        const double since_s = 1e-9 * static_cast<double>(core::monotonic_now_ns() - begin_ns);
        return tone.blocks > 100 && since_s > AudioOut::kSilentAtStart_s;
    });
}

inline int count(const std::vector<AudioEvent>& events, AudioEvent::Kind kind) {
    int sum = 0;
    for (const AudioEvent& event : events) sum += event.kind == kind ? 1 : 0;
    return sum;
}

}  // namespace letoff::audio::test
