#include "ui/app/commands/doctor.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "ui/app/build_id.h"
#include "ui/app/doctor/examine.h"

namespace letoff::ui {
namespace {

using core::Finding;
using core::Findings;

struct DoctorOptions {
    std::string db;
    bool json = false;
};

void print_text(const Findings& findings) {
    for (const Finding& finding : findings) {
        fmt::print("{:<7} {:<19} {}\n", level_name(finding.level), finding.check, finding.says);
        if (!finding.fix.empty()) fmt::print("{:<27} -> {}\n", "", finding.fix);
    }
}

void print_json(const Findings& findings) {
    nlohmann::ordered_json json;
    json["build"] = build_id();
    json["findings"] = nlohmann::ordered_json::array();
    for (const Finding& finding : findings) {
        json["findings"].push_back({{"check", finding.check},
                                    {"level", level_name(finding.level)},
                                    {"says", finding.says},
                                    {"fix", finding.fix}});
    }
    fmt::print("{}\n", json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
}

int doctor(const DoctorOptions& options) {
    const Findings findings = examine(options.db, {}, WhilePlaying::kNo);
    options.json ? print_json(findings) : print_text(findings);
    const auto faults = std::count_if(findings.begin(), findings.end(),
                                      [](const Finding& finding) { return finding.level == Finding::Level::kFault; });
    if (faults == 0) return kDone;
    return failed("doctor", fmt::format("{} of {} looked at {} out of order, marked fault above", faults,
                                        findings.size(), faults == 1 ? "is" : "are"));
}

}  // namespace

void add_doctor(CommandLine& app, CommandContext& context) {
    const auto options = std::make_shared<DoctorOptions>();
    CommandLine* command = app.add_subcommand(
        "doctor", "Look at what the instrument needs from this machine, and say how to put it right");
    command->add_option("--db", options->db, "Database of touch profiles instead of the user's own")
        ->option_text("FILE");
    command->add_flag("--json", options->json, "Report as JSON");
    command->footer(
        "Each finding is good, advice (plays, and would play better) or a fault, then the exit status is 1.\n"
        "Example: letoff doctor --json");
    command->callback([options, &context] { context.status = doctor(*options); });
}

}  // namespace letoff::ui
