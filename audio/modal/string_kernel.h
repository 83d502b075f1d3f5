// The inner loop of the string bank: one note's modes over one tick.
//
// Each mode is a rotating pointer Z = g (v + i u), u = eta, v = (eta' + sigma eta) / omega, g = bridge_N_per_m, so that
// its share of the bridge force is Im Z. With s = -sigma + i omega and F the contact force (Masoudi & McPhee eq 19,
// solved exactly for constant F):
//
//   Z(t + h) = e^(s h) Z(t) + g phi / (strings omega) (e^(s h) - 1) / s  F
//
// The bridge moves with the soundboard. Told as the motion against a string that follows its end at rest, a speed u of
// the end along the bridge force turns a mode as a force does (the mode's stiffness k = g^2 / omega^2, of all modes
// together that of the string):
//
//   Z(t + h) = e^(s h) Z(t) - i k (e^(s h) - 1) / s  u
//
// and takes from the mode exactly the work F u that the board is given: energy |Z|^2 / 2k.
//
// Precision: the state is kept in double and advanced once a tick by e^(s tick). The samples inside the tick are single
// precision, Z <- Z + Z (e^(s dt) - 1), starting anew from the state each tick, so that rounding never piles up. Only a
// tick with contact or a moving bridge takes its end state from the single precision samples. Damping felt removes
// energy only: every mode is multiplied by exp(-weight loss dt) <= 1 each sample.
//
// Layout: blocks of 16 modes, four blocks at a time, on every SIMD target; the sum over modes is 16 partial sums in
// block order and then one tree over the 16, so that the bits do not depend on the register width.
#pragma once

#include <cstddef>

namespace letoff::audio {

inline constexpr int kModeLanes = 16;
inline constexpr int kBlocksAtOnce = 4;
/// Most blocks whose motion may be told, and the floats of a sample's row of them, with a block of room behind.
inline constexpr int kMaxToldBlocks = 8;
inline constexpr int kToldStride = (kMaxToldBlocks + 1) * kModeLanes;

/// Constants of 16 modes that a free tick needs.
struct alignas(64) ModeBlock {
    double tick_re[kModeLanes];  // e^(s tick)
    double tick_im[kModeLanes];
    float step_re[kModeLanes];  // e^(s dt) - 1, dt one audio sample
    float step_im[kModeLanes];
    float damper_weight[kModeLanes];  // 0..1
};

/// Constants of 16 modes that only a note in contact needs: response at the end of the sample to 1 N on each
/// strike-grid interval in it.
struct alignas(64) DriveBlock {
    float early_re[kModeLanes];
    float early_im[kModeLanes];
    float late_re[kModeLanes];
    float late_im[kModeLanes];
};

/// Constants of 16 modes that feel the bridge: response at the end of a sample to 1 m/s during it, kg/s.
struct alignas(64) CoupleBlock {
    float re[kModeLanes];
    float im[kModeLanes];
};

struct alignas(64) StateBlock {
    double re[kModeLanes];  // N
    double im[kModeLanes];
};

struct NoteTick {
    const ModeBlock* modes = nullptr;
    const DriveBlock* drive = nullptr;
    const CoupleBlock* couple = nullptr;
    StateBlock* state = nullptr;
    int blocks = 0;                  // a multiple of kBlocksAtOnce
    int samples = 0;                 // audio samples in the tick
    const float* early_N = nullptr;  // force in the first half of each sample; null: not in contact
    const float* late_N = nullptr;   // force in the second half, or in the whole sample where it is one grid interval
    const float* bridge_mps = nullptr;  // speed of the bridge in each sample; null: it stands still
    int coupled_blocks = 0;             // that feel it, the first ones; a multiple of kBlocksAtOnce
    float* told_N = nullptr;            // out: Im Z of each mode at the end of each sample, in rows of kToldStride ...
    int told_blocks = 0;                // ... of the first blocks, rounded up to kBlocksAtOnce; 0: none is asked for
    double loss_per_sample = 0;         // damper's decay rate times dt, 0..kMaxLossPerSample
    float* lanes = nullptr;             // scratch, samples x kModeLanes, 64-byte aligned
    float* bridge_N = nullptr;          // out: force on the bridge at the end of each sample
};

/// exp is a polynomial good to 1e-12 up to here: 12000 1/s at 48 kHz, forty times a seated damper.
inline constexpr double kMaxLossPerSample = 0.25;

/// Runs on the best SIMD target of this machine. No allocation, no libm.
void advance_note(const NoteTick& note) noexcept;

/// Name of the SIMD target that advance_note uses.
const char* string_kernel_target();

}  // namespace letoff::audio
