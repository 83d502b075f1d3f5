#include "storage/sensor_calibrations.h"

#include <SQLiteCpp/SQLiteCpp.h>
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
    EXPECT_THAT(store.value().save("K1", 1, keys).error(), HasSubstr("key 4 of 'K1'"));
    EXPECT_FALSE(store.value().find("K1").value().has_value());
}

TEST_F(SensorCalibrationsTest, TheNewestCoggingOfEachDeviceIsFoundToTheBit) {
    const std::vector<StoredKeyCogging> first{{1e-4, 3, {0.1, -0.2, 1e-300}}, {1e-4, 0, {}}};
    const std::vector<StoredKeyCogging> second{{1e-4, 7, {0.1 + 0.2}}};
    {
        auto store = SensorCalibrations::open(file());
        ASSERT_TRUE(store.ok()) << store.error();
        EXPECT_TRUE(store.value().find_cogging("K1").value().empty());
        ASSERT_TRUE(store.value().save("K1", 50, sensors(2, 1)).ok());
        ASSERT_TRUE(store.value().save_cogging("K1", 100, second).ok());
        ASSERT_TRUE(store.value().save_cogging("K1", 200, first).ok());
        ASSERT_TRUE(store.value().save_cogging("K2", 300, second).ok());
    }
    auto store = SensorCalibrations::open(file());
    ASSERT_TRUE(store.ok()) << store.error();
    EXPECT_EQ(store.value().find_cogging("K1").value(), first);
    EXPECT_EQ(store.value().find_cogging("K2").value(), second);
    EXPECT_EQ(store.value().find("K1").value()->keys, sensors(2, 1));
}

TEST_F(SensorCalibrationsTest, CoggingThatIsNoneIsRefusedWhole) {
    auto store = SensorCalibrations::open(file());
    ASSERT_TRUE(store.ok()) << store.error();
    const std::vector<StoredKeyCogging> keys{{1e-4, 0, {0.1}}, {1e-4, 0, {0.1, INFINITY}}};
    EXPECT_THAT(store.value().save_cogging("K1", 1, keys).error(), HasSubstr("key 2 of 'K1'"));
    EXPECT_TRUE(store.value().find_cogging("K1").value().empty());
}

/// A file as version 1 of its tables left it: what was calibrated stays, cogging can be kept beside it.
TEST_F(SensorCalibrationsTest, AFileOfVersionOneIsTakenOver) {
    {
        auto store = SensorCalibrations::open(file());
        ASSERT_TRUE(store.ok()) << store.error();
        ASSERT_TRUE(store.value().save("K1", 50, sensors(2, 1)).ok());
    }
    {
        SQLite::Database sqlite(file(), SQLite::OPEN_READWRITE);
        sqlite.exec("DROP TABLE key_cogging; DROP TABLE cogging; PRAGMA user_version = 1");
    }
    auto store = SensorCalibrations::open(file());
    ASSERT_TRUE(store.ok()) << store.error();
    EXPECT_EQ(store.value().find("K1").value()->keys, sensors(2, 1));
    const std::vector<StoredKeyCogging> cogging{{1e-4, 7, {0.25}}};
    ASSERT_TRUE(store.value().save_cogging("K1", 100, cogging).ok());
    EXPECT_EQ(store.value().find_cogging("K1").value(), cogging);
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
