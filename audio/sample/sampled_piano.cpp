#include "audio/sample/sampled_piano.h"

#include <fluidsynth.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <system_error>
#include <utility>
#include <vector>

#include "audio/sample/period_buffer.h"
#include "audio/sample/soundfont_files.h"
#include "core/midi/velocity.h"
#include "core/rt/denormals.h"
#include "core/unit/constants.h"

namespace letoff::audio {
namespace {

constexpr int kFastestSynth_hz = 96000;  // its highest rate
constexpr int kChannels = 96;            // a multiple of 16, at least one a key
// Every key with all its ringing strikes, each of a stereo pair of samples in two layers: none is ever stolen.
constexpr int kVoices = core::kKeyCount * SampledPiano::kRingingStrikes * 4;

constexpr double kReleaseRange_dB = 96;     // that FluidSynth's release runs through in its release time
constexpr double kLongestRelease_s = 100;   // SoundFont generator 38 goes to 8000 timecents, 101 s
constexpr double kFadeOut_s = 0.05;         // of a key's oldest strike where there are too many: no click
constexpr double kAttenuation_cB = 400;     // a decade of velocity
constexpr double kCentibelPerDecade = 200;  // of amplitude
// The level of a C4 struck at 2.8 m/s: root mean square over its first half second, both sides, as our strings and
// soundboard give it (measured, full scale 1).
constexpr int kLevelKey = 39;
constexpr double kLevelSpeed_mps = 2.8, kLevel_s = 0.5, kLevel = 0.0193;
constexpr double kGreatestGain = 10;  // FluidSynth's

double timecents(double seconds) {
    return 1200 * std::log2(seconds);
}

/// FluidSynth writes to stderr otherwise; what went wrong is told in our sentence.
void quiet_fluidsynth() {
    for (const int level : {FLUID_PANIC, FLUID_ERR, FLUID_WARN, FLUID_INFO, FLUID_DBG})
        fluid_set_log_function(level, nullptr, nullptr);
}

fluid_preset_t* preset_of(fluid_sfont_t* font, int program, int& bank, int& number) {
    if (program != kFirstPreset) {
        bank = 0;
        number = program;
        return fluid_sfont_get_preset(font, bank, number);
    }
    for (int preset = 0; preset < 128; ++preset) {
        if (fluid_preset_t* found = fluid_sfont_get_preset(font, 0, preset)) {
            bank = 0;
            number = preset;
            return found;
        }
    }
    fluid_sfont_iteration_start(font);
    fluid_preset_t* first = fluid_sfont_iteration_next(font);
    if (first == nullptr) return nullptr;
    bank = fluid_preset_get_banknum(first);
    number = fluid_preset_get_num(first);
    return first;
}

}  // namespace

struct SampledPiano::Synth {
    struct Key {
        double loss_1ps = 0;
        bool changed = false;                        // since the last period
        bool struck = false;                         // in this period: an end now would come before the beginning
        std::array<int, kRingingStrikes> strikes{};  // ids of the last, 0: none
        std::size_t next = 0;
    };

    fluid_settings_t* settings = nullptr;
    fluid_synth_t* synth = nullptr;
    fluid_preset_t* preset = nullptr;
    SampleKeys numbers;
    std::array<Key, core::kKeyCount> keys{};
    int next_id = 1;
    bool any_changed = false;
    std::vector<fluid_voice_t*> found = std::vector<fluid_voice_t*>(kVoices);
    std::vector<unsigned> ending;
    PeriodBuffer out;

    ~Synth() {
        if (synth != nullptr) delete_fluid_synth(synth);
        if (settings != nullptr) delete_fluid_settings(settings);
    }

    std::span<fluid_voice_t*> voices(int id) {
        fluid_synth_get_voicelist(synth, found.data(), kVoices, id);
        return {found.begin(), std::find(found.begin(), found.end(), nullptr)};
    }
    /// Changes of voices wait in a queue that only the end of a call of the synthesizer opens, whichever it is.
    void let_through() { (void)fluid_synth_get_gain(synth); }
    static void set_release(fluid_voice_t* voice, double seconds) {
        fluid_voice_gen_set(voice, GEN_VOLENVRELEASE, static_cast<float>(timecents(seconds)));
        fluid_voice_update_param(voice, GEN_VOLENVRELEASE);
    }
    double release_s(std::size_t index) const {
        constexpr double kDecibelPerNeper = 8.685889638065037;
        const double decay_1ps = numbers.damper_weight[index] * keys[index].loss_1ps;
        const double seconds = kReleaseRange_dB / (kDecibelPerNeper * decay_1ps);
        return decay_1ps > 0 ? std::min(seconds, kLongestRelease_s) : kLongestRelease_s;
    }

    void strike(std::size_t index, double hammer_speed_mps, const Softness& soft) {
        Key& key = keys[index];
        if (numbers.silent[index] || !(soft.in_phase > 0)) return;
        const int exact = core::velocity_14bit_of_speed(
            numbers.speed_of_tone_mps(static_cast<int>(index), hammer_speed_mps, soft.felt_hardness));
        const int velocity =
            std::clamp((exact + core::kVelocity14bitPerStep - 1) / core::kVelocity14bitPerStep, 1, 127);
        const double above = static_cast<double>(velocity) * core::kVelocity14bitPerStep / exact;
        int& slot = key.strikes[key.next++ % kRingingStrikes];
        if (slot != 0) {
            for (fluid_voice_t* voice : voices(slot)) set_release(voice, kFadeOut_s);
            fluid_synth_stop(synth, static_cast<unsigned>(slot));
        }
        slot = next_id;
        next_id = next_id == INT32_MAX ? 1 : next_id + 1;
        fluid_synth_start(synth, static_cast<unsigned>(slot), preset, 0, static_cast<int>(index),
                          core::midi_note_of_key(static_cast<int>(index)), velocity);
        const auto softer = static_cast<float>(
            std::max(0.0, kAttenuation_cB * std::log10(above) - kCentibelPerDecade * std::log10(soft.in_phase)));
        for (fluid_voice_t* voice : voices(slot)) {
            fluid_voice_gen_incr(voice, GEN_ATTENUATION, softer);
            fluid_voice_update_param(voice, GEN_ATTENUATION);
        }
        let_through();
        key.changed = key.struck = any_changed = true;  // the new voices know of no damper yet
    }

    /// All dampers that have moved, in one pass over the voices.
    void move_dampers() {
        if (!std::exchange(any_changed, false)) return;
        ending.clear();
        for (fluid_voice_t* voice : voices(-1)) {
            const int channel = fluid_voice_get_channel(voice);
            if (channel < 0 || channel >= core::kKeyCount) continue;
            const Key& key = keys[static_cast<std::size_t>(channel)];
            if (!key.changed) continue;
            const unsigned id = fluid_voice_get_id(voice);
            const auto is_this = [id](int strike) { return static_cast<unsigned>(strike) == id; };
            if (std::none_of(key.strikes.begin(), key.strikes.end(), is_this)) continue;  // fading out
            set_release(voice, release_s(static_cast<std::size_t>(channel)));
            if (key.loss_1ps > 0 && !key.struck && fluid_voice_is_on(voice) != 0 &&
                (ending.empty() || ending.back() != id))
                ending.push_back(id);
        }
        let_through();
        for (const unsigned id : ending) fluid_synth_stop(synth, id);
        for (Key& key : keys) {
            key.changed = std::exchange(key.struck, false);
            any_changed = any_changed || key.changed;
        }
    }

    void next_period() {
        move_dampers();
        out.begin();
        fluid_synth_write_float(synth, PeriodBuffer::kPeriod, out.side(0).data(), 0, 1, out.side(1).data(), 0, 1);
        out.finish();
    }

    void render(std::span<float> left, std::span<float> right) {
        const core::DenormalsOff denormals_off;
        for (std::size_t done = 0; done < left.size();) {
            if (out.is_empty()) next_period();
            done += out.take(left.subspan(done), right.subspan(done));
        }
    }

    void silence() {
        fluid_synth_all_sounds_off(synth, -1);
        for (Key& key : keys) key.strikes = {};
        // The voices end with the next period, and FluidSynth's own buffer with them.
        next_period();
        out.clear();
    }

    bool tune() {
        std::array<double, 128> pitch_cents{};
        for (int note = 0; note < 128; ++note) {
            const int key = core::key_of_midi_note(note);
            const bool played = key >= 0 && key < core::kKeyCount;
            pitch_cents[static_cast<std::size_t>(note)] =
                100.0 * note + (played ? std::round(numbers.cents[static_cast<std::size_t>(key)]) : 0);
        }
        bool done = fluid_synth_activate_key_tuning(synth, 0, 0, "Letoff", pitch_cents.data(), 0) == FLUID_OK;
        for (int channel = 0; channel < core::kKeyCount; ++channel)
            done = done && fluid_synth_activate_tuning(synth, channel, 0, 0, 0) == FLUID_OK;
        return done;
    }

    void match_level(int rate_hz) {
        std::vector<float> left(static_cast<std::size_t>(kLevel_s * rate_hz)), right(left.size());
        fluid_synth_set_gain(synth, 1);
        strike(kLevelKey, kLevelSpeed_mps, {});
        render(left, right);
        double sum = 0;
        for (const auto* side : {&left, &right})
            for (const float sample : *side) sum += static_cast<double>(sample) * sample;
        const double level = std::sqrt(sum / (2 * static_cast<double>(left.size())));
        silence();
        if (level <= 0) return;
        fluid_synth_set_gain(synth, static_cast<float>(std::min(kLevel / level, kGreatestGain)));
        // A voice glides from its last loudness into the next, within a period: not from that of the measurement.
        strike(kLevelKey, kLevelSpeed_mps, {});
        render(std::span(left).first(2 * PeriodBuffer::kPeriod), std::span(right).first(2 * PeriodBuffer::kPeriod));
        silence();
    }
};

SampledPiano::SampledPiano(std::unique_ptr<Synth> synth) : synth_(std::move(synth)) {}
SampledPiano::~SampledPiano() = default;

core::Result<std::unique_ptr<SampledPiano>> SampledPiano::load(const std::string& file, int sample_rate_hz,
                                                               const SampleKeys& keys, int program) {
    const auto refuse = [&](const std::string& why) {
        return core::Error{"cannot play the samples of '" + file + "': " + why};
    };
    std::error_code ignored;
    if (!std::filesystem::exists(file, ignored)) return refuse("there is no such file");
    if (!std::filesystem::is_regular_file(file, ignored)) return refuse("it is no file");
    if (const std::string why = why_no_soundfont(file); !why.empty()) return refuse(why);
    quiet_fluidsynth();
    auto synth = std::make_unique<Synth>();
    const bool doubled = sample_rate_hz > kFastestSynth_hz;
    synth->out.set_doubled(doubled);
    synth->settings = new_fluid_settings();
    if (synth->settings == nullptr) return refuse("FluidSynth does not start");
    const auto number = [&](const char* name, double value) { fluid_settings_setnum(synth->settings, name, value); };
    const auto whole = [&](const char* name, int value) { fluid_settings_setint(synth->settings, name, value); };
    number("synth.sample-rate", doubled ? sample_rate_hz / 2 : sample_rate_hz);
    whole("synth.threadsafe-api", 0);  // one thread at a time: no locks
    whole("synth.midi-channels", kChannels);
    whole("synth.polyphony", kVoices);
    whole("synth.min-note-length", 0);         // the damper says how short a note is
    whole("synth.dynamic-sample-loading", 1);  // of this one preset only
    whole("synth.lock-memory", 0);             // nothing of it is heard at once: the thread runs a block ahead
    whole("synth.reverb.active", 0);
    whole("synth.chorus.active", 0);
    synth->synth = new_fluid_synth(synth->settings);
    if (synth->synth == nullptr) return refuse("FluidSynth does not start");
    const int font_id = fluid_synth_sfload(synth->synth, file.c_str(), 0);
    if (font_id == FLUID_FAILED) return refuse("the SoundFont is damaged, or needs a newer FluidSynth");
    int bank = 0, preset = 0;
    fluid_sfont_t* font = fluid_synth_get_sfont_by_id(synth->synth, font_id);
    synth->preset = font != nullptr ? preset_of(font, program, bank, preset) : nullptr;
    if (synth->preset == nullptr) {
        return refuse(program == kFirstPreset
                          ? "the SoundFont has no instrument"
                          : "it has no instrument of General MIDI's program " + std::to_string(program + 1));
    }
    for (int channel = 0; channel < core::kKeyCount; ++channel) {
        fluid_synth_set_channel_type(synth->synth, channel, CHANNEL_TYPE_MELODIC);
        if (fluid_synth_program_select(synth->synth, channel, font_id, bank, preset) != FLUID_OK)
            return refuse("its first instrument cannot be used");
    }
    // fluid_synth_start() refuses while samples may come and go; those of a preset on a channel are there to stay.
    whole("synth.dynamic-sample-loading", 0);
    synth->numbers = keys;
    if (!synth->tune()) return refuse("it cannot be tuned");
    synth->match_level(sample_rate_hz);
    return std::unique_ptr<SampledPiano>(new SampledPiano(std::move(synth)));
}

void SampledPiano::strike(int key_index, double hammer_speed_mps, const Softness& soft) {
    if (key_index >= 0 && key_index < core::kKeyCount)
        synth_->strike(static_cast<std::size_t>(key_index), hammer_speed_mps, soft);
}

void SampledPiano::damp(int key_index, double loss_1ps) {
    if (key_index < 0 || key_index >= core::kKeyCount) return;
    Synth::Key& key = synth_->keys[static_cast<std::size_t>(key_index)];
    key.loss_1ps = loss_1ps;
    key.changed = synth_->any_changed = true;
}

void SampledPiano::render(std::span<float> left, std::span<float> right) {
    synth_->render(left, right.first(left.size()));
}

void SampledPiano::silence() {
    synth_->silence();
}

int SampledPiano::voices() const {
    return fluid_synth_get_active_voice_count(synth_->synth);
}

}  // namespace letoff::audio
