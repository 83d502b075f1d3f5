// What the machine itself gives to real-time threads: privileges, the kernel's throttle, the processors' clock, their
// instructions, memory. Reads the kernel's files below `root`, so that tests show it another machine.
//
// Sources: sched(7) and Documentation/scheduler/sched-rt-group.rst (sched_rt_runtime_us), Documentation/admin-guide/pm/
// cpufreq.rst (scaling_governor), proc(5) (MemAvailable).
#pragma once

#include <filesystem>
#include <string_view>

#include "core/fault/finding.h"
#include "core/rt/privilege.h"

namespace letoff::ui {

struct MachineView {
    std::filesystem::path root = "/";
    const core::RtCalls* calls = &core::system_rt_calls();
    std::string_view simd;  // core::simd_name()
};

/// Locks the program's memory where it may.
core::Findings check_machine(const MachineView& machine);

}  // namespace letoff::ui
