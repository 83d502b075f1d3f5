#include "ui/app/live/live_play.h"

#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <set>
#include <thread>
#include <utility>

#include "audio/sample/soundfont_files.h"
#include "core/midi/performance.h"
#include "storage/midi_file.h"
#include "storage/profile_json.h"
#include "ui/app/live/demo_piece.h"
#include "ui/app/recording/recording_file.h"

namespace letoff::ui {
namespace {

using namespace std::chrono_literals;

constexpr double kDemoPause_s = 4.0;                     // between two rounds of the demo: its last chord dies away
constexpr std::int64_t kLastSound_ns = 4'000'000'000;    // --once: how long the last chord is heard
constexpr std::int64_t kXrunsApart_ns = 10'000'000'000;  // told at most this often
constexpr auto kLettingGo = 300ms;  // fingers leave in 40 ms, hammers and dampers are back 200 ms later

MessageFeed make_feed(const LiveSetting& setting) {
    if (!setting.demo) return {};
    const auto file = storage::parse_midi_file(demo_piece(), "the demo piece");
    if (!file) return {};
    const core::Performance performance = core::performance_of(file.value().messages, file.value().end_s);
    return {core::messages_of(performance), performance.end_s + kDemoPause_s, !setting.once};
}

/// A name that nothing has yet.
std::string free_wav_name() {
    std::string name = "letoff-play.wav";
    for (int i = 2; std::filesystem::exists(name); ++i) name = fmt::format("letoff-play-{}.wav", i);
    return name;
}

}  // namespace

LivePlay::LivePlay(Instrument& instrument, LiveSetting setting, Say say)
    : instrument_(instrument),
      setting_(std::move(setting)),
      say_(std::move(say)),
      clock_(instrument.setting().tick_hz),
      touch_(instrument),
      feed_(make_feed(setting_)),
      sound_(instrument.strings(), instrument.setting().strings, instrument.setting().sound,
             instrument.setting().tick_hz, faults_) {}

LivePlay::~LivePlay() {
    (void)stop();
}

core::Result<std::unique_ptr<LivePlay>> LivePlay::start(Instrument& instrument, LiveSetting setting, Say say) {
    auto play = std::unique_ptr<LivePlay>(new LivePlay(instrument, std::move(setting), std::move(say)));
    if (auto begun = play->begin(); !begun) return core::Error{begun.error()};
    return play;
}

core::Result<bool> LivePlay::open_audio() {
    setting_.audio.must_wait = [] { return hw::midi_holds_dead_jack_clients(); };
    auto opened = audio::AudioOut::open(setting_.audio, sound_);
    if (!opened && setting_.audio.choice.way == audio::AudioChoice::Way::kAuto) {
        setting_.audio.choice.way = audio::AudioChoice::Way::kWav;
        setting_.audio.choice.wav_file = free_wav_name();
        say(fmt::format("{}; playing into '{}' instead", opened.error(), setting_.audio.choice.wav_file));
        opened = audio::AudioOut::open(setting_.audio, sound_);
    }
    if (!opened) return core::Error{opened.error()};
    audio_ = std::move(opened.value());
    say("sound: " + words_of(audio_->format()));
    return true;
}

core::Result<bool> LivePlay::begin() {
    const auto memory = core::lock_memory(setting_.rt);
    if (!memory) return core::Error{memory.error()};
    if (auto opened = open_event_lines(); !opened) return opened;
    if (auto recording = start_recording(); !recording) return recording;
    want_samples();
    want_room();
    if (auto opened = open_audio(); !opened) return opened;
    MidiSetting midi{.in = setting_.midi_in,
                     .out = setting_.midi_out,
                     .velocity_form = setting_.midi_velocity,
                     .others_hold = {},
                     .wake = {}};
    midi.map_of = [known = setting_.keyboards](const std::string& port) { return map_of(known, port); };
    midi.others_hold = [this] {
        const std::unique_lock lock(audio_mutex_, std::try_to_lock);
        return !lock || audio_->holds_dead_stream();
    };
    midi.wake = [this] { clock_.wake(); };
    midi_ = std::make_unique<MidiThread>(std::move(midi), faults_);
    open_tuning();
    say_midi();
    work_ = std::make_unique<KeybedWork>(instrument_.keybed(), touch_.tables(), touch_.touches(), midi_->inputs(),
                                         midi_->outputs().queue(), sound_, feed_, clock_);
    work_->tell_to(takes_.named_tap());
    work_->tell_to(takes_.captured_tap());
    if (event_lines_) work_->tell_to(event_lines_->tap());
    work_->set_midi_velocity(setting_.midi_velocity);
    work_->set_local(setting_.local);
    work_->set_key_position_hz(setting_.key_position_hz);
    work_->take_key_positions(setting_.key_positions_in);
    work_->set_catch_up(setting_.catch_up_percent);
    if (auto opened = open_keybed(); !opened) return opened;
    if (auto opened = open_osc(); !opened) return opened;
    thread_ = std::make_unique<core::PeriodicThread>("letoff-keybed", clock_, *work_, faults_);
    work_->follow(thread_->loop());
    work_->serve(page_);
    const auto grant = thread_->start(setting_.rt, core::kKeybedPriority);
    if (!grant) return core::Error{grant.error()};
    if (!grant.value().sentence.empty()) say(grant.value().sentence);
    if (!memory.value().sentence.empty() && grant.value().sentence.empty()) say(memory.value().sentence);
    started_ns_ = core::monotonic_now_ns();
    touch_.want_catch_up(setting_.catch_up_percent > 0);
    return true;
}

void LivePlay::want_samples() {
    if (setting_.samples.engine == audio::Engine::kModal) return;
    auto file = audio::find_soundfont(setting_.samples.soundfont);
    if (!file) return say(file.error() + std::string(without_samples(*instrument_.setting().touch.action)));
    LiveSamples samples = setting_.samples;
    samples.soundfont = file.value();
    samples.rt = setting_.rt;
    sound_.want_samples(samples);
}

void LivePlay::want_room() {
    const std::string& file = instrument_.setting().room;
    if (file.empty()) return;
    auto room = audio::load_room(file);
    if (!room) return say(room.error() + std::string(kWithoutRoom));
    if (room.value().cut) say(fmt::format("of the room '{}' the first {:.0f} s are used", file, audio::kLongestRoom_s));
    sound_.want_room(std::make_shared<const audio::RoomResponse>(std::move(room.value())));
}

core::Result<bool> LivePlay::open_keybed() {
    if (setting_.keybed == KeybedWay::kNone) return true;
    hw::ArrayOptions options = setting_.array;
    options.session.rate_kHz = static_cast<std::uint8_t>(instrument_.setting().tick_hz / 1000);
    auto started = MotorKeys::start(setting_.keybed, clock_, faults_, std::move(options), MotorKeys::simulated_keys(),
                                    setting_.rt);
    if (!started) return core::Error{started.error()};
    motor_ = std::move(started.value());
    rearm_desk_ = RearmDesk::open();
    array_ = std::make_unique<LiveArray>(motor_->array(), motor_->hands(), instrument_.keybed(), setting_.haptics);
    work_->play_array(*array_);
    return true;
}

/// Devices come and go; they may push only once the keybed's keys know their numbers and its loop runs for them.
void LivePlay::poll_keybed() {
    if (!motor_) return;
    motor_->poll();
    if (rearm_desk_) {
        rearm_desk_->serve([this] { return rearm().value(); });
    }
    for (const std::string& sentence : motor_->take_sentences()) say(sentence);
    const std::vector<hw::DeviceReport> reports = motor_->status();
    std::set<std::string> there;
    for (const hw::DeviceReport& device : reports) {
        if (MotorKeys::can_be_played(device)) there.emplace(device.identity.serial_text());
    }
    if (there != devices_) {
        devices_ = there;
        motor_->hub().enable(false);
        there.empty() ? array_->sleep() : array_->wake(haptics_of_keys(reports, setting_.haptics));
        clock_.wake();
    }
    if (!devices_.empty() && array_->is_awake()) motor_->hub().enable(true);
}

void LivePlay::say_midi() {
    for (const std::string& sentence : midi_->take_sentences()) say(sentence);
}

std::vector<audio::AudioEvent> LivePlay::poll_audio() {
    const std::lock_guard lock(audio_mutex_);
    return audio_->poll();
}

/// The end of a sentence; "" where all sounds as it did.
std::string LivePlay::take_sound(const Touch& touch) {
    const auto strings =
        setting_.tuned ? setting_.tuned(touch.strings) : core::Result<core::StringValues>(touch.strings);
    if (!strings) return "; its tuning stays: " + strings.error();
    const core::StringDesign design = string_design_of(touch, strings.value());
    const core::StringDesign& built = instrument_.setting().strings;
    if (design.stringing != built.stringing) return "; its strings will hold from the next start on";
    std::string sentence;
    if (sound_.want(design, touch.sound)) sentence = "; what is struck from now on sounds by it";
    if (design.una_corda_shift_m != built.una_corda_shift_m)
        sentence += "; una_corda_shift_mm will hold from the next start on";
    return sentence;
}

std::string LivePlay::take_touch(const Touch& touch, const storage::Profile& profile) {
    if (!setting_.catch_up_fixed) {
        setting_.catch_up_percent = touch.catch_up_percent;
        work_->set_catch_up(touch.catch_up_percent);
        touch_.want_catch_up(touch.catch_up_percent > 0);
    }
    takes_.add_touch(touch_.next_version(), storage::profile_json(profile));
    std::string sentence = touch_.take(touch);
    sentence += take_sound(touch);
    if (touch.haptics != setting_.haptics) sentence += "; its motors will hold from the next start on";
    clock_.wake();
    ++last_.touch_changes;
    return sentence;
}

void LivePlay::poll() {
    if (stopped_) return;
    for (const audio::AudioEvent& event : poll_audio()) {
        if (event.kind == audio::AudioEvent::Kind::kXruns) {
            xruns_ += event.count;
        } else {
            say(event.sentence);
        }
    }
    const std::int64_t now_ns = core::monotonic_now_ns();
    if (xruns_ > 0 && now_ns - xruns_told_ns_ > kXrunsApart_ns) {
        say(fmt::format("the audio device ran out of sound {}; longer blocks (--frames) help",
                        xruns_ == 1 ? "once" : fmt::format("{} times", xruns_)));
        xruns_ = 0;
        xruns_told_ns_ = now_ns;
    }
    say_midi();
    poll_tuning();
    poll_keybed();
    for (const std::string& sentence : sound_.take_sentences()) say(sentence);
    if (sound_.poll()) say("the new sound is there");
    if (const std::string sentence = touch_.poll(); !sentence.empty()) say(sentence);
    if (event_lines_) {
        if (const std::string sentence = event_lines_->take_sentence(); !sentence.empty()) say(sentence);
    }
    if (const std::string sentence = takes_.take_sentence(); !sentence.empty()) say(sentence);
    if (feed_.done() && done_since_ns_ == 0) done_since_ns_ = now_ns;
    take_keybed_status();
    if (audio::LiveSoundStatus status; sound_.take_status(status)) last_.sound = status;
    page_.set_meter(last_.sound.meter);
}

bool LivePlay::done() const {
    return done_since_ns_ != 0 && core::monotonic_now_ns() - done_since_ns_ > kLastSound_ns;
}

void LivePlay::take_keybed_status() {
    if (KeybedStatus status; work_->newest_status(status)) last_.keybed = status;
}

core::Result<bool> LivePlay::stop() {
    if (std::exchange(stopped_, true)) return true;
    touch_.stop();
    if (thread_ && thread_->running()) {
        take_keybed_status();
        const int live_keys = last_.keybed.live_keys;  // while it played: the motors let go first
        work_->release_all();
        if (motor_) motor_->stop();
        std::this_thread::sleep_for(kLettingGo);
        thread_->stop();
        work_->finish_takes();
        take_keybed_status();
        last_.keybed.live_keys = live_keys;
    }
    last_ = report();
    core::Result<bool> result = true;
    if (audio_) {
        const std::lock_guard lock(audio_mutex_);
        result = audio_->stop();
        last_.blocks = audio_->counters().blocks.load(std::memory_order_relaxed);  // one may have come since
    }
    thread_.reset();
    osc_in_.reset();
    work_.reset();
    array_.reset();
    motor_.reset();
    held_by_server_ = midi_ && !midi_->stop();
    event_lines_.reset();
    if (const auto kept = takes_.stop(); !kept && result) result = core::Error{kept.error()};
    return result;
}

}  // namespace letoff::ui
