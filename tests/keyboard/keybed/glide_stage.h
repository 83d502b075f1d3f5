// Keys of the piano on a keybed, and the touches that they turn into.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "core/hash.h"
#include "keyboard/keybed/touch_glide.h"
#include "tests/keyboard/keybed/piano_keys.h"

namespace letoff::keyboard {

inline constexpr int kGlideTick_hz = 4000;
inline constexpr int kGlideTicks = static_cast<int>(TouchGlide::kGlide_s * kGlideTick_hz);
// Keys of one touch start over some ticks, eight in each.
inline constexpr int kGlidesDone = kGlideTicks + core::kKeyCount / 8 + 2;

using Change = std::function<void(GrandValues&)>;

inline Change turned(std::size_t row, double by) {
    return [=](GrandValues& v) { v[row] += by; };
}
inline Change times(std::size_t row, double factor) {
    return [=](GrandValues& v) { v[row] *= factor; };
}
inline Change both(const Change& a, const Change& b) {
    return [=](GrandValues& v) {
        a(v);
        b(v);
    };
}

/// A keybed and touches for it; the touch given to it must stay, so it is kept here.
class GlideStage {
  public:
    explicit GlideStage(
        int first = 0, int count = core::kKeyCount, const Change& built = [](GrandValues&) {})
        : GlideStage(piano_keys(first, count), built) {}
    /// A0, A4 and C8, numbered 0, 1, 2.
    static std::vector<KeyBuild> three_keys() {
        std::vector<KeyBuild> keys;
        for (const int key : {0, 48, 87}) keys.push_back(piano_keys(key, 1).front());
        return keys;
    }
    explicit GlideStage(
        std::vector<KeyBuild> keys, const Change& built = [](GrandValues&) {})
        : builds(std::move(keys)), keybed(changed(builds, built), kGlideTick_hz, *executor) {
        keybed.settle();
    }

    /// Keys `which` (of the stage) change, the others keep their stamps.
    void turn(const std::vector<int>& which, const Change& change) {
        turn_builds(which, [&](KeyBuild& key) { change(key.values); });
    }
    void turn_builds(const std::vector<int>& which, const std::function<void(KeyBuild&)>& change) {
        auto next = std::make_unique<KeybedTouch>();
        next->version = ++version;
        stamps.resize(builds.size());
        for (const int key : which) {
            change(builds[static_cast<size_t>(key)]);
            stamps[static_cast<size_t>(key)] = version;
        }
        for (size_t k = 0; k < builds.size(); ++k) next->keys.push_back(key_touch(builds[k], stamps[k]));
        keybed.take_touch(*next);
        touch = std::move(next);
    }
    void run(int ticks, const std::function<void()>& each = [] {}) {
        for (int i = 0; i < ticks; ++i) {
            keybed.tick(&events, &events);
            each();
        }
    }
    double crown_m(int key) const { return keybed.block_of(key).crown_below_string_m(keybed.lane_of(key)); }
    double crown_mps(int key) const { return keybed.block_of(key).crown_speed_mps(keybed.lane_of(key)); }
    std::uint64_t hash_of(int key) const {
        const core::LaneState& state = keybed.block_of(key).state();
        const int lane = keybed.lane_of(key);
        core::Hash hash;
        for (size_t b = 0; b < kGrandBodies; ++b) {
            hash.add(state.q[b].lane[lane]);
            hash.add(state.v[b].lane[lane]);
        }
        for (size_t f = 0; f < core::kMaxFrictions; ++f) hash.add(state.friction_impulse_Ns[f].lane[lane]);
        return hash.value();
    }

    static std::vector<KeyBuild>& changed(std::vector<KeyBuild>& keys, const Change& change) {
        for (KeyBuild& key : keys) change(key.values);
        return keys;
    }

    std::unique_ptr<core::Executor> executor = std::move(core::make_executor("inline", 1).value());
    std::vector<KeyBuild> builds;
    Keybed keybed;
    KeptEvents events;
    std::uint64_t version = 0;
    std::vector<std::uint64_t> stamps;
    std::unique_ptr<KeybedTouch> touch;
};

}  // namespace letoff::keyboard
