#include "audio/modal/string_bank.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <string>
#include <utility>

#include "audio/soundboard/soundboard.h"
#include "core/unit/constants.h"

namespace letoff::audio {
namespace {

// Modes nearer to half the sample rate than this are left out: they could only fold back as noise.
constexpr double kHighestModeOverRate = 0.49;
// How often a free note is looked at for modes that may rest: every 16 ms at 4 kHz.
constexpr int kTicksBetweenRestChecks = 64;
// A note whose damper takes more than this does not answer the bridge: it would die within 50 ms, and a seated felt
// (290 1/s) is far beyond.
constexpr double kAnswersBelow_1ps = 60;
// The bridge's speed that sets resting strings going: 1e-7 m/s is -120 dB of full scale.
constexpr float kWakes_mps = 1e-7F;
// No string carries a bridge force like this; beyond it the note has gone wrong and is reset.
constexpr float kAbsurdForce_N = 1e6F;

struct Mode {
    double omega, sigma, phi_over_strings, bridge, damper_weight;
    int set;
};

std::vector<Mode> modes_by_frequency(const core::NoteStrings& note, double highest_radps) {
    std::vector<Mode> modes;
    for (size_t i = 0; i < static_cast<size_t>(note.sets); ++i) {
        const core::StringModes& s = note.set[i];
        for (size_t j = 0; j < static_cast<size_t>(s.count); ++j) {
            if (s.omega_radps[j] >= highest_radps || s.bridge_N_per_m[j] == 0) continue;
            modes.push_back({s.omega_radps[j], s.sigma_1ps[j], s.phi_strike[j] / note.strings, s.bridge_N_per_m[j],
                             std::clamp(s.damper_weight[j], 0.0, 1.0), static_cast<int>(i)});
        }
    }
    // The highest die first: sorted, whole blocks can be put to rest from the end.
    std::stable_sort(modes.begin(), modes.end(), [](const Mode& a, const Mode& b) { return a.omega < b.omega; });
    return modes;
}

core::Result<bool> check(const StringBankConfig& config) {
    const int rate_hz = config.sample_rate_hz;
    if (std::find(kSampleRates_hz.begin(), kSampleRates_hz.end(), rate_hz) == kSampleRates_hz.end())
        return core::Error{"sample rate " + std::to_string(rate_hz) +
                           " Hz is not possible: 44100, 48000, 88200, 96000, 176400 or 192000 Hz are"};
    if (config.samples_per_chunk != 0) {
        const int longest = core::kMaxStrikeSamplesPerTick / grid_per_sample(rate_hz);
        if (config.samples_per_chunk >= 1 && config.samples_per_chunk <= longest) return true;
        return core::Error{"a chunk of " + std::to_string(config.samples_per_chunk) +
                           " samples is not possible: 1 to " + std::to_string(longest) + " are at " +
                           std::to_string(rate_hz) + " Hz"};
    }
    if (core::kStrikeGrid_hz % rate_hz != 0)
        return core::Error{"sample rate " + std::to_string(rate_hz) +
                           " Hz is not possible without chunks: 48000 or 96000 Hz are"};
    if (config.tick_hz < 1000 || config.tick_hz > 8000 || rate_hz % config.tick_hz != 0)
        return core::Error{
            "tick rate " + std::to_string(config.tick_hz) +
            " Hz is not possible for the sound: it must lie in 1000..8000 Hz and divide the sample rate " +
            std::to_string(rate_hz) + " Hz, as 1000, 2000, 4000 or 8000 Hz do"};
    return true;
}

// What a chunk that is cut short takes as its force: with a force, even of zero, the state is advanced by as many
// samples as there are.
constexpr std::array<float, kMaxSamplesPerTick> kNoForce_N{};

}  // namespace

core::Result<StringBank> StringBank::create(const core::StringSet& set, const StringBankConfig& config,
                                            const Bridge& bridge) {
    if (core::Result<bool> possible = check(config); !possible) return core::Error{possible.error()};
    StringBank bank(config);
    for (size_t key = 0; key < core::kKeyCount; ++key) bank.add_note(static_cast<int>(key), set.notes[key], bridge);
    bank.make_groups();
    return bank;
}

StringBank::StringBank(const StringBankConfig& config)
    : config_(config),
      samples_(config.samples_per_chunk > 0 ? config.samples_per_chunk : config.sample_rate_hz / config.tick_hz),
      grid_per_sample_(grid_per_sample(config.sample_rate_hz)) {}

void StringBank::add_note(int key_index, const core::NoteStrings& strings, const Bridge& bridge) {
    Note& note = notes_[static_cast<size_t>(key_index)];
    using Complex = std::complex<double>;
    const double dt_s = 1.0 / config_.sample_rate_hz;
    const double grid_s = 1.0 / (config_.sample_rate_hz * grid_per_sample_);
    std::vector<Mode> modes =
        modes_by_frequency(strings, kHighestModeOverRate * 2 * core::kPi * config_.sample_rate_hz);
    constexpr size_t kChunk = static_cast<size_t>(kModeLanes) * kBlocksAtOnce;
    const size_t blocks = (modes.size() + kChunk - 1) / kChunk * kBlocksAtOnce;
    note.first_block = static_cast<int>(modes_.size());
    note.blocks = static_cast<int>(blocks);
    note.volume = static_cast<float>(strings.volume);
    modes_.resize(modes_.size() + blocks);
    drive_.resize(modes_.size());
    couple_.resize(modes_.size());
    state_.resize(modes_.size());
    scale_.resize(modes_.size() * kModeLanes);
    set_of_.resize(modes_.size() * kModeLanes);
    mode_count_ += static_cast<int>(modes.size());
    for (size_t j = 0; j < modes.size(); ++j) {
        Mode& m = modes[j];
        const double stiffness_Npm = m.bridge * m.bridge / (m.omega * m.omega);
        // Four blocks whose slowest mode is faster than what is felt of the board do not feel the bridge.
        if (j % kChunk == 0 && m.omega < 2 * core::kPi * kFelt_hz)
            note.coupled_blocks = static_cast<int>(j / kModeLanes) + kBlocksAtOnce;
        const bool feels = m.set == 0 && j / kModeLanes < static_cast<size_t>(note.coupled_blocks);
        if (bridge && feels) {  // a speed Y F of its end changes s by -(k/2) Y
            const Complex change = 0.5 * stiffness_Npm * bridge(key_index, m.omega);
            m.omega += change.imag();
            m.sigma += std::max(0.0, -change.real() - strings.drain_1ps);
        }
        const size_t block = static_cast<size_t>(note.first_block) + j / kModeLanes;
        const size_t i = j % kModeLanes;
        const Complex s(-m.sigma, m.omega);
        const Complex tick = std::exp(s * (dt_s * samples_));
        const Complex step = std::exp(s * dt_s) - 1.0;
        const Complex late = m.bridge * m.phi_over_strings / m.omega * (std::exp(s * grid_s) - 1.0) / s;
        const Complex early = grid_per_sample_ == 2 ? late * std::exp(s * grid_s) : Complex(0, 0);
        modes_[block].tick_re[i] = tick.real();
        modes_[block].tick_im[i] = tick.imag();
        modes_[block].step_re[i] = static_cast<float>(step.real());
        modes_[block].step_im[i] = static_cast<float>(step.imag());
        modes_[block].damper_weight[i] = static_cast<float>(m.damper_weight);
        const Complex couple = feels ? Complex(0, -stiffness_Npm) * step / s : Complex(0, 0);
        couple_[block].re[i] = static_cast<float>(couple.real());
        couple_[block].im[i] = static_cast<float>(couple.imag());
        drive_[block].early_re[i] = static_cast<float>(early.real());
        drive_[block].early_im[i] = static_cast<float>(early.imag());
        drive_[block].late_re[i] = static_cast<float>(late.real());
        drive_[block].late_im[i] = static_cast<float>(late.imag());
        scale_[block * kModeLanes + i] = {m.omega, m.sigma, m.bridge};
        set_of_[block * kModeLanes + i] = static_cast<std::uint8_t>(m.set);
    }
}

void StringBank::make_groups() {
    // Neighbouring notes, about the same number of modes in each group.
    const int total = static_cast<int>(modes_.size());
    int group = 1, blocks = 0;
    for (int key = 0; key < core::kKeyCount; ++key) {
        while (group < kNoteGroups && blocks >= total * group / kNoteGroups)
            group_begin_[static_cast<size_t>(group++)] = key;
        blocks += notes_[static_cast<size_t>(key)].blocks;
    }
    while (group <= kNoteGroups) group_begin_[static_cast<size_t>(group++)] = core::kKeyCount;
    for (int g = 0; g < kNoteGroups; ++g)
        std::fill(group_of_.begin() + group_begin(g), group_of_.begin() + group_end(g), g);
    lanes_.resize(kNoteGroups);
    for (int key = 0; key < core::kKeyCount; ++key) {
        std::vector<DriveBlock>& drive = uneven_drive_[static_cast<size_t>(group_of_[static_cast<size_t>(key)])];
        drive.resize(std::max(drive.size(), static_cast<size_t>(notes_[static_cast<size_t>(key)].blocks)));
    }
}

void StringBank::take_force(Note& note, const core::StringForce& force, int samples) const noexcept {
    const auto at = [&](int i) {
        return i < force.count ? note.volume * static_cast<float>(force.force_N[static_cast<size_t>(i)]) : 0.0F;
    };
    for (int k = 0; k < samples; ++k) {
        const auto i = static_cast<size_t>(k);
        note.early_N[i] = grid_per_sample_ == 2 ? at(2 * k) : 0.0F;
        note.late_N[i] = grid_per_sample_ == 2 ? at(2 * k + 1) : at(k);
    }
    note.active_blocks = note.blocks;
    note.ticks_since_contact = 0;
}

/// The note's constants for a blow that is not the same on all its strings.
const DriveBlock* StringBank::drive_of(const Note& note, const core::StringForce& force, int group) noexcept {
    const auto first = static_cast<size_t>(note.first_block);
    if (std::all_of(force.set_gain.begin(), force.set_gain.end(), [](double gain) { return gain == 1; }))
        return drive_.data() + first;
    std::vector<DriveBlock>& drive = uneven_drive_[static_cast<size_t>(group)];
    for (size_t b = 0; b < static_cast<size_t>(note.blocks); ++b) {
        const DriveBlock& even = drive_[first + b];
        for (size_t i = 0; i < kModeLanes; ++i) {
            const auto gain = static_cast<float>(force.set_gain[set_of_[(first + b) * kModeLanes + i]]);
            drive[b].early_re[i] = gain * even.early_re[i];
            drive[b].early_im[i] = gain * even.early_im[i];
            drive[b].late_re[i] = gain * even.late_re[i];
            drive[b].late_im[i] = gain * even.late_im[i];
        }
    }
    return drive.data();
}

bool StringBank::takes_bridge(Note& note, std::span<const float> bridge_mps, double loss_1ps) const noexcept {
    if (loss_1ps > kAnswersBelow_1ps) return false;
    if (note.active_blocks >= note.coupled_blocks) return !bridge_mps.empty();
    for (const float speed : bridge_mps) {
        if (std::abs(speed) < kWakes_mps) continue;
        note.active_blocks = note.coupled_blocks;
        return true;
    }
    return false;
}

std::span<const float> StringBank::render_note(int key_index, const core::StringForce* force, double loss_1ps,
                                               int samples, std::span<const float> bridge_mps) noexcept {
    const auto key = static_cast<size_t>(key_index);
    Note& note = notes_[key];
    samples = std::clamp(samples, 1, samples_);
    const double loss_start_1ps = note.loss_end_1ps;
    note.loss_end_1ps = loss_1ps > 0 ? loss_1ps : 0;  // a damper never feeds energy in
    if (force != nullptr) {
        take_force(note, *force, samples);
    } else if (note.active_blocks > 0 && ++note.ticks_since_contact % kTicksBetweenRestChecks == 0) {
        rest_quiet_blocks(note);
    }
    const bool moved = takes_bridge(note, bridge_mps, note.loss_end_1ps);
    if (note.active_blocks == 0) return {};
    NoteTick tick;
    const auto first = static_cast<size_t>(note.first_block);
    tick.modes = modes_.data() + first;
    tick.drive = force != nullptr ? drive_of(note, *force, group_of_[key]) : drive_.data() + first;
    tick.couple = couple_.data() + first;
    if (moved) tick.bridge_mps = bridge_mps.data();
    tick.coupled_blocks = note.coupled_blocks;
    tick.state = state_.data() + first;
    tick.blocks = note.active_blocks;
    tick.samples = samples;
    // Cut short, the tick steps sample by sample.
    const float* no_force_N = samples < samples_ ? kNoForce_N.data() : nullptr;
    tick.early_N = force != nullptr ? note.early_N.data() : no_force_N;
    tick.late_N = force != nullptr ? note.late_N.data() : no_force_N;
    tick.loss_per_sample =
        std::min(0.5 * (loss_start_1ps + note.loss_end_1ps) / config_.sample_rate_hz, kMaxLossPerSample);
    tick.lanes = lanes_[static_cast<size_t>(group_of_[key])].lane.data();
    tick.bridge_N = note.bridge_N.data();
    advance_note(tick);
    // Once a mode is not finite it stays so, and the last sample shows it.
    const float last_N = note.bridge_N[static_cast<size_t>(samples) - 1];
    if (!(std::abs(last_N) < kAbsurdForce_N)) {
        silence(note, 0);
        note.bridge_N.fill(0);
        ++note.resets;
    }
    return {note.bridge_N.data(), static_cast<size_t>(samples)};
}

void StringBank::rest_quiet_blocks(Note& note) noexcept {
    const double limit = config_.rest_force_N * config_.rest_force_N;
    int active = note.active_blocks;
    for (; active > 0; --active) {
        const StateBlock& z = state_[static_cast<size_t>(note.first_block + active - 1)];
        double sum = 0;
        for (size_t i = 0; i < kModeLanes; ++i) sum += z.re[i] * z.re[i] + z.im[i] * z.im[i];
        if (sum >= limit) break;
    }
    const int whole = (active + kBlocksAtOnce - 1) / kBlocksAtOnce * kBlocksAtOnce;
    if (whole < note.active_blocks) silence(note, whole);
}

void StringBank::silence(Note& note, int from_block) noexcept {
    const auto begin = state_.begin() + note.first_block;
    std::fill(begin + from_block, begin + note.blocks, StateBlock{});
    note.active_blocks = from_block;
}

void StringBank::silence() noexcept {
    for (Note& note : notes_) silence(note, 0);
}

double StringBank::energy_J(int key_index) const {
    // Per mode, with u = eta and v = (eta' + sigma eta) / omega: (eta'^2 + (omega^2 + sigma^2) eta^2) / 2, modes
    // mass-normalised.
    const Note& note = notes_[static_cast<size_t>(key_index)];
    double energy = 0;
    for (size_t b = static_cast<size_t>(note.first_block); b < static_cast<size_t>(note.first_block + note.blocks);
         ++b) {
        for (size_t i = 0; i < kModeLanes; ++i) {
            const ModeScale& m = scale_[b * kModeLanes + i];
            if (m.bridge_N_per_m == 0) continue;
            const double u = state_[b].im[i] / m.bridge_N_per_m;
            const double rate = m.omega_radps * state_[b].re[i] / m.bridge_N_per_m - m.sigma_1ps * u;
            energy += 0.5 * (rate * rate + (m.omega_radps * m.omega_radps + m.sigma_1ps * m.sigma_1ps) * u * u);
        }
    }
    return energy;
}

int StringBank::reset_count() const {
    int count = 0;
    for (const Note& note : notes_) count += note.resets;
    return count;
}

}  // namespace letoff::audio
