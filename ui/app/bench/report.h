// What letoff bench says: rows and scaling as a table and as JSON (names: design, section 4), the scaling as a picture.
#pragma once

#include <span>
#include <string>

#include "ui/app/bench/rows.h"
#include "ui/app/bench/scaling.h"

namespace letoff::ui {

struct BenchReport {
    std::vector<BenchRow> rows;
    std::optional<Scaling> scaling;
};

struct BenchMachine {
    std::string processor, simd, compiler;
    unsigned cores = 0;
    bool optimised = false;
};
BenchMachine this_machine();

std::string bench_table(const BenchMachine& machine, const BenchReport& report);
std::string bench_json(const BenchMachine& machine, const BenchReport& report);
std::string scaling_svg(const BenchMachine& machine, const Scaling& scaling);

}  // namespace letoff::ui
