#include "audio/soundboard/case_noise.h"

#include <algorithm>
#include <cmath>

#include "core/unit/constants.h"

namespace letoff::audio {
namespace {

// The part of a force on the key bed that arrives at the bridge: the bed hangs on a case of some hundred kilograms.
// Chosen: the key bottom of a mezzoforte C4 then lies about 30 dB below the note.
constexpr double kShareAtBridge = 0.15;
// Below what a soundboard radiates (its first mode is at 62 Hz).
constexpr double kRests_hz = 15;
// A thousandth of the string force that counts as rest (SoundEngine) times 16 modes: nothing of it can be heard.
constexpr double kSilent_N = 1e-7;

}  // namespace

CaseNoise::CaseNoise(const NoiseLevels& levels, int sample_rate_hz)
    : gain_(levels), slow_share_(1 - std::exp(-2 * core::kPi * kRests_hz / sample_rate_hz)) {
    for (double& gain : gain_) gain = kShareAtBridge * std::max(gain, 0.0);
}

double CaseNoise::weighted_N(const core::NoiseForces& forces_N) const noexcept {
    double sum_N = 0;
    for (std::size_t kind = 0; kind < core::kNoiseKinds; ++kind) sum_N += gain_[kind] * forces_N[kind];
    return sum_N;
}

bool CaseNoise::render(const core::CaseForces& forces, std::span<float> bass_N, std::span<float> treble_N) noexcept {
    const double bass = weighted_N(forces.bass_N), treble = weighted_N(forces.treble_N);
    if (!started_) {
        bass_ = {bass, bass};
        treble_ = {treble, treble};
        started_ = true;
    }
    const auto rests = [](End& end, double next_N) {
        if (next_N != end.force_N || std::abs(end.force_N - end.slow_N) > kSilent_N) return false;
        end.slow_N = end.force_N;
        return true;
    };
    if (rests(bass_, bass) && rests(treble_, treble)) return false;
    render_end(bass_, bass, bass_N);
    render_end(treble_, treble, treble_N);
    return true;
}

void CaseNoise::render_end(End& end, double next_N, std::span<float> out_N) const noexcept {
    const double step_N = (next_N - end.force_N) / static_cast<double>(out_N.size());
    for (float& out : out_N) {
        end.force_N += step_N;
        end.slow_N += slow_share_ * (end.force_N - end.slow_N);
        out = static_cast<float>(end.force_N - end.slow_N);
    }
    end.force_N = next_N;
}

}  // namespace letoff::audio
