// What plays and what sounds: audio, MIDI and USB as `letoff devices` lists them, judged. Pure.
#pragma once

#include <vector>

#include "audio/device/device_list.h"
#include "core/fault/finding.h"
#include "hw/midi/midi_devices.h"
#include "hw/usb/usb_devices.h"

namespace letoff::ui {

core::Finding check_audio(const std::vector<audio::AudioApi>& apis);
core::Finding check_midi(const hw::MidiDevices& midi);
core::Finding check_usb(const hw::UsbKeybeds& usb);

}  // namespace letoff::ui
