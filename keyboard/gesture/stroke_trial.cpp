#include "keyboard/gesture/stroke_trial.h"

#include <algorithm>
#include <vector>

namespace letoff::keyboard {
namespace {

std::vector<KeyBuild> without_strings(std::span<const KeyBuild> keys) {
    std::vector<KeyBuild> bare(keys.begin(), keys.end());
    for (KeyBuild& key : bare) key.strings = nullptr;
    return bare;
}

}  // namespace

StrokeTrial::StrokeTrial(std::span<const KeyBuild> keys, int tick_hz)
    : block_(without_strings(keys), tick_hz), keys_(static_cast<int>(keys.size())), h_s_(1.0 / tick_hz) {
    for (size_t l = 0; l < core::kLanes; ++l)
        tray_travel_m_[l] = keys[std::min(l, keys.size() - 1)].values[grand_row("tray_travel_mm")] * 1e-3;
    for (size_t l = 0; l < keys.size(); ++l) fingers_[l] = core::Finger(finger_for(keys[l].values, *keys[l].action));
}

void StrokeTrial::tick() {
    for (int l = 0; l < keys_; ++l) {
        core::Finger& finger = fingers_[static_cast<size_t>(l)];
        block_.input.finger_force_N[static_cast<size_t>(l)] = block_.finger_push_N(l, finger, now_s());
    }
    block_.tick(tick_++);
}

void StrokeTrial::run(double seconds) {
    for (int i = static_cast<int>(seconds / h_s_); i > 0; --i) tick();
}

void StrokeTrial::settle() {
    run(SettleStroke::kBefore_s);
    for (int l = 0; l < keys_; ++l)
        block_.press(l, fingers_[static_cast<size_t>(l)], now_s(), SettleStroke::kAcceleration_mps2);
    run(SettleStroke::kHeld_s);
    for (core::Finger& finger : fingers_) finger.lift(now_s(), SettleStroke::kLift_mps);
    run(SettleStroke::kAfter_s);
}

void StrokeTrial::set_tray_share(double share) {
    for (size_t l = 0; l < core::kLanes; ++l) block_.input.tray_lift_m[l] = share * tray_travel_m_[l];
}

void StrokeTrial::load(const ActionBlock& from, int lane, const core::Finger& finger, std::int64_t tick) {
    for (int l = 0; l < core::kLanes; ++l) block_.copy_key(from, lane, l);
    fingers_.fill(finger);
    tick_ = tick;
}

LaneTrials StrokeTrial::strike(const LaneValues& start_s, const LaneValues& acceleration_mps2, double longest_s,
                               const std::function<double(std::int64_t)>& tray_share_at_end_of_tick) {
    LaneTrials trials{};
    LaneValues below{}, speed{};
    std::array<bool, core::kLanes> pressed{}, under{};
    double latest_s = now_s();
    for (int l = 0; l < keys_; ++l) latest_s = std::max(latest_s, start_s[static_cast<size_t>(l)] + longest_s);
    int left = keys_;
    while (left > 0 && now_s() < latest_s) {
        const double t0 = now_s();
        if (tray_share_at_end_of_tick) set_tray_share(tray_share_at_end_of_tick(tick_));
        for (int l = 0; l < keys_; ++l) {
            const size_t i = static_cast<size_t>(l);
            if (pressed[i] || start_s[i] >= t0 + h_s_) continue;
            block_.press(l, fingers_[i], std::max(start_s[i], t0), acceleration_mps2[i]);
            pressed[i] = true;
        }
        tick();
        for (int l = 0; l < keys_; ++l) {
            const size_t i = static_cast<size_t>(l);
            if (!block_.action().has_hammer()) {
                const ActionBlock::Events& events = block_.events(l);
                if (trials[i].strike_s != 0 || !pressed[i] || !events.struck) continue;
                trials[i] = {events.touch_mps(), events.strike.strike_time_s};
                --left;
                continue;
            }
            if (block_.crown_surely_far(l)) {
                under[i] = true;
                continue;
            }
            const double below1 = block_.crown_below_string_m(l), speed1 = block_.crown_speed_mps(l);
            if (trials[i].strike_s == 0 && pressed[i] && under[i] && below1 <= 0) {
                const double share = below[i] / (below[i] - below1);
                trials[i] = {speed[i] + share * (speed1 - speed[i]), t0 + share * h_s_};
                --left;
            }
            under[i] = below1 > 0;
            below[i] = below1;
            speed[i] = speed1;
        }
    }
    return trials;
}

}  // namespace letoff::keyboard
