// Compression of felt from its fibres: pressure by bending of the fibres between their contacts, loss by contacts that
// slide (Masoudi & McPhee; equation numbers are theirs). Stresses are positive in compression, strain e is the share of
// its thickness by which the felt is pressed together, 0 <= e < 1.
//
//   v_f = v_f0 / (1 - e)                                      volume fraction of fibre
//   N_v, lambda                                               contacts per volume, mean free fibre length   (3)
//   P(v_f) = K_p (eta / (Q gamma (1 - eta)))^3 {...},  Q = 2  Neckar, built on (1, 2, 4 - 6)                (7)
//   cos t - mu sin t = W lambda / C3                          critical angle t: flatter fibres hold         (8, 12)
//   r = integral of Omega over t' < t                         share of contacts that slide                  (11)
//   C_s                                                       force of a sliding contact                    (13, 16)
//   P_L = s_L + r n C_s,  P_U = s_U - r n C_s                 loading, unloading                            (9, 10)
//
// Two networks (K_p and gamma) stand for the two directions: a compressed network is another one on its way back.
//
// What the paper leaves open, and what is done here:
//   - felt as it is made carries P(v_f0) within itself: an elastic stress is P(v_f) - P(v_f0), 0 at no strain;
//   - C3, the mean force of a contact, is the elastic stress over n (14 with the sliding contacts left out), so that no
//     equation has to be solved for the angle;
//   - fibres lie alike in all directions: Omega = 1 / 2 pi, K_3 = 1/2;
//   - the unloading stress is held between 0 and the loading stress, so that no path gains energy.
// Set-up only (the C library's functions); the step reads a table of it (core/felt/curve.h).
#pragma once

namespace letoff::core {

struct FibreNetwork {
    double K_p_Pa = 0, gamma = 0;
};

/// Pressure at a volume fraction (7).
double neckar_pressure_Pa(const FibreNetwork& network, double volume_fraction);

struct Fibres {
    double v_f0 = 0;            // 0.389 hammer felt, 0.086 moderate red felt (captions of figures 6, 7)
    double diameter_m = 25e-6;  // of wool, 20 to 40 micrometres: our choice
    double mu = 0.3;            // wool on wool: our choice
    // Withdrawal force of an unloaded fibre, as the stress W lambda n at no strain over the loading network's K_p
    // v_f0^3 (a van Wyk pressure): sliding begins where bending carries as much. 0.1: at the first per cents of strain.
    double withdrawal = 0.1;
};

struct MicromechanicalFelt {
    Fibres fibres;
    FibreNetwork loading, unloading;
};

/// Contacts on a volume and on the way from one to the next along a fibre (3).
struct FibreContacts {
    double per_m3 = 0, mean_free_m = 0;
    /// Those that carry a square metre (5).
    double per_m2() const { return 0.5 * per_m3 * mean_free_m; }
};
FibreContacts fibre_contacts(double volume_fraction, double gamma, double diameter_m);

/// Angle from the direction of pressing below which fibres slide; 0: none does (8, 12).
double critical_angle_rad(double withdrawal_N, double contact_force_N, double mu);
/// Share of the contacts below an angle (11).
double sliding_share(double critical_rad);
/// Force of a sliding contact, averaged over the directions, in units of W lambda: pressed (13), let go (16).
double sliding_force_pressed(double critical_rad, double mu);
double sliding_force_released(double critical_rad);

struct FeltStress {
    double loading_Pa = 0, unloading_Pa = 0;
};
FeltStress felt_stress(const MicromechanicalFelt& felt, double strain);
/// One direction by itself, as the equations give it (9 or 10).
double one_way_stress_Pa(const MicromechanicalFelt& felt, bool pressed, double strain);

/// Beyond this the model is not asked: a felt of v_f0 = 0.389 would be two thirds fibre at 0.42.
double most_strain(double v_f0);

/// Networks whose stresses over an area follow F = k d^r up to a compression, and on the way back F less `loss` of it:
/// gamma by golden section, K_p by least squares. What stands in for the parameters that the paper prints inside its
/// figures only.
struct PowerContact {
    double k = 0, r = 0;  // N / m^r
    double thickness_m = 0, area_m2 = 0;
    double deepest_m = 0;  // fitted up to here
    double loss = 0;       // of the work of pressing
};
MicromechanicalFelt fit_to_power_law(const PowerContact& contact, const Fibres& fibres);

}  // namespace letoff::core
