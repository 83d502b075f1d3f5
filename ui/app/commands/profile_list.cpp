#include <fmt/format.h>

#include <cmath>
#include <optional>
#include <vector>

#include "core/unit/key_name.h"
#include "keyboard/bench/measure.h"
#include "keyboard/bench/regulation.h"
#include "keyboard/bench/repetition.h"
#include "keyboard/bench/touchweight.h"
#include "ui/app/commands/bench_keys.h"
#include "ui/app/commands/profile_commands.h"
#include "ui/app/commands/told_figure.h"
#include "ui/app/profiles/factory.h"
#include "ui/app/profiles/touch.h"

namespace letoff::ui {
namespace {

using Json = nlohmann::ordered_json;

struct ListOptions {
    ProfileCommand command;
    std::string key = "A4";
    bool all = false, with_figures = false;
};

/// What --long says of a key.
struct Figures {
    keyboard::Regulation regulation;
    keyboard::Touchweight touchweight;
    double repetition_hz = 0;
    bool has_let_off = true;
};

core::Result<Figures> measured(const Touch& touch, const std::string& key) {
    auto keys = bench_keys(key, touch);
    if (!keys) return core::Error{keys.error()};
    const keyboard::TestKey on_bench = keyboard::settle_test_key(keys.value().builds.front());
    Figures figures;
    figures.regulation = keyboard::measure_regulation(on_bench);
    figures.has_let_off = keyboard::has_let_off(on_bench.build, figures.regulation);
    if (figures.has_let_off) figures.touchweight = keyboard::measure_touchweight(on_bench, figures.regulation);
    figures.repetition_hz = keyboard::max_repetition_hz(on_bench).strikes_hz;
    return figures;
}

/// Millimetres to a hundredth, as a technician writes them.
double mm(double metres) {
    return std::round(metres * 1e5) / 1e2;
}

Json figures_json(const Figures& f) {
    Json json;
    const FiguresTold told{f.has_let_off};
    told.put(json, "down_weight_g", f.touchweight.down_weight_g);
    told.put(json, "up_weight_g", f.touchweight.up_weight_g);
    told.put(json, "friction_g", f.touchweight.friction_g());
    json["key_dip_mm"] = mm(f.regulation.key_dip_m);
    json["blow_distance_mm"] = mm(f.regulation.blow_m);
    told.put(json, "let_off_mm", mm(f.regulation.let_off_m));
    told.put(json, "drop_mm", mm(f.regulation.drop_m));
    told.put(json, "aftertouch_mm", mm(f.regulation.aftertouch_m));
    if (f.repetition_hz > 0) json["max_repetition_hz"] = f.repetition_hz;
    return json;
}

void print_figures(const std::string& name, const Figures& f) {
    const std::string repetition = f.repetition_hz > 0 ? fmt::format("{:.2f}", f.repetition_hz) : "none";
    const FiguresTold told{f.has_let_off};
    fmt::print("{:<24} {:>5} {:>5} {:>8} {:>6.2f} {:>6.2f} {:>7} {:>6} {:>10} {:>10}\n", name,
               told.text("down_weight_g", f.touchweight.down_weight_g, 1),
               told.text("up_weight_g", f.touchweight.up_weight_g, 1),
               told.text("friction_g", f.touchweight.friction_g(), 2), mm(f.regulation.key_dip_m),
               mm(f.regulation.blow_m), told.text("let_off_mm", mm(f.regulation.let_off_m), 2),
               told.text("drop_mm", mm(f.regulation.drop_m), 2),
               told.text("aftertouch_mm", mm(f.regulation.aftertouch_m), 2), repetition);
}

/// The factory's and one's own, with what the key measures under each.
int list_long(const ListOptions& options, ProfileLibrary& library, const std::vector<std::string>& names) {
    Json json;
    json["key"] = options.key;
    json["profiles"] = Json::array();
    if (!options.command.json) {
        fmt::print("{:<24} {:>5} {:>5} {:>8} {:>6} {:>6} {:>7} {:>6} {:>10} {:>10}\n", options.key, "DW g", "UW g",
                   "friction", "dip mm", "blow", "let-off", "drop", "aftertouch", "strikes/s");
    }
    for (const std::string& name : names) {
        const auto found = library.find(name);
        if (!found) return options.command.fail(found.error());
        const auto touch = touch_of(found.value().content);
        if (!touch) {
            warn(options.command.title, touch.error());
            continue;
        }
        const auto figures = measured(touch.value(), options.key);
        if (!figures) return options.command.wrong(figures.error());
        if (!options.command.json) {
            print_figures(name, figures.value());
            continue;
        }
        json["profiles"].push_back({{"name", name}});
        json["profiles"].back().update(figures_json(figures.value()));
    }
    if (options.command.json) fmt::print("{}\n", json.dump(2));
    return kDone;
}

int list(const ListOptions& options) {
    if (options.with_figures && !core::parse_key(options.key)) {
        return options.command.wrong(
            fmt::format("--key {} is not one key: write 1 to 88, a name such as A4, or midi:60", options.key));
    }
    int status = kDone;
    auto library = options.command.open(ProfileLibrary::Missing::kIsEmpty, status);
    if (!library) return status;
    std::vector<storage::ProfileInfo> profiles;
    if (library->store() != nullptr) {
        const bool deleted_too = options.all && !options.with_figures;
        auto stored = library->store()->list(deleted_too ? storage::Deleted::kToo : storage::Deleted::kLeftOut);
        if (!stored) return options.command.fail(stored.error());
        profiles = std::move(stored.value());
    }
    if (options.with_figures) {
        std::vector<std::string> names = factory_names();
        for (const storage::ProfileInfo& profile : profiles) names.push_back(profile.name);
        return list_long(options, *library, names);
    }
    if (options.command.json) {
        Json json;
        json["profiles"] = Json::array();
        for (const std::string& name : factory_names())
            json["profiles"].push_back(
                {{"name", name}, {"action", factory_profile(name)->action}, {"factory", true}, {"deleted", false}});
        for (const storage::ProfileInfo& profile : profiles) {
            json["profiles"].push_back({{"name", profile.name},
                                        {"action", profile.action},
                                        {"factory", false},
                                        {"deleted", profile.deleted},
                                        {"revision", profile.revision},
                                        {"saved", time_json(profile.saved_unix_s)}});
        }
        fmt::print("{}\n", json.dump(2));
        return kDone;
    }
    fmt::print("{:<30} {:<13} {:>8}  {}\n", "name", "action", "revision", "saved");
    for (const std::string& name : factory_names())
        fmt::print("{:<30} {:<13} {:>8}  {}\n", name, factory_profile(name)->action, "factory", "");
    for (const storage::ProfileInfo& profile : profiles) {
        fmt::print("{:<30} {:<13} {:>8}  {}{}\n", profile.name, profile.action, profile.revision,
                   time_text(profile.saved_unix_s), profile.deleted ? ", deleted" : "");
    }
    return kDone;
}

}  // namespace

void add_profile_list(CommandLine& group, CommandContext& context) {
    const auto options = std::make_shared<ListOptions>();
    CommandLine* command = add_profile_command<ListOptions>(group, context, "list", "All profiles, the factory's first",
                                                            "--long --key C4", options, list);
    CommandOption* all = command->add_flag("--all", options->all, "Deleted ones too");
    command->add_flag("--long", options->with_figures, "With what one key measures under each: some seconds a profile")
        ->excludes(all);
    command->add_option("--key", options->key, "The key of --long: A4, 49, midi:60")->option_text("KEY=A4");
}

}  // namespace letoff::ui
