// What the samples are played by: the same strikes and dampers as the strings.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>

#include "audio/place.h"
#include "core/event/sound_frame.h"
#include "core/event/strike.h"
#include "core/string/string_design.h"

namespace letoff::audio {

struct SampleEvent {
    enum class Kind : std::uint8_t { kStrike, kDamper };
    Place place = 0;          // in keybed time
    std::uint32_t epoch = 0;  // of the time zero that the place counts from
    Kind kind = Kind::kStrike;
    std::uint8_t key_index = 0;
    float value = 0;  // hammer speed in m/s, or the decay rate in 1/s that the damper adds to a mode of weight 1
    float in_phase = 1, felt_hardness = 1;  // of a strike (core/event/strike.h)
};

inline SampleEvent sample_event_of(const core::Strike& strike, std::uint32_t epoch) noexcept {
    return {place_of_time(strike.strike_time_s),
            epoch,
            SampleEvent::Kind::kStrike,
            static_cast<std::uint8_t>(strike.key_index),
            static_cast<float>(strike.hammer_speed_mps),
            static_cast<float>(strike.in_phase),
            static_cast<float>(strike.felt_hardness)};
}

/// Turns the dampers of each tick into events: only what changes, and once a millisecond, as often as a sample's
/// envelope listens (64 frames). Real-time safe.
class DamperWatch {
  public:
    explicit DamperWatch(int tick_hz) noexcept : every_(tick_hz > 1000 ? tick_hz / 1000 : 1) { forget(); }

    /// Calls tell(event) for every damper that has changed; false: not taken, it is told again.
    template <typename Tell>
    void look(const core::SoundFrame& frame, std::uint32_t epoch, Tell&& tell) noexcept {
        if (frame.tick % every_ != 0) return;
        const Place place = kPlacePerSecond / frame.tick_hz * (frame.tick + 1);
        for (std::size_t key = 0; key < told_1ps_.size(); ++key) {
            const auto loss_1ps = static_cast<float>(core::damper_loss_1ps(frame.damper_compression_m[key]));
            float& told = told_1ps_[key];
            const bool lifted_or_lowered = (loss_1ps > 0) != (told > 0);
            if (!lifted_or_lowered && std::abs(loss_1ps - told) <= kStep_1ps + kStep * told) continue;
            if (tell(SampleEvent{place, epoch, SampleEvent::Kind::kDamper, static_cast<std::uint8_t>(key), loss_1ps}))
                told = loss_1ps;
        }
    }
    /// All is told anew: whoever listens begins with every damper lifted.
    void forget() noexcept { told_1ps_.fill(0); }

  private:
    // A decay that changes by a fiftieth changes a level by less than 0.2 dB before it is told.
    static constexpr float kStep = 0.02F;
    static constexpr float kStep_1ps = 0.1F;

    int every_;
    std::array<float, core::kKeyCount> told_1ps_{};
};

}  // namespace letoff::audio
