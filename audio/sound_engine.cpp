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
    return SoundEngine(std::move(bank.value()), board, std::max(1, config.ticks_at_once));
}

SoundEngine::SoundEngine(StringBank bank, const SoundboardConfig& board, int ticks_at_once)
    : bank_(std::move(bank)),
      board_(board),
      ticks_at_once_(static_cast<size_t>(ticks_at_once)),
      note_ticks_(core::kKeyCount * ticks_at_once_),
      note_sound_(note_ticks_.size() * static_cast<size_t>(samples_per_tick())) {}

void SoundEngine::take_in(const core::SoundFrame& frame, size_t at) noexcept {
    for (int key = 0; key < core::kKeyCount; ++key)
        note_tick(key, at) = {nullptr, core::damper_loss_1ps(frame.damper_compression_m[static_cast<size_t>(key)])};
    for (const core::StringForce& force : frame.forces) {
        if (force.key_index >= 0 && force.key_index < core::kKeyCount) note_tick(force.key_index, at).force = &force;
    }
}

void SoundEngine::render_group(int group, size_t ticks, int last_samples) noexcept {
    const core::DenormalsOff denormals_off;
    for (int key = bank_.group_begin(group); key < bank_.group_end(group); ++key) {
        for (size_t t = 0; t < ticks; ++t) {
            NoteTickInOut& note = note_tick(key, t);
            const auto bridge_N =
                bank_.render_note(key, note.force, note.loss_1ps, t + 1 == ticks ? last_samples : samples_per_tick());
            note.sounds = !bridge_N.empty();
            std::copy(bridge_N.begin(), bridge_N.end(), note_sound(key, t).begin());
        }
    }
}

void SoundEngine::render(std::span<const core::SoundFrame> frames, std::span<float> left, std::span<float> right,
                         core::Executor* executor) noexcept {
    const core::DenormalsOff denormals_off;
    const auto per_tick = static_cast<size_t>(samples_per_tick());
    const size_t samples = std::min({frames.size() * per_tick, ticks_at_once_ * per_tick, left.size(), right.size()});
    if (samples == 0) return;
    const size_t ticks = (samples + per_tick - 1) / per_tick;
    const auto last_samples = static_cast<int>(samples - (ticks - 1) * per_tick);
    for (size_t t = 0; t < ticks; ++t) take_in(frames[t], t);
    const auto work = [&](int group) { render_group(group, ticks, last_samples); };
    if (executor != nullptr) {
        core::parallel_for(*executor, kNoteGroups, work);
    } else {
        for (int group = 0; group < kNoteGroups; ++group) work(group);
    }
    for (size_t t = 0; t < ticks; ++t) {
        const size_t at = t * per_tick, count = std::min(per_tick, samples - at);
        board_.begin_tick(static_cast<int>(count));
        for (int key = 0; key < core::kKeyCount; ++key) {
            if (note_tick(key, t).sounds) board_.add_note(key, note_sound(key, t).first(count));
        }
        board_.render(left.subspan(at, count), right.subspan(at, count));
    }
    measure(left.first(samples));
    measure(right.first(samples));
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
