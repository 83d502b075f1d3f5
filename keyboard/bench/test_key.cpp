#include "keyboard/bench/test_key.h"

#include <algorithm>

namespace letoff::keyboard {
namespace {

// Starting and stopping a driven key at this acceleration, so that felts are not knocked: 10 mm/s takes 10 ms.
constexpr double kDriveAcceleration_mps2 = 1.0;

std::vector<KeyBuild> copies_of(const KeyBuild& build, int copies, std::span<const double> added_mass_kg) {
    std::vector<KeyBuild> all(static_cast<size_t>(copies), build);
    for (size_t l = 0; l < all.size(); ++l) all[l].key_index = static_cast<int>(l);  // events then name the lane
    const double arm_m = touch_arm_m(build.values);
    for (size_t l = 0; l < added_mass_kg.size(); ++l) {
        all[l].values[grand_row("key_inertia_kgm2")] += added_mass_kg[l] * arm_m * arm_m;
    }
    return all;
}

}  // namespace

Bench::Bench(const TestKey& key, int copies, std::span<const double> added_mass_kg)
    : block_(copies_of(key.build, copies, added_mass_kg), key.tick_hz),
      h_s_(1.0 / key.tick_hz),
      tray_travel_m_(key.build.values[grand_row("tray_travel_mm")] * 1e-3),
      finger_setting_(finger_for(key.build.values)),
      driven_dip_m_(key.rest_dip_m) {
    fingers_.fill(core::Finger(finger_setting_));
    block_.set_state(key.rest);
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
        const double lift_m = tray_travel_m_ * static_cast<double>(i) / static_cast<double>(steps);
        for (int l = first; l < last; ++l) block_.input.tray_lift_m[static_cast<size_t>(l)] = lift_m;
        tick();
    }
    run(kRest_s);
}

double Bench::step_towards(double speed_mps, double wanted_mps) const {
    const double most = kDriveAcceleration_mps2 * h_s_;
    return speed_mps + std::clamp(wanted_mps - speed_mps, -most, most);
}

void Bench::drive_tick(double speed_mps) {
    driven_dip_m_ += 0.5 * h_s_ * (driven_speed_mps_ + speed_mps);
    driven_speed_mps_ = speed_mps;
    block_.drive_keys({&driven_dip_m_, 1}, {&driven_speed_mps_, 1});
    tick();
}

void Bench::stop_and_hold(double seconds) {
    while (driven_speed_mps_ != 0) drive_tick(step_towards(driven_speed_mps_, 0));
    for (std::int64_t i = ticks_in(seconds); i > 0; --i) drive_tick(0);
}

void Bench::leave(int lane) {
    fingers_[static_cast<size_t>(lane)] = core::Finger(finger_setting_);
    muscle_N_[static_cast<size_t>(lane)] = 0;
    block_.place_finger(lane, core::FingerSetting{}.parked_m, 0);
}

void Bench::take_hold() {
    for (int l = 0; l < copies(); ++l) leave(l);
    driven_dip_m_ = block_.dip_m(0);
    driven_speed_mps_ = 0;
    drive_tick(0);
}

void Bench::press(int lane, double acceleration_mps2) {
    block_.press(lane, fingers_[static_cast<size_t>(lane)], now_s(), acceleration_mps2);
}

void Bench::lift(int lane, double speed_mps) {
    fingers_[static_cast<size_t>(lane)].lift(now_s(), speed_mps);
}

TestKey settle_test_key(const KeyBuild& build, int tick_hz) {
    const std::array<KeyBuild, 1> one{build};
    TestKey key{.build = build, .tick_hz = tick_hz};
    key.rest = ActionBlock(one, tick_hz).state();
    Bench bench(key);
    bench.run(SettleStroke::kBefore_s);
    bench.press(0, SettleStroke::kAcceleration_mps2);
    bench.run(SettleStroke::kHeld_s);
    bench.lift(0, SettleStroke::kLift_mps);
    bench.run(SettleStroke::kAfter_s);
    for (int l = 0; l < core::kLanes; ++l) core::copy_lane(bench.block().state(), 0, key.rest, l);
    key.rest_dip_m = bench.dip_m(0);
    key.blow_m = bench.below_string_m(0);
    return key;
}

}  // namespace letoff::keyboard
