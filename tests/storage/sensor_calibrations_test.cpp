#include "storage/sensor_calibrations.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "tests/storage/temporary_folder.h"

namespace letoff::storage {
namespace {

using ::testing::HasSubstr;

std::vector<StoredKeySensors> sensors(int keys, double by) {
    std::vector<StoredKeySensors> all;
    for (int k = 0; k < keys; ++k) all.push_back({by + 1e-3 * k, 4e-3, 0.2, -1e-4, 2e-6 * (k + 1), 0.1 + 0.2, 1e-300});
    return all;
}

class SensorCalibrationsTest : public test::TemporaryFolder {
  protected:
    std::string file() const { return (folder_ / "calibrations.db").string(); }
};

TEST_F(SensorCalibrationsTest, TheNewestOfEachDeviceIsFoundToTheBit) {
    {
        auto store = SensorCalibrations::open(file());
        ASSERT_TRUE(store.ok()) << store.error();
        EXPECT_FALSE(store.value().find("K1").value().has_value());
        ASSERT_TRUE(store.value().save("K1", 100, sensors(8, 1)).ok());
        ASSERT_TRUE(store.value().save("K2", 200, sensors(88, 2)).ok());
        ASSERT_TRUE(store.value().save("K1", 300, sensors(12, 3)).ok());
    }
    auto store = SensorCalibrations::open(file());
    ASSERT_TRUE(store.ok()) << store.error();
    const auto one = store.value().find("K1").value(), two = store.value().find("K2").value();
    ASSERT_TRUE(one && two);
    EXPECT_EQ(one->saved_unix_s, 300);
    EXPECT_EQ(one->keys, sensors(12, 3));
    EXPECT_EQ(two->keys, sensors(88, 2));
}

TEST_F(SensorCalibrationsTest, NumbersThatAreNoneAreRefusedWhole) {
    auto store = SensorCalibrations::open(file());
    ASSERT_TRUE(store.ok()) << store.error();
    auto keys = sensors(8, 1);
    keys[3].kappa_Vs_per_m = std::nan("");
    EXPECT_THAT(store.value().save("K1", 1, keys).error(), HasSubstr("key 3 of 'K1'"));
    EXPECT_FALSE(store.value().find("K1").value().has_value());
}

TEST_F(SensorCalibrationsTest, AnotherFileIsLeftAlone) {
    std::ofstream(file()) << "no database at all, but long enough to look like something that might be one";
    const auto size = std::filesystem::file_size(file());
    const auto store = SensorCalibrations::open(file());
    ASSERT_FALSE(store.ok());
    EXPECT_THAT(store.error(), HasSubstr("calibrations.db"));
    EXPECT_EQ(std::filesystem::file_size(file()), size);
}

}  // namespace
}  // namespace letoff::storage
