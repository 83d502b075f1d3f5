#include "audio/sound_engine.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/rt/denormals.h"
#include "core/string/string_design.h"

namespace letoff::audio {
namespace {

// The one gain of the instrument, board speed to full scale: ten notes from C2 to D#6 struck together at 9 m/s at the
// string peak at 0.6 of full scale, so that a pedalled fortissimo has 4 dB more to grow into.
constexpr double kFullScale_per_mps = 10.0;
// Strings at rest: 16 modes that together pull less than this on the bridge. Through the loudest board mode (shape^2 /
// (2 sigma), about 1e-3 m/s per N) it is 1e-7 of full scale, -140 dB.
constexpr double kRestForce_N = 1e-5;

}  // namespace

core::Result<SoundEngine> SoundEngine::create(const core::StringSet& strings, const SoundConfig& config) {
    StringBankConfig bank_config;
    bank_config.sample_rate_hz = config.sample_rate_hz;
    bank_config.tick_hz = config.tick_hz;
    bank_config.rest_force_N = kRestForce_N;
    bank_config.samples_per_chunk = config.samples_per_chunk;
    core::Result<StringBank> bank = StringBank::create(strings, bank_config);
    if (!bank) return core::Error{bank.error()};
    SoundboardConfig board;
    board.sample_rate_hz = config.sample_rate_hz;
    board.samples_per_tick = bank.value().samples_per_tick();
    board.seed = config.soundboard_seed;
    board.full_scale_per_mps = kFullScale_per_mps;
    return SoundEngine(std::move(bank.value()), board);
}

SoundEngine::SoundEngine(StringBank bank, const SoundboardConfig& board) : bank_(std::move(bank)), board_(board) {}

void SoundEngine::render_tick(const core::SoundFrame& frame, std::span<float> left, std::span<float> right,
                              core::Executor* executor) noexcept {
    const core::DenormalsOff denormals_off;
    const int samples = std::min(samples_per_tick(), static_cast<int>(std::min(left.size(), right.size())));
    if (samples <= 0) return;
    left = left.first(static_cast<size_t>(samples));
    right = right.first(static_cast<size_t>(samples));
    for (size_t key = 0; key < core::kKeyCount; ++key)
        loss_1ps_[key] = core::damper_loss_1ps(frame.damper_compression_m[key]);
    bank_.begin_tick(frame, loss_1ps_, samples);
    if (executor != nullptr) {
        core::parallel_for(*executor, kNoteGroups, [this](int group) { bank_.render_group(group); });
    } else {
        for (int group = 0; group < kNoteGroups; ++group) bank_.render_group(group);
    }
    board_.begin_tick(samples);
    for (int key = 0; key < core::kKeyCount; ++key) board_.add_note(key, bank_.bridge_force_N(key));
    board_.render(left, right);
    measure(left);
    measure(right);
}

void SoundEngine::silence() noexcept {
    bank_.silence();
    board_.silence();
}

void SoundEngine::measure(std::span<const float> out) noexcept {
    for (const float sample : out) {
        const float size = std::abs(sample);
        max_abs_sample_ = std::max(max_abs_sample_, size);
        over_full_scale_ += size > 1 ? 1 : 0;
    }
}

}  // namespace letoff::audio
