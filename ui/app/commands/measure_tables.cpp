#include <fmt/format.h>

#include <string>

#include "core/unit/key_name.h"
#include "ui/app/commands/measure_report.h"
#include "ui/app/commands/told_figure.h"

namespace letoff::ui {
namespace {

using keyboard::KeyReport;

constexpr double kMilli = 1e3;

std::string rate_text(double hz) {
    return hz > 0 ? fmt::format("{:.2f}", hz) : "none";
}

void print_regulation(std::span<const MeasuredKey> keys) {
    fmt::print("{:>5} {:>6} {:>6} {:>6} {:>6} {:>6} {:>6} {:>6} {:>6} {:>6} {:>6} {:>7} {:>6} {:>7}\n", "key", "DW",
               "UW", "frict", "dip", "blow", "letoff", "drop", "after", "lost", "check", "mass", "ratio", "repeats");
    fmt::print("{:>5} {:>6} {:>6} {:>6} {:>6} {:>6} {:>6} {:>6} {:>6} {:>6} {:>6} {:>7} {:>6} {:>7}\n", "", "g", "g",
               "g", "mm", "mm", "mm", "mm", "mm", "mm", "mm", "kg", "m/m", "Hz");
    for (const MeasuredKey& key : keys) {
        const KeyReport& k = key.report;
        const keyboard::Regulation& r = k.regulation;
        const std::string check = k.check_distance_m > 0 ? fmt::format("{:.1f}", k.check_distance_m * kMilli) : "none";
        const auto of_hammer = [&k](double value, int digits) {
            return k.speech ? std::string("none") : fmt::format("{:.{}f}", value, digits);
        };
        const FiguresTold told{k.has_let_off};
        fmt::print("{:>5} {:>6} {:>6} {:>6} {:>6.2f} {:>6} {:>6} {:>6} {:>6} {:>6} {:>6} {:>7.3f} {:>6} {:>7}\n",
                   core::key_name(key.key_index), told.text("down_weight_g", k.touchweight.down_weight_g, 1),
                   told.text("up_weight_g", k.touchweight.up_weight_g, 1),
                   told.text("friction_g", k.touchweight.friction_g(), 2), r.key_dip_m * kMilli,
                   of_hammer(r.blow_m * kMilli, 1), told.text("let_off_mm", r.let_off_m * kMilli, 2),
                   told.text("drop_mm", r.drop_m * kMilli, 2), told.text("aftertouch_mm", r.aftertouch_m * kMilli, 2),
                   of_hammer(r.lost_motion_m * kMilli, 2), check, k.equivalent_mass_kg,
                   of_hammer(r.head_to_key_ratio, 2), rate_text(k.repetition.strikes_hz));
    }
}

void print_weights_and_tests(std::span<const MeasuredKey> keys) {
    fmt::print("\n{:>5} | {:<41} | {:<26} | {:<22} | {:<13} | {:<11}\n", "", "Stanwood: weights in g", "jack at rest",
               "spring from check", "damper, mm", "blocks in a");
    fmt::print(
        "{:>5} | {:>6} {:>6} {:>6} {:>6} {:>6} {:>6} | {:>6} {:>6} {:>5} {:>6} | {:>6} {:>6} {:>8} | {:>6} {:>6} | "
        "{:>5} {:>5}\n",
        "key", "front", "strike", "ratio", "wippen", "WBW", "over", "behind", "lever", "wink", "comes", "rise", "m/s",
        "strikes", "key", "pedal", "slow", "hard");
    for (const MeasuredKey& key : keys) {
        const KeyReport& k = key.report;
        const keyboard::StanwoodWeights& w = k.stanwood;
        const bool damped = k.damper.damped;
        fmt::print(
            "{:>5} | {:>6.1f} {:>6.2f} {:>6.2f} {:>6.2f} {:>6.2f} {:>6.2f} | {:>6.2f} {:>5.0f}% {:>5.2f} {:>6} | "
            "{:>6} {:>6} {:>8} | {:>6} {:>6} | {:>5} {:>5}\n",
            core::key_name(key.key_index), w.front_weight_g, w.strike_weight_g, w.strike_weight_ratio,
            w.wippen_weight_g, w.wippen_balance_weight_g(), w.imbalance_g(k.touchweight), k.jack.behind_core_m * kMilli,
            100 * k.jack.lever_share, k.jack.wink_m * kMilli, k.jack.returns ? "back" : "not",
            k.spring.held ? fmt::format("{:.1f}", k.spring.rise_m * kMilli) : "-",
            k.spring.held ? fmt::format("{:.2f}", k.spring.rise_speed_mps) : "-",
            k.spring.strikes_again ? "again" : "no",
            damped ? fmt::format("{:.2f}", k.damper.key_pick_up_m * kMilli) : "none",
            damped ? fmt::format("{:.2f}", k.damper.pedal_pick_up_m * kMilli) : "none",
            k.blocking.slow() ? "yes" : "no", k.blocking.hard() ? "yes" : "no");
    }
}

void print_strokes(const KeyReport& report) {
    fmt::print("\n{:>5} {:>8} {:>10} {:>22} {:>22} {:>18} {:>14} {:>12}\n", "touch", "m/s", "travel ms",
               "key bottom - strike ms", "escapement - strike ms", "damper - strike ms", "on strings ms", "key m/s");
    for (const keyboard::TouchReport& touch : report.strokes) {
        const keyboard::PlayedStroke& s = touch.stroke;
        const double damper_ms = (s.damper_off_s - s.strike_s) * kMilli;
        fmt::print("{:>5} {:>8} {:>10.1f} {:>22.1f} {:>22.1f} {:>18} {:>14.2f} {:>12.2f}\n", touch.touch,
                   report.speech ? std::string("none") : fmt::format("{:.2f}", s.hammer_speed_mps), s.strike_s * kMilli,
                   (s.key_bottom_s - s.strike_s) * kMilli, (s.escapement_s - s.strike_s) * kMilli,
                   damper_ms == damper_ms ? fmt::format("{:.1f}", damper_ms) : "none", s.string_contact_s * kMilli,
                   s.key_peak_mps);
    }
    if (!report.has_parts) return;  // its energies are not followed
    fmt::print("\n{:>5} {:>10} {:>10} {:>10} {:>12} {:>12} {:>12} {:>10} {:>10}   energy of the stroke, mJ\n", "touch",
               "finger", "hammer", "strings", "hammer felt", "front rail", "other felts", "rubbing", "pivots");
    for (const keyboard::TouchReport& touch : report.strokes) {
        const keyboard::EnergyBalance& b = touch.energy.balance;
        const double rail_J = b.felts_J[keyboard::kKeyFrontRail], keep_J = touch.energy.strings_keep_J;
        fmt::print("{:>5} {:>10.2f} {:>10.2f} {:>10.2f} {:>12.2f} {:>12.2f} {:>12.2f} {:>10.2f} {:>10.2f}\n",
                   touch.touch, b.work_J * kMilli, touch.energy.hammer_J * kMilli, keep_J * kMilli,
                   (b.strings_J - keep_J) * kMilli, rail_J * kMilli, (b.felts_total_J() - rail_J) * kMilli,
                   b.rubbing_total_J() * kMilli, b.pivots_total_J() * kMilli);
    }
}

void print_speech(std::span<const MeasuredKey> keys) {
    fmt::print("\n{:>5} {:>10} {:>10} {:>16}   without a hammer\n", "key", "speaks mm", "at N", "again from mm");
    for (const MeasuredKey& key : keys) {
        if (!key.report.speech) continue;
        const keyboard::Speech& s = *key.report.speech;
        fmt::print("{:>5} {:>10.2f} {:>10.3f} {:>16.1f}\n", core::key_name(key.key_index), s.dip_m * kMilli, s.force_N,
                   s.resets_m * kMilli);
    }
}

void print_playing(std::span<const MeasuredKey> keys) {
    fmt::print("\n{:>5} | {:<34} | {:<31} | {:<31} | {:>16}\n", "", "fingers of the library", "ppp from rest",
               "ppp from the escapement", "repeat at 13 Hz");
    fmt::print("{:>5} | {:>8} {:>8} {:>8} {:>7} | {:>8} {:>7} {:>6} {:>7} | {:>8} {:>7} {:>6} {:>7} | {:>16}\n", "key",
               "fingers", "struck", "doubled", "to m/s", "softest", "silent", "off", "spread", "softest", "silent",
               "off", "spread", "of 18 fingers");
    for (const MeasuredKey& key : keys) {
        if (!key.report.playing) continue;
        const keyboard::PlayingReport& p = *key.report.playing;
        const keyboard::DoubleStrikes d = keyboard::count_double_strikes(p.trials);
        const auto soft = [](const keyboard::SoftControl& c) {
            return fmt::format("{:>8.3f} {:>7} {:>5.1f}% {:>6.1f}%", c.softest_mps, c.silent, 100 * c.off(),
                               100 * c.spread());
        };
        fmt::print("{:>5} | {:>8} {:>8} {:>8} {:>7.2f} | {} | {} | {:>16}\n", core::key_name(key.key_index), d.fingers,
                   d.struck, d.doubled, d.fastest_mps, soft(p.soft), soft(p.soft_from_escapement),
                   p.repetition_fingers);
    }
}

}  // namespace

void print_measured(std::span<const MeasuredKey> keys) {
    print_regulation(keys);
    if (!keys.empty() && keys.front().report.has_parts) print_weights_and_tests(keys);
    if (!keys.empty() && keys.front().report.speech) print_speech(keys);
    if (keys.size() == 1) print_strokes(keys.front().report);
    if (!keys.empty() && keys.front().report.playing) print_playing(keys);
}

}  // namespace letoff::ui
