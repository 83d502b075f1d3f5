#include "core/felt/micromechanical.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace letoff::core {
namespace {

constexpr double kQ = 2;            // spatial random network
constexpr double kDensest = 0.67;   // volume fraction to which the model is asked
constexpr double kSteepest = 8;     // gamma: beyond, a network of wool would be solid
constexpr double kFlattest = 1e-3;  // below, (7) is van Wyk's v_f^3
constexpr int kFitPoints = 48, kFitRounds = 60;

/// Withdrawal force of a contact as a stress, W lambda n, at no strain 'withdrawal' van Wyk pressures. W is one number;
/// lambda n = gamma v_f / (pi d (1 - exp(-2 v_f gamma))) runs with the strain.
double withdrawal_Pa(const MicromechanicalFelt& felt, const FibreContacts& here) {
    const Fibres& f = felt.fibres;
    const FibreContacts made = fibre_contacts(f.v_f0, felt.loading.gamma, f.diameter_m);
    const double at_rest_Pa = f.withdrawal * felt.loading.K_p_Pa * f.v_f0 * f.v_f0 * f.v_f0;
    return at_rest_Pa * (here.mean_free_m * here.per_m2()) / (made.mean_free_m * made.per_m2());
}

double elastic_Pa(const FibreNetwork& network, double v_f0, double v_f) {
    return neckar_pressure_Pa(network, v_f) - neckar_pressure_Pa(network, v_f0);
}

/// The stress of one direction: bending, and the friction that goes with it or against it.
double one_way_Pa(const MicromechanicalFelt& felt, bool pressed, double v_f) {
    const FibreNetwork& network = pressed ? felt.loading : felt.unloading;
    const double bending_Pa = elastic_Pa(network, felt.fibres.v_f0, v_f);
    if (!(bending_Pa > 0)) return 0;
    const FibreContacts contacts = fibre_contacts(v_f, network.gamma, felt.fibres.diameter_m);
    const double withdraw_Pa = withdrawal_Pa(felt, contacts);
    const double critical = critical_angle_rad(withdraw_Pa, bending_Pa, felt.fibres.mu);
    const double slide = pressed ? sliding_force_pressed(critical, felt.fibres.mu) : sliding_force_released(critical);
    const double friction_Pa = sliding_share(critical) * withdraw_Pa * slide;
    return pressed ? bending_Pa + friction_Pa : bending_Pa - friction_Pa;
}

/// K_p by least squares for a gamma, and what is left over: stresses are K_p times those of K_p = 1, because the
/// withdrawal force is given as a share of it.
struct Fit {
    double K_p_Pa = 0, left_over = 0;
};
Fit fit_K_p(MicromechanicalFelt felt, bool pressed, double gamma, const PowerContact& c) {
    FibreNetwork& network = pressed ? felt.loading : felt.unloading;
    const double scale = pressed ? 1.0 : felt.loading.K_p_Pa;  // unloading: K_p over the loading one's
    felt.loading.K_p_Pa = 1;
    network.gamma = gamma;
    const double share = pressed ? 1 : 1 - c.loss;
    double K = 1, left_over = 0;
    // The friction of unloading does not scale with its own K_p: a few rounds.
    for (int round = 0; round < (pressed ? 1 : 6); ++round) {
        network.K_p_Pa = pressed ? 1 : K;
        double ff = 0, fg = 0;
        for (int i = 1; i <= kFitPoints; ++i) {
            const double d_m = c.deepest_m * i / kFitPoints;
            const double v_f = felt.fibres.v_f0 / (1 - d_m / c.thickness_m);
            const double wanted_Pa = share * c.k * std::pow(d_m, c.r) / c.area_m2 / scale;
            const double bending_Pa =
                pressed ? one_way_Pa(felt, true, v_f) : elastic_Pa({1, gamma}, felt.fibres.v_f0, v_f);
            const double fixed_Pa = pressed ? 0 : one_way_Pa(felt, false, v_f) - K * bending_Pa;
            ff += bending_Pa * bending_Pa;
            fg += bending_Pa * (wanted_Pa - fixed_Pa);
        }
        K = fg / ff;
    }
    network.K_p_Pa = pressed ? 1 : K;
    for (int i = 1; i <= kFitPoints; ++i) {
        const double d_m = c.deepest_m * i / kFitPoints;
        const double v_f = felt.fibres.v_f0 / (1 - d_m / c.thickness_m);
        const double wanted_Pa = share * c.k * std::pow(d_m, c.r) / c.area_m2 / scale;
        const double got_Pa = (pressed ? K : 1) * one_way_Pa(felt, pressed, v_f);
        left_over += (got_Pa - wanted_Pa) * (got_Pa - wanted_Pa);
    }
    return {K * scale, left_over};
}

FibreNetwork fit_network(const MicromechanicalFelt& felt, bool pressed, const PowerContact& contact) {
    const double golden = 0.5 * (std::sqrt(5.0) - 1);
    const auto left_over = [&](double log_gamma) {
        return fit_K_p(felt, pressed, std::exp(log_gamma), contact).left_over;
    };
    double low = std::log(kFlattest), high = std::log(kSteepest);
    double a = high - golden * (high - low), b = low + golden * (high - low);
    double at_a = left_over(a), at_b = left_over(b);
    for (int i = 0; i < kFitRounds; ++i) {
        if (at_a < at_b) {
            high = b;
            b = a;
            at_b = at_a;
            a = high - golden * (high - low);
            at_a = left_over(a);
        } else {
            low = a;
            a = b;
            at_a = at_b;
            b = low + golden * (high - low);
            at_b = left_over(b);
        }
    }
    const double gamma = std::exp(0.5 * (low + high));
    return {fit_K_p(felt, pressed, gamma, contact).K_p_Pa, gamma};
}

}  // namespace

double neckar_pressure_Pa(const FibreNetwork& network, double v_f) {
    const double x = kQ * network.gamma * v_f, eta = -std::expm1(-x);
    const double s = std::expm1(x) / (kQ * network.gamma);  // eta / (Q gamma (1 - eta))
    // (1 - eta)(2 + 3/2 eta / (1 - eta)) - eta / x
    return network.K_p_Pa * s * s * s * ((1 - eta) * 2 + 1.5 * eta - eta / x);
}

FibreContacts fibre_contacts(double v_f, double gamma, double diameter_m) {
    const double blocked = -std::expm1(-2 * v_f * gamma);
    return {2 * v_f * blocked / (std::numbers::pi * diameter_m * diameter_m * diameter_m * gamma),
            gamma * diameter_m / blocked};
}

double critical_angle_rad(double withdrawal_N, double contact_force_N, double mu) {
    if (!(contact_force_N > withdrawal_N)) return 0;
    // cos t - mu sin t = sqrt(1 + mu^2) cos(t + atan mu)
    return std::acos(withdrawal_N / contact_force_N / std::sqrt(1 + mu * mu)) - std::atan(mu);
}

double sliding_share(double critical_rad) {
    return 0.5 * (1 - std::cos(critical_rad));
}

double sliding_force_pressed(double t, double mu) {
    return 0.5 * (-mu * t - std::log(std::cos(t) - mu * std::sin(t))) / (1 + mu * mu);
}

double sliding_force_released(double t) {
    return -0.5 * std::log(std::cos(t));
}

double one_way_stress_Pa(const MicromechanicalFelt& felt, bool pressed, double strain) {
    if (!(strain > 0)) return 0;
    return one_way_Pa(felt, pressed, felt.fibres.v_f0 / (1 - std::min(strain, most_strain(felt.fibres.v_f0))));
}

FeltStress felt_stress(const MicromechanicalFelt& felt, double strain) {
    const double loading_Pa = one_way_stress_Pa(felt, true, strain);
    return {loading_Pa, std::clamp(one_way_stress_Pa(felt, false, strain), 0.0, loading_Pa)};
}

double most_strain(double v_f0) {
    return 1 - v_f0 / kDensest;
}

MicromechanicalFelt fit_to_power_law(const PowerContact& contact, const Fibres& fibres) {
    MicromechanicalFelt felt{fibres, {1, 1}, {1, 1}};
    felt.loading = fit_network(felt, true, contact);
    felt.unloading = fit_network(felt, false, contact);
    return felt;
}

}  // namespace letoff::core
