// How the grand's numbers run from bass to treble. Everything else is the same for all keys.
#pragma once

#include <vector>

#include "keyboard/action/action.h"
#include "keyboard/action/action_rows.h"
#include "keyboard/action/grand_rows.h"
#include "keyboard/regulation/parts.h"

namespace letoff::keyboard {

/// A0 - E6: two of three published counts (reference/physics_data.md, section 6, knows no better).
inline constexpr int kDampedKeys = 68;

/// Values of one key: `base` is the action as regulated at A4 (key 49).
///
///   hammer head: 11 g (keys 1-12) to 3.6 g (88), Conklin figure 7.
///
///   friction: 14 g at key 1 to 10 g at key 88, by the key's pins, and where heavy hammers rub more than that, by
///   knuckles that rub less.
///
///   leads in the key, behind it in the treble: a balance weight of 37 g, so that DW = 37 + F runs from 51 g to 47 g
///   and UW from 23 g to 27 g.
///
///   repetition and jack springs: what the hammer's weight asks by the balance of moments at knuckle and lever, and a
///   share of that weight that raises every hammer alike from its check (registers.cpp).
///
///   capstan, let-off button, drop screw, backcheck: turned for the hammer's weight, so that blow, let-off, drop and
///   check distance are A4's.
///
///   damper: 45 g to 30 g as the key tail feels it, our choice; heavier or lighter as the base's is to its default.
GrandValues grand_values(int key_index, const GrandValues& base = grand_defaults());

/// What a touch profile makes of the grand: the action at A4, what single keys have otherwise than the registers would
/// make it, and what the technician has done to their parts. This is the one place where that comes to the keys.
struct GrandTouch {
    struct OfKey {
        int key_index = 0;
        std::size_t row = 0;
        double value = 0;
        bool relative = false;  // on top of what the registers make
    };
    GrandValues base = grand_defaults();
    std::vector<OfKey> keys;
    std::vector<PartOfKey> parts;
    const Action* action = &grand_action();
    double velocity_out = action_defaults()[action_row("velocity_out")];
};

/// Values of one key; what the registers and the key's own values lead beyond a row's limits stays at the limit.
GrandValues grand_values(int key_index, const GrandTouch& touch);
/// The same before anything was done to the parts.
GrandValues grand_values_before_parts(int key_index, const GrandTouch& touch);

}  // namespace letoff::keyboard
