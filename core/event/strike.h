// What the keybed reports of a note's mechanics: the hammer struck its strings, or the damper came back to them. Times
// are seconds of the keybed's clock, finer than a tick.
#pragma once

#include <cstdint>
#include <limits>

namespace letoff::core {

/// A time that has not come: the key was not yet at the bottom when its strike was reported, as in every soft stroke.
inline constexpr double kNotYet_s = std::numeric_limits<double>::quiet_NaN();

struct Strike {
    int key_index = 0;
    double strike_time_s = 0;              // first contact of head and strings
    double hammer_speed_mps = 0;           // of the head along the strings' normal at first contact
    double escapement_time_s = kNotYet_s;  // the jack leaves the knuckle
    double key_bottom_time_s = kNotYet_s;  // the key front meets the front rail
    // False: plucked, or a pallet that opened. The speed then stands for the velocity that MIDI and samples are given.
    bool by_hammer = true;
    // What the una corda pedal makes of the blow (core/string/una_corda.h): how much of an even blow's the strings'
    // common motion gets, and the stiffness of the felt that struck, as a factor of the hammer's.
    double in_phase = 1, felt_hardness = 1;
};

struct Release {
    int key_index = 0;
    double time_s = 0;         // the damper meets its strings
    double key_speed_mps = 0;  // of the key front at that time, upwards positive: the opposite of the dip's sign
};

}  // namespace letoff::core
