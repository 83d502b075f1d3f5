#include "core/versions.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace letoff::core {
namespace {

/// What each number stands for is tested where it is written: tests/storage/profile_database_test.cpp,
/// tests/storage/sensor_calibrations_test.cpp, tests/storage/recording_store_test.cpp,
/// tests/storage/profile_json_test.cpp, tests/ui/app/render_report_test.cpp,
/// tests/hw/protocol/protocol_document_test.cpp.
TEST(Versions, TheTableHasEachFormatOnceAndStartsAtOne) {
    std::set<std::string_view> formats;
    for (const FormatVersion& entry : kFormatVersions) {
        EXPECT_TRUE(formats.insert(entry.format).second) << entry.format;
        EXPECT_GE(entry.version, 1) << entry.format;
    }
    const auto version_of = [](std::string_view format) {
        for (const FormatVersion& entry : kFormatVersions) {
            if (entry.format == format) return entry.version;
        }
        return 0;
    };
    EXPECT_EQ(version_of("profile database"), kProfileSchemaVersion);
    EXPECT_EQ(version_of("calibration database"), kCalibrationSchemaVersion);
    EXPECT_EQ(version_of("profile JSON"), kProfileJsonVersion);
    EXPECT_EQ(version_of("recording database"), kRecordingSchemaVersion);
    EXPECT_EQ(version_of("events"), kEventsVersion);
    EXPECT_EQ(version_of("keybed protocol"), kKeybedProtocolVersion);
}

}  // namespace
}  // namespace letoff::core
