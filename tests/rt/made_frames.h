// What a keybed tells its sound, made beforehand: so that telling it allocates nothing, under the guard and the trap.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>
#include <vector>

#include "core/event/sound_frame.h"
#include "core/unit/keys.h"

namespace letoff::test {

/// Chords of six hammers on their strings, 2.9 ms each, 25 a second, and dampers.
class MadeFrames {
  public:
    enum class Kind : std::uint8_t { kPlayed, kTooLoud, kNotFinite, kSilent };

    explicit MadeFrames(int tick_hz) : tick_hz_(tick_hz), grid_(core::kStrikeGrid_hz / tick_hz) {
        const int ticks = 3 * tick_hz / 1000;
        for (std::size_t kind = 0; kind < contacts_.size(); ++kind) {
            for (int t = 0; t < ticks; ++t) contacts_[kind].push_back(chord(static_cast<Kind>(kind), t));
        }
    }

    core::SoundFrame at(std::int64_t tick) const noexcept {
        const auto phase = static_cast<std::size_t>(tick % (tick_hz_ / 25));
        core::SoundFrame frame{tick, tick_hz_, {}, damper_m_};
        if (kind == Kind::kSilent) return frame;
        const auto& contact = contacts_[static_cast<std::size_t>(kind)];
        if (phase < contact.size()) frame.forces = contact[phase];
        return frame;
    }
    /// Hammers meet their strings in this tick.
    bool begins_at(std::int64_t tick) const noexcept { return kind != Kind::kSilent && tick % (tick_hz_ / 25) == 0; }
    void press_dampers(double compression_m) noexcept { damper_m_.fill(compression_m); }

    Kind kind = Kind::kPlayed;

  private:
    std::vector<core::StringForce> chord(Kind of, int tick) const {
        const double peak_N = of == Kind::kTooLoud ? 20000 : 20;
        std::vector<core::StringForce> forces;
        for (int key = 0; key < core::kKeyCount; key += 16) {
            core::StringForce& force = forces.emplace_back();
            force.key_index = key;
            force.count = grid_;
            for (int i = 0; i < grid_; ++i) {
                const double time_s = (tick * grid_ + i) / static_cast<double>(core::kStrikeGrid_hz);
                force.force_N[static_cast<std::size_t>(i)] =
                    of == Kind::kNotFinite ? std::numeric_limits<double>::quiet_NaN()
                    : time_s < 2.9e-3      ? peak_N * std::sin(std::numbers::pi * time_s / 2.9e-3)
                                           : 0;
            }
        }
        return forces;
    }

    int tick_hz_, grid_;
    std::array<std::vector<std::vector<core::StringForce>>, 3> contacts_;
    std::array<double, core::kKeyCount> damper_m_{};
};

}  // namespace letoff::test
