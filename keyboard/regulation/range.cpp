#include <cmath>

#include "keyboard/keybed/grand_keys.h"
#include "keyboard/regulation/solve.h"

namespace letoff::keyboard {
namespace {

/// One place of a screw, tried.
struct Tried {
    double turn = 0, figure = 0;
    std::string_view fault;
    bool ends = false;  // the screw, or what it turns, goes no further
};

class Trial {
  public:
    Trial(const GrandTouch& touch, int key_index, std::size_t figure, std::size_t screw, const core::StringSet& strings)
        : touch_(touch), key_index_(key_index), figure_(kFigures[figure]), screw_(kScrews[screw]), strings_(strings) {}

    /// kLanes places side by side.
    std::vector<Tried> at(std::span<const double> turns) const {
        std::vector<Tried> tried;
        std::vector<KeyBuild> builds;
        for (const double turn : turns) {
            const Turn one{screw_.row, turn};
            const GrandTouch turned_touch = turned(touch_, key_index_, {&one, 1});
            tried.push_back({turn, 0, {}, beyond(turned_touch)});
            builds.push_back(grand_keys(strings_, key_index_, 1, turned_touch).front());
        }
        const std::vector<Measured> measured = measure_keys(builds, {.weights = figure_.weights});
        for (std::size_t i = 0; i < tried.size(); ++i) {
            tried[i].figure = figure_.read(measured[i]);
            tried[i].fault = fault_of(measured[i]);
        }
        return tried;
    }

  private:
    bool beyond(const GrandTouch& touch) const {
        const GrandValues before = grand_values_before_parts(key_index_, touch);
        if (const core::Row* raw = core::find(kGrandRows, screw_.row)) {
            const double value = before[static_cast<std::size_t>(raw - kGrandRows)];  // clamped
            return value <= raw->minimum || value >= raw->maximum;
        }
        std::string refused;
        with_parts(before, key_index_, touch.parts, &refused);
        return !refused.empty();
    }

    const GrandTouch& touch_;
    int key_index_;
    const Figure& figure_;
    const Screw& screw_;
    const core::StringSet& strings_;
};

/// The last place that works on the way from `from`, and what fails beyond.
struct End {
    Tried last;
    std::string_view fault;
};
End walk(const Trial& trial, const Tried& from, double first_step) {
    constexpr int kLooks = 2;          // each eight times finer
    constexpr double kFarthest = 1e3;  // no screw is that long
    End end{from, {}};
    std::vector<double> turns(core::kLanes);
    double probe = from.turn, step = first_step, beyond = from.turn;
    bool failed = false;
    const auto go_on = [&] {
        for (const Tried& t : trial.at(turns)) {
            if (t.ends || !t.fault.empty()) {
                beyond = t.turn;
                end.fault = t.ends ? std::string_view{} : t.fault;
                failed = true;
                return;
            }
            end.last = t;
        }
    };
    while (!failed && std::abs(probe) < kFarthest) {  // twice as far each time
        for (double& turn : turns) {
            turn = probe += step;
            step *= 2;
        }
        go_on();
    }
    for (int look = 0; look < kLooks; ++look) {
        const double low = end.last.turn, part = (beyond - low) / (core::kLanes + 1);
        for (std::size_t i = 0; i < turns.size(); ++i) turns[i] = low + part * static_cast<double>(i + 1);
        go_on();
    }
    return end;
}

}  // namespace

FigureRange range_that_works(const GrandTouch& touch, int key_index, std::size_t figure, std::size_t screw,
                             const core::StringSet& strings) {
    const Trial trial(touch, key_index, figure, screw, strings);
    const double here = 0;
    const Tried now = trial.at({&here, 1}).front();
    if (!now.fault.empty()) return {1, 0, now.fault, now.fault};
    // A first step that changes the figure by about what limits are told in.
    const double step = kFigures[figure].told / std::abs(kScrews[screw].changes[figure]);
    const End up = walk(trial, now, step), down = walk(trial, now, -step);
    const bool rises = up.last.figure > down.last.figure;
    const End &high = rises ? up : down, &low = rises ? down : up;
    return {low.last.figure, high.last.figure, low.fault, high.fault};
}

}  // namespace letoff::keyboard
