#include "ui/app/render_report.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <string_view>
#include <utility>

#include "core/midi/velocity.h"

namespace letoff::ui {
namespace {

/// One JSON object on one line. Numbers are the shortest that read back to the same bits, in any locale; what is not
/// finite is null, since JSON has no word for it.
class JsonLine {
  public:
    void number(std::string_view name, double value) {
        begin(name);
        if (!std::isfinite(value)) {
            text_ += "null";
            return;
        }
        std::array<char, 32> digits;
        const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
        text_.append(digits.data(), end);
    }
    void boolean(std::string_view name, bool value) {
        begin(name);
        text_ += value ? "true" : "false";
    }
    std::string finish() { return std::exchange(text_, {}) + "}\n"; }

  private:
    void begin(std::string_view name) {
        text_ += text_.empty() ? "{\"" : ",\"";
        text_ += name;
        text_ += "\":";
    }
    std::string text_;
};

constexpr double kNull = std::numeric_limits<double>::quiet_NaN();

/// `strike` and `note`: either may be missing, not both.
std::string event_line(int key_index, const keyboard::NoteOutcome* note, const core::Strike* strike) {
    const double speed_mps = strike != nullptr ? strike->hammer_speed_mps : kNull;
    JsonLine line;
    line.number("key", key_index + 1);
    line.number("note_time_s", note != nullptr ? note->note_time_s : kNull);
    line.number("note_velocity", note != nullptr ? note->note_velocity : kNull);
    line.number("strike_time_s", strike != nullptr ? strike->strike_time_s : kNull);
    line.number("hammer_speed_mps", strike != nullptr && strike->by_hammer ? speed_mps : kNull);
    line.number("escapement_time_s", strike != nullptr ? strike->escapement_time_s : kNull);
    line.number("key_bottom_time_s", strike != nullptr ? strike->key_bottom_time_s : kNull);
    line.number("midi_velocity", strike != nullptr ? core::midi_velocity_of_speed(speed_mps) : kNull);
    line.number("velocity_14bit", strike != nullptr ? core::velocity_14bit_of_speed(speed_mps) : kNull);
    line.number("note_shortened_ms", note != nullptr ? note->note_shortened_ms : kNull);
    if (note != nullptr) line.boolean("repetition", note->repetition);
    return line.finish();
}

}  // namespace

std::string events_as_json_lines(const PlayedEvents& events) {
    std::vector<std::pair<double, std::string>> lines;
    lines.reserve(events.notes.size() + events.extra_strikes.size());
    for (const keyboard::NoteOutcome& note : events.notes) {
        lines.emplace_back(note.note_time_s, event_line(note.key_index, &note, note.struck ? &note.strike : nullptr));
    }
    for (const core::Strike& strike : events.extra_strikes) {
        lines.emplace_back(strike.strike_time_s, event_line(strike.key_index, nullptr, &strike));
    }
    std::stable_sort(lines.begin(), lines.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    std::string text;
    for (const auto& line : lines) text += line.second;
    return text;
}

core::Performance strikes_as_performance(const PlayedEvents& events, const core::Performance& from) {
    std::array<std::vector<core::Strike>, core::kKeyCount> strikes;
    std::array<std::vector<core::Release>, core::kKeyCount> releases;
    for (const keyboard::NoteOutcome& note : events.notes) {
        if (note.struck) strikes[static_cast<std::size_t>(note.key_index)].push_back(note.strike);
    }
    for (const core::Strike& s : events.extra_strikes) strikes[static_cast<std::size_t>(s.key_index)].push_back(s);
    for (const core::Release& r : events.releases) releases[static_cast<std::size_t>(r.key_index)].push_back(r);

    core::Performance played;
    played.sustain = from.sustain;
    played.sostenuto = from.sostenuto;
    played.soft = from.soft;
    played.end_s = from.end_s;
    for (std::size_t key = 0; key < strikes.size(); ++key) {
        const auto earlier = [](const core::Strike& a, const core::Strike& b) {
            return a.strike_time_s < b.strike_time_s;
        };
        std::stable_sort(strikes[key].begin(), strikes[key].end(), earlier);
        for (std::size_t i = 0; i < strikes[key].size(); ++i) {
            const core::Strike& strike = strikes[key][i];
            const bool again = i + 1 < strikes[key].size();
            // A key struck again before its damper fell has no release of its own: it ends where the next begins.
            const double limit_s =
                again ? strikes[key][i + 1].strike_time_s : std::max(from.end_s, strike.strike_time_s);
            const auto release = std::find_if(releases[key].begin(), releases[key].end(), [&](const core::Release& r) {
                return r.time_s >= strike.strike_time_s && (!again || r.time_s <= limit_s);
            });
            core::PerformedNote note;
            note.key_index = static_cast<int>(key);
            note.on_time_s = std::max(0.0, strike.strike_time_s);
            note.velocity_14bit = core::velocity_14bit_of_speed(strike.hammer_speed_mps);
            note.velocity = core::velocity_7bit_of(*note.velocity_14bit);
            note.off_time_s = std::max(note.on_time_s, limit_s);
            if (release != releases[key].end()) {
                note.off_time_s = std::max(note.on_time_s, release->time_s);
                note.release_velocity_14bit =
                    core::velocity_14bit_of_speed(core::kHammerPerKey * release->key_speed_mps);
                note.release_velocity = core::velocity_7bit_of(*note.release_velocity_14bit);
            }
            played.end_s = std::max(played.end_s, note.off_time_s);
            played.notes.push_back(note);
        }
    }
    std::stable_sort(played.notes.begin(), played.notes.end(),
                     [](const auto& a, const auto& b) { return a.on_time_s < b.on_time_s; });
    return played;
}

double percentile(std::vector<double> values, double share) {
    if (values.empty()) return 0;
    std::sort(values.begin(), values.end());
    const double rank = std::ceil(share * static_cast<double>(values.size()));
    const auto index = static_cast<std::size_t>(std::max(1.0, rank)) - 1;
    return values[std::min(index, values.size() - 1)];
}

StrikeStatistics strike_statistics(std::span<const keyboard::NoteOutcome> notes) {
    constexpr double kQuarter_ms = 0.25;
    StrikeStatistics out;
    std::vector<double> late_ms, error_percent;
    int within = 0;
    for (const keyboard::NoteOutcome& note : notes) {
        if (note.note_shortened_ms > 0) ++out.shortened_notes;
        ++(note.repetition ? out.repetitions : out.ordinary_notes);
        if (!note.struck) ++(note.repetition ? out.missed_repetitions : out.missed_ordinary);
        if (!note.struck || note.repetition) continue;
        const double asked_mps = core::speed_mps_of_midi_velocity(note.note_velocity);
        late_ms.push_back(std::abs(note.strike.strike_time_s - note.note_time_s) * 1e3);
        if (note.strike.by_hammer)
            error_percent.push_back(std::abs(note.strike.hammer_speed_mps / asked_mps - 1) * 100);
        if (late_ms.back() <= kQuarter_ms) ++within;
    }
    if (out.ordinary_notes > 0) out.ordinary_within_quarter_ms_share = static_cast<double>(within) / out.ordinary_notes;
    out.strike_minus_note_p50_ms = percentile(late_ms, 0.50);
    out.strike_minus_note_p99_ms = percentile(late_ms, 0.99);
    out.strike_minus_note_max_ms = percentile(late_ms, 1.00);
    out.speed_error_p50_percent = percentile(error_percent, 0.50);
    out.speed_error_p99_percent = percentile(error_percent, 0.99);
    out.speed_error_max_percent = percentile(error_percent, 1.00);
    return out;
}

}  // namespace letoff::ui
