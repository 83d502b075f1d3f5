#include "keyboard/bench/finger_trials.h"

#include <algorithm>

namespace letoff::keyboard {
namespace {

constexpr double kAfter_s = 0.3;  // a key let go is at rest by then (regulation report: within 0.19 s)

struct Lane {
    FingerTrial trial;
    double left_s = 0, last_strike_s = 0;
    bool left = false;
};

void read_strike(Lane& lane, const core::Strike& strike) {
    FingerTrial& t = lane.trial;
    (lane.left ? t.strikes_after : t.strikes) += 1;
    const int count = t.strikes + t.strikes_after;
    if (count == 1) t.first_mps = strike.hammer_speed_mps;
    if ((count > t.asked || lane.left) && t.double_mps == 0) {
        t.double_mps = strike.hammer_speed_mps;
        t.double_after_s = strike.strike_time_s - lane.last_strike_s;
    }
    lane.last_strike_s = strike.strike_time_s;
}

void try_block(const TestKey& key, std::span<const core::FingerProfile> fingers, bool with_energy,
               std::vector<FingerTrial>& out) {
    const int copies = static_cast<int>(fingers.size());
    Bench bench(key, copies);
    std::vector<Lane> lanes(fingers.size());
    std::vector<EnergyMeter> meters;
    double end_s = 0;
    for (std::size_t l = 0; l < lanes.size(); ++l) {
        lanes[l].trial.asked = fingers[l].strokes;
        lanes[l].left_s = fingers[l].length_s();
        end_s = std::max(end_s, lanes[l].left_s + kAfter_s);
        bench.arrive(static_cast<int>(l), fingers[l].arrive_mps);
        if (with_energy) meters.emplace_back(bench, key, static_cast<int>(l));
    }
    while (bench.now_s() < end_s) {
        const double middle_s = bench.now_s() + 0.5 * bench.h_s();
        for (std::size_t l = 0; l < lanes.size(); ++l) {
            if (lanes[l].left) continue;
            if (middle_s >= lanes[l].left_s) {
                lanes[l].left = true;
                bench.leave(static_cast<int>(l));
                // Moving the parked finger is no work; its balance ends here.
                if (with_energy) lanes[l].trial.energy = meters[l].balance();
                continue;
            }
            bench.push(static_cast<int>(l), fingers[l].force_at_N(middle_s));
        }
        bench.tick();
        for (std::size_t l = 0; l < lanes.size() && with_energy; ++l) {
            if (!lanes[l].left) meters[l].read();
        }
        for (std::size_t l = 0; l < lanes.size(); ++l) {
            const ActionBlock::Events& events = bench.block().events(static_cast<int>(l));
            if (events.struck) read_strike(lanes[l], events.strike);
        }
    }
    for (const Lane& lane : lanes) out.push_back(lane.trial);
}

}  // namespace

std::vector<FingerTrial> try_fingers(const TestKey& key, std::span<const core::FingerProfile> fingers,
                                     bool with_energy) {
    std::vector<FingerTrial> all;
    for (std::size_t first = 0; first < fingers.size(); first += core::kLanes) {
        const std::size_t count = std::min<std::size_t>(core::kLanes, fingers.size() - first);
        try_block(key, fingers.subspan(first, count), with_energy, all);
    }
    return all;
}

DoubleStrikes count_double_strikes(std::span<const FingerTrial> trials) {
    DoubleStrikes d;
    for (const FingerTrial& t : trials) {
        ++d.fingers;
        d.struck += t.strikes + t.strikes_after > 0;
        if (!t.doubled()) continue;
        (t.doubled(kDoubleAbove_mps) ? d.doubled : d.doubled_soft) += 1;
        d.fastest_mps = std::max(d.fastest_mps, t.first_mps);
    }
    return d;
}

}  // namespace letoff::keyboard
