// The concert grand's keys and strings for tests, and sinks that keep what a keybed told.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <map>
#include <vector>

#include "core/port/sound_sink.h"
#include "core/port/strike_sink.h"
#include "core/string/string_design.h"
#include "keyboard/keybed/grand_keys.h"
#include "keyboard/keybed/keybed.h"

namespace letoff::keyboard {

inline const core::StringSet& piano_strings() {
    static const core::StringSet strings = core::design_strings({});
    return strings;
}

/// Keys first .. first + count - 1 of the 88, with their strings.
inline std::vector<KeyBuild> piano_keys(int first = 0, int count = core::kKeyCount) {
    return grand_keys(piano_strings(), first, count);
}

inline std::uint64_t fnv(std::uint64_t hash, double x) {
    return (hash ^ std::bit_cast<std::uint64_t>(x)) * 1099511628211u;
}

/// Keeps every event and a hash over all contact forces and dampers.
struct KeptEvents final : core::StrikeSink, core::SoundSink {
    struct Bottom {
        int key_index;
        double time_s;
    };
    std::vector<core::Strike> strikes;
    std::vector<std::int64_t> strike_ticks;
    std::vector<Bottom> bottoms;
    std::vector<core::Release> releases;
    std::int64_t tick = 0;  // the one being told
    std::uint64_t force_hash = 14695981039346656037u;
    std::map<int, double> peak_force_N;  // of hammers on strings, by key

    void on_strike(const core::Strike& strike) noexcept override {
        strikes.push_back(strike);
        strike_ticks.push_back(tick);
    }
    void on_key_bottom(int key_index, double time_s) noexcept override { bottoms.push_back({key_index, time_s}); }
    void on_release(const core::Release& release) noexcept override { releases.push_back(release); }
    void on_tick(const core::SoundFrame& frame) noexcept override {
        for (const core::StringForce& force : frame.forces) {
            force_hash = fnv(force_hash, force.key_index);
            double& peak_N = peak_force_N[force.key_index];
            for (int i = 0; i < force.count; ++i) {
                const double force_N = force.force_N[static_cast<size_t>(i)];
                force_hash = fnv(force_hash, force_N);
                peak_N = std::max(peak_N, force_N);
            }
        }
        for (const double compression : frame.damper_compression_m) force_hash = fnv(force_hash, compression);
        tick = frame.tick + 1;
    }
};

}  // namespace letoff::keyboard
