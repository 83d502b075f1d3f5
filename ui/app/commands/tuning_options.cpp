#include "ui/app/commands/tuning_options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <charconv>

#include "core/string/scale.h"
#include "storage/scala.h"
#include "storage/stretch_file.h"

namespace letoff::ui {
namespace {

using core::string_row;
using core::StringValues;

constexpr int kMiddleC = 60;

core::Result<bool> set(StringValues& values, std::size_t row, std::string_view option, std::string_view text) {
    const auto value = core::validate(core::kStringRows[row], text);
    if (!value) {
        std::string why = value.error();
        if (why.ends_with('.')) why.pop_back();
        return core::Error{fmt::format("{}: {}", option, why)};
    }
    values.set_whole(row, value.value());
    return true;
}

/// A temperament in place of what a scale or a temperament of the user's own had made.
void forget_scale(StringValues& values) {
    values.set_whole(string_row("scale_cents"), 0);
    for (std::size_t i = 0; i < core::kPitchClassNames.size(); ++i)
        values.set_whole(string_row("temper_C_cents") + i, 0);
}

core::Result<bool> set_stretch(StringValues& values, const std::string& text) {
    const auto curve = [&](core::StretchCurve which, double amount) {
        values.set_whole(string_row("stretch_curve"), static_cast<double>(which));
        values.set_whole(string_row("stretch"), amount);
        return true;
    };
    if (text == "off") {
        values.set_whole(string_row("stretch"), 0);
        return true;
    }
    if (text == "measured") return curve(core::StretchCurve::kMeasured, 1);
    if (text == "computed") return curve(core::StretchCurve::kComputed, 1);
    double amount = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), amount);
    if (error == std::errc() && end == text.data() + text.size()) {
        curve(core::StretchCurve::kComputed, 0);
        return set(values, string_row("stretch"), "--stretch", text);
    }
    const auto own = storage::read_stretch(text);
    if (!own) {
        return core::Error{fmt::format(
            "--stretch is off, measured, computed, a number of times computed or a file key,cents: {}", own.error())};
    }
    for (std::size_t k = 0; k < own.value().size(); ++k) values.keys[k][string_row("stretch_cents")] = own.value()[k];
    return curve(core::StretchCurve::kOwn, 1);
}

core::Result<bool> set_scale(StringValues& values, const std::string& scala, const std::string& key_map) {
    core::Scale scale{"equal", {}};
    for (int i = 1; i <= 12; ++i) scale.cents.push_back(100.0 * i);
    if (!scala.empty()) {
        auto read = storage::read_scale(scala);
        if (!read) return core::Error{read.error()};
        scale = std::move(read.value());
    }
    const core::Tuning before = core::string_design(values).tuning;
    core::KeyMap map{.middle_midi = kMiddleC + before.root, .reference_hz = before.a4_hz.value_or(440), .degree = {}};
    if (!key_map.empty()) {
        auto read = storage::read_key_map(key_map);
        if (!read) return core::Error{read.error()};
        map = std::move(read.value());
    }
    std::string names;
    for (const std::string* file : {&scala, &key_map}) {
        if (!file->empty()) names += fmt::format("{}'{}'", names.empty() ? "" : ", ", *file);
    }
    const auto tuning = core::with_scale(scale, map, before, names);
    if (!tuning) return core::Error{tuning.error()};
    forget_scale(values);
    values.set_whole(string_row("temperament"), 0);
    values.set_whole(string_row("a4_hz"), *tuning.value().a4_hz);
    for (std::size_t k = 0; k < values.keys.size(); ++k) {
        values.keys[k][string_row("scale_cents")] = tuning.value().scale_cents[k];
        if (tuning.value().silent[k]) values.keys[k][string_row("note_volume_dB")] = core::kSilent_dB;
    }
    return true;
}

}  // namespace

void TuningOptions::add_to(CommandLine& command) {
    command.add_option("--a4", a4_hz, "Pitch of A4, 392 to 466; else as the profile has it")->option_text("HZ");
    command
        .add_option("--temperament", temperament,
                    fmt::format("One of {}; else as the profile has it", fmt::join(core::kTemperamentNames, ", ")))
        ->option_text("NAME");
    command.add_option("--temperament-root", root, "The key that the temperament or scale begins with, C to B")
        ->option_text("NOTE");
    command
        .add_option("--stretch", stretch,
                    "Octaves wider than 2:1: off, measured (on a grand), computed (from the strings' inharmonicity), a "
                    "number of times that, or a file with lines key,cents")
        ->option_text("X|FILE.csv");
    command.add_option("--scala", scala, "A scale in the program Scala's format; without stretch, unless asked for")
        ->option_text("FILE.scl");
    command.add_option("--kbm", key_map, "Scala's keyboard map: which keys have which degrees, and how high")
        ->option_text("FILE.kbm");
}

bool TuningOptions::any() const {
    return a4_hz || !temperament.empty() || !root.empty() || !stretch.empty() || !scala.empty() || !key_map.empty();
}

std::string TuningOptions::problem() const {
    if (a4_hz && !key_map.empty()) return "--a4 and --kbm both say how high the piano is: leave one out";
    if (!temperament.empty() && (!scala.empty() || !key_map.empty()))
        return "--temperament and a Scala file both say where the notes lie: leave one out";
    if (!root.empty() && !key_map.empty())
        return "--temperament-root and --kbm both say where the scale begins: leave one out";
    return {};
}

core::Result<core::StringValues> TuningOptions::applied_to(core::StringValues values) const {
    if (a4_hz) {
        const auto done = set(values, string_row("a4_hz"), "--a4", fmt::format("{}", *a4_hz));
        if (!done) return core::Error{done.error()};
    }
    if (!temperament.empty()) {
        forget_scale(values);
        const auto done = set(values, string_row("temperament"), "--temperament", temperament);
        if (!done) return core::Error{done.error()};
    }
    if (!root.empty()) {
        const auto done = set(values, string_row("temperament_root"), "--temperament-root", root);
        if (!done) return core::Error{done.error()};
    }
    const bool has_scale = !scala.empty() || !key_map.empty();
    if (!stretch.empty() || has_scale) {
        const auto done = set_stretch(values, stretch.empty() ? "off" : stretch);
        if (!done) return core::Error{done.error()};
    }
    if (has_scale) {
        const auto done = set_scale(values, scala, key_map);
        if (!done) return core::Error{done.error()};
    }
    return values;
}

}  // namespace letoff::ui
