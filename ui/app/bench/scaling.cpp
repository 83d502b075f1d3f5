#include "ui/app/bench/scaling.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <fstream>
#include <memory>
#include <utility>

#include "core/rt/denormals.h"
#include "core/rt/executor.h"
#include "core/simd/lanes.h"
#include "core/simd/target.h"
#include "core/string/string_design.h"
#include "ui/app/bench/workload.h"
#include "ui/app/render_report.h"

namespace letoff::ui {
namespace {

constexpr int kBlocks = core::kKeyCount / core::kLanes;
constexpr double kWarmUp_s = 0.75;  // of simulated time: every key has been played three times, the others sleep
constexpr double kPart_s = 0.25;    // a repetition: one period of the work
// What scatter of the measurement and blocks of unlike keys may do to a growth that is linear.
constexpr double kLinearWithin = 0.2;

std::vector<int> played_keys(int count, bool spread) {
    std::vector<int> keys;
    for (int i = 0; i < count; ++i) {
        const int slot = spread ? i % kBlocks : i / core::kLanes;
        const int lane = spread ? i / kBlocks : i % core::kLanes;
        // 4 is prime to 11: the first blocks come from the middle, the treble, the bass ...
        keys.push_back((4 * slot + 5) % kBlocks * core::kLanes + lane);
    }
    return keys;
}

int blocks_with(int keys) {
    return (keys + core::kLanes - 1) / core::kLanes;
}

// One case while it is measured. Repetitions of all cases take turns, so that a change of the machine's clock in
// mid-run meets all of them and not the few whose turn it was.
class RunningCase {
  public:
    static core::Result<std::unique_ptr<RunningCase>> start(const core::StringSet& strings, const ScalingCase& of) {
        auto executor = core::make_executor(of.executor, of.threads);
        if (!executor) return core::Error{executor.error()};
        return std::unique_ptr<RunningCase>(new RunningCase(strings, of, std::move(executor.value())));
    }

    void repeat() {
        const int ticks = static_cast<int>(kPart_s * of_.tick_hz);
        const auto began = std::chrono::steady_clock::now();
        const double start_s = process_time_s();
        for (int k = 0; k < ticks; ++k) keybed_.tick();
        cpu_us_.push_back(1e6 * (process_time_s() - start_s) / ticks);
        wall_us_.push_back(std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - began).count() /
                           ticks);
    }

    ScalingPoint result() {
        ScalingPoint point;
        point.of = of_;
        point.simd = simd_;
        point.awake_blocks = keybed_.keybed().awake_blocks();
        point.cpu_us = percentile(cpu_us_, 0.5);
        point.wall_us = percentile(wall_us_, 0.5);
        return point;
    }

  private:
    RunningCase(const core::StringSet& strings, const ScalingCase& of, std::unique_ptr<core::Executor> executor)
        : of_(of),
          simd_(core::simd_name()),
          keybed_(strings, of.tick_hz, std::move(executor), played_keys(of.keys, of.spread)) {
        for (int i = 0; i < static_cast<int>(kWarmUp_s * of.tick_hz); ++i) keybed_.tick();
    }

    ScalingCase of_;
    std::string simd_;
    BusyKeybed keybed_;
    std::vector<double> cpu_us_, wall_us_;
};

std::optional<double> load_average() {
    std::ifstream file("/proc/loadavg");
    double load = 0;
    if (!(file >> load)) return std::nullopt;
    return load;
}

const ScalingPoint* find(const std::vector<ScalingPoint>& points, int keys) {
    for (const ScalingPoint& point : points)
        if (point.of.keys == keys) return &point;
    return nullptr;
}

}  // namespace

bool ScalingGrowth::linear() const {
    return std::abs(per_block() - 1) <= kLinearWithin;
}

std::string ScalingGrowth::sentence() const {
    return fmt::format(
        "Growth with keys is {}: a key costs {:.2f} us of a tick at 44 keys and {:.2f} us at 88 ({:.2f} times as "
        "much), "
        "a block of {} lanes {:.2f} us and {:.2f} us ({:.2f} times). 44 keys are 5.5 blocks and need 6: the mechanics "
        "of "
        "a block cost the same whether 1 or {} of its keys move; with the strings of the hammers that strike and the "
        "slowest of its lanes, which the others wait for, a block with {} keys played costs {:.1f} times one with 1.",
        linear() ? "linear" : "NOT linear", us_per_key_44, us_per_key_88, per_key(), core::kLanes, us_per_block_44,
        us_per_block_88, per_block(), core::kLanes, core::kLanes, one_block_8_to_1);
}

ScalingGrowth Scaling::growth() const {
    ScalingGrowth growth;
    const ScalingPoint *one = find(filled, 1), *block = find(filled, core::kLanes), *half = find(filled, 44),
                       *all = find(filled, 88);
    if (one == nullptr || block == nullptr || half == nullptr || all == nullptr) return growth;
    growth.us_per_key_44 = half->cpu_us / 44;
    growth.us_per_key_88 = all->cpu_us / 88;
    growth.us_per_block_44 = half->cpu_us / blocks_with(44);
    growth.us_per_block_88 = all->cpu_us / blocks_with(88);
    growth.one_block_8_to_1 = block->cpu_us / one->cpu_us;
    return growth;
}

core::Result<Scaling> measure_scaling(const std::string& simd, int repetitions, const Progress& progress) {
    const core::DenormalsOff denormals_off;
    const auto strings = std::make_unique<core::StringSet>(core::design_strings({}));
    Scaling scaling;
    scaling.load_before = load_average();
    struct Group {
        std::vector<ScalingPoint>* points;
        std::vector<ScalingCase> cases;
    };
    Group filled{&scaling.filled, {}}, spread{&scaling.spread, {}}, executors{&scaling.executors, {}},
        tick_rates{&scaling.tick_rates, {}}, targets{&scaling.simd, {}};
    for (const int keys : {0, 1, 2, 4, 8, 16, 32, 44, 64, 88}) {
        filled.cases.push_back({.keys = keys});
        spread.cases.push_back({.keys = keys, .spread = true});
    }
    executors.cases.push_back({});
    for (const char* kind : {"tbb", "threads"})
        for (const int threads : {1, 2, 4}) executors.cases.push_back({.executor = kind, .threads = threads});
    for (const int tick_hz : {1000, 2000, 4000, 8000}) tick_rates.cases.push_back({.tick_hz = tick_hz});
    for (const char* name : {"avx512", "avx2", "scalar"})
        if (core::choose_simd(name)) targets.cases.push_back({.simd = name});  // those that this machine has

    struct Turn {
        std::vector<ScalingPoint>* points;
        ScalingCase of;
        std::string simd;
        std::unique_ptr<RunningCase> running;
        ScalingPoint point;
    };
    std::vector<Turn> turns;
    for (const Group& group : {filled, spread, executors, tick_rates, targets})
        for (const ScalingCase& of : group.cases)
            turns.push_back({group.points, of, of.simd == "auto" ? simd : of.simd, nullptr, {}});
    const auto start = [&](Turn& turn) -> core::Result<bool> {
        if (auto chosen = core::choose_simd(turn.simd); !chosen) return core::Error{chosen.error()};
        auto running = RunningCase::start(*strings, turn.of);
        if (!running) return core::Error{running.error()};
        turn.running = std::move(running.value());
        return true;
    };
    // The smallest number of threads asked of TBB holds for all of the process, so its cases cannot live side by side.
    const auto alone = [](const Turn& turn) { return turn.of.executor == "tbb"; };
    const auto batch = [&](const std::vector<Turn*>& members) -> core::Result<bool> {
        for (Turn* turn : members)
            if (auto started = start(*turn); !started) return core::Error{started.error()};
        for (int i = 0; i < repetitions; ++i) {
            if (progress) progress(static_cast<double>(i) / repetitions, "scaling");
            for (Turn* turn : members) {
                if (auto chosen = core::choose_simd(turn->simd); !chosen) return core::Error{chosen.error()};
                turn->running->repeat();
            }
        }
        for (Turn* turn : members) {
            turn->point = turn->running->result();
            turn->running.reset();
        }
        return true;
    };
    std::vector<std::vector<Turn*>> batches(1);
    for (Turn& turn : turns) {
        if (alone(turn)) {
            batches.push_back({&turn});
        } else {
            batches.front().push_back(&turn);
        }
    }
    for (const std::vector<Turn*>& members : batches)
        if (auto measured = batch(members); !measured) return core::Error{measured.error()};
    for (const Turn& turn : turns) turn.points->push_back(turn.point);
    if (auto chosen = core::choose_simd(simd); !chosen) return core::Error{chosen.error()};
    return scaling;
}

}  // namespace letoff::ui
