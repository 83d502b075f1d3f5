#include "ui/app/bench/report.h"

#include <fmt/format.h>

#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <thread>

#include "core/simd/target.h"

namespace letoff::ui {
namespace {

using Json = nlohmann::ordered_json;

std::string processor_name() {
    std::ifstream info("/proc/cpuinfo");
    for (std::string line; std::getline(info, line);) {
        const auto colon = line.find(": ");
        if (line.starts_with("model name") && colon != std::string::npos) return line.substr(colon + 2);
    }
    return "unknown";
}

std::string compiler_name() {
#if defined(__clang__)
    return fmt::format("clang {}.{}", __clang_major__, __clang_minor__);
#else
    return fmt::format("gcc {}.{}", __GNUC__, __GNUC_MINOR__);
#endif
}

constexpr bool is_optimised() {
#if defined(__OPTIMIZE__)
    return true;
#else
    return false;
#endif
}

Json point_json(const ScalingPoint& point) {
    Json json{{"keys", point.of.keys},
              {"layout", point.of.spread ? "spread" : "filled"},
              {"awake_blocks", point.awake_blocks},
              {"tick_hz", point.of.tick_hz},
              {"executor", point.of.executor},
              {"threads", point.of.threads},
              {"simd", point.simd},
              {"cpu_us_per_tick", point.cpu_us},
              {"wall_us_per_tick", point.wall_us},
              {"share_of_core", point.share()}};
    if (point.of.keys > 0) json["cpu_us_per_key"] = point.cpu_us / point.of.keys;
    return json;
}

Json points_json(const std::vector<ScalingPoint>& points) {
    Json json = Json::array();
    for (const ScalingPoint& point : points) json.push_back(point_json(point));
    return json;
}

Json scaling_json(const Scaling& scaling) {
    Json active = points_json(scaling.filled);
    for (const ScalingPoint& point : scaling.spread) active.push_back(point_json(point));
    const ScalingGrowth growth = scaling.growth();
    Json json{{"active_keys", active},
              {"executors", points_json(scaling.executors)},
              {"tick_rates", points_json(scaling.tick_rates)},
              {"simd_targets", points_json(scaling.simd)},
              {"growth",
               {{"us_per_key_44", growth.us_per_key_44},
                {"us_per_key_88", growth.us_per_key_88},
                {"ratio_per_key", growth.per_key()},
                {"ratio_per_block", growth.per_block()},
                {"one_block_8_keys_to_1", growth.one_block_8_to_1},
                {"linear", growth.linear()},
                {"sentence", growth.sentence()}}}};
    if (scaling.load_before) json["load_average_before"] = *scaling.load_before;
    return json;
}

std::string scaling_table(const Scaling& scaling) {
    std::string out;
    const auto add = [&]<typename... A>(fmt::format_string<A...> text, A&&... values) {
        fmt::format_to(std::back_inserter(out), text, std::forward<A>(values)...);
    };
    const ScalingPoint& base = scaling.executors.front();
    add("\nKeybed, a tick of {} Hz, {}, one thread; keys filling blocks of 8, or spread over the blocks\n",
        base.of.tick_hz, base.simd);
    add("{:>6}{:>12}{:>9}{:>9}{:>9}   {:>12}{:>9}{:>9}{:>9}\n", "keys", "filled us", "share %", "us/key", "blocks",
        "spread us", "share %", "us/key", "blocks");
    for (std::size_t i = 0; i < scaling.filled.size() && i < scaling.spread.size(); ++i) {
        const int keys = scaling.filled[i].of.keys;
        add("{:>6}", keys);
        for (const ScalingPoint* point : {&scaling.filled[i], &scaling.spread[i]}) {
            add("{:>12.2f}{:>9.2f}{:>9}{:>9}   ", point->cpu_us, 100 * point->share(),
                keys > 0 ? fmt::format("{:.2f}", point->cpu_us / keys) : "-", point->awake_blocks);
        }
        add("\n");
    }
    add("\n{:<22}{:>16}{:>16}{:>9}\n", "88 keys", "cpu us a tick", "wall us a tick", "share %");
    const auto rows = [&](const std::vector<ScalingPoint>& points, auto&& name) {
        for (const ScalingPoint& point : points)
            add("{:<22}{:>16.1f}{:>16.1f}{:>9.1f}\n", name(point), point.cpu_us, point.wall_us, 100 * point.share());
    };
    rows(scaling.executors, [](const ScalingPoint& point) {
        return fmt::format("{}, {} thread{}", point.of.executor, point.of.threads, point.of.threads == 1 ? "" : "s");
    });
    rows(scaling.tick_rates, [](const ScalingPoint& point) { return fmt::format("{} Hz", point.of.tick_hz); });
    rows(scaling.simd, [](const ScalingPoint& point) { return point.simd; });
    add("\nProcessor time of all threads; share of one core at the tick rate. ");
    if (scaling.load_before)
        add("The machine's load was {:.2f} before; wall times mean nothing on a busy one.\n", *scaling.load_before);
    add("{}\n", scaling.growth().sentence());
    return out;
}

}  // namespace

BenchMachine this_machine() {
    return {processor_name(), std::string(core::simd_name()), compiler_name(), std::thread::hardware_concurrency(),
            is_optimised()};
}

std::string bench_table(const BenchMachine& machine, const BenchReport& report) {
    std::string out = fmt::format("{}, {} cores, {}, {}{}\n\n", machine.processor, machine.cores, machine.simd,
                                  machine.compiler, machine.optimised ? "" : ", NOT OPTIMISED");
    out += fmt::format("{:<20}{:>9}{:>9}{:>9}{:>9}{:>9}  {}\n", "", "median", "p95", "worst", "must", "aim", "");
    for (const BenchRow& row : report.rows) {
        const char* sign = row.more_is_better ? ">=" : "<=";
        out += fmt::format("{:<20}{:>9.4g}{:>9.4g}{:>9.4g}{:>3}{:>6.4g}{:>3}{:>6.4g}  {:<3}{}{}\n", row.name,
                           row.median(), row.p95(), row.max(), sign, row.must, sign, row.aim, row.unit,
                           row.reached() ? "" : "NOT REACHED: ", row.note);
    }
    if (report.scaling) out += scaling_table(*report.scaling);
    return out;
}

std::string bench_json(const BenchMachine& machine, const BenchReport& report) {
    Json json;
    json["machine"] = {{"processor", machine.processor},
                       {"cores", machine.cores},
                       {"simd", machine.simd},
                       {"compiler", machine.compiler},
                       {"optimised", machine.optimised}};
    json["rows"] = Json::array();
    for (const BenchRow& row : report.rows) {
        json["rows"].push_back({{"name", row.name},
                                {"unit", row.unit},
                                {"median", row.median()},
                                {"p95", row.p95()},
                                {"max", row.max()},
                                {"must", row.must},
                                {"aim", row.aim},
                                {"more_is_better", row.more_is_better},
                                {"reached", row.reached()},
                                {"repetitions", row.values.size()},
                                {"note", row.note}});
    }
    if (report.scaling) json["scaling"] = scaling_json(*report.scaling);
    return json.dump(2) + "\n";
}

}  // namespace letoff::ui
