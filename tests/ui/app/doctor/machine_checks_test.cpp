#include "ui/app/doctor/machine_checks.h"

#include <gmock/gmock.h>

#include <cerrno>
#include <fstream>
#include <string>

#include "tests/support/temp_dir.h"

namespace letoff::ui {
namespace {

using core::Finding;
using Level = Finding::Level;
using testing::HasSubstr;

constexpr core::RtCalls kGranted{[](int) { return 0; }, [] { return 0; }, [] { return true; }};
constexpr core::RtCalls kRefused{[](int) { return EPERM; }, [] { return EPERM; }, [] { return false; }};

class MachineChecks : public testing::Test {
  protected:
    /// A file of the machine that is looked at.
    void put(const std::string& name, const std::string& text) const {
        const auto file = root_.path() / name;
        std::filesystem::create_directories(file.parent_path());
        std::ofstream(file) << text;
    }
    Finding found(const std::string& check, const core::RtCalls& calls = kGranted, const char* simd = "avx2") const {
        for (const Finding& finding : check_machine({.root = root_.path(), .calls = &calls, .simd = simd})) {
            if (finding.check == check) return finding;
        }
        ADD_FAILURE() << "nothing was said about " << check;
        return {};
    }

    test::TempDir root_;
};

TEST_F(MachineChecks, WhatIsGrantedIsGoodAndNeedsNoFix) {
    for (const char* check : {"real-time priority", "locked memory"}) {
        EXPECT_EQ(found(check).level, Level::kGood) << check;
        EXPECT_EQ(found(check).fix, "") << check;
    }
}

TEST_F(MachineChecks, WithoutTheLimitsFileTheFixInstallsItAndJoinsTheGroup) {
    for (const char* check : {"real-time priority", "locked memory"}) {
        const Finding finding = found(check, kRefused);
        EXPECT_EQ(finding.level, Level::kAdvice) << check;
        EXPECT_THAT(finding.fix, HasSubstr("packaging/realtime/95-letoff.conf /etc/security/limits.d/")) << check;
        EXPECT_THAT(finding.fix, HasSubstr("usermod -aG audio")) << check;
    }
}

TEST_F(MachineChecks, WithTheLimitsFileOnlyTheGroupIsMissing) {
    put("etc/security/limits.d/95-letoff.conf", "@audio - rtprio 95\n");
    const Finding finding = found("real-time priority", kRefused);
    EXPECT_TRUE(finding.fix.starts_with("sudo usermod -aG audio")) << finding.fix;
}

TEST_F(MachineChecks, AThrottleBelowLinuxOwnIsToldWithTheNumberThatUndoesIt) {
    put("proc/sys/kernel/sched_rt_period_us", "2000000\n");
    put("proc/sys/kernel/sched_rt_runtime_us", "1000000\n");
    const Finding half = found("real-time throttle");
    EXPECT_EQ(half.level, Level::kAdvice);
    EXPECT_THAT(half.says, HasSubstr("50 %"));
    EXPECT_EQ(half.fix, "sudo sysctl kernel.sched_rt_runtime_us=1900000");
    put("proc/sys/kernel/sched_rt_runtime_us", "1900000\n");
    EXPECT_EQ(found("real-time throttle").level, Level::kGood);
    put("proc/sys/kernel/sched_rt_runtime_us", "-1\n");
    EXPECT_EQ(found("real-time throttle").level, Level::kGood);
}

TEST_F(MachineChecks, AGovernorThatLowersTheClockIsNamedWithHowManyProcessorsItHas) {
    put("sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "performance\n");
    put("sys/devices/system/cpu/cpu1/cpufreq/scaling_governor", "performance\n");
    put("sys/devices/system/cpu/cpufreq/scaling_governor", "powersave\n");  // no processor
    EXPECT_EQ(found("processor clock").level, Level::kGood);
    put("sys/devices/system/cpu/cpu2/cpufreq/scaling_governor", "powersave\n");
    const Finding finding = found("processor clock");
    EXPECT_EQ(finding.level, Level::kAdvice);
    EXPECT_THAT(finding.says, HasSubstr("performance on 2 processors, powersave on 1 processor"));
    EXPECT_THAT(finding.fix, HasSubstr("cpupower frequency-set -g performance"));
}

TEST_F(MachineChecks, AnOldProcessorIsToldHowMuchSlowerItIs) {
    EXPECT_EQ(found("SIMD", kGranted, "scalar").level, Level::kAdvice);
    EXPECT_THAT(found("SIMD", kGranted, "scalar").says, HasSubstr("seven times slower"));
    EXPECT_EQ(found("SIMD", kGranted, "avx512").level, Level::kGood);
}

TEST_F(MachineChecks, MemoryIsWhatIsAvailableNotWhatIsFree) {
    put("proc/meminfo", "MemTotal: 1000000 kB\nMemFree: 900000 kB\nMemAvailable: 204800 kB\n");
    EXPECT_EQ(found("memory").level, Level::kAdvice);
    EXPECT_THAT(found("memory").says, HasSubstr("200 MB"));
    put("proc/meminfo", "MemTotal: 1000000 kB\nMemFree: 100 kB\nMemAvailable: 819200 kB\n");
    EXPECT_EQ(found("memory").level, Level::kGood);
}

TEST_F(MachineChecks, AMachineThatShowsNothingIsNotBlamed) {
    for (const Finding& finding : check_machine({.root = root_.path(), .calls = &kGranted, .simd = "avx2"})) {
        EXPECT_EQ(finding.level, Level::kGood) << finding.check << ": " << finding.says;
    }
}

}  // namespace
}  // namespace letoff::ui
