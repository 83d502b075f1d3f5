// When a quantity g that is positive at the start of a step, and not at its end, ceases to be: Illinois' regula falsi
//   t = t_a + (t_b - t_a) g_a / (g_a - g_b),     g_a > 0 >= g_b
// where an end of the bracket that stays twice counts half, so that both ends close in.
#pragma once

namespace letoff::core {

/// g(t_s) is asked within 0..h_s, where it is g0 > 0 and g1 <= 0. The bracket ends at a millionth of a millionth of the
/// step; the answer is its end where g is not positive, so that the crossing is behind.
template <typename G>
double crossing_s(double h_s, double g0, double g1, const G& g) noexcept {
    constexpr int kMostTrials = 60;
    constexpr double kNarrow = 1e-12;
    double low_s = 0, high_s = h_s, low_g = g0, high_g = g1;
    int last_side = 0;
    for (int i = 0; i < kMostTrials && high_s - low_s > kNarrow * h_s && high_g != 0; ++i) {
        double t_s = low_s + (high_s - low_s) * (low_g / (low_g - high_g));
        if (!(t_s > low_s && t_s < high_s)) t_s = 0.5 * (low_s + high_s);
        if (!(t_s > low_s && t_s < high_s)) break;
        const double trial = g(t_s);
        if (trial > 0) {
            low_s = t_s;
            low_g = trial;
            if (last_side == 1) high_g *= 0.5;
            last_side = 1;
        } else {
            high_s = t_s;
            high_g = trial;
            if (last_side == -1) low_g *= 0.5;
            last_side = -1;
        }
    }
    return high_s;
}

}  // namespace letoff::core
