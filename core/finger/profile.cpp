#include "core/finger/profile.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "core/unit/constants.h"
#include "core/unit/split_mix.h"

namespace letoff::core {
namespace {

using Kind = FingerProfile::Kind;

/// The n-th number of a seed, evenly in 0..1.
double share(std::uint64_t seed, std::uint64_t n) {
    return unit_of(split_mix(split_mix(seed) + n));
}

/// Between two ends, even in the logarithm: hands double a force as easily at 1 N as at 10.
double between(std::uint64_t seed, std::uint64_t n, double low, double high) {
    return low * std::pow(high / low, share(seed, n));
}

FingerProfile constant(double force_N) {
    return {.force_N = force_N};
}
FingerProfile pulse(double force_N, double length_s, double hold_N) {
    return {.kind = Kind::pulse, .force_N = force_N, .rise_s = length_s, .hold_N = hold_N};
}
FingerProfile ramp(double force_N, double rise_s) {
    return {.kind = Kind::ramp, .force_N = force_N, .rise_s = rise_s};
}
FingerProfile struck(double arrive_mps, double force_N) {
    return {.kind = Kind::struck, .force_N = force_N, .arrive_mps = arrive_mps};
}
FingerProfile trill(double rate_hz, double force_N) {
    return {.kind = Kind::trill, .force_N = force_N, .rate_hz = rate_hz, .strokes = 6, .held_s = 0.3};
}

}  // namespace

double FingerProfile::force_at_N(double t_s) const {
    if (t_s < 0 || t_s >= length_s()) return 0;
    switch (kind) {
        case Kind::constant:
        case Kind::struck:
            return force_N;
        case Kind::pulse: {
            const double s = std::sin(kPi * std::min(t_s / rise_s, 1.0));
            const double now_N = force_N * s * s;
            return t_s < 0.5 * rise_s ? now_N : std::max(now_N, std::min(hold_N, force_N));
        }
        case Kind::ramp:
            return force_N * std::min(t_s / rise_s, 1.0);
        case Kind::trill:
            if (t_s * rate_hz > strokes - 0.75) return force_N;  // the last press is held from its peak on
            return force_N * std::max(0.0, std::sin(2 * kPi * rate_hz * t_s));
    }
    return 0;
}

double FingerProfile::length_s() const {
    return kind == Kind::trill ? (strokes - 0.75) / rate_hz + held_s : held_s;
}

std::string FingerProfile::name() const {
    constexpr double kMilli = 1e3;
    switch (kind) {
        case Kind::constant:
            return fmt::format("constant {:.3g} N", force_N);
        case Kind::pulse:
            return fmt::format("pulse {:.3g} N {:.3g} ms then {:.3g} N", force_N, rise_s * kMilli, hold_N);
        case Kind::ramp:
            return fmt::format("ramp to {:.3g} N in {:.3g} ms", force_N, rise_s * kMilli);
        case Kind::struck:
            return fmt::format("struck at {:.3g} m/s with {:.3g} N", arrive_mps, force_N);
        case Kind::trill:
            return fmt::format("trill {:.3g} Hz {:.3g} N", rate_hz, force_N);
    }
    return {};
}

std::vector<FingerProfile> finger_library() {
    std::vector<FingerProfile> all;
    for (double f : {0.7, 0.8, 1.0, 1.3, 1.6, 2.0, 3.0, 5.0, 8.0, 12.0, 20.0, 31.0, 60.0, 100.0})
        all.push_back(constant(f));
    for (double f : {1.5, 2.2, 3.0, 5.0, 8.0, 15.0}) {
        for (double length : {0.04, 0.06, 0.10}) {
            for (double hold : {0.6, 2.0}) all.push_back(pulse(f, length, hold));
        }
    }
    for (double f : {2.0, 4.0, 8.0, 15.0, 30.0, 50.0}) {
        for (double rise : {0.02, 0.06, 0.15}) all.push_back(ramp(f, rise));
    }
    for (double v : {0.1, 0.3, 0.6, 1.0, 2.0}) {
        for (double f : {1.0, 3.0, 10.0}) all.push_back(struck(v, f));
    }
    for (double rate : {6.0, 9.0, 12.0}) {
        for (double f : {6.0, 12.0, 20.0}) all.push_back(trill(rate, f));
    }
    return all;
}

FingerProfile random_finger(std::uint64_t seed) {
    constexpr std::array<Kind, 5> kKinds{Kind::constant, Kind::pulse, Kind::ramp, Kind::struck, Kind::trill};
    switch (kKinds[split_mix(seed) % kKinds.size()]) {
        case Kind::constant:
            return constant(between(seed, 1, 0.7, 100));
        case Kind::pulse:
            return pulse(between(seed, 1, 1.5, 30), between(seed, 2, 0.03, 0.15), between(seed, 3, 0.6, 3));
        case Kind::ramp:
            return ramp(between(seed, 1, 2, 60), between(seed, 2, 0.01, 0.2));
        case Kind::struck:
            return struck(between(seed, 1, 0.1, 2.5), between(seed, 2, 0.7, 15));
        case Kind::trill:
            break;
    }
    return trill(between(seed, 1, 5, 14), between(seed, 2, 4, 25));
}

double RandomForce::at_N(double t_s) const {
    const double steps = t_s / step_s_;
    const double whole = std::floor(steps), part = steps - whole;
    const auto n = static_cast<std::uint64_t>(std::max(whole, 0.0));
    const double from = share(seed_, n), to = share(seed_, n + 1);
    return most_N_ * (from + (to - from) * part * part * (3 - 2 * part));
}

}  // namespace letoff::core
