// One blow of a hammer's head alone on the strings of a note, and how bright it is.
#pragma once

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <vector>

#include "core/hash.h"
#include "core/string/string_design.h"
#include "core/unit/constants.h"
#include "keyboard/strike/hammer_string.h"

namespace letoff::keyboard {

inline constexpr double kGrid_s = 1.0 / core::kStrikeGrid_hz;

inline const core::NoteStrings& note_of(int midi) {
    static const core::StringSet set = core::design_strings({});
    return set.notes[static_cast<std::size_t>(core::key_of_midi_note(midi))];
}

inline core::NoteStrings without_losses(core::NoteStrings note) {
    for (core::StringModes& m : note.set) std::fill(m.sigma_1ps.begin(), m.sigma_1ps.end(), 0.0);
    note.hammer_b_Ns_m3 = 0;
    return note;
}

struct Blow {
    HammerOnStringState state;
    HammerState hammer;
    std::vector<double> force_N;
    StringContact contact;
    double contact_ms() const {
        return 1e3 * kGrid_s * static_cast<double>(contact.last_sample - contact.first_sample + 1);
    }
};

/// The head alone, thrown from 0.1 mm below the strings; ticks of `tick` grid intervals until the contact has ended.
inline Blow blow(const HammerOnString& model, const core::NoteStrings& note, double speed_mps, int tick = 24) {
    Blow b{model.at_rest(), {-1e-4, speed_mps, note.hammer_mass_kg, 0}, {}, {}};
    while (!HammerOnString::take_contact(b.state, b.contact) && b.force_N.size() < 9600) {
        b.force_N.resize(b.force_N.size() + static_cast<std::size_t>(tick));
        model.step(b.state, b.hammer, tick, &b.force_N[b.force_N.size() - static_cast<std::size_t>(tick)]);
    }
    return b;
}

/// Power-weighted mean frequency of the strings' force on the bridge after the blow.
inline double bridge_centroid_hz(const HammerOnString& model, const core::NoteStrings& note, const Blow& b) {
    double weighted = 0, sum = 0;
    std::size_t j = 0;
    for (int s = 0; s < note.sets; ++s) {
        for (const double bridge : note.set[static_cast<std::size_t>(s)].bridge_N_per_m) {
            const ModePhasors& z = b.state.modes[j / core::kLanes];
            const std::size_t lane = j % core::kLanes;
            const double power =
                bridge * bridge * (z.re.lane[lane] * z.re.lane[lane] + z.im.lane[lane] * z.im.lane[lane]);
            weighted += power * model.omega_radps()[j++] / (2 * core::kPi);
            sum += power;
        }
    }
    return weighted / sum;
}

/// Mean frequency of the contact force's spectrum up to 10 kHz.
inline double force_centroid_hz(const std::vector<double>& force_N) {
    double weighted = 0, sum = 0;
    for (int f_hz = 50; f_hz < 10000; f_hz += 50) {
        const double f = f_hz;
        std::complex<double> x = 0;
        for (std::size_t i = 0; i < force_N.size(); ++i)
            x += force_N[i] * std::polar(1.0, -2 * core::kPi * f * kGrid_s * static_cast<double>(i));
        weighted += f * std::abs(x);
        sum += std::abs(x);
    }
    return weighted / sum;
}

inline std::uint64_t hash_of(const Blow& b) {
    core::Hash hash;
    for (const double f : b.force_N) hash.add(f);
    for (const ModePhasors& z : b.state.modes) {
        for (int i = 0; i < core::kLanes; ++i) {
            hash.add(z.re.lane[i]);
            hash.add(z.im.lane[i]);
        }
    }
    for (const double x : {b.hammer.position_m, b.hammer.speed_mps, b.state.string_m}) hash.add(x);
    return hash.value();
}

}  // namespace letoff::keyboard
