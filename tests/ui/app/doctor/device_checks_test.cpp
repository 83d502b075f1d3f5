#include "ui/app/doctor/device_checks.h"

#include <gmock/gmock.h>

#include "hw/usb/usb_transport.h"

namespace letoff::ui {
namespace {

using audio::AudioChoice;
using core::Finding;
using Level = Finding::Level;
using testing::AllOf;
using testing::HasSubstr;

TEST(DeviceChecks, OneSoundDeviceIsEnoughWhateverElseIsMissing) {
    const Finding finding = check_audio(
        {{AudioChoice::Way::kJack, "no server", {}}, {AudioChoice::Way::kPulse, "", {{"Speakers", 2, {48000}, true}}}});
    EXPECT_EQ(finding.level, Level::kGood);
    EXPECT_EQ(finding.says, "pulse: Speakers");
}

TEST(DeviceChecks, WithoutSoundEveryReasonIsToldAndThatItPlaysIntoAFile) {
    const Finding finding =
        check_audio({{AudioChoice::Way::kJack, "no server", {}}, {AudioChoice::Way::kAlsa, "no card", {}}});
    EXPECT_EQ(finding.level, Level::kAdvice);
    EXPECT_THAT(finding.says, AllOf(HasSubstr("WAV file"), HasSubstr("no server; no card")));
    EXPECT_NE(finding.fix, "");
}

TEST(DeviceChecks, AKeyboardIsToldByTheNameOnItAndAnOutputIsNone) {
    using Direction = hw::MidiDevice::Direction;
    EXPECT_EQ(check_midi({{{"ALSA", "Key 28:0", "Keystation", Direction::kIn}}, {"JACK is away"}}).says,
              "Key 28:0 (Keystation)");
    EXPECT_EQ(check_midi({{{"ALSA", "Synth 14:0", "", Direction::kOut}}, {"JACK is away"}}).level, Level::kAdvice);
    EXPECT_EQ(check_midi({{}, {}}).level, Level::kGood);
}

TEST(DeviceChecks, MotorKeysThatMayNotBeUsedAreAFaultWithTheRule) {
    EXPECT_EQ(check_usb({}).level, Level::kGood);
    EXPECT_EQ(check_usb({{{.node = "/dev/bus/usb/001/004", .product = "Keys"}}, ""}).says,
              "Keys at /dev/bus/usb/001/004");
    const Finding refused = check_usb({{{.node = "/dev/bus/usb/001/004", .why_not = "no", .refused = true}}, ""});
    EXPECT_EQ(refused.level, Level::kFault);
    EXPECT_THAT(refused.fix, AllOf(HasSubstr(hw::kUdevRule), HasSubstr("udevadm trigger")));
    EXPECT_EQ(check_usb({{}, "no bus"}).level, Level::kAdvice);
}

}  // namespace
}  // namespace letoff::ui
