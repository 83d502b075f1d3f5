// Versions of what Letoff writes and later reads again, or speaks with a device, all in one place. A number grows when
// an older build could no longer read what is written; adding a field that readers may pass over keeps it. Every
// version that was ever given out is read for ever: the tests keep one example of each.
#pragma once

#include <string_view>

namespace letoff::core {

inline constexpr int kProfileSchemaVersion = 1;      // tables of the profile database: storage/profile_schema.h
inline constexpr int kCalibrationSchemaVersion = 2;  // sensors of motorised keys: storage/sensor_calibrations.h
inline constexpr int kRecordingSchemaVersion = 3;    // tables of the database of recordings: storage/recording_schema.h
inline constexpr int kProfileJsonVersion = 1;        // an exported profile: storage/profile_json.h
inline constexpr int kEventsVersion = 1;             // names in the lines of `render --events`: ui/app/render_report.h
inline constexpr int kKeybedProtocolVersion = 1;     // major, with a motorised keyboard: hw/protocol/PROTOCOL.md

struct FormatVersion {
    std::string_view format;
    int version;
};
inline constexpr FormatVersion kFormatVersions[] = {
    {"profile database", kProfileSchemaVersion},
    {"calibration database", kCalibrationSchemaVersion},
    {"recording database", kRecordingSchemaVersion},
    {"profile JSON", kProfileJsonVersion},
    {"events", kEventsVersion},
    {"keybed protocol", kKeybedProtocolVersion},
};

}  // namespace letoff::core
