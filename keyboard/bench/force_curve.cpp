#include "keyboard/bench/force_curve.h"

#include <algorithm>
#include <cmath>

namespace letoff::keyboard {
namespace {

constexpr double kCurve_mps = 0.010;
constexpr double kGrid_m = 1e-4, kWindow_m = 5e-5;  // a point is the mean over 0.1 mm, 10 ms
constexpr double kBottomRest_s = 0.1;
constexpr double kMassAcceleration_mps2 = 2.0;  // a soft stroke's
constexpr double kMassTo_m = 0.007;             // the jack does not touch its button yet
constexpr double kMassShare = 0.95;             // of the dip, at most

/// Means of a force on a grid of dips.
class DipGrid {
  public:
    explicit DipGrid(double to_m) : sum_(static_cast<size_t>(to_m / kGrid_m) + 1), count_(sum_.size()) {}
    void add(double dip_m, double force_N) {
        const double index = std::round(dip_m / kGrid_m);
        if (index < 0 || index >= static_cast<double>(sum_.size()) || std::abs(dip_m - index * kGrid_m) > kWindow_m)
            return;
        sum_[static_cast<size_t>(index)] += force_N;
        ++count_[static_cast<size_t>(index)];
    }
    bool has(size_t i) const { return count_[i] > 0; }
    double at(size_t i) const { return sum_[i] / count_[i]; }
    size_t size() const { return sum_.size(); }

  private:
    std::vector<double> sum_;
    std::vector<int> count_;
};

/// Work that the key takes where the finger touches it, from rest down to to_m at the front, and its speed there.
struct Work {
    double work_J = 0, speed_mps = 0;
};
Work work_to_depth(const TestKey& key, double to_m, double top_mps) {
    Bench bench(key);
    bench.lift_dampers();
    Work w;
    const double share = touch_arm_m(key.build.values) / -kFingerPointX_m;  // of the front's way
    double dip = bench.dip_m(0);
    while (dip < key.rest_dip_m + to_m) {
        w.speed_mps = std::min(w.speed_mps + kMassAcceleration_mps2 * bench.h_s(), top_mps);
        bench.drive_tick(w.speed_mps);
        w.work_J += bench.block().driven_force_N(0) * share * (bench.dip_m(0) - dip);
        dip = bench.dip_m(0);
    }
    w.speed_mps *= share;
    return w;
}

}  // namespace

KeyForce measure_force(const TestKey& key, const Regulation& regulation) {
    TestKey silent = key;  // nothing here reaches the strings
    silent.build.strings = nullptr;
    Bench bench(silent, 2);
    bench.lift_damper(1);
    DipGrid down(regulation.key_dip_m), up(regulation.key_dip_m), light(regulation.key_dip_m);
    const auto dip = [&] { return bench.dip_m(0) - key.rest_dip_m; };
    bench.drive_at(kCurve_mps, regulation.bottom_dip_m, [&] {
        down.add(dip(), bench.block().driven_force_N(0));
        light.add(dip(), bench.block().driven_force_N(1));
    });
    bench.stop_and_hold(kBottomRest_s);
    bench.drive_at(kCurve_mps, key.rest_dip_m, [&] { up.add(dip(), bench.block().driven_force_N(0)); });

    KeyForce out;
    double added = 0;
    int carried = 0;
    // Half a millimetre on from pick-up the lever's felt carries the damper; at the button the jack's friction begins
    // to depend on the load.
    constexpr double kCarried_m = 5e-4;
    for (size_t i = 0; i < down.size(); ++i) {
        if (!down.has(i) || !up.has(i)) continue;
        const double at_m = static_cast<double>(i) * kGrid_m;
        out.curve.dip_m.push_back(at_m);
        out.curve.down_N.push_back(std::max(down.at(i), 0.0));  // a finger does not pull
        out.curve.up_N.push_back(std::max(up.at(i), 0.0));
        const bool carries = regulation.damper_pick_up_m > 0 && at_m > regulation.damper_pick_up_m + kCarried_m &&
                             at_m < regulation.let_off_dip_m - key.rest_dip_m;
        if (!carries || !light.has(i)) continue;
        added += down.at(i) - light.at(i);
        ++carried;
    }
    if (carried > 0) out.damper_adds_N = added / carried;
    const double to_m = std::min(kMassTo_m, kMassShare * regulation.key_dip_m);
    const Work fast = work_to_depth(silent, to_m, 1e3), slow = work_to_depth(silent, to_m, kCurve_mps);
    out.stroke_mass_kg =
        2 * (fast.work_J - slow.work_J) / (fast.speed_mps * fast.speed_mps - slow.speed_mps * slow.speed_mps);
    return out;
}

}  // namespace letoff::keyboard
