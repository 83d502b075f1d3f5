// The same frame is read by the page's test (tests/ui/web/telemetry.test.ts), so both sides know the same bytes.
#include "ui/api/telemetry_frame.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>
#include <limits>

namespace letoff::ui {
namespace {

core::Telemetry example() {
    core::Telemetry t;
    t.tick = 0x1'2345'6789;
    t.sustain = 1;
    t.sostenuto = 0.5F;
    t.meter = 0.25F;
    t.dip_m[48] = 0.00987F;
    t.dip_m[0] = -0.001F;  // a key above its rest
    t.crown_m[48] = 0.0461F;
    t.crown_m[87] = 2.0F;  // farther than the frame can tell
    t.strikes[48] = 200;
    t.strike_mps[48] = 2.81F;
    t.watched.key_index = 48;
    t.watched.q[4] = -0.34F;
    t.watched.contact_N[16] = 0.5F;
    t.watched.contact_N[3] = std::numeric_limits<float>::quiet_NaN();
    t.watched.finger_N = 1.5F;
    t.watched.crown_mps = -0.75F;
    t.watched.string_N = 40.0F;
    return t;
}

TEST(TelemetryFrame, IsTheOneThatThePageReads) {
    TelemetryFrame frame{};
    write_telemetry(example(), frame);
    std::string bytes;
    for (const std::uint8_t byte : frame) bytes += fmt::format("{:02x}", byte);
    std::ifstream file(LETOFF_SOURCE_DIR "/tests/ui/web/telemetry.hex");
    std::string known;
    file >> known;
    EXPECT_EQ(bytes, known);
    EXPECT_EQ(frame[3], 49);
    EXPECT_EQ(frame[16] | frame[17] << 8, 0);
    EXPECT_EQ(frame[16 + 96] | frame[16 + 97] << 8, 9870);
    EXPECT_EQ(frame[192 + 174] | frame[192 + 175] << 8, 65535);
    EXPECT_EQ(frame[456 + 48], 45) << "2.81 m/s in sixteenths";
}

}  // namespace
}  // namespace letoff::ui
