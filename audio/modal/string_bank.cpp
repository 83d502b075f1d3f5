#include "audio/modal/string_bank.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <utility>

#include "audio/modal/bank_modes.h"
#include "audio/soundboard/soundboard.h"
#include "core/unit/constants.h"

namespace letoff::audio {
namespace {

// Modes nearer to half the sample rate than this are left out: they could only fold back as noise.
constexpr double kHighestModeOverRate = 0.49;
// How often a free note is looked at for modes that may rest: every 16 ms at 4 kHz.
constexpr unsigned kTicksBetweenRestChecks = 64;
// A note whose damper takes more than this does not answer the bridge: it would die within 50 ms, and a seated felt
// (290 1/s) is far beyond.
constexpr double kAnswersBelow_1ps = 60;
// The bridge's speed that sets resting strings going: 1e-7 m/s is -120 dB of full scale.
constexpr float kWakes_mps = 1e-7F;
// No string carries a bridge force like this; beyond it the note has gone wrong and is reset.
constexpr float kAbsurdForce_N = 1e6F;
// Of the partials' energy, to the longitudinal motion: some percent of it in all is what a fortissimo takes.
constexpr double kMostPaidInATick = 0.5;

// What a chunk that is cut short takes as its force: with a force, even of zero, the state is advanced by as many
// samples as there are.
constexpr std::array<float, kMaxSamplesPerTick> kNoForce_N{};

}  // namespace

core::Result<StringBank> StringBank::create(const core::StringSet& set, const StringBankConfig& config,
                                            const Bridge& bridge) {
    if (core::Result<bool> known = possible(config); !known) return core::Error{known.error()};
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
    note.longitudinal = Longitudinal(strings, config_.longitudinal, config_.sample_rate_hz);
    std::vector<BankMode> modes = bank_modes(strings, kHighestModeOverRate * 2 * core::kPi * config_.sample_rate_hz,
                                             note.longitudinal.partials());
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
    mode_count_ += static_cast<int>(
        std::count_if(modes.begin(), modes.end(), [](const BankMode& mode) { return mode.bridge != 0; }));
    for (size_t j = 0; j < modes.size(); ++j) {
        BankMode& m = modes[j];
        if (m.bridge == 0) continue;
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
    note.longitudinal.wake();
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
    LaneBuffer& scratch = lanes_[static_cast<size_t>(group_of_[key])];
    tick.lanes = scratch.lane.data();
    tick.bridge_N = note.bridge_N.data();
    tick.told_N = scratch.told.data();
    tick.told_blocks = note.longitudinal.moves() ? std::min(note.longitudinal.blocks(), note.active_blocks) : 0;
    advance_note(tick);
    if (tick.told_blocks > 0) add_longitudinal(note, tick, scratch.turned.data());
    // Once a mode is not finite it stays so, and the last sample shows it.
    const float last_N = note.bridge_N[static_cast<size_t>(samples) - 1];
    if (!(std::abs(last_N) < kAbsurdForce_N)) {
        silence(note, 0);
        note.bridge_N.fill(0);
        ++note.resets;
    }
    return {note.bridge_N.data(), static_cast<size_t>(samples)};
}

/// What the partials give to the longitudinal motion leaves all of them alike.
void StringBank::add_longitudinal(Note& note, const NoteTick& tick, float* turned_N) noexcept {
    const double due_J =
        note.longitudinal.advance(tick.told_N, tick.told_blocks, tick.samples, turned_N, tick.bridge_N);
    if (!(due_J > 0)) return;
    const int blocks = tick.told_blocks;
    const double there_J = energy_J(note.first_block, blocks);
    const double paid_J = std::min(due_J, kMostPaidInATick * there_J);
    const double left = there_J > 0 ? std::sqrt(1 - paid_J / there_J) : 1;
    for (auto z = state_.begin() + note.first_block; z != state_.begin() + note.first_block + blocks; ++z) {
        for (size_t i = 0; i < kModeLanes; ++i) {
            z->re[i] *= left;
            z->im[i] *= left;
        }
    }
    note.longitudinal.pay(paid_J);
}

void StringBank::rest_quiet_blocks(Note& note) noexcept {
    note.longitudinal.rest_below(config_.rest_force_N);
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
    if (from_block == 0) note.longitudinal.rest();
}

void StringBank::silence() noexcept {
    for (Note& note : notes_) silence(note, 0);
}

double StringBank::energy_J(int key_index) const {
    const Note& note = notes_[static_cast<size_t>(key_index)];
    return energy_J(note.first_block, note.blocks) + note.longitudinal.held_J();
}

double StringBank::energy_J(int first_block, int blocks) const {
    // Per mode, with u = eta and v = (eta' + sigma eta) / omega: (eta'^2 + (omega^2 + sigma^2) eta^2) / 2, modes
    // mass-normalised.
    double energy = 0;
    for (size_t b = static_cast<size_t>(first_block); b < static_cast<size_t>(first_block + blocks); ++b) {
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
