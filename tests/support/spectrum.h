// Spectra for tests: power of a Hann-windowed signal by a radix-2 transform, and the frequency of one partial from the
// slope of its phase.
#pragma once

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "core/unit/constants.h"

namespace letoff::test {

/// In place; the size is a power of two.
inline void fourier_transform(std::vector<std::complex<double>>& x) {
    const std::size_t n = x.size();
    for (std::size_t i = 1, j = 0; i < n; ++i) {
        std::size_t bit = n >> 1;
        for (; (j & bit) != 0; bit >>= 1) j ^= bit;
        j ^= bit;
        if (i < j) std::swap(x[i], x[j]);
    }
    for (std::size_t half = 1; half < n; half *= 2) {
        for (std::size_t k = 0; k < half; ++k) {
            const auto turn = std::polar(1.0, -core::kPi * static_cast<double>(k) / static_cast<double>(half));
            for (std::size_t i = k; i < n; i += 2 * half) {
                const std::complex<double> odd = turn * x[i + half];
                x[i + half] = x[i] - odd;
                x[i] += odd;
            }
        }
    }
}

/// Hann-windowed, filled with zeros to a power of two of at least so many times its length.
inline std::vector<std::complex<double>> hann_spectrum(std::span<const float> signal, std::size_t times = 1) {
    std::size_t size = times;
    while (size < times * signal.size()) size *= 2;
    std::vector<std::complex<double>> x(size);
    for (std::size_t i = 0; i < signal.size(); ++i) {
        const double phase = 2 * core::kPi * (static_cast<double>(i) + 0.5) / static_cast<double>(signal.size());
        x[i] = (0.5 - 0.5 * std::cos(phase)) * static_cast<double>(signal[i]);
    }
    fourier_transform(x);
    return x;
}

/// Frequency of the strongest partial between two frequencies: top of the Hann-windowed spectrum, the signal padded to
/// twice its length with zeros, between the bins by the parabola through the logarithms of three. Two partials must lie
/// four bins of the signal's own length apart, 4 rate / size, to be told from each other. 0: silence there.
inline double strongest_hz(std::span<const float> signal, double sample_rate_hz, double lowest_hz, double highest_hz) {
    const auto x = hann_spectrum(signal, 2);
    const std::size_t size = x.size();
    const double bin_hz = sample_rate_hz / static_cast<double>(size);
    const auto first = static_cast<std::size_t>(std::ceil(lowest_hz / bin_hz));
    const auto last = std::min(static_cast<std::size_t>(highest_hz / bin_hz), size / 2 - 2);
    std::size_t top = first;
    for (std::size_t i = first; i <= last; ++i) {
        if (std::abs(x[i]) > std::abs(x[top])) top = i;
    }
    if (top == 0 || top + 1 >= size / 2 || std::abs(x[top]) == 0) return 0;
    const double before = std::log(std::abs(x[top - 1])), at = std::log(std::abs(x[top]));
    const double after = std::log(std::abs(x[top + 1]));
    return bin_hz * (static_cast<double>(top) + 0.5 * (before - after) / (before - 2 * at + after));
}

/// By how many cents the strongest partial within a semitone of a frequency is off it; minus infinity: silence there.
inline double cents_off(std::span<const float> signal, double sample_rate_hz, double expected_hz) {
    const double semitone = std::exp2(1.0 / 12);
    return 1200 * std::log2(strongest_hz(signal, sample_rate_hz, expected_hz / semitone, expected_hz * semitone) /
                            expected_hz);
}

/// Amplitude-weighted mean frequency up to highest_hz.
inline double spectral_centroid_hz(std::span<const float> signal, double sample_rate_hz, double highest_hz) {
    const auto x = hann_spectrum(signal);
    const std::size_t size = x.size();
    double weighted = 0, sum = 0;
    for (std::size_t i = 1; i < size / 2; ++i) {
        const double f = static_cast<double>(i) * sample_rate_hz / static_cast<double>(size);
        if (f > highest_hz) break;
        weighted += f * std::abs(x[i]);
        sum += std::abs(x[i]);
    }
    return weighted / sum;
}

/// How much of the power lies above a frequency, dB.
inline double above_dB(std::span<const float> signal, double sample_rate_hz, double lowest_hz) {
    const auto x = hann_spectrum(signal);
    const std::size_t size = x.size();
    double above = 0, all = 0;
    for (std::size_t i = 1; i < size / 2; ++i) {
        const double power = std::norm(x[i]);
        all += power;
        if (static_cast<double>(i) * sample_rate_hz / static_cast<double>(size) > lowest_hz) above += power;
    }
    return 10 * std::log10(above / all);
}

/// Frequency of the partial near guess_hz: two Hann windows of `window` samples, `hop` apart. Right while the guess is
/// off by less than half a turn in a hop.
inline double partial_hz(std::span<const float> signal, double sample_rate_hz, double guess_hz, std::size_t window,
                         std::size_t hop) {
    const auto component = [&](std::size_t begin) {
        std::complex<double> sum = 0;
        for (std::size_t i = 0; i < window; ++i) {
            const double weight =
                0.5 - 0.5 * std::cos(2 * core::kPi * (static_cast<double>(i) + 0.5) / static_cast<double>(window));
            const double t_s = static_cast<double>(begin + i) / sample_rate_hz;
            sum += weight * static_cast<double>(signal[begin + i]) * std::polar(1.0, -2 * core::kPi * guess_hz * t_s);
        }
        return sum;
    };
    const double turned = std::arg(component(hop) * std::conj(component(0)));
    return guess_hz + turned / (2 * core::kPi) * sample_rate_hz / static_cast<double>(hop);
}

}  // namespace letoff::test
