#include <fmt/format.h>

#include <array>

#include "core/unit/key_name.h"
#include "keyboard/bench/force_curve.h"
#include "storage/atomic_file.h"
#include "ui/app/commands/bench_keys.h"
#include "ui/app/commands/profile_commands.h"
#include "ui/app/plot/compare_plot.h"
#include "ui/app/profiles/touch.h"

namespace letoff::ui {
namespace {

struct CurvesOptions {
    ProfileCommand command;
    std::vector<std::string> names;
    std::string key = "A4", output;
};

int curves(const CurvesOptions& options) {
    const auto key = core::parse_key(options.key);
    if (!key) return options.command.wrong(key.error());
    int status = kDone;
    auto library = options.command.open(ProfileLibrary::Missing::kIsEmpty, status);
    if (!library) return status;
    std::vector<NamedCurve> compared;
    for (const std::string& name : options.names) {
        const auto found = library->find(name);
        if (!found) return options.command.fail(found.error());
        const auto touch = touch_of(found.value().content);
        if (!touch) return options.command.fail(touch.error());
        const auto keys = bench_keys(options.key, touch.value());
        if (!keys) return options.command.wrong(keys.error());
        const keyboard::TestKey built = keyboard::settle_test_key(keys.value().builds.front());
        compared.push_back({name, keyboard::measure_force(built, keyboard::measure_regulation(built)).curve});
    }
    const std::string title = fmt::format("{}: force of a slow press", core::key_name(key.value()));
    const auto done = storage::write_file(options.output, compared_curves_svg(compared, title));
    if (!done) return options.command.fail(done.error());
    if (!options.command.json) return kDone;
    nlohmann::ordered_json json;
    json["key"] = key.value() + 1;
    json["curves"] = nlohmann::ordered_json::array();
    for (const NamedCurve& c : compared) {
        json["curves"].push_back(
            {{"name", c.name}, {"dip_m", c.curve.dip_m}, {"down_N", c.curve.down_N}, {"up_N", c.curve.up_N}});
    }
    fmt::print("{}\n", json.dump());
    return kDone;
}

}  // namespace

void add_profile_curves(CommandLine& group, CommandContext& context) {
    const auto options = std::make_shared<CurvesOptions>();
    CommandLine* command = add_profile_command<CurvesOptions>(
        group, context, "curves", "Draw the force curve of one key under several profiles into one picture",
        "concert \"My grand@2\" \"My grand\" --key A4 -o curves.svg", options, curves);
    command->add_option("NAME", options->names, "Profiles, or NAME@3 for its revision 3")->required();
    command->add_option("--key", options->key, "1-88 (A0 = 1), a name (A0, C#4, Bb3), or midi:60")
        ->capture_default_str();
    command->add_option("-o,--output", options->output, "The picture")->required()->option_text("FILE.svg");
}

}  // namespace letoff::ui
