#include "ui/app/page/page_devices.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace letoff::ui {
namespace {

using audio::AudioChoice;
using core::DeviceKind;

const core::DeviceEntry* find(const core::DeviceState& state, DeviceKind kind, std::string_view choice) {
    const auto found = std::find_if(state.entries.begin(), state.entries.end(),
                                    [&](const core::DeviceEntry& e) { return e.kind == kind && e.choice == choice; });
    return found == state.entries.end() ? nullptr : &*found;
}

TEST(PageDevices, AFileIsNoChoiceOfAPage) {
    EXPECT_TRUE(page_audio_choice("alsa:hw:0"));
    const auto file = page_audio_choice("wav:/etc/passwd");
    ASSERT_FALSE(file);
    EXPECT_THAT(file.error(), testing::HasSubstr("--audio"));
    EXPECT_FALSE(page_audio_choice("loud"));
}

TEST(PageDevices, WhatPlaysIsMarkedAndWhatCannotSaysWhy) {
    LiveDevices live;
    live.audio_choice.way = AudioChoice::Way::kAuto;
    live.audio = {AudioChoice::Way::kAlsa, "Piano", 48000, 128};
    live.audio_runs = true;
    live.midi_in.kind = hw::MidiChoice::Kind::kAuto;
    live.midi.ports = {{"ALSA", "Keys 20:0", "", hw::MidiDevice::Direction::kIn, true},
                       {"ALSA", "Synth 24:0", "", hw::MidiDevice::Direction::kOut, false}};
    live.midi.sentences = {"JACK cannot be used: no JACK server is running."};
    // ALSA's only device is ours, so it does not answer a second asker.
    const std::vector<audio::AudioApi> apis{{AudioChoice::Way::kPulse, "no server answers", {}},
                                            {AudioChoice::Way::kAlsa, "none of its 1 devices can play now", {}}};
    const core::DeviceState state = device_state(live, apis);
    EXPECT_EQ(state.sound, "auto");
    EXPECT_EQ(state.midi_in, "auto");
    EXPECT_EQ(state.midi_out, "none");
    const core::DeviceEntry* piano = find(state, DeviceKind::kSound, "alsa:Piano");
    ASSERT_NE(piano, nullptr);
    EXPECT_TRUE(piano->used);
    EXPECT_EQ(piano->says, "48000 Hz in blocks of 128 frames");
    EXPECT_EQ(piano->why_not, "");
    ASSERT_NE(find(state, DeviceKind::kSound, "pulse"), nullptr);
    EXPECT_EQ(find(state, DeviceKind::kSound, "pulse")->why_not, "no server answers");
    EXPECT_THAT(find(state, DeviceKind::kSound, "jack")->why_not, testing::HasSubstr("no JACK server"));
    EXPECT_TRUE(find(state, DeviceKind::kMidiIn, "Keys 20:0")->used);
    EXPECT_FALSE(find(state, DeviceKind::kMidiOut, "Synth 24:0")->used);
    EXPECT_TRUE(find(state, DeviceKind::kMidiOut, "none")->used);
    EXPECT_THAT(state.motors_say, testing::HasSubstr("--keybed auto"));

    live.audio_runs = false;
    EXPECT_THAT(find(device_state(live, apis), DeviceKind::kSound, "alsa:Piano")->why_not, testing::HasSubstr("lost"));
}

TEST(PageDevices, MotorsThatFellSayWhy) {
    LiveDevices live;
    live.keybed = KeybedWay::kUsb;
    EXPECT_THAT(device_state(live, {}).motors_say, testing::HasSubstr("plugged in"));
    hw::DeviceReport device;
    std::copy_n("K-17", 5, device.identity.serial.begin());
    device.identity.first_key = 40;
    device.identity.keys = 20;
    device.phase = hw::DeviceSession::Phase::kFallen;
    device.why = "its cable was pulled";
    device.keys_out.set(9);
    device.temperature_C[3] = 41;
    device.counts.missing = 5;
    live.motors = {device};
    const core::DeviceState state = device_state(live, {});
    ASSERT_EQ(state.motors.size(), 1U);
    const core::MotorKeyboard& told = state.motors.front();
    EXPECT_EQ(told.serial, "K-17");
    EXPECT_TRUE(told.fallen);
    EXPECT_EQ(told.why, "its cable was pulled");
    EXPECT_THAT(told.keys_out, testing::ElementsAre("A4"));
    EXPECT_EQ(told.warmest_C, 41);
    EXPECT_EQ(told.missing, 5);
    EXPECT_EQ(state.motors_say, "");
}

}  // namespace
}  // namespace letoff::ui
