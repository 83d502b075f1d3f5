#include "ui/app/doctor/machine_checks.h"

#include <fmt/format.h>

#include <charconv>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <system_error>
#include <thread>

namespace letoff::ui {
namespace {

using core::Finding;

namespace fs = std::filesystem;
using Level = Finding::Level;

constexpr const char* kLimits = "etc/security/limits.d/95-letoff.conf";
constexpr long long kEnoughThrottle_percent = 90;  // Linux gives 95
constexpr long long kMemory_MB = 400;              // the most that the program takes

std::string first_line(const fs::path& file) {
    std::ifstream stream(file);
    std::string line;
    std::getline(stream, line);
    return line;
}

std::optional<long long> number_in(const fs::path& file) {
    const std::string text = first_line(file);
    long long number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end == text.data()) return std::nullopt;
    return number;
}

std::string how_to_get_limits(const MachineView& machine) {
    const std::string join = "sudo usermod -aG audio $USER, then log in again";
    if (fs::exists(machine.root / kLimits)) return join;
    return "sudo install -m 644 packaging/realtime/95-letoff.conf /etc/security/limits.d/ && " + join;
}

Finding priority(const MachineView& machine) {
    core::RtGrant grant;
    // On a thread of its own: the doctor itself needs no priority.
    std::thread([&grant, &machine] {
        auto asked = core::make_thread_realtime(core::RtMode::automatic, core::kKeybedPriority, *machine.calls);
        if (asked) grant = asked.value();
    }).join();
    if (grant.granted) {
        return {Level::kGood, "real-time priority",
                fmt::format("threads may run at SCHED_FIFO {}", core::kKeybedPriority), ""};
    }
    return {Level::kAdvice, "real-time priority",
            "the system gives none, so other programs can hold up the keys and the sound; a motor array is not enabled",
            how_to_get_limits(machine)};
}

Finding locked_memory(const MachineView& machine) {
    const auto grant = core::lock_memory(core::RtMode::automatic, *machine.calls);
    if (grant && grant.value().granted) {
        return {Level::kGood, "locked memory", "the program may keep its memory from being paged out", ""};
    }
    return {Level::kAdvice, "locked memory", "the program may not keep its memory from being paged out",
            how_to_get_limits(machine)};
}

Finding throttle(const MachineView& machine) {
    const fs::path kernel = machine.root / "proc/sys/kernel";
    const auto runtime_us = number_in(kernel / "sched_rt_runtime_us"),
               period_us = number_in(kernel / "sched_rt_period_us");
    if (!runtime_us || !period_us || *period_us <= 0) {
        return {Level::kGood, "real-time throttle", "the kernel shows none", ""};
    }
    if (*runtime_us < 0) return {Level::kGood, "real-time throttle", "the kernel leaves real-time threads alone", ""};
    const long long percent = *runtime_us * 100 / *period_us;
    const std::string says = fmt::format("the kernel lets real-time threads have {} % of a processor", percent);
    if (percent >= kEnoughThrottle_percent) return {Level::kGood, "real-time throttle", says, ""};
    return {Level::kAdvice, "real-time throttle", says + ", and stops keys and sound for the rest of every period",
            fmt::format("sudo sysctl kernel.sched_rt_runtime_us={}", *period_us * 95 / 100)};
}

Finding governor(const MachineView& machine) {
    std::map<std::string, int> governors;
    std::error_code error;
    const fs::path cpus = machine.root / "sys/devices/system/cpu";
    for (const auto& entry : fs::directory_iterator(cpus, error)) {
        const std::string name = entry.path().filename().string();
        if (!name.starts_with("cpu") || name.size() < 4 || name[3] < '0' || name[3] > '9') continue;
        const std::string governor = first_line(entry.path() / "cpufreq/scaling_governor");
        if (!governor.empty()) ++governors[governor];
    }
    if (governors.empty()) return {Level::kGood, "processor clock", "the machine does not let it be chosen", ""};
    if (governors.size() == 1 && governors.contains("performance")) {
        return {Level::kGood, "processor clock", "it stays high (governor performance)", ""};
    }
    std::string list;
    for (const auto& [name, count] : governors) {
        list += fmt::format("{}{} on {} processor{}", list.empty() ? "" : ", ", name, count, count == 1 ? "" : "s");
    }
    return {
        Level::kAdvice, "processor clock",
        fmt::format("governor {}: the clock falls while little is played, and the first loud chord comes late", list),
        "sudo cpupower frequency-set -g performance (package linux-cpupower)"};
}

Finding instructions(const MachineView& machine) {
    if (machine.simd != "scalar") {
        return {Level::kGood, "SIMD", fmt::format("the keys are computed with {}", machine.simd), ""};
    }
    return {Level::kAdvice, "SIMD",
            "the processor has neither AVX2 with FMA nor AVX-512: the same result to the bit, about seven times slower",
            "play with a lower rate of the keys, letoff play --tick 1000, and letoff bench says what is left"};
}

Finding memory(const MachineView& machine) {
    std::ifstream stream(machine.root / "proc/meminfo");
    std::string name, rest;
    long long kilobytes = 0;
    while (stream >> name >> kilobytes && std::getline(stream, rest)) {
        if (name != "MemAvailable:") continue;
        const long long megabytes = kilobytes / 1024;
        const std::string says = fmt::format("{} MB are free", megabytes);
        if (megabytes >= kMemory_MB) return {Level::kGood, "memory", says, ""};
        return {Level::kAdvice, "memory", says + fmt::format(", the program takes up to {} MB", kMemory_MB),
                "close other programs"};
    }
    return {Level::kGood, "memory", "the system does not say how much is free", ""};
}

}  // namespace

core::Findings check_machine(const MachineView& machine) {
    return {priority(machine), locked_memory(machine), throttle(machine),
            governor(machine), instructions(machine),  memory(machine)};
}

}  // namespace letoff::ui
