// What the action model itself gives, without a device, for what a finger did on one: three ways to ask, from the
// fairest to the strictest (tests/haptics/own_force_test.cpp reports all).
//   same fingertip   the fingertip's motion as it was, on the model's own key through the same pulp
//   same hand        the same muscle: finger and key find their own motion, so that times drift apart
//   same key         the device's key's motion imposed on the model's key: infinitely stiff, so that where the damper
//   is
//                    met (35 g at 0.4 m/s) the model gives a peak that no finger would leave it
// The first two at 1/32000 s, the plant's step, where the action is converged.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "tests/haptics/rig.h"
#include "tests/keyboard/bench/bench_key.h"

namespace letoff::test {

enum class Stroke { slow, mf, repetition };
inline constexpr Stroke kStrokes[] = {Stroke::slow, Stroke::mf, Stroke::repetition};

inline const char* name_of(Stroke stroke) {
    return stroke == Stroke::slow ? "10 mm/s" : stroke == Stroke::mf ? "mf" : "repetition";
}

/// mf is 2.8 m/s at the string (design): the acceleration of the finger that gives it was searched on the model.
inline constexpr double kMf_mps2 = 15.5, kRepeat_hz = 7, kRepeat_mps2 = 8;

struct StrokeFinger {
    hw::SimFinger finger;
    double length_s;
};
inline StrokeFinger finger_for(Stroke stroke, double start_s) {
    const double s = start_s + 0.05;
    if (stroke == Stroke::slow) return {hw::SimFinger::actuator(0.010, 0.0115, s), 3.2};
    if (stroke == Stroke::mf) return {hw::SimFinger::strokes({{s, kMf_mps2, s + 0.3, 0.25}}), 0.8};
    std::vector<hw::SimFinger::Stroke> strokes;
    for (int i = 0; i < 6; ++i) {
        const double at_s = s + i / kRepeat_hz;
        strokes.push_back({at_s, kRepeat_mps2, at_s + 0.085, 0.25});
    }
    return {hw::SimFinger::strokes(strokes), 1.1};
}

struct OwnForce {
    std::vector<double> finger_N, dip_m;  // mean over each tick, at its end
};

/// The key as it rests for steps of the plant.
inline keyboard::TestKey fine_key(const keyboard::KeyBuild& build) {
    return keyboard::settle_test_key(build, hw::kPlant_hz);
}

/// `force_N(step, key dip, key speed)` is the finger's.
template <typename Force>
OwnForce own_force(const keyboard::TestKey& fine, std::size_t ticks, double h_s, Force&& force_N) {
    keyboard::Bench bench(fine);
    const auto steps = static_cast<std::size_t>(std::lround(h_s * hw::kPlant_hz));
    OwnForce own;
    for (std::size_t tick = 0; tick < ticks; ++tick) {
        double sum_N = 0;
        for (std::size_t i = 0; i < steps; ++i) {
            keyboard::ActionBlock& block = bench.block();
            const double force = force_N(tick * steps + i, block.touch_dip_m(0), block.touch_speed_mps(0));
            block.input.key_force_N[0] = force;
            bench.tick();
            sum_N += force;
        }
        own.finger_N.push_back(sum_N / static_cast<double>(steps));
        own.dip_m.push_back(bench.block().touch_dip_m(0));
    }
    return own;
}

/// One stroke on a device, and what the model gives by itself.
struct Compared {
    std::vector<Rig::Moment> felt;
    OwnForce same_fingertip, same_hand, same_key;
};

struct CountStrikes final : core::StrikeSink {
    int strikes = 0;
    double fastest_mps = 0;
    void on_strike(const core::Strike& strike) noexcept override {
        ++strikes;
        fastest_mps = std::max(fastest_mps, strike.hammer_speed_mps);
    }
    void on_key_bottom(int, double) noexcept override {}
    void on_release(const core::Release&) noexcept override {}
};

inline Compared compare(const keyboard::TestKey& key, const keyboard::TestKey& fine, const RigSetting& setting,
                        Stroke stroke, CountStrikes* strikes = nullptr) {
    Rig rig(key, setting);
    rig.run(0.3);
    const double start_s = rig.now_s();
    StrokeFinger on_device = finger_for(stroke, start_s), on_model = on_device;
    rig.finger() = on_device.finger;
    Compared c;
    const std::size_t before = rig.finger_path().size();
    const auto ticks = static_cast<std::size_t>(on_device.length_s / rig.h_s());
    for (std::size_t i = 0; i < ticks; ++i) c.felt.push_back(rig.tick(strikes));
    const std::vector<Rig::FingerStep>& path = rig.finger_path();
    c.same_fingertip = own_force(fine, ticks, rig.h_s(), [&](std::size_t step, double dip_m, double speed_mps) {
        const Rig::FingerStep& tip = path[std::max<std::size_t>(before + step, 1) - 1];  // as the pulp saw it
        return hw::SimFinger::pulp_N(tip.travel_m - dip_m, tip.speed_mps - speed_mps);
    });
    c.same_hand = own_force(fine, ticks, rig.h_s(), [&](std::size_t step, double dip_m, double speed_mps) {
        return on_model.finger.step_N(start_s + static_cast<double>(step) * hw::kPlantStep_s, hw::kPlantStep_s, dip_m,
                                      speed_mps);
    });
    keyboard::TestKey coarse = key;
    keyboard::Bench bench(coarse);
    bench.drive_at(0.02, c.felt.front().dip_m);
    bench.stop_and_hold(0.3);
    for (const Rig::Moment& m : c.felt) {
        bench.block().drive_keys({&m.dip_m, 1}, {&m.speed_mps, 1});
        bench.tick();
        c.same_key.finger_N.push_back(bench.block().driven_force_N(0));
        c.same_key.dip_m.push_back(m.dip_m);
    }
    return c;
}

struct Difference {
    double rms_share = 0, range_N = 0;  // rms / (max - min), away from the key bottom
};
/// Not within 5 ms of when either key is at its bottom.
inline Difference difference(const std::vector<Rig::Moment>& felt, const OwnForce& own, double h_s) {
    constexpr double kBottom_m = 0.0096;  // its punching is met at 9.7 mm
    const auto near = static_cast<std::size_t>(std::lround(0.005 / h_s));
    double sum = 0, least = 1e9, most = -1e9;
    std::size_t count = 0;
    for (std::size_t i = 0; i < felt.size(); ++i) {
        bool bottom = false;
        for (std::size_t k = i > near ? i - near : 0; k < std::min(felt.size(), i + near + 1) && !bottom; ++k)
            bottom = felt[k].dip_m > kBottom_m || own.dip_m[k] > kBottom_m;
        if (bottom) continue;
        const double error = felt[i].finger_N - own.finger_N[i];
        sum += error * error;
        least = std::min(least, own.finger_N[i]);
        most = std::max(most, own.finger_N[i]);
        ++count;
    }
    return {std::sqrt(sum / static_cast<double>(count)) / (most - least), most - least};
}

}  // namespace letoff::test
