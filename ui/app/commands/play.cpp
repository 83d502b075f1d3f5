#include "ui/app/commands/play.h"

#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <optional>

#include "core/rt/monotonic_clock.h"
#include "core/simd/target.h"
#include "ui/api/web_server.h"
#include "ui/app/commands/play_options.h"
#include "ui/app/commands/play_report.h"
#include "ui/app/commands/play_rows.h"
#include "ui/app/commands/record_commands.h"
#include "ui/app/commands/stop_signals.h"
#include "ui/app/live/sensor_store.h"
#include "ui/app/page/page_control.h"
#include "ui/app/progress_bar.h"
#include "ui/app/recording/recording_file.h"

namespace letoff::ui {
namespace {

using namespace std::chrono_literals;

constexpr const char* kName = "play";
constexpr auto kPoll = 50ms;
constexpr int kPollsPerLook = 2;  // ten looks a second at what somebody may have changed

void follow(ProfileWatch& watch, LivePlay& live, const LivePlay::Say& say) {
    const auto news = watch.look();
    if (!news) return;
    say(fmt::format("{}: {}", news->title,
                    news->touch ? live.take_touch(*news->touch, news->profile) : news->sentence));
    if (!news->touch) return;
    for (const std::string& warning : news->touch->warnings) warn(kName, warning);
}

/// The settings page, while it is served.
struct Page {
    std::unique_ptr<PageControl> control;
    std::unique_ptr<WebServer> server;
};

/// The page of whoever asked for it must be had; without being asked for the instrument plays without one.
core::Result<Page> serve_page(const PlayOptions& options, const WebSetting& setting, const Instrument& instrument,
                              LivePlay& live, const FoundProfile& profile, const LivePlay::Say& say) {
    Page page;
    page.control = std::make_unique<PageControl>(instrument, live.page(), live.takes(), profile,
                                                 options.instrument.profile.db, options.recordings);
    auto server = WebServer::start(setting, *page.control);
    if (!server && options.http_given) return core::Error{server.error()};
    if (!server) {
        say(server.error());
        return Page{};
    }
    page.server = std::move(server.value());
    say(fmt::format("the settings page: {}{}", page.server->url(),
                    WebServer::has_page() ? "" : " (the page itself is not in this build: npm was missing)"));
    if (const std::string code = page.server->pairing_code(); !code.empty())
        say(fmt::format("its pairing code: {}", code));
    return page;
}

/// With a page the profile is its draft; a page that has unsaved changes keeps them for undo.
void change_program(ProfileChoice choice, ProfileChoice::Chosen& chosen, PageControl* page, LivePlay& live,
                    const LivePlay::Say& say) {
    const int program = live.take_program();
    if (program < 0) return;
    choice.name = profile_of_program(static_cast<std::size_t>(program), choice.db);
    if (choice.name.empty()) return say(fmt::format("there is no profile for program {}", program + 1));
    if (page != nullptr) {
        const auto taken = page->choose(page->draft().revision, choice.name);
        return say(fmt::format("program {}: {}", program + 1, taken ? taken.value().sentence : taken.error()));
    }
    auto next = choice.choose(kName);
    if (!next) return say(fmt::format("program {}: {}", program + 1, next.error()));
    chosen = std::move(next.value());
    say(fmt::format("program {}, '{}': {}", program + 1, choice.name,
                    live.take_touch(chosen.touch, chosen.found.content)));
}

/// What is asked for is recorded or there is no play; else what a player plays is captured, if it can be.
core::Result<bool> keep(const PlayOptions& options, const FoundProfile& profile, const Touch& touch,
                        const Instrument& instrument, LiveSetting& setting) {
    const bool asked = !options.record.empty() && options.record != kRecordOff;
    if (options.record == kRecordOff || (!asked && options.demo)) return true;
    auto recordings = open_recordings(options.recordings);
    if (!recordings && asked) return core::Error{recordings.error()};
    if (!recordings) {
        warn(kName, recordings.error() + "; what is played is not captured");
        return true;
    }
    const auto strings = options.instrument.tuning.applied_to(touch.strings);
    storage::RecordingHead head = recording_head(asked ? options.record : capture_name(), profile,
                                                 strings ? strings.value() : touch.strings, instrument);
    (asked ? setting.recording : setting.captured) = std::move(head);
    (asked ? setting.recordings : setting.captures) = std::move(recordings.value());
    return true;
}

int play(const PlayOptions& options) {
    const std::int64_t began_ns = core::monotonic_now_ns();
    if (options.json && options.events == "-")
        return wrong_use(kName, "--json and --events - both write to standard output: name a file for the events");
    if (options.once && !options.demo) return wrong_use(kName, "--once plays the demo once: it needs --demo");
    if (const std::string problem = options.instrument.problem(); !problem.empty()) return wrong_use(kName, problem);
    auto setting = live_setting(options);
    if (!setting) return wrong_use(kName, setting.error());
    WebSetting web;
    web.only_look = options.http_look;
    if (options.http != "off") {
        auto address = parse_web_address(options.http);
        if (!address) return wrong_use(kName, address.error());
        web.address = address.value();
    }
    if (auto simd = core::choose_simd(options.instrument.simd); !simd) return failed(kName, simd.error());

    auto chosen = options.instrument.profile.choose(kName, ProfileChoice::Without::kFactory);
    if (!chosen) return failed(kName, chosen.error());
    const Touch touch = chosen.value().touch;  // a program change chooses another
    if (!options.catch_up_percent) setting.value().catch_up_percent = touch.catch_up_percent;

    const auto built = options.instrument.setting_for_use(kName, touch);
    if (!built) return failed(kName, built.error());
    setting.value().tuned = [&tuning = options.instrument.tuning](const core::StringValues& values) {
        return tuning.applied_to(values);
    };
    setting.value().haptics = touch.haptics;
    setting.value().array = array_with_all_kept();

    const StopSignals signals;
    ProgressBar bar;
    const auto progress = [&signals, show = bar.progress()](double share, const char* what) {
        signals.let_through();
        show(share, what);
    };
    auto instrument = Instrument::create(built.value(), progress);
    bar.clear();
    if (!instrument) return failed(kName, instrument.error());
    for (const std::string& warning : instrument.value()->warnings()) warn(kName, warning);

    Page page;
    const auto say = [&page](const std::string& sentence) {
        fmt::print(stderr, "letoff: {}\n", sentence);
        if (page.control) page.control->heard(sentence);
    };
    setting.value().samples = {instrument.value()->setting().engine, instrument.value()->setting().soundfont,
                               touch.grand.action->sample_program, core::RtMode::off};
    if (auto keyboards = known_keyboards(options.recordings); keyboards) {
        setting.value().keyboards = std::move(keyboards.value());
    } else {
        warn(kName, keyboards.error() + "; keyboards are taken as they are");
    }
    setting.value().events = options.events;
    setting.value().midi_velocity = velocity_form(options.midi_velocity);
    if (auto kept = keep(options, chosen.value().found, touch, *instrument.value(), setting.value()); !kept)
        return failed(kName, kept.error());
    auto live = LivePlay::start(*instrument.value(), std::move(setting.value()), say);
    if (!live) return failed(kName, live.error());
    if (options.http != "off") {
        auto served = serve_page(options, web, *instrument.value(), *live.value(), chosen.value().found, say);
        if (!served) return failed(kName, served.error());
        page = std::move(served.value());
    }
    const double ready_s = 1e-9 * static_cast<double>(core::monotonic_now_ns() - began_ns);
    PlayRows rows;
    say(options.demo ? "playing the demo; Ctrl-C ends" : "ready to be played; Ctrl-C ends");
    for (int turn = 0; !signals.wait(kPoll) && !live.value()->done(); ++turn) {
        live.value()->poll();
        const auto turn_touch = [&, control = page.control.get()] {
            change_program(options.instrument.profile, chosen.value(), control, *live.value(), say);
            rows.turn(live.value()->take_osc_parameters(), *live.value(), control, chosen.value().found.content, say);
        };
        if (page.control) {
            page.control->if_free(turn_touch);  // else at a later turn
            page.control->poll(*live.value(), say);
        } else {
            turn_touch();
            if (auto& watch = chosen.value().watch; watch && turn % kPollsPerLook == 0)
                follow(*watch, *live.value(), say);
        }
    }
    if (page.control) page.control->ask_to_stop();
    page.server.reset();
    page.control.reset();
    const auto stopped = live.value()->stop();
    const LiveReport report = live.value()->report();
    if (options.json) {
        print_play_json(report, live.value()->faults(), ready_s);
    } else if (options.events != "-") {
        print_play_text(report);
    }
    const int status = stopped ? kDone : failed(kName, stopped.error());
    if (live.value()->held_by_server()) {
        say("the sound server stands still and does not let go; left without its answer");
        std::fflush(nullptr);
        std::_Exit(status);
    }
    return status;
}

}  // namespace

void add_play(CommandLine& app, CommandContext& context) {
    const auto options = std::make_shared<PlayOptions>();
    options->instrument.setting.executor = "inline";
    options->instrument.setting.live = true;
    CommandLine* command = app.add_subcommand("play", "The live instrument: MIDI in, sound and MIDI out");
    add_play_options(*command, *options);
    command->footer("Example: letoff play --demo --audio jack --frames 64");
    command->callback([options, &context] { context.status = play(*options); });
}

}  // namespace letoff::ui
