// The numbers of the haptics, each a row: how the simulated key is tied to the device's, what the device itself is and
// must not be rendered twice, and the force limits (core/fault/force_limits.h: rows lower them, never raise).
#pragma once

#include <array>
#include <iterator>
#include <string_view>

#include "core/param/row.h"

namespace letoff::keyboard {

inline constexpr std::string_view kNoYes[] = {"no", "yes"};

// clang-format off
inline constexpr core::Row kHapticRows[] = {
    {"tie_stiffness_N_per_mm", "N/mm", 40.0, 1.0, 60.0, core::Live::kNobody, "Spring between the device's key and the simulated one (keyboard/haptic/haptic_key.h says what it costs)."},
    {"tie_damping_ratio", "", 0.5, 0.2, 2.0, core::Live::kNobody, "Damping of the tie, as a part of the critical one of what the device leaves of the simulated key."},
    {"tracking_hz", "Hz", 45.0, 10.0, 1000.0, core::Live::kNobody, "Below this the tie follows the measured position, above it the measured speed: with 45 Hz at 4 kHz a fifth of the position's noise is left."},
    {"lead_most_ms", "ms", 2.5, 0.0, 4.0, core::Live::kNobody, "Most by which the measured speed carries the position ahead to when the force will act: the delay that is compensated."},
    {"device_mass_g", "g", 20.0, 5.0, 100.0, core::Live::kNobody, "Moving mass of the device's key at its front; so much less of the simulated key is rendered."},
    {"device_weight_N", "N", 0.0, -0.5, 0.5, core::Live::kNobody, "Weight that pulls the front of the device's key down; so much less of the simulated key's."},
    {"device_dry_friction_N", "N", 0.0, 0.0, 0.5, core::Live::kNobody, "Dry friction of the device's key at its front; four fifths are compensated."},
    {"device_viscous_Ns_per_m", "N s/m", 0.0, 0.0, 2.0, core::Live::kNobody, "Viscous friction of the device's key at its front; four fifths are compensated."},
    {"device_delay_ms", "ms", 0.15, 0.0, 4.0, core::Live::kNobody, "From a tick of the keybed to when its forces act on the device's keys."},
    {"device_stops", "", 1.0, 0.0, 1.0, core::Live::kNobody, "Whether the device has front and back rail of felt: then they are not rendered.", kNoYes},
    {"force_peak_N", "N", 60.0, 0.0, 60.0, core::Live::kTechnician, "Greatest force on the finger, for 20 ms."},
    {"force_strong_N", "N", 15.0, 0.0, 15.0, core::Live::kTechnician, "Greatest force on the finger for a second."},
    {"force_continuous_N", "N", 5.0, 0.0, 5.0, core::Live::kTechnician, "Greatest force on the finger for any time."},
    {"force_slew_N_per_ms", "N/ms", 5.0, 0.0, 5.0, core::Live::kTechnician, "Fastest growth of the force on the finger."},
};
// clang-format on
static_assert(core::table_is_sound(kHapticRows));

using HapticValues = std::array<double, std::size(kHapticRows)>;

consteval std::size_t haptic_row(std::string_view id) {
    return core::index_of_row(kHapticRows, id);
}

constexpr HapticValues haptic_defaults() {
    return core::defaults_of(kHapticRows);
}

}  // namespace letoff::keyboard
