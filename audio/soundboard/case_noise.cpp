#include "audio/soundboard/case_noise.h"

#include <algorithm>
#include <cmath>

#include "core/unit/constants.h"

namespace letoff::audio {
namespace {

// The part of a force on the case that arrives at the bridge, by core::NoiseKind: key bed and rails hang on a case of
// some hundred kilograms. Chosen: the key bottom of a mezzoforte C4 then lies about 30 dB below the note, a quick pedal
// about as far below a mezzoforte chord.
constexpr NoiseLevels kShareAtBridge{0.15, 0.15, 0.15, 0.15, 0.05, 0.15};
// Below what a soundboard radiates (its first mode is at 62 Hz).
constexpr double kRests_hz = 15;
// The tray is moved from without, at speeds that may jump. What it pushes arrives through its own mass and the pedal's
// springs: chosen as slow as a foot.
constexpr double kTray_hz = 20;
// A hundredth of the string force that counts as rest (SoundEngine): nothing of it can be heard.
constexpr double kSilent_N = 1e-7;

constexpr auto kPedal = static_cast<std::size_t>(core::NoiseKind::pedal);

double share_a_sample(double corner_hz, int sample_rate_hz) {
    return 1 - std::exp(-2 * core::kPi * corner_hz / sample_rate_hz);
}

}  // namespace

CaseNoise::CaseNoise(const NoiseLevels& levels, int sample_rate_hz)
    : rests_(share_a_sample(kRests_hz, sample_rate_hz)), tray_(share_a_sample(kTray_hz, sample_rate_hz)) {
    for (std::size_t kind = 0; kind < core::kNoiseKinds; ++kind)
        gain_[kind] = kShareAtBridge[kind] * std::max(levels[kind], 0.0);
}

CaseNoise::Force CaseNoise::weighted(const core::NoiseForces& forces_N) const noexcept {
    Force force{0, gain_[kPedal] * forces_N[kPedal]};
    for (std::size_t kind = 0; kind < core::kNoiseKinds; ++kind)
        if (kind != kPedal) force.direct_N += gain_[kind] * forces_N[kind];
    return force;
}

bool CaseNoise::End::rests(const Force& next) noexcept {
    if (next.direct_N != now.direct_N || next.tray_N != now.tray_N) return false;
    const double end_N = now.direct_N + now.tray_N;
    if (std::abs(now.tray_N - soft_tray_N) > kSilent_N || std::abs(end_N - slow_N) > kSilent_N) return false;
    soft_tray_N = now.tray_N;
    slow_N = end_N;
    return true;
}

bool CaseNoise::render(const core::CaseForces& forces, std::span<float> bass_N, std::span<float> treble_N) noexcept {
    const Force bass = weighted(forces.bass_N), treble = weighted(forces.treble_N);
    if (!started_) {
        bass_ = {bass, bass.tray_N, bass.direct_N + bass.tray_N};
        treble_ = {treble, treble.tray_N, treble.direct_N + treble.tray_N};
        started_ = true;
    }
    const bool bass_rests = bass_.rests(bass), treble_rests = treble_.rests(treble);
    if (bass_rests && treble_rests) return false;
    render_end(bass_, bass, bass_N);
    render_end(treble_, treble, treble_N);
    return true;
}

void CaseNoise::render_end(End& end, const Force& next, std::span<float> out_N) const noexcept {
    const double share = 1.0 / static_cast<double>(out_N.size());
    const double direct_step_N = share * (next.direct_N - end.now.direct_N);
    const double tray_step_N = share * (next.tray_N - end.now.tray_N);
    for (float& out : out_N) {
        end.now.direct_N += direct_step_N;
        end.now.tray_N += tray_step_N;
        end.soft_tray_N += tray_ * (end.now.tray_N - end.soft_tray_N);
        const double force_N = end.now.direct_N + end.soft_tray_N;
        end.slow_N += rests_ * (force_N - end.slow_N);
        out = static_cast<float>(force_N - end.slow_N);
    }
    end.now = next;
}

}  // namespace letoff::audio
