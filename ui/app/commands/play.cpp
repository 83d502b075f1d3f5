#include "ui/app/commands/play.h"

#include <fmt/format.h>
#include <signal.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <thread>

#include "core/simd/target.h"
#include "ui/api/web_server.h"
#include "ui/app/commands/instrument_options.h"
#include "ui/app/commands/record_commands.h"
#include "ui/app/live/live_play.h"
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

struct PlayOptions {
    InstrumentOptions instrument;
    std::string audio = "auto", midi_in = "auto", midi_out = "virtual", rt = "auto", keybed = "auto";
    std::string http = "127.0.0.1:8088";
    bool http_given = false, http_look = false;
    int frames = 128;
    std::optional<double> catch_up_percent;  // else the profile's
    bool demo = false, once = false, json = false;
    std::string record, recordings, events, midi_velocity = "88";
};

/// SIGINT, SIGTERM and SIGHUP, waited for in the loop below instead of ending the program anywhere. Blocked before any
/// thread is started, so every thread leaves them alone. What whoever started us ignores (nohup) stays ignored.
class StopSignals {
  public:
    StopSignals() {
        sigemptyset(&set_);
        for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
            struct sigaction now{};
            if (sigaction(signal, nullptr, &now) == 0 && now.sa_handler != SIG_IGN) sigaddset(&set_, signal);
        }
        pthread_sigmask(SIG_BLOCK, &set_, &before_);
    }
    ~StopSignals() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
    StopSignals(const StopSignals&) = delete;
    StopSignals& operator=(const StopSignals&) = delete;

    /// One that has come ends the program here and now: for the long work before anything plays, when there is nothing
    /// to put in order.
    void let_through() const {
        pthread_sigmask(SIG_SETMASK, &before_, nullptr);
        pthread_sigmask(SIG_BLOCK, &set_, nullptr);
    }
    /// True when one came within the time.
    bool wait(std::chrono::nanoseconds time) const {
        const timespec wait{0, static_cast<long>(time.count())};
        return sigtimedwait(&set_, nullptr, &wait) > 0;
    }

  private:
    sigset_t set_{}, before_{};
};

void print_json(const LiveReport& r, const core::FaultCounters& faults) {
    nlohmann::ordered_json json;
    json["played_s"] = r.played_s;
    json["ticks"] = r.keybed.ticks;
    json["late_ticks"] = {{"ours", r.late_ours}, {"hosts", r.late_hosts}, {"skipped", r.skipped_ticks}};
    json["tick_cpu_us"] = {
        {"p50", r.tick_p50_us}, {"p99", r.tick_p99_us}, {"p999", r.tick_p999_us}, {"max", r.tick_max_us}};
    json["lateness_us"] = {{"p50", r.lateness_p50_us},
                           {"p99", r.lateness_p99_us},
                           {"p999", r.lateness_p999_us},
                           {"max", r.lateness_max_us}};
    json["audio"] = {{"way", audio::name_of(r.audio.way)},
                     {"device", r.audio.device},
                     {"rate_hz", r.audio.rate_hz},
                     {"frames", r.audio.frames},
                     {"blocks", r.blocks},
                     {"xruns", r.xruns},
                     {"blocks_over_period", r.blocks_over_period},
                     {"blocks_over_period_ours", r.blocks_over_period_ours},
                     {"block_us", {{"p50", r.block_p50_us}, {"p999", r.block_p999_us}}},
                     {"delay_ms", 1e3 * r.sound.delay_s},
                     {"stops", r.sound.stops},
                     {"drift_ppm", 1e6 * r.sound.drift}};
    const keyboard::LiveCounts& p = r.keybed.player;
    json["notes"] = p.notes;
    json["strikes"] = p.strikes;
    json["extra_strikes"] = p.extra_strikes;
    json["caught_up"] = p.caught_up;
    json["not_caught_up"] = p.not_caught_up;
    json["silent"] = p.silent;
    json["superseded"] = p.superseded;
    json["messages_dropped"] = p.messages_dropped;
    json["live_keys"] = r.keybed.live_keys;
    json["sleeping_keys"] = r.keybed.sleeping_keys;
    json["touch_changes"] = r.touch_changes;
    json["keybed_faults"] = r.keybed.keybed_faults;
    json["not_converged"] = r.keybed.not_converged;
    json["faults"] = nlohmann::ordered_json::object();
    for (const core::FaultRow& row : core::fault_table()) {
        if (const auto count = faults.count(row.fault); count > 0) json["faults"][std::string(row.name)] = count;
    }
    fmt::print("{}\n", json.dump(2));
}

void print_text(const LiveReport& r) {
    const keyboard::LiveCounts& p = r.keybed.player;
    fmt::print("played {:.1f} s: {} notes, {} strikes, {} of them as the message came; {} silent\n", r.played_s,
               p.notes, p.strikes, p.caught_up_strikes, p.silent);
    fmt::print("late ticks: {} ours, {} the machine's; a tick's work {:.0f} us (p99.9 {:.0f}); {} gaps in the sound\n",
               r.late_ours, r.late_hosts, r.tick_p50_us, r.tick_p999_us, r.xruns);
}

core::Result<LiveSetting> live_setting(const PlayOptions& options) {
    LiveSetting setting;
    auto audio = audio::parse_audio_choice(options.audio);
    if (!audio) return core::Error{audio.error()};
    auto in = hw::parse_midi_input(options.midi_in);
    if (!in) return core::Error{in.error()};
    auto out = hw::parse_midi_output(options.midi_out);
    if (!out) return core::Error{out.error()};
    const auto keybed = parse_keybed(options.keybed);
    if (!keybed) return core::Error{keybed.error()};
    const auto rt = core::parse_rt_mode(options.rt);
    if (!rt) return core::Error{rt.error()};
    if (options.catch_up_percent) {
        auto percent = core::validate(keyboard::kCatchUpRows[0], *options.catch_up_percent);
        if (!percent) return core::Error{percent.error()};
        setting.catch_up_percent = percent.value();
        setting.catch_up_fixed = true;
    }
    setting.audio.choice = audio.value();
    setting.audio.frames = options.frames;
    setting.audio.rate_hz = options.instrument.setting.sample_rate_hz;
    setting.audio.realtime = rt.value() != core::RtMode::off;
    setting.midi_in = in.value();
    setting.midi_out = out.value();
    setting.keybed = keybed.value();
    setting.rt = rt.value();
    setting.demo = options.demo;
    setting.once = options.once;
    return setting;
}

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
    page.control = std::make_unique<PageControl>(instrument, live.page(), profile, options.instrument.profile.db,
                                                 options.recordings);
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

/// The profile that a MIDI program stands for: first the factory's, then one's own, as `letoff profile list` has them.
std::string profile_of_program(std::size_t program, const std::string& db) {
    std::vector<std::string> names = factory_names();
    auto library = ProfileLibrary::open(db, ProfileLibrary::Missing::kIsEmpty);
    if (library && library.value().store() != nullptr) {
        const auto own = library.value().store()->list();
        for (std::size_t i = 0; own && i < own.value().size(); ++i) names.push_back(own.value()[i].name);
    }
    return program < names.size() ? names[program] : "";
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

int play(const PlayOptions& options) {
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
    setting.value().strings = touch.strings;
    setting.value().haptics = touch.haptics;
    setting.value().calibration = kept_calibration;

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
                               core::RtMode::off};
    if (auto keyboards = known_keyboards(options.recordings); keyboards) {
        setting.value().keyboards = std::move(keyboards.value());
    } else {
        warn(kName, keyboards.error() + "; keyboards are taken as they are");
    }
    setting.value().events = options.events;
    setting.value().midi_velocity = velocity_form(options.midi_velocity);
    if (!options.record.empty()) {
        const auto strings = options.instrument.tuning.applied_to(touch.strings);
        auto recordings = open_recordings(options.recordings);
        if (!recordings) return failed(kName, recordings.error());
        setting.value().recording = recording_head(options.record, chosen.value().found,
                                                   strings ? strings.value() : touch.strings, *instrument.value());
        setting.value().recordings = std::move(recordings.value());
    }
    auto live = LivePlay::start(*instrument.value(), std::move(setting.value()), say);
    if (!live) return failed(kName, live.error());
    if (options.http != "off") {
        auto served = serve_page(options, web, *instrument.value(), *live.value(), chosen.value().found, say);
        if (!served) return failed(kName, served.error());
        page = std::move(served.value());
    }
    say(options.demo ? "playing the demo; Ctrl-C ends" : "ready to be played; Ctrl-C ends");
    for (int turn = 0; !signals.wait(kPoll) && !live.value()->done(); ++turn) {
        live.value()->poll();
        change_program(options.instrument.profile, chosen.value(), page.control.get(), *live.value(), say);
        if (page.control) {
            page.control->poll(*live.value(), say);
        } else if (chosen.value().watch && turn % kPollsPerLook == 0) {
            follow(*chosen.value().watch, *live.value(), say);
        }
    }
    if (page.control) page.control->ask_to_stop();
    page.server.reset();
    page.control.reset();
    const auto stopped = live.value()->stop();
    const LiveReport report = live.value()->report();
    if (options.json) {
        print_json(report, live.value()->faults());
    } else if (options.events != "-") {
        print_text(report);
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

void add_play(CLI::App& app, CommandContext& context) {
    const auto options = std::make_shared<PlayOptions>();
    options->instrument.setting.executor = "inline";
    CLI::App* command = app.add_subcommand("play", "The live instrument: MIDI in, sound and MIDI out");
    command->add_flag("--demo", options->demo, "Play the demo piece, over and over");
    command->add_flag("--once", options->once, "Play the demo once, then end");
    command->add_option("--audio", options->audio, "Where the sound goes")
        ->option_text("auto|jack|pulse|alsa[:DEVICE]|none|wav:FILE");
    command->add_option("--frames", options->frames, "Samples of a block of sound, where the device lets us choose")
        ->check(CLI::Range(16, 4096))
        ->option_text("N=128");
    command->add_option("--midi-in", options->midi_in, "Which keyboard plays: auto is all there are")
        ->option_text("auto|none|NAME");
    command->add_option("--midi-out", options->midi_out, "Where the strikes go as MIDI: virtual is a port of our own")
        ->option_text("none|virtual|NAME");
    command
        ->add_option(
            "--keybed", options->keybed,
            "Motorised keys: auto plays those that are plugged in, sim simulates 88 with fingers for the notes")
        ->option_text("auto|usb|sim|none");
    command->add_option("--midi-velocity", options->midi_velocity, std::string(kVelocityForms))
        ->check(one_of("velocity", {"88", "xp", "7"}))
        ->option_text("88|xp|7");
    command->add_option("--rt", options->rt, "Real-time privileges: auto plays without them too")
        ->option_text("auto|require|off");
    command->add_option("--catch-up", options->catch_up_percent, std::string(keyboard::kCatchUpRows[0].sentence))
        ->option_text("PERCENT");
    const CLI::Option* http =
        command
            ->add_option(
                "--http", options->http,
                "Where a browser finds the settings page; beyond this machine it asks for the pairing code that is "
                "printed here")
            ->option_text("ADDRESS:PORT=127.0.0.1:8088|off");
    command->add_flag("--http-look", options->http_look, "The settings page may look, but neither change nor play");
    command->add_option("--record", options->record, "Record what is played under this name (letoff record)")
        ->option_text("NAME");
    add_recordings_option(*command, options->recordings);
    command
        ->add_option("--events", options->events, "Strikes, releases and pedals as lines of JSON; - is standard output")
        ->option_text("FILE|-");
    options->instrument.add_engine_to(*command);
    options->instrument.add_to(*command);
    command->add_flag("--json", options->json, "Report at the end as JSON");
    command->footer("Example: letoff play --demo --audio jack --frames 64");
    command->callback([options, http, &context] {
        options->http_given = http->count() > 0;
        context.status = play(*options);
    });
}

}  // namespace letoff::ui
