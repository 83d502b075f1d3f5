#include "ui/app/commands/play_report.h"

#include <fmt/format.h>
#include <sys/resource.h>

#include <nlohmann/json.hpp>
#include <string>

namespace letoff::ui {
namespace {

double most_memory_MB() {
    rusage used{};
    ::getrusage(RUSAGE_SELF, &used);
    return static_cast<double>(used.ru_maxrss) / 1024;
}

}  // namespace

void print_play_json(const LiveReport& r, const core::FaultCounters& faults, double ready_s) {
    nlohmann::ordered_json json;
    json["ready_s"] = ready_s;
    json["most_memory_MB"] = most_memory_MB();
    json["played_s"] = r.played_s;
    json["ticks"] = r.keybed.ticks;
    json["late_ticks"] = {{"ours", r.late_ours}, {"hosts", r.late_hosts}, {"skipped", r.skipped_ticks}};
    json["tick_cpu_us"] = {
        {"p50", r.tick_p50_us}, {"p99", r.tick_p99_us}, {"p999", r.tick_p999_us}, {"max", r.tick_max_us}};
    json["lateness_us"] = {{"p50", r.lateness_p50_us},
                           {"p99", r.lateness_p99_us},
                           {"p999", r.lateness_p999_us},
                           {"max", r.lateness_max_us}};
    json["audio"] = {{"way", audio::name_of(r.audio.way)},
                     {"device", r.audio.device},
                     {"rate_hz", r.audio.rate_hz},
                     {"frames", r.audio.frames},
                     {"blocks", r.blocks},
                     {"xruns", r.xruns},
                     {"blocks_over_period", r.blocks_over_period},
                     {"blocks_over_period_ours", r.blocks_over_period_ours},
                     {"block_us", {{"p50", r.block_p50_us}, {"p999", r.block_p999_us}}},
                     {"delay_ms", 1e3 * r.sound.delay_s},
                     {"stops", r.sound.stops},
                     {"drift_ppm", 1e6 * r.sound.drift}};
    const keyboard::LiveCounts& p = r.keybed.player;
    json["notes"] = p.notes;
    json["strikes"] = p.strikes;
    json["extra_strikes"] = p.extra_strikes;
    json["caught_up"] = p.caught_up;
    json["not_caught_up"] = p.not_caught_up;
    json["silent"] = p.silent;
    json["superseded"] = p.superseded;
    json["messages_dropped"] = p.messages_dropped;
    json["live_keys"] = r.keybed.live_keys;
    json["sleeping_keys"] = r.keybed.sleeping_keys;
    json["touch_changes"] = r.touch_changes;
    json["keybed_faults"] = r.keybed.keybed_faults;
    json["not_converged"] = r.keybed.not_converged;
    json["faults"] = nlohmann::ordered_json::object();
    for (const core::FaultRow& row : core::fault_table()) {
        if (const auto count = faults.count(row.fault); count > 0) json["faults"][std::string(row.name)] = count;
    }
    fmt::print("{}\n", json.dump(2));
}

void print_play_text(const LiveReport& r) {
    const keyboard::LiveCounts& p = r.keybed.player;
    fmt::print("played {:.1f} s: {} notes, {} strikes, {} of them as the message came; {} silent\n", r.played_s,
               p.notes, p.strikes, p.caught_up_strikes, p.silent);
    fmt::print("late ticks: {} ours, {} the machine's; a tick's work {:.0f} us (p99.9 {:.0f}); {} gaps in the sound\n",
               r.late_ours, r.late_hosts, r.tick_p50_us, r.tick_p999_us, r.xruns);
}

}  // namespace letoff::ui
