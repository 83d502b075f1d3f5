// letoff keybed, with nothing plugged in and with simulated keys. How well simulated keys keep time on a busy machine
// is no matter here: tests/hw/usb/enable_test_test.cpp and tests/hw/sensing/calibration_recorder_test.cpp have that on
// virtual time.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "tests/system/profiled_program.h"

namespace letoff::test {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;

using CliKeybed = ProfiledProgram;

TEST_F(CliKeybed, StatusTellsWhatSimulatedKeysSayOfThemselves) {
    const json status = reported({"keybed", "status", "--keybed", "sim", "--wait", "10"});
    ASSERT_EQ(status["devices"].size(), 1u);
    const json& device = status["devices"][0];
    EXPECT_EQ(device["serial"], "SIM-1");
    EXPECT_EQ(device["first_key"], 1);
    EXPECT_EQ(device["keys"], 88);
    EXPECT_EQ(device["calibration"], "its own");
    EXPECT_EQ(device["phase"], "waiting");
    EXPECT_EQ(device["rate_khz"], 4);
    EXPECT_GT(device["frames"], 0);
    EXPECT_EQ(device["corrupt"], 0);
    EXPECT_EQ(device["hottest_C"], 25);
}

TEST_F(CliKeybed, NothingPluggedInIsSaid) {
    const ProgramRun status = run({"keybed", "status", "--wait", "0.2"});
    if (status.status == 0) {
        EXPECT_EQ(status.out, "no motorised keyboard is plugged in\n");
        expect_failure(1, {"keybed", "monitor", "--wait", "0.2"}, "no motorised keyboard is plugged in");
        expect_failure(1, {"keybed", "enable-test", "--yes", "--wait", "0.2"}, "no motorised keyboard is plugged in");
    } else {
        EXPECT_THAT(status.err, HasSubstr("USB cannot be used"));
    }
}

TEST_F(CliKeybed, WrongUse) {
    expect_failure(2, {"keybed", "status", "--keybed", "both"}, "'both' are no motorised keys, use usb or sim");
    expect_failure(2, {"keybed", "calibrate", "--gauges", "5"}, "two or more");
    expect_failure(2, {"keybed", "calibrate", "--gauges", "5", "50"}, "50");
    expect_failure(2, {"keybed", "wiggle"}, "there is no subcommand 'wiggle'");
    expect_failure(2, {"play", "--keybed", "both"}, "there is no keybed 'both', use one of auto, usb, sim, none");
}

using CliKeybedLong = CliKeybed;
TEST_F(CliKeybedLong, SimulatedKeysAreCalibratedAndKept) {
    const ProgramRun ran =
        run({"keybed", "calibrate", "--keybed", "sim", "--yes", "--patience", "200", "--no-motors", "--json"});
    ASSERT_EQ(ran.status, 0) << ran.err;
    const json done = json::parse(ran.out);
    EXPECT_EQ(done["devices"][0]["serial"], "SIM-RAW");
    EXPECT_EQ(done["devices"][0]["keys"], 88);
    EXPECT_LT(done["devices"][0]["worst_mm"], 0.3);
    EXPECT_TRUE(done["cogs"].empty()) << "motors that were to rest have moved";
    EXPECT_TRUE(std::filesystem::exists(data_.path() / "letoff/calibrations.db"));
}

}  // namespace
}  // namespace letoff::test
