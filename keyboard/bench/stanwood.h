// Stanwood's touchweight metrology (D. Stanwood, "The New Touchweight Metrology", 1996): each part is weighed by itself
// and the parts have to balance the finger's weight.
//
//   front weight FW           the key alone, tipped on the balance rail, its front on a scale where the finger touches
//   strike weight SW          hammer and shank on a scale under the strike line, the shank level, the flange held
//   wippen weight WW          the wippen with jack and lever on a scale at the capstan, its flange held
//   key ratio KR              what a known weight at the capstan takes off the scale at the front, as a share of it
//   strike weight ratio R     what a clip of 4 g on the head adds to the balance weight, as a multiple of it
//   wippen balance weight     WBW = WW KR
//   balance                   FW + BW = SW R + WBW, BW = (DW + UW) / 2
//
// R and BW are measured on the whole action, the others on its parts, so the balance is a check and no definition.
#pragma once

#include "keyboard/bench/touchweight.h"

namespace letoff::keyboard {

struct StanwoodWeights {
    double front_weight_g = 0;  // negative: the key's tail is heavier
    double strike_weight_g = 0;
    double strike_weight_ratio = 0;
    double wippen_weight_g = 0;
    double key_ratio = 0;
    double wippen_balance_weight_g() const { return wippen_weight_g * key_ratio; }
    /// What the balance leaves over: FW + BW - SW R - WBW.
    double imbalance_g(const Touchweight& touchweight) const {
        return front_weight_g + touchweight.balance_weight_g() - strike_weight_g * strike_weight_ratio -
               wippen_balance_weight_g();
    }
};

/// `bare`: the key's own weights.
StanwoodWeights measure_stanwood(const TestKey& key, const Regulation& regulation, const Touchweight& bare);

}  // namespace letoff::keyboard
