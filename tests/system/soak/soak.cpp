// Hours of playing on virtual time, as fast as the machine can: does anything grow, drift or stick?
//
//   letoff_soak HOURS [SEED] [sound]
//
// A random pianist (about four notes a second, chords, forearm clusters, half-pedals), another touch every ten
// minutes, a MIDI keyboard that goes away in mid-chord every seven, a motor array of 16 keys that is there for a minute
// in ten and is then pulled out without a word. Every five minutes all rests, and then: every key sleeps where it
// began, no finger is left, a test stroke on A4 is as loud as the first one, the clock has counted every tick, memory
// has not grown. With `sound`, strings and soundboard ring too. A line of JSON for every rest; exit status 1 and a
// sentence at the first thing that is wrong.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "core/rt/denormals.h"
#include "hw/sim/sim_transport.h"
#include "tests/hw/usb/manual_clock.h"
#include "tests/support/process_status.h"
#include "ui/app/cache_file.h"
#include "ui/app/instrument.h"
#include "ui/app/live/live_array.h"
#include "ui/app/live/live_touch.h"
#include "ui/app/live/motor_keys.h"
#include "ui/app/profiles/factory.h"
#include "ui/app/profiles/touch.h"

namespace letoff::ui {
namespace {

constexpr int kTick_hz = 4000, kArrayKeys = 16, kTestNote = 69, kTestVelocity = 80;
constexpr double kStrokes_hz = 1.6, kLongest_s = 0.8;  // of one to four notes: as busy as most piano music
constexpr double kRestEvery_s = 300, kTouchEvery_s = 600, kLossEvery_s = 420, kArrayEvery_s = 600, kArrayFor_s = 60;
// A key comes to rest where friction holds it on its felt, not twice at the same micrometre; another touch rests
// elsewhere.
constexpr double kFrictionHolds_m = 0.5e-3;
constexpr double kMemoryGrowth_MB = 8;  // what an allocator may keep in reserve
constexpr const char* kTouches[] = {"concert", "worn"};

[[noreturn]] void wrong(const std::string& what) {
    fmt::print(stderr, "letoff_soak: {}\n", what);
    std::exit(1);
}

double memory_MB() {
    const auto used_kB = test::status_figure("/proc/self", "VmRSS");
    if (!used_kB) wrong("/proc/self/status does not tell how much memory this is");
    return static_cast<double>(*used_kB) / 1024;
}

Touch touch_named(const char* name) {
    const auto profile = factory_profile(name);
    if (!profile) wrong(fmt::format("there is no factory profile '{}'", name));
    return touch_of(*profile).value();
}

class Soak final : public core::StrikeSink {
  public:
    Soak(Instrument& instrument, unsigned seed, bool sounds)
        : instrument_(instrument), keybed_(instrument.keybed()), touch_(instrument), random_(seed) {
        if (sounds) sound_ = instrument.offline_sound(0, [](auto, auto) {});
        for (int key = 0; key < core::kKeyCount; ++key) first_dip_m_.push_back(keybed_.dip_m(key));
    }

    void run(double hours) {
        const core::DenormalsOff denormals_off;
        rest();
        while (clock_.now_s() < hours * 3600) {
            play_until(clock_.now_s() + kRestEvery_s);
            rest();
        }
    }

    void on_strike(const core::Strike& strike) noexcept override {
        if (sound_) sound_->on_strike(strike);
        last_mps_ = strike.hammer_speed_mps;
        ++strikes_;
    }
    void on_key_bottom(int, double) noexcept override {}
    void on_release(const core::Release&) noexcept override { ++releases_; }

  private:
    double uniform(double low, double high) { return std::uniform_real_distribution(low, high)(random_); }
    int whole(int low, int high) { return std::uniform_int_distribution(low, high)(random_); }

    void tick() {
        clock_.now_us += letoff::test::ManualClock::kTick_us;
        ++ticks_;
        if (sim_ && !pulled_) sim_->round(clock_.now_s());
        if (array_) array_->before_tick(keybed_, player_, clock_.now_s() - keybed_.now_s());
        player_.before_tick(keybed_);
        keybed_.tick(sound_.get(), &player_);
        if (array_) array_->after_tick(keybed_);
    }
    void run_for(double seconds) {
        for (auto left = std::llround(seconds * kTick_hz); left > 0; --left) tick();
    }
    void tell(const core::MidiMessage& message) { player_.message(keybed_.now_s(), message); }
    void note_on(int note, int velocity, double for_s) {
        tell(core::note_on(0, note, velocity));
        last_[static_cast<std::size_t>(note)] = std::max(last_[static_cast<std::size_t>(note)], clock_.now_s() + for_s);
        ++owed_[static_cast<std::size_t>(note)];
        ++notes_;
    }
    /// An off for each on, as keyboards send them.
    void note_off(int note, int velocity) {
        for (int& owed = owed_[static_cast<std::size_t>(note)]; owed > 0; --owed) {
            tell(core::note_off(0, note, velocity));
        }
        last_[static_cast<std::size_t>(note)] = 0;
    }

    void play_until(double end_s) {
        double next_note_s = clock_.now_s(), next_pedal_s = next_note_s;
        while (clock_.now_s() < end_s) {
            const double now_s = clock_.now_s();
            for (int note = 0; note < core::kMidiNotes; ++note) {
                const double off_s = last_[static_cast<std::size_t>(note)];
                if (off_s > 0 && now_s >= off_s) note_off(note, whole(1, 127));
            }
            if (now_s >= next_note_s) {
                next_note_s = now_s + std::exponential_distribution(kStrokes_hz)(random_);
                const bool cluster = whole(0, 199) == 0;
                const int keys = cluster ? 12 : whole(1, 4), lowest = whole(21, 108 - keys);
                for (int k = 0; k < keys; ++k)
                    note_on(cluster ? lowest + k : whole(21, 108), whole(15, 120), uniform(0.03, kLongest_s));
            }
            if (now_s >= next_pedal_s) {
                next_pedal_s = now_s + uniform(0.1, 3);
                tell(core::control_change(0, core::kSustainPedal, whole(0, 1) == 0 ? whole(0, 127) : 0));
            }
            events(now_s);
            tick();
        }
    }

    void events(double now_s) {
        if (now_s >= next_touch_s_) {
            next_touch_s_ += kTouchEvery_s;
            touch_.take(touch_named(kTouches[++touch_number_ % std::size(kTouches)]));
        }
        if (ticks_ % kTick_hz == 0) touch_.poll();
        if (now_s >= next_loss_s_) {
            next_loss_s_ += kLossEvery_s;
            player_.release_all();
            last_.fill(0);
            owed_.fill(0);
        }
        move_array(now_s);
    }

    void move_array(double now_s) {
        const double phase_s = std::fmod(now_s, kArrayEvery_s);
        if (!array_ && phase_s < kArrayFor_s) {
            hub_ = std::make_unique<hw::ArrayHub>(hw::ArrayOptions{}, clock_, faults_);
            sim_ = std::make_unique<hw::SimTransport>(
                *hub_, clock_, std::vector{hw::DeviceSetup::of(hw::light_lever(), "S1", 40, kArrayKeys)});
            array_ = std::make_unique<LiveArray>(*hub_, &*sim_, keybed_, keyboard::haptic_defaults());
            pulled_ = enabled_ = false;
        } else if (array_ && !enabled_ && phase_s > 1) {
            if (!woken_) array_->wake(haptics_of_keys(hub_->status(), keyboard::haptic_defaults()));
            woken_ = true;
            if (array_->is_awake()) {
                hub_->enable(true);
                enabled_ = true;
            }
        } else if (array_ && phase_s > kArrayFor_s && !pulled_) {
            if (keybed_.haptics().counts().live != kArrayKeys) {
                wrong(fmt::format("at {:.0f} s {} of {} motorised keys were live", now_s,
                                  keybed_.haptics().counts().live, kArrayKeys));
            }
            pulled_ = true;
        } else if (array_ && phase_s > kArrayFor_s + 2) {
            if (keybed_.haptics().counts().live != 0) wrong("keys of a motor array that is gone are still live");
            array_->sleep();
            array_.reset();
            sim_.reset();
            hub_.reset();
            woken_ = false;
        }
    }

    /// Silence, then what must hold in it.
    void rest() {
        while (array_) {  // a minute that has begun is played to its end
            move_array(clock_.now_s());
            tick();
        }
        tell(core::control_change(0, core::kSustainPedal, 0));
        for (int note = 0; note < core::kMidiNotes; ++note) note_off(note, 64);
        run_for(6);
        if (!player_.idle()) wrong(fmt::format("at {:.0f} s a finger is left on a key", clock_.now_s()));
        if (keybed_.sleeping_keys() != core::kKeyCount) {
            wrong(fmt::format("at {:.0f} s only {} of 88 keys rest", clock_.now_s(), keybed_.sleeping_keys()));
        }
        for (int key = 0; key < core::kKeyCount; ++key) {
            const double moved_m = std::abs(keybed_.dip_m(key) - first_dip_m_[static_cast<std::size_t>(key)]);
            if (!(moved_m < kFrictionHolds_m)) {
                wrong(fmt::format("key {} rests {:.3f} mm from where it began", key + 1, moved_m * 1e3));
            }
            farthest_m_ = std::max(farthest_m_, moved_m);
        }
        const auto clock_ticks = clock_.now_us / letoff::test::ManualClock::kTick_us;
        if (clock_ticks != ticks_ || keybed_.now_ticks() - first_tick_ != ticks_) wrong("the keybed has lost ticks");

        const std::int64_t before = strikes_;
        note_on(kTestNote, kTestVelocity, 0);
        run_for(0.5);
        note_off(kTestNote, 64);
        run_for(2);
        if (strikes_ != before + 1) wrong(fmt::format("the test stroke made {} strikes", strikes_ - before));
        const std::size_t touch = touch_number_ % std::size(kTouches);
        const double first_mps = first_mps_[touch].value_or(last_mps_);
        first_mps_[touch] = first_mps;
        const double drift = last_mps_ / first_mps - 1;
        const double memory = memory_MB();
        // Every part has been there after the first touches and arrays.
        if (clock_.now_s() > 2 * kTouchEvery_s && !memory_then_MB_) memory_then_MB_ = memory;
        const double wall_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - began_).count();
        fmt::print(
            "{{\"virtual_s\":{:.0f},\"wall_s\":{:.0f},\"touch\":\"{}\",\"notes\":{},\"strikes\":{},\"releases\":{},"
            "\"missed\":{},\"extra\":{},\"test_mps\":{:.4f},\"drift\":{:.5f},\"farthest_mm\":{:.3f},\"memory_MB\":{:."
            "1f},\"faults\":{}}}\n",
            clock_.now_s(), wall_s, kTouches[touch], notes_, strikes_, releases_, player_.counts().silent,
            player_.counts().extra_strikes, last_mps_, drift, farthest_m_ * 1e3, memory, keybed_.faults());
        std::fflush(stdout);
        if (keybed_.faults() != 0) wrong("a key came to a state that is no number");
        if (std::abs(drift) > 0.02) wrong("the test stroke is not as loud as the first one of this touch");
        if (memory_then_MB_ && memory > *memory_then_MB_ + kMemoryGrowth_MB) wrong("memory grows");
    }

    Instrument& instrument_;
    keyboard::Keybed& keybed_;
    const std::int64_t first_tick_ = keybed_.now_ticks();
    LiveTouch touch_;
    std::mt19937 random_;
    letoff::test::ManualClock clock_;
    core::FaultCounters faults_;
    std::unique_ptr<OfflineSound> sound_;
    keyboard::LivePlayer player_{touch_.tables(), core::kKeyCount, kTick_hz, this};
    std::unique_ptr<hw::ArrayHub> hub_;
    std::unique_ptr<hw::SimTransport> sim_;
    std::unique_ptr<LiveArray> array_;
    bool pulled_ = false, enabled_ = false, woken_ = false;
    std::vector<double> first_dip_m_;
    double farthest_m_ = 0;
    std::array<double, core::kMidiNotes> last_{};  // when the note is let go; 0: it is not down
    std::array<int, core::kMidiNotes> owed_{};
    double next_touch_s_ = kTouchEvery_s, next_loss_s_ = kLossEvery_s;
    std::size_t touch_number_ = 0;
    std::int64_t ticks_ = 0, notes_ = 0, strikes_ = 0, releases_ = 0;
    double last_mps_ = 0;
    std::optional<double> first_mps_[std::size(kTouches)], memory_then_MB_;
    const std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
};

int soak(int argc, char** argv) {
    const double hours = argc > 1 ? std::strtod(argv[1], nullptr) : 0;
    const auto seed = static_cast<unsigned>(argc > 2 ? std::strtoul(argv[2], nullptr, 10) : 1);
    if (!(hours > 0)) wrong("how many hours? letoff_soak 8 [SEED] [sound]");
    InstrumentSetting setting;
    setting.touch = touch_named(kTouches[0]).grand;
    setting.executor = "inline";
    setting.threads = 1;
    if (auto file = stroke_cache_file(); file) setting.cache_file = file.value();
    auto instrument = Instrument::create(setting);
    if (!instrument) wrong(instrument.error());
    Soak(*instrument.value(), seed, argc > 3 && std::string_view(argv[3]) == "sound").run(hours);
    return 0;
}

}  // namespace
}  // namespace letoff::ui

int main(int argc, char** argv) {
    return letoff::ui::soak(argc, argv);
}
