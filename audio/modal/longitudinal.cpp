#include "audio/modal/longitudinal.h"

#include <algorithm>
#include <complex>

namespace letoff::audio {

Longitudinal::Longitudinal(const core::NoteStrings& note, double level, int sample_rate_hz) {
    const core::LongitudinalModes& modes = note.longitudinal;
    if (modes.count == 0 || !(level > 0) || !(note.volume > 0)) return;
    partials_ = modes.partials;
    count_ = modes.count;
    const double slope = modes.slope_per_N / note.volume, slope2 = slope * slope;
    const double pull_N = note.strings * 0.5 * modes.stiffness_N * slope2;  // to a N^2
    gain_1pN_ = static_cast<float>(level * kBridgeTakes * note.volume * pull_N);
    modes_J_per_N4_ = note.volume * note.volume * pull_N * modes.length_m / 8 * slope2;
    omega_radps_ = modes.omega_radps;
    sigma_1ps_ = modes.sigma_1ps;
    for (std::size_t k = 0; k < static_cast<std::size_t>(count_); ++k) {
        const double omega = modes.omega_radps[k], sigma = modes.sigma_1ps;
        const std::complex<double> s(-sigma, omega);
        const std::complex<double> step = std::exp(s / static_cast<double>(sample_rate_hz)) - 1.0;
        const std::complex<double> push = (omega + sigma * sigma / omega) * step / s;
        modes_.step_re[k] = static_cast<float>(step.real());
        modes_.step_im[k] = static_cast<float>(step.imag());
        modes_.push_re[k] = static_cast<float>(push.real());
        modes_.push_im[k] = static_cast<float>(push.imag());
    }
}

double Longitudinal::advance(const float* told_N, int told_blocks, int samples, float* turned_N,
                             float* bridge_N) noexcept {
    const LongitudinalSums sums =
        advance_longitudinal({&modes_, &state_, count_, told_N, told_blocks, samples, turned_N, gain_1pN_, bridge_N});
    square_N2_ = sums.square_N2;
    work_J_ += 2 * modes_J_per_N4_ * sums.work_N4;
    return std::max(work_J_ - charged_J_, 0.0);
}

void Longitudinal::pay(double paid_J) noexcept {
    const double due_J = std::max(work_J_ - charged_J_, 0.0);
    charged_J_ += paid_J;
    if (paid_J < due_J) rest();
}

void Longitudinal::rest() {
    state_ = {};
    work_J_ = charged_J_ = 0;
    square_N2_ = 0;
    moves_ = false;
}

void Longitudinal::rest_below(double force_N) noexcept {
    if (!moves_) return;
    // |C_k| is at most the sum of squares; so many of them, and what rings.
    float ringing = 0;
    for (std::size_t k = 0; k < kLongitudinalLanes; ++k)
        ringing += state_.re[k] * state_.re[k] + state_.im[k] * state_.im[k];
    const auto modes = static_cast<float>(count_ + 1);
    const float limit_N2 = static_cast<float>(force_N) / gain_1pN_;
    if (modes * square_N2_ < limit_N2 && modes * ringing < limit_N2 * limit_N2) rest();
}

// r^2 + r'^2 / (omega^2 + sigma^2): what the work of C gives it and its losses, 2 sigma r'^2, take.
double Longitudinal::modes_J() const {
    double sum = 0;
    for (std::size_t k = 0; k < static_cast<std::size_t>(count_); ++k) {
        const double omega = omega_radps_[k], r = state_.im[k];
        const double rate = omega * state_.re[k] - sigma_1ps_ * r;
        sum += r * r + rate * rate / (omega * omega + sigma_1ps_ * sigma_1ps_);
    }
    return modes_J_per_N4_ * sum;
}

}  // namespace letoff::audio
