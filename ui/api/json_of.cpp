#include "ui/api/json_of.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "core/fault/fault.h"

namespace letoff::ui {
namespace {

/// Seven digits are finer than any screen.
double seven(double value) {
    if (value == 0 || !std::isfinite(value)) return 0;
    const double scale = std::pow(10.0, 6 - std::floor(std::log10(std::abs(value))));
    return std::round(value * scale) / scale;
}

Json numbers(const std::vector<double>& values, double unit) {
    Json json = Json::array();
    for (const double value : values) json.push_back(seven(value / unit));
    return json;
}

Json mm(core::Point point) {
    return Json::array({seven(point.x_m * 1e3), seven(point.y_m * 1e3)});
}

constexpr const char* name_of(core::Live live) {
    switch (live) {
        case core::Live::kNobody:
            return "start";
        case core::Live::kTechnician:
            return "technician";
        case core::Live::kPlayer:
            return "player";
    }
    return "start";
}

}  // namespace

Json json_of(const core::Row& row) {
    Json json{
        {"id", row.id},           {"unit", row.unit},          {"default", row.default_value}, {"minimum", row.minimum},
        {"maximum", row.maximum}, {"live", name_of(row.live)}, {"sentence", row.sentence}};
    if (!row.choices.empty()) json["choices"] = row.choices;
    return json;
}

Json json_of(const core::RowValue& v) {
    return {{"row", v.row->id}, {"value", v.value}, {"saved", v.saved}, {"factory", v.factory}, {"own", v.own}};
}

Json json_of(const core::DraftState& s) {
    return {{"profile", s.profile},         {"saved_revision", s.saved_revision},
            {"revision", s.revision},       {"unsaved", s.unsaved},
            {"plays_saved", s.plays_saved}, {"undoable", s.undoable},
            {"redoable", s.redoable},       {"last", s.last},
            {"elsewhere", s.elsewhere}};
}

Json json_of(const core::DraftResult& result) {
    return {{"draft", json_of(result.state)}, {"conflict", result.conflict}, {"sentence", result.sentence}};
}

Json json_of(const core::ProfileEntry& e) {
    return {{"name", e.name},
            {"action", e.action},
            {"notes", e.notes},
            {"revision", e.revision},
            {"saved_unix_s", e.saved_unix_s},
            {"factory", e.factory}};
}

Json json_of(const core::RevisionEntry& e) {
    return {{"number", e.number},
            {"saved_unix_s", e.saved_unix_s},
            {"how", e.how},
            {"note", e.note},
            {"changed_values", e.changed_values}};
}

Json json_of(const core::Difference& d) {
    return {{"key", d.key}, {"row", d.row}, {"before", d.before}, {"after", d.after}};
}

Json json_of(const core::MeasuredKeyFigures& m) {
    Json json{{"key", m.key}, {"figures", Json::object()}};
    for (const core::NamedFigure& figure : m.figures) {
        Json& to = json["figures"][figure.id];
        to = {{"value", figure.why_not.empty() ? Json(seven(figure.value)) : Json()}, {"unit", figure.unit}};
        if (!figure.why_not.empty()) to["why"] = figure.why_not;
    }
    if (!m.fault.empty()) json["fault"] = m.fault;
    return json;
}

Json json_of(const core::MeasuredCurve& c) {
    return {{"dip_mm", numbers(c.dip_m, 1e-3)}, {"down_N", numbers(c.down_N, 1)}, {"up_N", numbers(c.up_N, 1)}};
}

Json json_of(const core::Range& r) {
    return {{"low", seven(r.low)}, {"high", seven(r.high)}, {"below", r.below}, {"above", r.above}};
}

Json json_of(const core::ActionDrawing& d) {
    Json json{{"bodies", Json::array()}, {"shapes", Json::array()}, {"contacts", Json::array()}};
    for (const core::Body& body : d.bodies) {
        json["bodies"].push_back({{"name", body.name},
                                  {"parent", body.parent},
                                  {"guided", body.guided},
                                  {"pivot", mm(body.pivot)},
                                  {"guide", Json::array({body.guide.x_m, body.guide.y_m})}});
    }
    for (const core::ActionDrawing::Shape& shape : d.shapes) {
        Json outline = Json::array();
        for (const core::Point& point : shape.outline) outline.push_back(mm(point));
        json["shapes"].push_back({{"body", shape.body}, {"kind", shape.kind}, {"outline", std::move(outline)}});
    }
    for (const core::ActionDrawing::Spot& spot : d.contacts)
        json["contacts"].push_back({{"body", spot.body}, {"name", spot.name}, {"at", mm(spot.at)}});
    json["box"] = numbers({d.left_m, d.bottom_m, d.right_m, d.top_m}, 1e-3);
    json["rest"] = numbers(d.rest, 1);
    json["moves"] = d.moves;
    return json;
}

Json json_of(const core::Health& h) {
    Json json{{"played_s", h.played_s},
              {"ticks", h.ticks},
              {"late_ours", h.late_ours},
              {"late_hosts", h.late_hosts},
              {"skipped_ticks", h.skipped_ticks},
              {"tick_us", h.tick_us},
              {"tick_p50_us", h.tick_p50_us},
              {"tick_p999_us", h.tick_p999_us},
              {"tick_max_us", h.tick_max_us},
              {"audio", h.audio},
              {"audio_device", h.audio_device},
              {"rate_hz", h.rate_hz},
              {"frames", h.frames},
              {"xruns", h.xruns},
              {"delay_ms", h.delay_ms},
              {"notes", h.notes},
              {"strikes", h.strikes},
              {"silent", h.silent},
              {"sleeping_keys", h.sleeping_keys},
              {"tick_times", Json::array()},
              {"black_box", h.black_box},
              {"faults", Json::object()},
              {"messages", h.messages}};
    for (const core::Histogram::Bin& bin : h.tick_times)
        json["tick_times"].push_back({seven(bin.from_us), seven(bin.to_us), bin.count});
    json["fault_says"] = Json::object();
    for (const auto& [name, count] : h.faults) {
        json["faults"][name] = count;
        for (const core::FaultRow& row : core::fault_table()) {
            if (row.name == name) json["fault_says"][name] = row.sentence;
        }
    }
    return json;
}

Json json_of(const core::Finding& f) {
    return {{"level", core::level_name(f.level)}, {"check", f.check}, {"says", f.says}, {"fix", f.fix}};
}

Json json_of(const core::DeviceState& s) {
    Json json{{"entries", Json::array()}, {"sound", s.sound},        {"midi_in", s.midi_in},
              {"midi_out", s.midi_out},   {"motors", Json::array()}, {"motors_say", s.motors_say}};
    for (const core::DeviceEntry& e : s.entries) {
        const char* kind = e.kind == core::DeviceKind::kSound    ? "sound"
                           : e.kind == core::DeviceKind::kMidiIn ? "midi_in"
                                                                 : "midi_out";
        json["entries"].push_back({{"kind", kind},
                                   {"choice", e.choice},
                                   {"name", e.name},
                                   {"says", e.says},
                                   {"why_not", e.why_not},
                                   {"used", e.used}});
    }
    for (const core::MotorKeyboard& m : s.motors) {
        json["motors"].push_back({{"serial", m.serial},
                                  {"state", m.state},
                                  {"why", m.why},
                                  {"calibrated", m.calibrated},
                                  {"fallen", m.fallen},
                                  {"first_key", m.first_key},
                                  {"keys", m.keys},
                                  {"keys_out", m.keys_out},
                                  {"drifting", m.drifting},
                                  {"round_trip_ms", seven(m.round_trip_ms)},
                                  {"clock_ppm", seven(m.clock_ppm)},
                                  {"frames", m.frames},
                                  {"missing", m.missing},
                                  {"corrupt", m.corrupt},
                                  {"late", m.late},
                                  {"falls", m.falls},
                                  {"warmest_C", seven(m.warmest_C)}});
    }
    return json;
}

Json json_of(const core::RecordingEntry& r) {
    return {{"name", r.name},
            {"profile", r.profile},
            {"profile_revision", r.profile_revision},
            {"created_unix_s", r.created_unix_s},
            {"length_s", r.length_s},
            {"strikes", r.strikes},
            {"lost", r.lost},
            {"ended", r.ended}};
}

Json json_of(const core::RecorderState& s) {
    return {
        {"recordings", json_of(s.recordings)},  {"captured", json_of(s.captured)}, {"recording", s.recording},
        {"recorded_s", s.recorded_s},           {"replaying", s.replaying},        {"replayed_s", s.replayed_s},
        {"replay_length_s", s.replay_length_s}, {"exporting", s.exporting},        {"export_share", s.export_share},
        {"export_file", s.export_file},         {"export_bytes", s.export_bytes},  {"export_error", s.export_error}};
}

Json json_of(float value) {
    return seven(static_cast<double>(value));
}

std::string base64(std::string_view bytes) {
    constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string text;
    text.reserve((bytes.size() + 2) / 3 * 4);
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        const std::size_t have = std::min<std::size_t>(3, bytes.size() - i);
        std::uint32_t three = 0;
        for (std::size_t b = 0; b < 3; ++b)
            three = three << 8 | (b < have ? static_cast<unsigned char>(bytes[i + b]) : 0U);
        for (std::size_t d = 0; d < 4; ++d) text += d <= have ? kDigits[three >> (18 - 6 * d) & 63] : '=';
    }
    return text;
}

}  // namespace letoff::ui
