// The rows of letoff bench: a figure measured several times, and what it is held to.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/result.h"
#include "ui/app/instrument.h"

namespace letoff::ui {

struct BenchRow {
    std::string name, unit;
    std::vector<double> values;  // one a repetition
    double must = 0, aim = 0;
    bool more_is_better = false;
    std::string note;  // how it was measured

    double median() const;
    double p95() const;  // 95 % of the repetitions are at or below it (nearest rank)
    double max() const;
    bool reached() const { return more_is_better ? median() >= must : median() <= must; }
};

struct BenchSetting {
    InstrumentSetting instrument;
    int repetitions = 15;
    std::vector<std::string> rows;  // names; empty: all
};

std::vector<std::string> bench_row_names();

core::Result<std::vector<BenchRow>> measure_rows(const BenchSetting& setting, const Progress& progress);

}  // namespace letoff::ui
