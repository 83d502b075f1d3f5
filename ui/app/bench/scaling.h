// How the cost of a keybed tick grows: with the number of keys that are played, with threads and executors, with the
// tick rate, and from one SIMD target to another.
//
// Played keys fill whole blocks of eight (the lanes of one mechanism), the blocks taken from all over the keyboard; or
// they are spread, one a block as long as there are blocks. The others rest and sleep. Processor time is that of all
// threads together; wall time is that of a tick as its caller waits for it, ticks one after another without a pause.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/result.h"
#include "ui/app/instrument.h"

namespace letoff::ui {

struct ScalingCase {
    int keys = 88;
    bool spread = false;
    int tick_hz = 4000;
    std::string executor = "inline";
    int threads = 1;
    std::string simd = "auto";
};

struct ScalingPoint {
    ScalingCase of;
    std::string simd;                                            // target in use
    int awake_blocks = 0;                                        // of 11, after the last tick
    double cpu_us = 0;                                           // a tick, all threads; median of the repetitions
    double wall_us = 0;                                          // a tick; median
    double share() const { return cpu_us * 1e-6 * of.tick_hz; }  // of one core
};

struct ScalingGrowth {
    double us_per_key_44 = 0, us_per_key_88 = 0;      // filled blocks
    double us_per_block_44 = 0, us_per_block_88 = 0;  // of the blocks that hold a played key
    double one_block_8_to_1 = 0;                      // cost of a block with 8 keys played against 1
    double per_key() const { return us_per_key_88 / us_per_key_44; }
    double per_block() const { return us_per_block_88 / us_per_block_44; }
    bool linear() const;
    std::string sentence() const;
};

struct Scaling {
    std::vector<ScalingPoint> filled, spread, executors, tick_rates, simd;
    std::optional<double> load_before;  // processes that ran or waited, mean of the minute before (/proc/loadavg)
    ScalingGrowth growth() const;
};

/// `simd`: the target of everything but the comparison of targets, and the one that is in use afterwards.
core::Result<Scaling> measure_scaling(const std::string& simd, int repetitions, const Progress& progress);

}  // namespace letoff::ui
