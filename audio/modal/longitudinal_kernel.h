// The inner loop of longitudinal motion (equations in core/string/longitudinal.h): what a note's partials do in each
// sample of a tick drives its longitudinal modes, and the change of tension is added to the force on the bridge.
//
// Everything is told in the partials' own unit, newtons on the bridge: C_k = sum_j F_j F_(j+k) in N^2 and r_k as a
// rotating pointer Z with r = Im Z:  Z <- Z e^(s h) + (omega + sigma^2 / omega) (e^(s h) - 1) / s  C.
//
// Sums over partials are taken of many samples at once, a sample a lane, so that nothing is added across lanes and the
// bits do not depend on the register width. Single precision is enough: these modes forget their past in a tenth of a
// second.
#pragma once

#include "audio/modal/string_kernel.h"
#include "core/string/longitudinal.h"

namespace letoff::audio {

inline constexpr int kLongitudinalLanes = core::kMaxLongitudinal;
inline constexpr int kSamplesTogether = 16;
/// Floats of scratch; all of it must have been numbers once.
inline constexpr int kTurnedFloats = kToldStride * kSamplesTogether;
static_assert(kMaxToldBlocks * kModeLanes >= core::kMaxDriving && kModeLanes >= core::kMaxLongitudinal);

struct alignas(32) LongitudinalBlock {
    float step_re[kLongitudinalLanes];  // e^(s dt) - 1
    float step_im[kLongitudinalLanes];
    float push_re[kLongitudinalLanes];
    float push_im[kLongitudinalLanes];
};

struct alignas(32) LongitudinalState {
    float re[kLongitudinalLanes];  // N^2
    float im[kLongitudinalLanes];
};

struct LongitudinalTick {
    const LongitudinalBlock* modes = nullptr;
    LongitudinalState* state = nullptr;
    int count = 0;                  // modes
    const float* told_N = nullptr;  // rows of kToldStride, from the string kernel, of the samples rounded up to four
    int blocks = 0;                 // of partials
    int samples = 0;
    float* turned_N = nullptr;  // scratch, kTurnedFloats, 64-byte aligned
    float gain_1pN = 0;         // change of tension on the bridge to a N^2 of C
    float* bridge_N = nullptr;  // added to
};

struct LongitudinalSums {
    double work_N4 = 0;   // sum C dr over the tick
    float square_N2 = 0;  // sum F_j^2 in its last sample
};

/// Runs on the best SIMD target of this machine. No allocation, no libm.
LongitudinalSums advance_longitudinal(const LongitudinalTick& tick) noexcept;

}  // namespace letoff::audio
