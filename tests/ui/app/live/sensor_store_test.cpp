#include "ui/app/live/sensor_store.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <string_view>

#include "tests/support/temp_dir.h"

namespace letoff::ui {
namespace {

hw::Identity device(std::string_view serial, std::uint8_t keys) {
    hw::Identity identity;
    std::copy(serial.begin(), serial.end(), identity.serial.begin());
    identity.keys = keys;
    return identity;
}

hw::CoggingTable table(double by_N) {
    hw::CoggingTable table;
    table.first = 5;
    table.last = 90;
    for (std::size_t bin = table.first; bin < table.last; ++bin)
        table.force_in_bin_N[bin] = by_N * (static_cast<double>(bin % 20) - 10);
    return table;
}

TEST(SensorStore, WhatAnArrayPlaysWithIsWhatWasKeptOfItsDevice) {
    const test::TempDir data;
    ASSERT_EQ(::setenv("XDG_DATA_HOME", data.path().c_str(), 1), 0);
    const hw::ArrayOptions options = array_with_all_kept();
    EXPECT_TRUE(options.cogging(device("K1", 8)).empty());
    EXPECT_TRUE(options.calibration(device("K1", 8)).empty());

    std::vector<hw::CoggingTable> tables(8, table(0.001));
    tables[3] = {};  // it was not measured
    tables[7] = table(0.013);
    ASSERT_TRUE(keep_cogging(device("K1", 8), tables).ok());
    const std::vector<hw::KeySensorCalibration> sensors(8, {.k_m_per_V2 = 1e-3, .kappa_Vs_per_m = 0.2});
    ASSERT_TRUE(keep_calibration(device("K1", 8), sensors).ok());

    EXPECT_EQ(options.cogging(device("K1", 8)), tables);
    EXPECT_EQ(options.cogging(device("K1", 8))[3].force_N(5e-3), 0);
    EXPECT_EQ(options.calibration(device("K1", 8)).size(), 8U);
    // Another device, or one that was built anew with other keys.
    EXPECT_TRUE(options.cogging(device("K2", 8)).empty());
    EXPECT_TRUE(options.cogging(device("K1", 12)).empty());
}

}  // namespace
}  // namespace letoff::ui
