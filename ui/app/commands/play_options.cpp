#include "ui/app/commands/play_options.h"

#include <utility>

#include "ui/app/commands/command.h"
#include "ui/app/commands/record_commands.h"

namespace letoff::ui {

core::Result<LiveSetting> live_setting(const PlayOptions& options) {
    LiveSetting setting;
    auto audio = audio::parse_audio_choice(options.audio);
    if (!audio) return core::Error{audio.error()};
    auto in = hw::parse_midi_input(options.midi_in);
    if (!in) return core::Error{in.error()};
    for (const std::string& text : options.midi_out) {
        auto out = hw::parse_midi_output(text);
        if (!out) return core::Error{out.error()};
        setting.midi_out.push_back(std::move(out.value()));
    }
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
    setting.local = options.local == "on";
    setting.key_position_hz = options.key_position_hz;
    setting.key_positions_in = options.key_position_in == "on";
    setting.osc_in = options.osc_in;
    setting.osc_out = options.osc_out;
    setting.keybed = keybed.value();
    setting.rt = rt.value();
    setting.demo = options.demo;
    setting.once = options.once;
    return setting;
}

void add_play_options(CommandLine& command, PlayOptions& options) {
    command.add_flag("--demo", options.demo, "Play the demo piece, over and over");
    command.add_flag("--once", options.once, "Play the demo once, then end");
    command.add_option("--audio", options.audio, "Where the sound goes")
        ->option_text("auto|jack|pulse|alsa[:DEVICE]|none|wav:FILE");
    command.add_option("--frames", options.frames, "Samples of a block of sound, where the device lets us choose")
        ->in_range(16, 4096)
        ->option_text("N=128");
    command.add_option("--midi-in", options.midi_in, "Which keyboard plays: auto is all there are")
        ->option_text("auto|none|NAME");
    command
        .add_option("--midi-out", options.midi_out,
                    "Where the strikes go as MIDI: virtual is a port of our own; may be given several times, each with "
                    "a curve of velocities, in from 1 to 127 and out, straight between its points")
        ->one_value_each()
        ->option_text("none|virtual|NAME[=IN:OUT,IN:OUT...]");
    command
        .add_option("--midi-key-position", options.key_position_hz,
                    "How often a second where moving keys are goes out as polyphonic pressure; 0 is never")
        ->in_range(0, 200)
        ->option_text("HZ=0");
    command
        .add_option("--midi-key-position-in", options.key_position_in,
                    "on: polyphonic pressure that comes in is where a key is, so keys that are pressed without a note "
                    "lift their dampers")
        ->check(one_of("key position", {"on", "off"}))
        ->option_text("on|off");
    command
        .add_option("--local", options.local,
                    "off: what is played goes out as MIDI and as OSC, and makes no sound here; controller 122 does the "
                    "same while it plays")
        ->check(one_of("local", {"on", "off"}))
        ->option_text("on|off");
    command
        .add_option("--osc", options.osc_in,
                    "Take notes, pedals, programs and rows of the touch as OSC over UDP; a port alone listens on this "
                    "machine only")
        ->option_text("PORT|ADDRESS:PORT");
    command.add_option("--osc-out", options.osc_out, "Send strikes, releases and pedals as OSC over UDP")
        ->option_text("HOST:PORT");
    command
        .add_option("--keybed", options.keybed,
                    "Motorised keys: auto plays those that are plugged in, sim simulates 88 with fingers for the notes")
        ->option_text("auto|usb|sim|none");
    command.add_option("--midi-velocity", options.midi_velocity, std::string(kVelocityForms))
        ->check(one_of("velocity", {"88", "xp", "7"}))
        ->option_text("88|xp|7");
    command.add_option("--rt", options.rt, "Real-time privileges: auto plays without them too")
        ->option_text("auto|require|off");
    command.add_option("--catch-up", options.catch_up_percent, std::string(keyboard::kCatchUpRows[0].sentence))
        ->option_text("PERCENT");
    command
        .add_option("--http", options.http,
                    "Where a browser finds the settings page; beyond this machine it asks for the pairing code that is "
                    "printed here")
        ->when_given([&options] { options.http_given = true; })
        ->option_text("ADDRESS:PORT=127.0.0.1:8088|off");
    command.add_flag("--http-look", options.http_look, "The settings page may look, but neither change nor play");
    command
        .add_option("--record", options.record,
                    "Record what is played under this name (letoff record); without it what is played is captured all "
                    "the same, with a bound, and with off not at all")
        ->option_text("NAME|off");
    add_recordings_option(command, options.recordings);
    command
        .add_option("--events", options.events, "Strikes, releases and pedals as lines of JSON; - is standard output")
        ->option_text("FILE|-");
    options.instrument.add_engine_to(command);
    options.instrument.add_to(command);
    command.add_flag("--json", options.json, "Report at the end as JSON");
}

}  // namespace letoff::ui
