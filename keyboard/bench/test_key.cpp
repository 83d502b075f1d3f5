#include "keyboard/bench/test_key.h"

#include <algorithm>

namespace letoff::keyboard {
namespace {

// Starting and stopping a driven key at this acceleration, so that felts are not knocked: 10 mm/s takes 10 ms.
constexpr double kDriveAcceleration_mps2 = 1.0;

std::vector<KeyBuild> builds_of(std::span<const TestKey> keys, std::span<const double> added_mass_kg) {
    std::vector<KeyBuild> all;
    for (size_t l = 0; l < keys.size(); ++l) {
        all.push_back(keys[l].build);
        all[l].key_index = static_cast<int>(l);  // events then name the lane
        if (l >= added_mass_kg.size()) continue;
        const double arm_m = touch_arm_m(keys[l].build.values);
        all[l].values[grand_row("key_inertia_kgm2")] += added_mass_kg[l] * arm_m * arm_m;
    }
    return all;
}

}  // namespace

Bench::Bench(const TestKey& key, int copies, std::span<const double> added_mass_kg)
    : Bench(std::vector<TestKey>(static_cast<size_t>(copies), key), added_mass_kg) {}

Bench::Bench(std::span<const TestKey> keys, std::span<const double> added_mass_kg)
    : block_(builds_of(keys, added_mass_kg), keys.front().tick_hz), h_s_(1.0 / keys.front().tick_hz) {
    core::LaneState rest = keys.back().rest;  // lanes that no key owns go with the last
    for (size_t l = 0; l < core::kLanes; ++l) {
        const TestKey& key = keys[std::min(l, keys.size() - 1)];
        core::copy_lane(key.rest, 0, rest, static_cast<int>(l));
        tray_travel_m_[l] = key.build.values[grand_row("tray_travel_mm")] * 1e-3;
        finger_setting_[l] = finger_for(key.build.values, *key.build.action);
        fingers_[l] = core::Finger(finger_setting_[l]);
        driven_dip_m_[l] = key.rest_dip_m;
    }
    block_.set_state(rest);
}

void Bench::tick() {
    for (int l = 0; l < copies(); ++l) {
        const auto lane = static_cast<size_t>(l);
        block_.input.finger_force_N[lane] = block_.finger_push_N(l, fingers_[lane], now_s()) + muscle_N_[lane];
    }
    block_.tick(tick_++);
}

void Bench::lift_damper(int lane) {
    lift_dampers_from_to(lane, lane + 1);
}
void Bench::lift_dampers() {
    lift_dampers_from_to(0, copies());
}

void Bench::lift_dampers_from_to(int first, int last) {
    constexpr double kMove_s = 0.1, kRest_s = 0.2;
    const std::int64_t steps = ticks_in(kMove_s);
    for (std::int64_t i = 1; i <= steps; ++i) {
        const double part = static_cast<double>(i) / static_cast<double>(steps);
        for (auto l = static_cast<size_t>(first); l < static_cast<size_t>(last); ++l)
            block_.input.tray_lift_m[l] = tray_travel_m_[l] * part;
        tick();
    }
    run(kRest_s);
}

double Bench::step_towards(double speed_mps, double wanted_mps) const {
    const double most = kDriveAcceleration_mps2 * h_s_;
    return speed_mps + std::clamp(wanted_mps - speed_mps, -most, most);
}

void Bench::drive_each_tick(std::span<const double> speed_mps) {
    for (size_t l = 0; l < core::kLanes; ++l) {
        const double speed = speed_mps[std::min(l, speed_mps.size() - 1)];
        driven_dip_m_[l] += 0.5 * h_s_ * (driven_speed_mps_[l] + speed);
        driven_speed_mps_[l] = speed;
    }
    block_.drive_keys(driven_dip_m_, driven_speed_mps_);
    tick();
}

void Bench::drive_tick(double speed_mps) {
    drive_each_tick({&speed_mps, 1});
}

void Bench::stop_and_hold(double seconds) {
    while (driven_speed_mps_[0] != 0) drive_tick(step_towards(driven_speed_mps_[0], 0));
    for (std::int64_t i = ticks_in(seconds); i > 0; --i) drive_tick(0);
}

void Bench::press_each_and_hold(double speed_mps, std::span<const double> to_m, double seconds) {
    std::vector<double> speed(to_m.size());
    std::vector<bool> there(to_m.size());
    bool stands = false;
    while (!stands) {
        stands = true;
        for (size_t l = 0; l < to_m.size(); ++l) {
            there[l] = there[l] || driven_dip_m_[l] >= to_m[l];
            speed[l] = step_towards(driven_speed_mps_[l], there[l] ? 0 : speed_mps);
            stands = stands && there[l] && speed[l] == 0;
        }
        drive_each_tick(speed);
    }
    for (std::int64_t i = ticks_in(seconds); i > 0; --i) drive_tick(0);
}

void Bench::leave(int lane) {
    fingers_[static_cast<size_t>(lane)] = core::Finger(finger_setting_[static_cast<size_t>(lane)]);
    muscle_N_[static_cast<size_t>(lane)] = 0;
    block_.place_finger(lane, core::FingerSetting{}.parked_m, 0);
}

void Bench::take_hold() {
    for (int l = 0; l < copies(); ++l) leave(l);
    driven_dip_m_.fill(block_.dip_m(0));
    driven_speed_mps_.fill(0);
    drive_tick(0);
}

void Bench::press(int lane, double acceleration_mps2) {
    block_.press(lane, fingers_[static_cast<size_t>(lane)], now_s(), acceleration_mps2);
}

void Bench::lift(int lane, double speed_mps) {
    fingers_[static_cast<size_t>(lane)].lift(now_s(), speed_mps);
}

TestKey settle_test_key(const KeyBuild& build, int tick_hz) {
    return settle_test_keys({&build, 1}, tick_hz).front();
}

std::vector<TestKey> settle_test_keys(std::span<const KeyBuild> builds, int tick_hz) {
    std::vector<TestKey> keys;
    const core::LaneState drawn = ActionBlock(builds, tick_hz).state();
    for (size_t k = 0; k < builds.size(); ++k) {
        keys.push_back({.build = builds[k], .tick_hz = tick_hz, .rest = drawn});
        core::copy_lane(drawn, static_cast<int>(k), keys[k].rest, 0);
    }
    Bench bench(keys);
    const auto each = [&](auto&& act) {
        for (int l = 0; l < bench.copies(); ++l) act(l);
    };
    bench.run(SettleStroke::kBefore_s);
    each([&](int l) { bench.press(l, SettleStroke::kAcceleration_mps2); });
    bench.run(SettleStroke::kHeld_s);
    each([&](int l) { bench.lift(l, SettleStroke::kLift_mps); });
    bench.run(SettleStroke::kAfter_s);
    each([&](int l) {
        TestKey& key = keys[static_cast<size_t>(l)];
        for (int copy = 0; copy < core::kLanes; ++copy) core::copy_lane(bench.block().state(), l, key.rest, copy);
        key.rest_dip_m = bench.dip_m(l);
        key.blow_m = bench.below_string_m(l);
    });
    return keys;
}

}  // namespace letoff::keyboard
