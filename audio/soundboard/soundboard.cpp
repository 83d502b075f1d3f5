#include "audio/soundboard/soundboard.h"

#include <algorithm>
#include <cmath>
#include <complex>

#include "audio/soundboard/board_modes.h"
#include "core/unit/constants.h"

namespace letoff::audio {
namespace {

// In the treble corner the board is small and its ribs lie close: what is driven there is heard at once, above the
// transition of the ribs elsewhere. Chosen: C7 to C8 then lie some 10 dB below the middle and not 25.
constexpr int kCornerFrom = 63, kCornerAt = 75;  // C6, C7
constexpr double kCorner_mps_per_N = 1.35e-4;
// How far a note at the end of the keyboard lies to its side in the direct path, radians from the middle. Chosen.
constexpr double kDirectPan_rad = 0.15;
// A board that moves less than this sum of squares (m/s)^2 with no string sounding is set to rest: 1e-9 m/s is far
// below hearing.
constexpr float kRestSum_m2ps2 = 1e-18F;
constexpr unsigned kTicksBetweenRestChecks = 64;

}  // namespace

Soundboard::Soundboard(const SoundboardConfig& config)
    : low_pass_(static_cast<float>(1 - std::exp(-2 * core::kPi * kRibs_hz / config.sample_rate_hz))) {
    place_keys(config);
    make_modes(config);
}

void Soundboard::place_keys(const SoundboardConfig& config) {
    for (size_t key = 0; key < core::kKeyCount; ++key) {
        const double x = static_cast<double>(key) / (core::kKeyCount - 1);
        const double at = x * (kBridgePoints - 1);
        KeyPlace& place = places_[key];
        place.bridge.point = std::min(static_cast<int>(at), kBridgePoints - 2);
        place.bridge.weight[1] = static_cast<float>(at - place.bridge.point);
        place.bridge.weight[0] = 1 - place.bridge.weight[1];
        const double corner =
            std::clamp((static_cast<double>(key) - kCornerFrom) / (kCornerAt - kCornerFrom), 0.0, 1.0);
        const double direct =
            config.full_scale_per_mps * (heard_mps_per_N(kHighestBoardMode_hz) + corner * kCorner_mps_per_N);
        const double angle = core::kPi / 4 + kDirectPan_rad * (2 * x - 1);
        place.pan[0] = static_cast<float>(direct * std::cos(angle));
        place.pan[1] = static_cast<float>(direct * std::sin(angle));
    }
}

void Soundboard::make_modes(const SoundboardConfig& config) {
    const std::vector<BoardMode> modes = make_board_modes(config.seed);
    modes_.resize((modes.size() + kBoardLanes - 1) / kBoardLanes);
    state_.resize(modes_.size());
    turned_.resize(modes_.size());
    heard_.resize(modes_.size() * kBoardLanes, 1.0F);
    const double dt_s = 1.0 / config.sample_rate_hz;
    for (size_t j = 0; j < modes.size(); ++j) {
        const BoardMode& mode = modes[j];
        BoardBlock& block = modes_[j / kBoardLanes];
        const size_t i = j % kBoardLanes;
        const std::complex<double> s(-mode.sigma_1ps / config.resonance, 2 * core::kPi * mode.frequency_hz);
        const std::complex<double> step = std::exp(s * dt_s) - 1.0;
        const std::complex<double> push = step / s;
        // The mode is heard with the strength of its mean shape, once; the shape along the bridge says how it is
        // driven.
        double mean_square = 0;
        for (const double shape : mode.shape_1_sqrtkg) mean_square += shape * shape / kBridgePoints;
        const double heard = std::sqrt(mean_square);
        heard_[j] = static_cast<float>(heard);
        if (mode.frequency_hz < kFelt_hz) {
            felt_.push_back({s, std::exp(s / static_cast<double>(kStretches_per_s)), {}});
            std::copy_n(mode.shape_1_sqrtkg, kBridgePoints, felt_.back().shape_1_sqrtkg);
            bridge_.resize(j / kBoardLanes + 1);
            for (size_t k = 0; k < kBridgePoints; ++k)
                bridge_.back().speed[k][i] = static_cast<float>(mode.shape_1_sqrtkg[k] / heard);
        }
        block.step_re[i] = static_cast<float>(step.real());
        block.step_im[i] = static_cast<float>(step.imag());
        block.push_re[i] = static_cast<float>(push.real());
        block.push_im[i] = static_cast<float>(push.imag());
        for (size_t k = 0; k < kBridgePoints; ++k)
            block.shape[k][i] = static_cast<float>(mode.shape_1_sqrtkg[k] * heard);
        block.left[i] = static_cast<float>(mode.left * config.full_scale_per_mps);
        block.right[i] = static_cast<float>(mode.right * config.full_scale_per_mps);
    }
}

void Soundboard::add_note(int key_index, std::span<const float> bridge_force_N, std::span<float> push) const noexcept {
    const KeyPlace& place = places_[static_cast<size_t>(key_index)];
    const size_t samples = bridge_force_N.size();
    const float weight[] = {place.bridge.weight[0], place.bridge.weight[1], place.pan[0], place.pan[1]};
    float* const point = push.data() + static_cast<size_t>(place.bridge.point) * samples;
    float* const direct = push.data() + kBridgePoints * samples;
    float* const out[] = {point, point + samples, direct, direct + samples};
    add_shares(bridge_force_N.data(), static_cast<int>(samples), weight, out);
}

void Soundboard::begin_tick(int samples) noexcept {
    samples_ = samples;
    driven_ = false;
    std::fill_n(scratch_.push.begin(), kPushRows * samples, 0.0F);
}

void Soundboard::push(std::span<const float> rows) noexcept {
    driven_ = true;
    resting_ = false;
    for (size_t i = 0; i < rows.size(); ++i) scratch_.push[i] += rows[i];
}

void Soundboard::render(std::span<float> left, std::span<float> right) noexcept {
    if (resting_) {
        std::fill(left.begin(), left.end(), 0.0F);
        std::fill(right.begin(), right.end(), 0.0F);
        return;
    }
    BoardTick tick;
    tick.modes = modes_.data();
    tick.state = state_.data();
    tick.blocks = static_cast<int>(modes_.size());
    tick.samples = samples_;
    tick.point_N = scratch_.push.data();
    tick.lanes = scratch_.lanes.data();
    tick.left = left.data();
    tick.right = right.data();
    advance_board(tick);
    const float* const direct = scratch_.push.data() + kBridgePoints * samples_;
    add_direct(left, direct, low_left_);
    add_direct(right, direct + samples_, low_right_);
    if (!driven_ && ++ticks_ % kTicksBetweenRestChecks == 0) rest_if_quiet();
}

void Soundboard::add_direct(std::span<float> out, const float* direct, float& low) noexcept {
    for (int s = 0; s < samples_; ++s) {
        low += low_pass_ * (direct[s] - low);
        out[static_cast<size_t>(s)] += direct[s] - low;
    }
}

void Soundboard::rest_if_quiet() noexcept {
    float sum = 0;
    for (const BoardState& z : state_)
        for (size_t i = 0; i < kBoardLanes; ++i) sum += z.re[i] * z.re[i] + z.im[i] * z.im[i];
    if (sum < kRestSum_m2ps2) silence();
}

bool Soundboard::foretell(int samples, std::span<float> point_mps) noexcept {
    if (resting_) return false;
    BoardForetelling free;
    free.modes = modes_.data();
    free.bridge = bridge_.data();
    free.state = state_.data();
    free.blocks = static_cast<int>(bridge_.size());
    free.samples = std::min({samples, kMaxForetold, static_cast<int>(point_mps.size()) / kBridgePoints});
    free.turned = turned_.data();
    free.point_mps = point_mps.data();
    foretell_bridge(free);
    return true;
}

Soundboard::BridgePlace Soundboard::place(int key_index) const noexcept {
    return places_[static_cast<size_t>(key_index)].bridge;
}

// A mode answers an impulse with shape^2 Re e^(s t), all of which has the transform -shape^2 / p; of that, strings feel
// what the stretches let through of age t, w(t), whose derivative is two boxes of a stretch T on each other:
// integral of w e^(p t) = -((e^(p T) - 1) / (p T))^2 / p.
Soundboard::Mobility Soundboard::mobility(int key_index, double omega_radps) const {
    const auto at = place(key_index);
    const std::complex<double> turning(0, omega_radps);
    const std::complex<double> turned = std::exp(-turning / static_cast<double>(kStretches_per_s));
    Mobility sum;
    // Tens of thousands of these make the instrument's start: exponentials are the mode's and the frequency's, not
    // their pair's, and a pair is divided by once.
    const auto add = [&](double shape, std::complex<double> pole, std::complex<double> grown) {
        const std::complex<double> p = pole - turning;
        const std::complex<double> inverse = std::conj(p) / std::norm(p);
        const auto box = (grown * turned - 1.0) * inverse * static_cast<double>(kStretches_per_s);
        const auto all = -0.5 * shape * shape * inverse;
        sum.foretold += all * box * box;
        sum.at_once += all * (1.0 - box * box);
    };
    for (const FeltMode& mode : felt_) {
        const double shape =
            at.weight[0] * mode.shape_1_sqrtkg[at.point] + at.weight[1] * mode.shape_1_sqrtkg[at.point + 1];
        add(shape, mode.pole, mode.grown);
        add(shape, std::conj(mode.pole), std::conj(mode.grown));
    }
    return sum;
}

double Soundboard::energy_J() const noexcept {
    double sum = 0;
    for (size_t j = 0; j < heard_.size(); ++j) {
        const double re = state_[j / kBoardLanes].re[j % kBoardLanes], im = state_[j / kBoardLanes].im[j % kBoardLanes];
        sum += 0.5 * (re * re + im * im) / (static_cast<double>(heard_[j]) * heard_[j]);
    }
    return sum;
}

void Soundboard::silence() noexcept {
    std::fill(state_.begin(), state_.end(), BoardState{});
    low_left_ = low_right_ = 0;
    resting_ = true;
}

}  // namespace letoff::audio
