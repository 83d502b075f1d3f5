// A plain modal soundboard: several hundred modes driven by the strings' forces along the bridge, heard in stereo, and
// a direct path: above the highest of them as strong as they are together there, and of the treble strings what their
// corner of the board sends out at once.
//
//   modes     the first eight of a 2.90 m grand (Wogram: 62 90 105 127 187 222 245 325 Hz), then 0.07 a hertz with
//             seeded jitter (Steinway D 0.072-0.075, upright 0.06 modes/Hz) up to kHighestBoardMode_hz
//   losses    zeta .04 .034 .019 .024 .025 .018 at 75 119 145 183 242 261 Hz (Miranda Valiente 2024), sigma 80 1/s
//             to 1.2 kHz, 130 1/s to 1.5 kHz, above that a loss factor of 2 %, sigma = 0.01 omega
//   strength  mean mobility of the bridge 1/Z, Z from 1350 kg/s at 500 Hz to 2600 kg/s at 3 kHz (Steinway D); a mode's
//             squared shape follows from it and the density: 1/Z = pi/2 shape^2 modes/(rad/s)
//   heard     speed times a radiation curve: a board radiates little below its coincidence region, and less and less
//             above the transition of its ribs
// Which part of the board a mode favours, its sign along the bridge and its left and right weights are drawn from a
// fixed seed.
#pragma once

#include <array>
#include <complex>
#include <cstdint>
#include <span>
#include <vector>

#include "audio/soundboard/board_kernel.h"
#include "core/unit/keys.h"

namespace letoff::audio {

struct SoundboardConfig {
    int sample_rate_hz = 48000;
    std::uint64_t seed = 1;
    double resonance = 1;           // how long its modes ring, of what was measured
    double full_scale_per_mps = 1;  // the one gain of the instrument: board speed to full scale
};

inline constexpr int kMaxForetold = 192;
/// What strings feel of the board ends here: above, its modes overlap and answer like the plain resistance that the
/// strings' losses hold already.
inline constexpr double kFelt_hz = 4000;
/// How often what they feel is foretold anew: short against the decay of a board mode (12 ms), long enough to cost
/// little.
inline constexpr int kStretches_per_s = 1000;

class Soundboard {
  public:
    explicit Soundboard(const SoundboardConfig& config);

    /// What pushes the board in a tick: kPushRows rows of its samples, the forces on the points of the bridge and what
    /// is heard at once, left and right.
    static constexpr int kPushRows = kBridgePoints + 2;
    /// Adds one note's bridge force to such rows; any thread may. The order of adding is part of the result.
    void add_note(int key_index, std::span<const float> bridge_force_N, std::span<float> push) const noexcept;

    static constexpr int kMostSamples = 96;
    /// The coming push() and render() are of this many samples, at most kMostSamples.
    void begin_tick(int samples) noexcept;
    /// In the same order each time.
    void push(std::span<const float> rows) noexcept;
    void render(std::span<float> left, std::span<float> right) noexcept;
    /// At rest at once.
    void silence() noexcept;

    /// How the bridge will move over the coming samples if nothing pushes it: kBridgePoints rows of `samples` (at most
    /// kMaxForetold) speeds, of the modes below kFelt_hz. False: the board is at rest.
    bool foretell(int samples, std::span<float> point_mps) noexcept;
    /// Where a note's strings cross the bridge: between this point and the next, and the share of each.
    struct BridgePlace {
        int point = 0;
        float weight[2] = {};
    };
    BridgePlace place(int key_index) const noexcept;
    /// How the bridge answers there, speed to a newton of that frequency, s/kg. Set-up.
    struct Mobility {
        std::complex<double> at_once;   // what is over before it is foretold
        std::complex<double> foretold;  // what strings feel of it
    };
    Mobility mobility(int key_index, double omega_radps) const;
    /// Kinetic and potential energy now. For tests and meters.
    double energy_J() const noexcept;

  private:
    struct alignas(64) Scratch {
        std::array<float, 2 * kMostSamples * kBoardLanes> lanes;
        std::array<float, kPushRows * kMostSamples> push;
    };
    struct KeyPlace {
        BridgePlace bridge;
        float pan[2] = {};  // direct path, full scale per N: left, right
    };
    void place_keys(const SoundboardConfig& config);
    void make_modes(const SoundboardConfig& config);
    void add_direct(std::span<float> out, const float* direct, float& low) noexcept;
    void rest_if_quiet() noexcept;

    int samples_ = 0;  // in this tick
    bool driven_ = false;
    bool resting_ = true;
    unsigned ticks_ = 0;  // that rang undriven
    float low_pass_ = 0;  // share of the way to the input that the direct path's low-pass goes in one sample
    float low_left_ = 0, low_right_ = 0;
    std::vector<BoardBlock> modes_;
    std::vector<BridgeBlock> bridge_;  // of the blocks that strings feel
    std::vector<float> heard_;         // state to the mode's own speed, sqrt(kg); one a mode
    struct FeltMode {
        std::complex<double> pole;
        std::complex<double> grown;  // what a stretch makes of 1
        double shape_1_sqrtkg[kBridgePoints];
    };
    std::vector<FeltMode> felt_;
    std::vector<BoardState> state_, turned_;
    Scratch scratch_{};
    std::array<KeyPlace, core::kKeyCount> places_{};
};

}  // namespace letoff::audio
