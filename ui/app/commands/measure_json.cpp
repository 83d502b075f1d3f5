#include <fmt/format.h>

#include <cmath>

#include "core/unit/key_name.h"
#include "ui/app/commands/measure_report.h"
#include "ui/app/commands/told_figure.h"

namespace letoff::ui {
namespace {

using keyboard::KeyReport;
using Json = nlohmann::ordered_json;

/// A figure as a technician writes it down: no digits that mean nothing.
double mm(double metres) {
    return std::round(metres * 1e6) / 1e3;
}
double digits(double value, double unit) {
    return std::round(value / unit) * unit;
}
double four(double value) {
    return std::round(value * 1e4) / 1e4;
}
double two(double value) {
    return std::round(value * 1e2) / 1e2;
}
double micro(double value) {
    return std::round(value * 1e6) / 1e6;
}

void put_time(Json& json, const char* name, double seconds) {
    if (std::isfinite(seconds)) json[name] = std::round(seconds * 1e7) / 1e7;
}

Json energy_json(const keyboard::StrokeEnergy& energy) {
    const keyboard::EnergyBalance& b = energy.balance;
    const double front_rail_J = b.felts_J[keyboard::kKeyFrontRail];
    Json json;
    json["work_J"] = micro(b.work_J);
    json["hammer_J"] = micro(energy.hammer_J);
    json["strings_J"] = micro(energy.strings_keep_J);
    json["hammer_felt_J"] = micro(b.strings_J - energy.strings_keep_J);
    json["front_rail_J"] = micro(front_rail_J);
    json["other_felts_J"] = micro(b.felts_total_J() - front_rail_J);
    json["rubbing_J"] = micro(b.rubbing_total_J());
    json["pivots_J"] = micro(b.pivots_total_J());
    json["stored_J"] = micro(b.stored_J);
    json["residual_J"] = digits(b.residual_J(), 1e-9);
    return json;
}

Json stroke_json(const keyboard::TouchReport& touch, bool by_hammer) {
    const keyboard::PlayedStroke& s = touch.stroke;
    Json json;
    json["touch"] = touch.touch;
    json["hammer_speed_mps"] = by_hammer ? Json(four(s.hammer_speed_mps)) : Json();
    put_time(json, "travel_time_s", s.strike_s);
    put_time(json, "key_bottom_minus_strike_s", s.key_bottom_s - s.strike_s);
    put_time(json, "escapement_minus_strike_s", s.escapement_s - s.strike_s);
    put_time(json, "damper_off_minus_strike_s", s.damper_off_s - s.strike_s);
    put_time(json, "string_contact_s", s.string_contact_s);
    json["key_peak_speed_mps"] = four(s.key_peak_mps);
    json["energy"] = energy_json(touch.energy);
    return json;
}

Json curve_json(const keyboard::ForceCurve& curve) {
    Json json;
    json["dip_mm"] = json["down_N"] = json["up_N"] = Json::array();
    for (size_t i = 0; i < curve.dip_m.size(); ++i) {
        json["dip_mm"].push_back(mm(curve.dip_m[i]));
        json["down_N"].push_back(four(curve.down_N[i]));
        json["up_N"].push_back(four(curve.up_N[i]));
    }
    return json;
}

Json stanwood_json(const KeyReport& report) {
    const keyboard::StanwoodWeights& w = report.stanwood;
    Json json;
    json["front_weight_g"] = two(w.front_weight_g);
    json["strike_weight_g"] = two(w.strike_weight_g);
    json["strike_weight_ratio"] = four(w.strike_weight_ratio);
    json["wippen_weight_g"] = two(w.wippen_weight_g);
    json["key_ratio"] = four(w.key_ratio);
    json["wippen_balance_weight_g"] = two(w.wippen_balance_weight_g());
    json["imbalance_g"] = two(w.imbalance_g(report.touchweight));
    return json;
}

Json damper_json(const keyboard::DamperTiming& d) {
    Json json;
    json["key_pick_up_mm"] = mm(d.key_pick_up_m);
    json["key_clear_mm"] = mm(d.key_clear_m);
    json["key_lift_mm"] = mm(d.key_lift_m);
    json["hammer_share"] = four(d.hammer_share);
    json["pedal_pick_up_mm"] = mm(d.pedal_pick_up_m);
    json["pedal_clear_mm"] = mm(d.pedal_clear_m);
    json["pedal_lift_mm"] = mm(d.pedal_lift_m);
    return json;
}

Json tests_json(const KeyReport& report) {
    Json json;
    json["jack"] = {{"behind_core_mm", mm(report.jack.behind_core_m)},
                    {"lever_share", four(report.jack.lever_share)},
                    {"wink_mm", mm(report.jack.wink_m)},
                    {"returns", report.jack.returns}};
    if (report.jack.returns) put_time(json["jack"], "return_s", report.jack.return_s);
    const keyboard::Blocking& b = report.blocking;
    json["blocking"] = {{"slow", b.slow()},
                        {"hard", b.hard()},
                        {"slow_gap_mm", mm(b.slow_gap_m)},
                        {"hard_contact_s", micro(b.hard_contact_s)},
                        {"hard_strikes", b.hard_strikes}};
    const keyboard::SpringRise& s = report.spring;
    json["repetition_spring"] = {{"held", s.held}};
    if (s.held) {
        json["repetition_spring"]["rise_mm"] = mm(s.rise_m);
        json["repetition_spring"]["rise_speed_mps"] = four(s.rise_speed_mps);
        json["repetition_spring"]["release_dip_mm"] = mm(s.release_dip_m);
        json["repetition_spring"]["strikes_again"] = s.strikes_again;
    }
    return json;
}

Json soft_json(const keyboard::SoftControl& control) {
    Json json;
    json["softest_mps"] = four(control.softest_mps);
    json["silent"] = control.silent;
    json["off"] = four(control.off());
    json["spread"] = four(control.spread());
    json["asked_mps"] = json["got_mps"] = Json::array();
    for (const keyboard::SoftNote& note : control.notes) {
        json["asked_mps"].push_back(four(note.asked_mps));
        Json got = Json::array();
        for (const double speed : note.got_mps) got.push_back(four(speed));
        json["got_mps"].push_back(std::move(got));
    }
    return json;
}

Json playing_json(const keyboard::PlayingReport& playing) {
    const keyboard::DoubleStrikes d = keyboard::count_double_strikes(playing.trials);
    Json json;
    json["double_strikes"] = {{"fingers", d.fingers},
                              {"struck", d.struck},
                              {"doubled", d.doubled},
                              {"doubled_below_0.3_mps", d.doubled_soft},
                              {"which", Json::array()}};
    const std::vector<core::FingerProfile> library = core::finger_library();
    for (size_t i = 0; i < playing.trials.size(); ++i) {
        const keyboard::FingerTrial& t = playing.trials[i];
        if (!t.doubled()) continue;
        json["double_strikes"]["which"].push_back({{"finger", library[i].name()},
                                                   {"hammer_speed_mps", four(t.first_mps)},
                                                   {"double_speed_mps", four(t.double_mps)},
                                                   {"after_s", four(t.double_after_s)}});
    }
    json["repetition_fingers_13_hz"] = playing.repetition_fingers;
    json["soft"] = soft_json(playing.soft);
    json["soft_from_escapement"] = soft_json(playing.soft_from_escapement);
    return json;
}

}  // namespace

Json measured_key_json(const MeasuredKey& key) {
    const KeyReport& report = key.report;
    const keyboard::Regulation& r = report.regulation;
    Json json;
    json["key"] = key.key_index + 1;
    json["name"] = core::key_name(key.key_index);
    const keyboard::Touchweight& t = report.touchweight;
    const FiguresTold told{report.has_let_off};
    told.put(json, "down_weight_g", t.down_weight_g);
    told.put(json, "up_weight_g", t.up_weight_g);
    told.put(json, "friction_g", t.friction_g());
    told.put(json, "balance_weight_g", t.balance_weight_g());
    json["key_dip_mm"] = mm(r.key_dip_m);
    const auto put_of_hammer = [&](const char* name, double value) {
        json[name] = report.speech ? Json() : Json(value);
    };
    put_of_hammer("blow_distance_mm", mm(r.blow_m));
    told.put(json, "let_off_mm", mm(r.let_off_m));
    told.put(json, "drop_mm", mm(r.drop_m));
    told.put(json, "aftertouch_mm", mm(r.aftertouch_m));
    put_of_hammer("lost_motion_mm", mm(r.lost_motion_m));
    put_of_hammer("head_to_key_ratio", four(r.head_to_key_ratio));
    if (report.speech) {
        json["speaks_dip_mm"] = mm(report.speech->dip_m);
        json["speaks_N"] = four(report.speech->force_N);
        json["speaks_again_from_mm"] = mm(report.speech->resets_m);
    }
    if (report.check_distance_m > 0) json["check_distance_mm"] = mm(report.check_distance_m);
    if (r.damper_pick_up_m > 0) {
        json["damper_pick_up_mm"] = mm(r.damper_pick_up_m);
        json["damper_adds_N"] = four(report.force.damper_adds_N);
        json["damper"] = damper_json(report.damper);
        if (report.speech) json["damper"]["hammer_share"] = nullptr;
        if (report.damper.pedal_pick_up_m == 0) {  // no pedal reaches it
            for (const char* name : {"pedal_pick_up_mm", "pedal_clear_mm", "pedal_lift_mm"})
                json["damper"][name] = nullptr;
        }
    }
    json["equivalent_mass_kg"] = four(report.equivalent_mass_kg);
    json["stroke_mass_kg"] = four(report.force.stroke_mass_kg);
    json["stanwood"] = report.has_parts ? stanwood_json(report) : Json();
    json["technician"] = report.has_parts ? tests_json(report) : Json();
    if (report.repetition.strikes_hz > 0) {
        json["max_repetition_hz"] = report.repetition.strikes_hz;
        json["repetition_lift_mm"] = mm(report.repetition_lift_m);
    }
    if (report.repetition.strikes_hz == 0 && !report.has_parts) {
        json["max_repetition_hz"] = nullptr;
        json["max_repetition_note"] = fmt::format(
            "at no rate from 20 down to 4.25 Hz, lifted {} mm, does every press strike", mm(report.repetition_lift_m));
    }
    if (report.repetition.caught_hz > 0) json["max_repetition_caught_hz"] = report.repetition.caught_hz;
    if (report.small_lift.strikes_hz > 0) json["max_repetition_4_mm_hz"] = report.small_lift.strikes_hz;
    json["strokes"] = Json::array();
    for (const keyboard::TouchReport& touch : report.strokes) {
        json["strokes"].push_back(stroke_json(touch, !report.speech));
        if (!report.has_parts) json["strokes"].back()["energy"] = nullptr;
    }
    json["force_curve"] = curve_json(report.force.curve);
    if (report.playing) json["playing"] = playing_json(*report.playing);
    return json;
}

}  // namespace letoff::ui
