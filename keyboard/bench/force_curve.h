// Force at the finger against dip: the key front is driven down and up at 10 mm/s and the force is the reaction of the
// eliminated equation of the key (Docquier et al. eqs 9-13). What the damper adds is the difference to the same key
// with its damper lifted by the tray. Stroke mass: what the key front weighs to acceleration over a soft stroke, by
// energy: 2 (W(a) - W(slow)) / v^2, the work from rest to 7 mm of dip at a = 2 m/s2 and at 10 mm/s, damper lifted.
// keyboard/bench/equivalent_mass.h has the mass at one dip.
#pragma once

#include <vector>

#include "keyboard/bench/regulation.h"

namespace letoff::keyboard {

struct ForceCurve {
    std::vector<double> dip_m, down_N, up_N;  // dip from rest, force on the finger, positive upwards
};

struct KeyForce {
    ForceCurve curve;
    double damper_adds_N = 0;  // mean over the dips at which the key carries the damper, up to the jack's button
    double stroke_mass_kg = 0;
};

KeyForce measure_force(const TestKey& key, const Regulation& regulation);

}  // namespace letoff::keyboard
