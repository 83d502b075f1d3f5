#include "ui/app/commands/keyboard.h"

#include <fmt/format.h>

#include <charconv>
#include <chrono>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <thread>

#include "core/midi/input_fit.h"
#include "core/unit/key_name.h"
#include "hw/midi/midi_inputs.h"
#include "storage/input_map_store.h"
#include "storage/midi_file.h"
#include "ui/app/commands/record_commands.h"
#include "ui/app/progress_bar.h"
#include "ui/app/recording/recording_file.h"

namespace letoff::ui {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

struct KeyboardOptions {
    RecordCommand command;
    std::string name, from, channels, sustain, sostenuto, soft, fine_velocity;
    double seconds = 120;
    std::optional<int> sustain_controller;
    std::optional<double> black_offset;
    bool flat_velocity = false;
};

std::optional<storage::InputMapStore> open(const RecordCommand& command, int& status) {
    const auto file = recordings_file(command.file);
    auto store = file ? storage::InputMapStore::open(file.value()) : core::Error{file.error()};
    if (store) return std::move(store.value());
    status = command.fail(store.error());
    return std::nullopt;
}

std::string ends_text(const core::PedalEnds& ends) {
    return fmt::format("{}-{}{}", ends.up, ends.down, ends.up > ends.down ? " (the other way round)" : "");
}

std::string channels_text(const core::InputMap& map) {
    if (map.policy == core::ChannelPolicy::one) return fmt::format("channel {}", map.channel + 1);
    if (map.policy == core::ChannelPolicy::omni) return "all channels";
    return fmt::format("channel {} below MIDI note {}, channel {} from there on", map.channel + 1, map.split_note,
                       map.upper_channel + 1);
}

void print(const RecordCommand& command, const std::string& name, const core::InputMap& map) {
    if (command.json) {
        auto json = nlohmann::ordered_json::parse(storage::input_map_json(map));
        json["name"] = name;
        fmt::print("{}\n", json.dump(2));
        return;
    }
    fmt::print("{}: {}; sustain {}, sostenuto {}, soft {}", name, channels_text(map), ends_text(map.sustain),
               ends_text(map.sostenuto), ends_text(map.soft));
    if (map.sustain_controller != core::kSustainPedal) fmt::print("; sustain is controller {}", map.sustain_controller);
    if (!map.fine_velocity) fmt::print("; controllers 88 and 16 are no part of a velocity");
    if (map.curve) {
        fmt::print("; velocity");
        for (const std::size_t v : {20, 40, 60, 80, 100, 120}) fmt::print(" {}:{:.0f}", v, (*map.curve)[v]);
    }
    if (map.black_offset != 0) fmt::print("; black keys {:+.1f}", map.black_offset);
    fmt::print("\n");
}

core::Result<int> whole(std::string_view text, int least, int most, std::string_view what) {
    int value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error == std::errc() && end == text.data() + text.size() && value >= least && value <= most) return value;
    return core::Error{fmt::format("'{}' is no {}, {} to {}", text, what, least, most)};
}

/// "omni", "one:3", "split:1,2,60"
std::string set_channels(const std::string& text, core::InputMap& map) {
    const std::string needed =
        fmt::format("--channels '{}' is not possible: omni, one:CHANNEL or split:LOWER,UPPER,NOTE is needed", text);
    if (text == "omni") {
        map.policy = core::ChannelPolicy::omni;
        return {};
    }
    const auto colon = text.find(':');
    const std::string kind = text.substr(0, colon);
    if (colon == std::string::npos) return needed;
    std::vector<std::string> parts{""};
    for (const char c : text.substr(colon + 1)) {
        if (c == ',') {
            parts.emplace_back();
        } else {
            parts.back() += c;
        }
    }
    if ((kind != "one" || parts.size() != 1) && (kind != "split" || parts.size() != 3)) return needed;
    const auto lower = whole(parts[0], 1, core::kMidiChannels, "channel");
    if (!lower) return lower.error();
    map.policy = kind == "one" ? core::ChannelPolicy::one : core::ChannelPolicy::split;
    map.channel = lower.value() - 1;
    if (kind == "one") return {};
    const auto upper = whole(parts[1], 1, core::kMidiChannels, "channel");
    const auto note = whole(parts[2], 0, core::kMidiDataMax, "MIDI note");
    if (!upper) return upper.error();
    if (!note) return note.error();
    map.upper_channel = upper.value() - 1;
    map.split_note = note.value();
    return {};
}

std::string set_ends(const std::string& text, core::PedalEnds& ends) {
    if (text.empty()) return {};
    const auto dash = text.find('-');
    const auto up = whole(text.substr(0, dash), 0, core::kMidiDataMax, "controller value");
    const auto down = dash == std::string::npos
                          ? core::Result<int>(core::Error{fmt::format(
                                "'{}' is not where a pedal begins and ends: UP-DOWN, as 0-127, is needed", text)})
                          : whole(text.substr(dash + 1), 0, core::kMidiDataMax, "controller value");
    if (!down) return down.error();
    if (!up) return up.error();
    ends = {up.value(), down.value()};
    return {};
}

/// What the keyboard is known as, from its port; listened to for some time.
std::optional<std::string> listen(const KeyboardOptions& options, core::InputFit& fit, int& status) {
    core::FaultCounters faults;
    const auto choice = hw::parse_midi_input(options.name);
    if (!choice || choice.value().kind != hw::MidiChoice::Kind::kName) {
        status = options.command.wrong(fmt::format("'{}' is no part of a port's name (letoff devices)", options.name));
        return std::nullopt;
    }
    hw::MidiInputs inputs({.choice = choice.value()}, hw::make_midi_systems(), faults);
    std::string name;
    ProgressBar bar;
    const auto begin = Clock::now();
    const auto length = std::chrono::duration<double>(options.seconds);
    while (Clock::now() - begin < length) {
        inputs.poll();
        for (int source = 0; name.empty() && source < hw::MidiInputs::kMaxSources; ++source)
            name = inputs.source_name(source);
        if (name.empty()) {
            status = options.command.fail(
                fmt::format("there is no MIDI source with '{}' in its name; letoff devices lists them", options.name));
            return std::nullopt;
        }
        for (hw::MidiInputRecord record; inputs.pop(record);) {
            if (record.kind == hw::MidiInputRecord::Kind::kMessage) fit.see(record.message);
        }
        const std::string what = fmt::format("listening to {}: {} notes", name, fit.notes());
        bar.show((Clock::now() - begin) / length, what.c_str());
        std::this_thread::sleep_for(100ms);
    }
    return name;
}

int learn(const KeyboardOptions& options) {
    core::InputFit fit;
    std::string name = options.name;
    int status = kDone;
    if (!options.from.empty()) {
        const auto file = storage::read_midi_file(options.from);
        if (!file) return options.command.fail(file.error());
        for (const core::TimedMidiMessage& message : file.value().messages) fit.see(message.message);
    } else {
        const auto heard = listen(options, fit, status);
        if (!heard) return status;
        name = *heard;
    }
    auto store = open(options.command, status);
    if (!store) return status;
    const auto before = store->find(name);
    if (!before) return options.command.fail(before.error());
    const auto map = fit.map(before.value().value_or(core::InputMap()));
    if (!map) return options.command.fail(map.error());
    if (const auto done = store->save(name, map.value()); !done) return options.command.fail(done.error());
    print(options.command, std::string(storage::lasting_port_name(name)), map.value());
    return kDone;
}

int set(const KeyboardOptions& options) {
    int status = kDone;
    auto store = open(options.command, status);
    if (!store) return status;
    const auto before = store->find(options.name);
    if (!before) return options.command.fail(before.error());
    core::InputMap map = before.value().value_or(core::InputMap());
    std::string problem = options.channels.empty() ? "" : set_channels(options.channels, map);
    if (problem.empty()) problem = set_ends(options.sustain, map.sustain);
    if (problem.empty()) problem = set_ends(options.sostenuto, map.sostenuto);
    if (problem.empty()) problem = set_ends(options.soft, map.soft);
    if (options.sustain_controller) map.sustain_controller = *options.sustain_controller;
    if (options.black_offset) map.black_offset = *options.black_offset;
    if (options.flat_velocity) map.curve.reset();
    if (!options.fine_velocity.empty()) map.fine_velocity = options.fine_velocity == "on";
    if (problem.empty()) problem = core::problem_of(map);
    if (!problem.empty()) return options.command.wrong(problem);
    if (const auto done = store->save(options.name, map); !done) return options.command.fail(done.error());
    print(options.command, std::string(storage::lasting_port_name(options.name)), map);
    return kDone;
}

int list(const KeyboardOptions& options) {
    int status = kDone;
    auto store = open(options.command, status);
    if (!store) return status;
    const auto all = store->list();
    if (!all) return options.command.fail(all.error());
    if (options.command.json) {
        auto json = nlohmann::ordered_json::array();
        for (const storage::KnownKeyboard& known : all.value()) {
            json.push_back(nlohmann::ordered_json::parse(storage::input_map_json(known.map)));
            json.back()["name"] = known.name;
        }
        fmt::print("{}\n", json.dump(2));
        return kDone;
    }
    if (all.value().empty()) fmt::print("no keyboard is known; letoff keyboard learn NAME learns one\n");
    for (const storage::KnownKeyboard& known : all.value()) print(options.command, known.name, known.map);
    return kDone;
}

int forget(const KeyboardOptions& options) {
    int status = kDone;
    auto store = open(options.command, status);
    if (!store) return status;
    if (const auto done = store->remove(options.name); !done) return options.command.fail(done.error());
    if (options.command.json) {
        fmt::print("{}\n", nlohmann::ordered_json{{"forgotten", options.name}}.dump(2));
    } else {
        fmt::print("{}: forgotten\n", options.name);
    }
    return kDone;
}

}  // namespace

void add_keyboard(CommandLine& app, CommandContext& context) {
    CommandLine* group =
        app.add_subcommand("keyboard", "Foreign MIDI keyboards: what each sends, learnt and put right");
    group->require_subcommand();
    group->footer("Example: letoff keyboard learn Keystation");

    const auto to_learn = std::make_shared<KeyboardOptions>();
    CommandLine* command =
        add_record_command<KeyboardOptions>(*group, context, "learn",
                                            "Listen for two minutes: velocity curve, black and white "
                                            "keys, pedal ends. Begin with the pedals up; play softly "
                                            "and loudly, and a chromatic scale",
                                            "Keystation", to_learn, learn);
    command->add_option("NAME", to_learn->name, "A part of the port's name (letoff devices)")->required();
    command->add_option("--seconds", to_learn->seconds, "How long to listen")
        ->in_range(1.0, 3600.0)
        ->option_text("S=120");
    command->add_option("--from", to_learn->from, "From a file that was played on it; NAME is then its whole name")
        ->option_text("PLAYED.mid");

    const auto to_set = std::make_shared<KeyboardOptions>();
    command =
        add_record_command<KeyboardOptions>(*group, context, "set", "Set what is known of a keyboard by hand",
                                            "\"Keystation MIDI 1\" --channels one:3 --sustain 127-0", to_set, set);
    command->add_option("NAME", to_set->name, "The port's whole name; its last numbers do not matter")->required();
    command->add_option("--channels", to_set->channels, "Which MIDI channels play: split below and from a MIDI note")
        ->option_text("omni|one:CHANNEL|split:LOWER,UPPER,NOTE");
    for (const auto& [option, text] : {std::pair<const char*, std::string*>{"--sustain", &to_set->sustain},
                                       {"--sostenuto", &to_set->sostenuto},
                                       {"--soft", &to_set->soft}}) {
        command->add_option(option, *text, "The pedal's controller up and down; the larger first turns it round")
            ->option_text("UP-DOWN");
    }
    command
        ->add_option("--sustain-controller", to_set->sustain_controller,
                     "Another controller plays the sustain pedal, with 14 bits below 32")
        ->in_range(0, core::kAllSoundOff - 1)
        ->option_text("N");
    command->add_option("--black-offset", to_set->black_offset, "Added to the velocity of black keys")
        ->option_text("STEPS");
    command->add_flag("--flat-velocity", to_set->flat_velocity, "Without a velocity curve");
    command
        ->add_option("--fine-velocity", to_set->fine_velocity,
                     "Whether controllers 88 and 16 are the finer part of a velocity; off for a keyboard that sends "
                     "them for something else")
        ->check(one_of("fine velocity", {"on", "off"}))
        ->option_text("on|off");

    add_record_command<KeyboardOptions>(*group, context, "list", "The keyboards that are known", "",
                                        std::make_shared<KeyboardOptions>(), list);
    const auto to_forget = std::make_shared<KeyboardOptions>();
    command = add_record_command<KeyboardOptions>(*group, context, "forget", "Forget what was learnt of a keyboard",
                                                  "\"Keystation MIDI 1\"", to_forget, forget);
    command->add_option("NAME", to_forget->name, "As letoff keyboard list has it")->required();
}

}  // namespace letoff::ui
