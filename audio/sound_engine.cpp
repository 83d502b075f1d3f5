#include "audio/sound_engine.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/rt/denormals.h"
#include "core/string/string_design.h"
#include "core/unit/constants.h"

namespace letoff::audio {
namespace {

// The one gain of the instrument, board speed to full scale: ten notes from C2 to D#6 struck together at 9 m/s at the
// string peak at 0.6 of full scale, so that a pedalled fortissimo has 4 dB more to grow into.
constexpr double kFullScale_per_mps = 23.0;
// Strings at rest: 16 modes that together pull less than this on the bridge. Through the loudest board mode (shape^2 /
// (2 sigma), about 1e-3 m/s per N) it is 2e-7 of full scale, -133 dB.
constexpr double kRestForce_N = 1e-5;

constexpr double kFelt_radps = 2 * core::kPi * kFelt_hz;
static_assert(Soundboard::kMostSamples >= kMaxSamplesPerTick);

/// How much of the board's motion each key's strings feel. The board's modes are as strong along the whole bridge; the
/// measured drains say that it is stiffer towards its ends. Strings may not feel more of a board than what goes with
/// the drain that their losses hold, or the two would feed each other.
std::array<float, core::kKeyCount> felt_shares(const core::StringSet& strings, const Soundboard& board,
                                               double resonance) {
    std::array<float, core::kKeyCount> shares{};
    for (size_t key = 0; key < core::kKeyCount; ++key) {
        const core::StringModes& modes = strings.notes[key].set[0];
        double at_once = 0;
        int count = 0;
        for (; count < modes.count && modes.omega_radps[static_cast<size_t>(count)] < kFelt_radps; ++count) {
            const auto j = static_cast<size_t>(count);
            const double per_radps = modes.bridge_N_per_m[j] / modes.omega_radps[j];
            at_once += 0.5 * per_radps * per_radps *
                       board.mobility(static_cast<int>(key), modes.omega_radps[j]).at_once.real();
        }
        if (count == 0 || resonance == 0) continue;
        const double drains = strings.notes[key].drain_1ps / (at_once / count);
        shares[key] = static_cast<float>(resonance * std::clamp(drains, 0.0, 1.0));
    }
    return shares;
}

}  // namespace

core::Result<SoundEngine> SoundEngine::create(const core::StringSet& strings, const SoundConfig& config) {
    StringBankConfig bank_config;
    bank_config.sample_rate_hz = config.sample_rate_hz;
    bank_config.tick_hz = config.tick_hz;
    bank_config.rest_force_N = kRestForce_N;
    bank_config.samples_per_chunk = config.samples_per_chunk;
    bank_config.longitudinal = config.values.longitudinal();
    SoundboardConfig board_config;
    board_config.sample_rate_hz = config.sample_rate_hz;
    board_config.seed = config.soundboard_seed;
    board_config.full_scale_per_mps = kFullScale_per_mps;
    board_config.resonance = config.values.board_resonance();
    Soundboard board(board_config);
    const std::array<float, core::kKeyCount> felt = felt_shares(strings, board, config.values.resonance());
    const auto bridge = [&](int key, double omega_radps) {
        const double share = felt[static_cast<size_t>(key)];
        if (omega_radps > kFelt_radps || share == 0) return std::complex<double>();
        return share * board.mobility(key, omega_radps).foretold;
    };
    core::Result<StringBank> bank = StringBank::create(strings, bank_config, bridge);
    if (!bank) return core::Error{bank.error()};
    SoundEngine engine(std::move(bank.value()), std::move(board), config);
    engine.felt_ = felt;
    return engine;
}

SoundEngine::SoundEngine(StringBank bank, Soundboard board, const SoundConfig& config)
    : bank_(std::move(bank)),
      board_(std::move(board)),
      noise_(config.values.noise_levels(), config.sample_rate_hz),
      lid_(config.values.lid_open(), config.sample_rate_hz),
      resonates_(config.values.resonance() > 0),
      stretch_samples_(std::clamp(config.sample_rate_hz / kStretches_per_s, samples_per_tick(), kMaxForetold / 2)),
      bridge_mps_(static_cast<size_t>(kBridgePoints * stretch_samples_)),
      foretold_mps_(2 * bridge_mps_.size()),
      told_before_mps_(foretold_mps_.size()),
      ticks_at_once_(
          static_cast<size_t>(std::clamp(config.ticks_at_once, 1, std::max(1, stretch_samples_ / samples_per_tick())))),
      note_ticks_(core::kKeyCount * ticks_at_once_),
      group_ticks_(kNoteGroups * ticks_at_once_) {}

void SoundEngine::take_in(const core::SoundFrame& frame, size_t at) noexcept {
    for (int key = 0; key < core::kKeyCount; ++key)
        note_tick(key, at) = {nullptr, core::damper_loss_1ps(frame.damper_compression_m[static_cast<size_t>(key)])};
    for (const core::StringForce& force : frame.forces) {
        if (force.key_index >= 0 && force.key_index < core::kKeyCount) note_tick(force.key_index, at).force = &force;
    }
}

// The bridge between two of its points moves straight.
std::span<const float> SoundEngine::bridge_at(int key, int from, int samples,
                                              std::span<float> speed_mps) const noexcept {
    if (!bridge_moves_) return {};
    const Soundboard::BridgePlace place = board_.place(key);
    const float felt = felt_[static_cast<size_t>(key)];
    const float here = felt * place.weight[0], next = felt * place.weight[1];
    const float* const point = bridge_mps_.data() + place.point * stretch_samples_ + from;
    for (int s = 0; s < samples; ++s)
        speed_mps[static_cast<size_t>(s)] = here * point[s] + next * point[stretch_samples_ + s];
    return speed_mps.first(static_cast<size_t>(samples));
}

void SoundEngine::render_group(int group, size_t ticks, int last_samples) noexcept {
    const core::DenormalsOff denormals_off;
    const int foretold_from = stretch_samples_ - foretold_left_;
    std::array<float, kMaxSamplesPerTick> speed_mps;
    for (size_t t = 0; t < ticks; ++t) group_tick(group, t).pushes = false;
    for (int key = bank_.group_begin(group); key < bank_.group_end(group); ++key) {
        for (size_t t = 0; t < ticks; ++t) {
            const NoteTickIn& note = note_tick(key, t);
            const int samples = t + 1 == ticks ? last_samples : samples_per_tick();
            const auto bridge_mps =
                bridge_at(key, foretold_from + static_cast<int>(t) * samples_per_tick(), samples, speed_mps);
            const auto bridge_N = bank_.render_note(key, note.force, note.loss_1ps, samples, bridge_mps);
            if (bridge_N.empty()) continue;
            GroupTick& out = group_tick(group, t);
            const auto rows = std::span(out.rows).first(Soundboard::kPushRows * bridge_N.size());
            if (!std::exchange(out.pushes, true)) std::fill(rows.begin(), rows.end(), 0.0F);
            board_.add_note(key, bridge_N, rows);
        }
    }
}

void SoundEngine::render(std::span<const core::SoundFrame> frames, std::span<float> left, std::span<float> right,
                         core::Executor* executor) noexcept {
    const core::DenormalsOff denormals_off;
    const auto per_tick = static_cast<size_t>(samples_per_tick());
    const size_t samples = std::min({frames.size() * per_tick, left.size(), right.size()});
    for (size_t done = 0; done < samples;) {
        if (foretold_left_ < std::min(samples_per_tick(), static_cast<int>(samples - done))) {
            foretell();
        }
        const size_t ticks = std::min(ticks_at_once_, static_cast<size_t>(foretold_left_) / per_tick);
        const size_t part = std::min(std::max<size_t>(ticks, 1) * per_tick, samples - done);
        render_stretch(frames.subspan(done / per_tick), left.subspan(done, part), right.subspan(done, part), executor);
        foretold_left_ -= static_cast<int>(part);
        done += part;
    }
    lid_.shade(left.first(samples), right.first(samples));
    measure(left.first(samples));
    measure(right.first(samples));
}

// What was foretold before fades into what is foretold now: a speed that jumped each millisecond would be heard as a
// tone.
void SoundEngine::foretell() noexcept {
    const int passed = stretch_samples_ - foretold_left_, told = 2 * stretch_samples_;
    std::swap(told_before_mps_, foretold_mps_);
    const bool moved = board_moves_;
    board_moves_ = resonates_ && board_.foretell(told, foretold_mps_);
    bridge_moves_ = moved || board_moves_;
    foretold_left_ = stretch_samples_;
    if (!bridge_moves_) return;
    if (!board_moves_) std::fill(foretold_mps_.begin(), foretold_mps_.end(), 0.0F);
    for (int k = 0; k < kBridgePoints; ++k) {
        for (int s = 0; s < stretch_samples_; ++s) {
            const float share = static_cast<float>(s + 1) / static_cast<float>(stretch_samples_);
            const float before = moved ? told_before_mps_[static_cast<size_t>(k * told + passed + s)] : 0;
            bridge_mps_[static_cast<size_t>(k * stretch_samples_ + s)] =
                before + share * (foretold_mps_[static_cast<size_t>(k * told + s)] - before);
        }
    }
}

/// Strings that rest, on a bridge that does, under dampers that stay as they are.
bool SoundEngine::strings_stay_at_rest(std::span<const core::SoundFrame> frames) const noexcept {
    return strings_rest_ && !bridge_moves_ && std::all_of(frames.begin(), frames.end(), [this](const auto& frame) {
               return frame.forces.empty() &&
                      std::equal(dampers_m_.begin(), dampers_m_.end(), frame.damper_compression_m.begin());
           });
}

void SoundEngine::render_stretch(std::span<const core::SoundFrame> frames, std::span<float> left,
                                 std::span<float> right, core::Executor* executor) noexcept {
    const auto per_tick = static_cast<size_t>(samples_per_tick());
    const size_t ticks = (left.size() + per_tick - 1) / per_tick;
    const auto last_samples = static_cast<int>(left.size() - (ticks - 1) * per_tick);
    const bool rest = strings_stay_at_rest(frames.first(ticks));
    if (!rest) render_strings(frames.first(ticks), last_samples, executor);
    for (size_t t = 0; t < ticks; ++t) {
        const size_t at = t * per_tick, count = std::min(per_tick, left.size() - at);
        board_.begin_tick(static_cast<int>(count));
        for (int group = 0; group < kNoteGroups && !rest; ++group) {
            const GroupTick& out = group_tick(group, t);
            if (out.pushes) board_.push(std::span(out.rows).first(Soundboard::kPushRows * count));
        }
        add_noise(frames[t].case_forces, count);
        board_.render(left.subspan(at, count), right.subspan(at, count));
    }
}

void SoundEngine::render_strings(std::span<const core::SoundFrame> frames, int last_samples,
                                 core::Executor* executor) noexcept {
    for (size_t t = 0; t < frames.size(); ++t) take_in(frames[t], t);
    std::copy(frames.back().damper_compression_m.begin(), frames.back().damper_compression_m.end(), dampers_m_.begin());
    const auto work = [&](int group) { render_group(group, frames.size(), last_samples); };
    if (executor != nullptr) {
        core::parallel_for(*executor, kNoteGroups, work);
    } else {
        for (int group = 0; group < kNoteGroups; ++group) work(group);
    }
    strings_rest_ = true;
    for (int group = 0; group < kNoteGroups; ++group)
        strings_rest_ = strings_rest_ && !group_tick(group, frames.size() - 1).pushes;
}

void SoundEngine::add_noise(const core::CaseForces& forces, size_t samples) noexcept {
    std::array<float, kMaxSamplesPerTick> bass_N, treble_N;
    const auto bass = std::span(bass_N).first(samples), treble = std::span(treble_N).first(samples);
    if (!noise_.render(forces, bass, treble)) return;
    std::array<float, Soundboard::kPushRows * kMaxSamplesPerTick> rows{};
    board_.add_note(CaseNoise::kBassKey, bass, rows);
    board_.add_note(CaseNoise::kTrebleKey, treble, rows);
    board_.push(std::span(rows).first(Soundboard::kPushRows * samples));
}

void SoundEngine::silence() noexcept {
    bank_.silence();
    board_.silence();
    noise_.silence();
    lid_.silence();
    board_moves_ = bridge_moves_ = strings_rest_ = false;
    foretold_left_ = 0;
}

double SoundEngine::energy_J() const {
    double sum = board_.energy_J();
    for (int key = 0; key < core::kKeyCount; ++key) sum += bank_.energy_J(key);
    return sum;
}

void SoundEngine::measure(std::span<const float> out) noexcept {
    for (const float sample : out) max_abs_sample_ = std::max(max_abs_sample_, std::abs(sample));
}

}  // namespace letoff::audio
