// Kept calibrations of motorised keys - what their sensors mean, and the cogs of their motors -, as the hub asks for
// them: from the user's data folder by the device's serial.
#pragma once

#include <string>
#include <vector>

#include "core/result.h"
#include "hw/protocol/messages.h"
#include "hw/sensing/calibration.h"
#include "hw/sensing/cogging.h"
#include "hw/usb/array_hub.h"

namespace letoff::ui {

/// Of each of the device's keys; empty where there is none for as many keys, or the file cannot be read. Any thread
/// that may block.
std::vector<hw::KeySensorCalibration> kept_calibration(const hw::Identity& identity);
/// Where it went, or the sentence why it did not.
core::Result<std::string> keep_calibration(const hw::Identity& identity,
                                           const std::vector<hw::KeySensorCalibration>& keys);

/// The same for the motors' cogs; a key whose table has no bins was not measured.
std::vector<hw::CoggingTable> kept_cogging(const hw::Identity& identity);
core::Result<std::string> keep_cogging(const hw::Identity& identity, const std::vector<hw::CoggingTable>& keys);

/// An array that plays with all that is kept.
hw::ArrayOptions array_with_all_kept();

}  // namespace letoff::ui
