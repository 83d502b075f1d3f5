// What rides on the key by way of the capstan: wippen, jack and repetition lever of the grand's rows, their levers
// taken where the drawing shows them (small angles).
#pragma once

#include "keyboard/action/grand_rows.h"

namespace letoff::keyboard {

struct WippenLinkage {
    double capstan_arm_m = 0;             // from wippen centre to capstan
    double wippen_per_key = 0;            // turn of the wippen (its front up) for a turn of the key
    double knuckle_arm_m = 0;             // from wippen centre to under the knuckle
    double lever_pivot_m = 0;             // from wippen centre to the lever's
    double jack_pivot_m = 0;              // to the jack's
    double weight_Nm = 0;                 // about the wippen's centre, of all three
    double wippen_kgm2 = 0;               // wippen and the jack carried along as a point
    double jack_kgm2 = 0;                 // of the jack about its centre
    double lever_kg = 0, lever_kgm2 = 0;  // about the lever's centre
    double lever_com_m = 0;               // in front of it
};
WippenLinkage wippen_linkage(const GrandValues& values);

}  // namespace letoff::keyboard
