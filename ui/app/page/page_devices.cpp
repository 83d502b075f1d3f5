#include "ui/app/page/page_devices.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "core/rt/monotonic_clock.h"
#include "core/unit/key_name.h"
#include "ui/app/live/sensor_store.h"

namespace letoff::ui {
namespace {

using audio::AudioChoice;
using core::DeviceKind;

// Two openings that are given up (audio/device/audio_out.h), and their closings.
constexpr auto kPatience = std::chrono::seconds(20);

std::string text_of(const AudioChoice& choice) {
    const std::string way = audio::name_of(choice.way);
    return choice.device.empty() ? way : fmt::format("{}:{}", way, choice.device);
}

std::string text_of(const hw::MidiChoice& choice, const char* whatever) {
    switch (choice.kind) {
        case hw::MidiChoice::Kind::kNone:
            return "none";
        case hw::MidiChoice::Kind::kName:
            return choice.name;
        default:
            return whatever;
    }
}

std::string midi_out_text(const std::vector<hw::MidiOutputChoice>& choices) {
    if (choices.empty()) return "none";
    if (choices.size() > 1 || choices.front().curve) return {};
    return text_of(choices.front().port, "virtual");
}

void add_sound(const LiveDevices& live, const std::vector<audio::AudioApi>& apis, std::vector<core::DeviceEntry>& to) {
    const bool runs = live.audio_runs;
    const auto is_used = [&](AudioChoice::Way way, const std::string& device) {
        return live.audio.way == way && (device.empty() || live.audio.device == device);
    };
    to.push_back({DeviceKind::kSound, "auto", "Whatever there is", "JACK, PulseAudio or PipeWire, ALSA, in this order",
                  "", false});
    // JACK is not asked by a second client while it may carry the sound (hw/midi/midi_system.h): MIDI's has looked.
    std::string no_jack;
    for (const std::string& sentence : live.midi.sentences) {
        if (sentence.starts_with("JACK")) no_jack = sentence;
    }
    if (is_used(AudioChoice::Way::kJack, "")) no_jack.clear();
    to.push_back({DeviceKind::kSound, "jack", "JACK", "the server's own block length", no_jack,
                  is_used(AudioChoice::Way::kJack, "")});
    for (const audio::AudioApi& api : apis) {
        const std::string way = audio::name_of(api.way);
        bool seen = false;
        for (const audio::AudioDevice& device : api.devices) {
            const bool used = is_used(api.way, device.name);
            seen = seen || used;
            to.push_back(
                {DeviceKind::kSound, fmt::format("{}:{}", way, device.name), fmt::format("{} ({})", device.name, way),
                 fmt::format("{} channels, {} Hz", device.channels, fmt::join(device.rates_hz, " ")), "", used});
        }
        // One that plays may not answer a second asker.
        if (is_used(api.way, "") && !seen) {
            to.push_back({DeviceKind::kSound, fmt::format("{}:{}", way, live.audio.device),
                          fmt::format("{} ({})", live.audio.device, way), "", "", true});
        } else if (api.devices.empty()) {
            to.push_back({DeviceKind::kSound, way, way, "", api.sentence, false});
        }
    }
    if (live.audio.way == AudioChoice::Way::kWav)
        to.push_back({DeviceKind::kSound, "", "A WAV file", "until something else is chosen", "", true});
    to.push_back({DeviceKind::kSound, "none", "No sound", "the keys play on, MIDI goes out", "",
                  live.audio.way == AudioChoice::Way::kNone});
    for (core::DeviceEntry& entry : to) {
        if (!entry.used || entry.kind != DeviceKind::kSound) continue;
        if (!runs) {
            entry.why_not = "it is lost and tried again until it is back";
        } else if (live.audio.rate_hz > 0) {
            entry.says = fmt::format("{} Hz in blocks of {} frames", live.audio.rate_hz, live.audio.frames);
        }
    }
}

void add_midi(const LiveDevices& live, std::vector<core::DeviceEntry>& to) {
    using Kind = hw::MidiChoice::Kind;
    to.push_back({DeviceKind::kMidiIn, "auto", "All keyboards", "also those that are plugged in later", "",
                  live.midi_in.kind == Kind::kAuto});
    to.push_back({DeviceKind::kMidiOut, "virtual", "A port of our own", "Letoff-out, for other programs to connect to",
                  "", !live.midi_out.empty() && live.midi_out.front().port.kind == Kind::kVirtual});
    for (const hw::MidiDevice& port : live.midi.ports) {
        const bool in = port.direction == hw::MidiDevice::Direction::kIn;
        to.push_back({in ? DeviceKind::kMidiIn : DeviceKind::kMidiOut, port.name, port.name,
                      port.alias.empty() ? port.api : fmt::format("{}, {}", port.alias, port.api), "", port.used});
    }
    for (const std::string& sentence : live.midi.sentences) {
        to.push_back({DeviceKind::kMidiIn, "", sentence.substr(0, sentence.find(' ')), "", sentence, false});
    }
    to.push_back({DeviceKind::kMidiIn, "none", "No MIDI", "the page's keys and motorised keys play", "",
                  live.midi_in.kind == Kind::kNone});
    to.push_back({DeviceKind::kMidiOut, "none", "No MIDI", "", "", live.midi_out.empty()});
}

const char* words_of(hw::DeviceSession::Phase phase) {
    using Phase = hw::DeviceSession::Phase;
    switch (phase) {
        case Phase::kReading:
            return "is being read";
        case Phase::kStarting:
            return "starts";
        case Phase::kWaiting:
            return "sends, does not push yet";
        case Phase::kCalibrating:
            return "finds its zero";
        case Phase::kArming:
        case Phase::kEnabling:
            return "is being switched on";
        case Phase::kEnabled:
            return "plays";
        case Phase::kFallen:
            return "fell: no force until it is armed again";
        case Phase::kClosing:
        case Phase::kClosed:
            return "is closed";
        case Phase::kRefused:
            return "is not used";
    }
    return "";
}

std::string calibration_of(const hw::Identity& identity) {
    std::string words;
    if ((identity.senses & hw::bit(hw::Field::kPosition)) != 0) {
        words = "measures positions itself";
    } else {
        words = kept_calibration(identity).empty() ? "sensors not calibrated" : "sensors calibrated";
    }
    return words + (kept_cogging(identity).empty() ? ", cogs of the motors not measured" : ", cogs measured");
}

std::vector<std::string> names_of(const hw::DeviceReport& device, const std::bitset<hw::kMostKeys>& which) {
    std::vector<std::string> names;
    for (int k = 0; k < device.identity.keys; ++k) {
        if (which[static_cast<std::size_t>(k)]) names.push_back(core::key_name(device.identity.first_key - 1 + k));
    }
    return names;
}

core::MotorKeyboard of(const hw::DeviceReport& device) {
    core::MotorKeyboard m;
    m.serial = device.identity.serial_text();
    m.state = words_of(device.phase);
    m.why = device.why;
    m.calibrated = calibration_of(device.identity);
    m.fallen = device.phase == hw::DeviceSession::Phase::kFallen;
    m.first_key = device.identity.first_key;
    m.keys = device.identity.keys;
    m.keys_out = names_of(device, device.keys_out);
    m.drifting = names_of(device, device.drifting);
    m.round_trip_ms = device.round_trip_s * 1e3;
    m.clock_ppm = device.clock_ppm;
    const auto count = [](std::uint64_t n) { return static_cast<std::int64_t>(n); };
    m.frames = count(device.counts.frames);
    m.missing = count(device.counts.missing);
    m.corrupt = count(device.counts.corrupt());
    m.late = count(device.counts.late);
    m.falls = count(device.counts.falls);
    for (std::size_t k = 0; k < std::min<std::size_t>(device.identity.keys, hw::kMostKeys); ++k)
        m.warmest_C = std::max(m.warmest_C, device.temperature_C[k]);
    return m;
}

}  // namespace

core::DeviceState device_state(const LiveDevices& live, const std::vector<audio::AudioApi>& apis) {
    core::DeviceState state;
    add_sound(live, apis, state.entries);
    add_midi(live, state.entries);
    state.sound = live.audio_choice.way == AudioChoice::Way::kWav ? "" : text_of(live.audio_choice);
    state.midi_in = text_of(live.midi_in, "auto");
    state.midi_out = midi_out_text(live.midi_out);
    for (const hw::DeviceReport& device : live.motors) state.motors.push_back(of(device));
    if (live.keybed == KeybedWay::kNone) {
        state.motors_say = "started without motorised keys: letoff play --keybed auto plays those that are plugged in";
    } else if (state.motors.empty()) {
        state.motors_say = "none is plugged in; one that is plugged in plays at once";
    }
    return state;
}

core::Result<AudioChoice> page_audio_choice(std::string_view text) {
    auto choice = audio::parse_audio_choice(text);
    if (choice && choice.value().way == AudioChoice::Way::kWav)
        return core::Error{"a WAV file is chosen where the instrument starts: letoff play --audio wav:FILE"};
    return choice;
}

core::Result<core::DeviceState> PageDevices::devices() {
    constexpr double kPatience_s = 2;
    constexpr std::int64_t kStays_ns = 10'000'000'000;  // a page looks again and again
    constexpr AudioChoice::Way kAsked[] = {AudioChoice::Way::kPulse, AudioChoice::Way::kAlsa};
    if (listed_ns_ == 0 || core::monotonic_now_ns() - listed_ns_ > kStays_ns) {
        apis_ = audio::list_audio_apis(kPatience_s, kAsked);
        listed_ns_ = core::monotonic_now_ns();
    }
    const auto looked = ask([](LivePlay&) -> core::Result<std::string> { return std::string(); });
    if (!looked) return core::Error{looked.error()};
    LiveDevices live;
    {
        const std::lock_guard lock(mutex_);
        live = newest_;
    }
    return device_state(live, apis_);
}

core::Result<std::string> PageDevices::use(core::DeviceKind kind, std::string_view choice) {
    listed_ns_ = 0;
    switch (kind) {
        case DeviceKind::kSound: {
            auto wanted = page_audio_choice(choice);
            if (!wanted) return core::Error{wanted.error()};
            return ask([wanted = wanted.value()](LivePlay& live) { return live.use_audio(wanted); });
        }
        case DeviceKind::kMidiIn: {
            auto wanted = hw::parse_midi_input(choice);
            if (!wanted) return core::Error{wanted.error()};
            return ask([wanted = wanted.value(), name = std::string(choice)](LivePlay& live) {
                live.use_midi_in(wanted);
                return core::Result<std::string>(fmt::format("MIDI in: {}", name));
            });
        }
        case DeviceKind::kMidiOut: {
            auto wanted = hw::parse_midi_output(choice);
            if (!wanted) return core::Error{wanted.error()};
            return ask([wanted = wanted.value(), name = std::string(choice)](LivePlay& live) {
                live.use_midi_out({wanted});
                return core::Result<std::string>(fmt::format("MIDI out: {}", name));
            });
        }
    }
    return core::Error{"there is no such kind of device"};
}

core::Result<std::string> PageDevices::rearm() {
    return ask([](LivePlay& live) { return live.rearm(); });
}

core::Result<std::string> PageDevices::ask(Deed deed) {
    std::unique_lock lock(mutex_);
    deed_ = std::move(deed);
    ++asked_;
    const bool came = done_.wait_for(lock, kPatience, [&] { return !deed_ || stop_; });
    if (came && !stop_) return answer_;
    deed_ = nullptr;
    return core::Error{stop_ ? "the instrument is ending"
                             : "the instrument is busy with a device that does not answer"};
}

void PageDevices::poll(LivePlay& live) {
    Deed deed;
    std::uint64_t number = 0;
    {
        const std::lock_guard lock(mutex_);
        if (!deed_) return;
        deed = deed_;
        number = asked_;
    }
    core::Result<std::string> answer = deed(live);
    LiveDevices now = live.devices();
    const std::lock_guard lock(mutex_);
    newest_ = std::move(now);
    if (number != asked_) return;  // another one waits to be done
    answer_ = std::move(answer);
    deed_ = nullptr;
    done_.notify_all();
}

void PageDevices::ask_to_stop() {
    const std::lock_guard lock(mutex_);
    stop_ = true;
    done_.notify_all();
}

}  // namespace letoff::ui
