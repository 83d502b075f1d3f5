// Simulated motorised keys played in full: simulated fingers press the device's keys, its frames bring their motion to
// the keybed, the simulated actions strike, and their forces go back; what is told of it is in a tap. All on virtual
// time, nothing but the cable left out.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <utility>
#include <vector>

#include "core/rt/denormals.h"
#include "hw/sim/sim_transport.h"
#include "tests/hw/usb/manual_clock.h"
#include "tests/ui/app/live/live_rig.h"
#include "ui/app/live/live_array.h"
#include "ui/app/live/motor_keys.h"
#include "ui/app/recording/take_log.h"

namespace letoff::ui::test {

class ArrayPlay final : public core::StrikeSink {
  public:
    static constexpr int kTick_hz = 4000, kKeys = 16, kKey = 5, kNote = core::kFirstMidiNote + kKey;

    explicit ArrayPlay(bool with_array) : keys_(RigKeys::rough(kKeys)) {
        keybed.settle();
        take.tell_to(tap);
        if (!with_array) return;
        sim = std::make_unique<hw::SimTransport>(hub, clock_,
                                                 std::vector{hw::DeviceSetup::of(hw::light_lever(), "S1", 1, kKeys)});
        array = std::make_unique<LiveArray>(hub, sim.get(), keybed, keyboard::haptic_defaults());
        take.with_hands();
    }

    void run(double seconds) {
        const core::DenormalsOff denormals_off;
        for (int i = 0; i < static_cast<int>(seconds * kTick_hz); ++i) {
            clock_.now_us += clock_.kTick_us;
            if (sim) sim->round(clock_.now_s());
            take.follow_switches();
            if (array) array->before_tick(keybed, player_, ahead_s, &take);
            player_.before_tick(keybed);
            take.before_tick(keyboard::kCatchUpRows[0].default_value, touch_, *player_.tables());
            keybed.tick(nullptr, &player_);
            if (array) array->after_tick(keybed);
            take.after_tick();
        }
    }
    /// As live play does it: the device's numbers first, then it may push.
    void enable() {
        run(0.2);
        const auto devices = hub.status();
        ASSERT_EQ(devices.size(), 1U);
        array->wake(haptics_of_keys(devices, keyboard::haptic_defaults()));
        EXPECT_FALSE(array->is_awake());
        run(0.1);
        ASSERT_TRUE(array->is_awake());
        hub.enable(true);
        run(1.5);
        ASSERT_EQ(keybed.haptics().counts().live, kKeys);
    }
    void note(int velocity) {
        const auto message = velocity > 0 ? core::note_on(0, kNote, velocity) : core::note_off(0, kNote);
        take.follow_switches();
        take.message(keybed.now_s(), message);
        player_.message(keybed.now_s(), message);
    }
    double now_s() const { return clock_.now_s(); }
    double plant_dip_m() { return sim->device(0).key(kKey).plant.dip_m(); }
    double finger_N() { return sim->device(0).key(kKey).plant.finger_N(); }

    void on_strike(const core::Strike& strike) noexcept override {
        take.strike(strike);
        strikes.push_back(strike);
    }
    void on_key_bottom(int, double) noexcept override {}
    void on_release(const core::Release& release) noexcept override { releases.push_back(release); }

    const RigKeys& keys() const { return keys_; }

  private:
    RigKeys keys_;
    keyboard::KeybedTouch touch_;
    letoff::test::ManualClock clock_;
    core::FaultCounters faults_;
    std::unique_ptr<core::Executor> executor_ = std::move(core::make_executor("inline", 1).value());
    core::SnapshotSwap<keyboard::LiveTables> tables_{std::make_unique<keyboard::LiveTables>(keys_.tables)};
    keyboard::LivePlayer player_{tables_, kKeys, kTick_hz, this};

  public:
    double ahead_s = 0;
    hw::ArrayHub hub{{}, clock_, faults_};
    std::vector<core::Strike> strikes;
    std::vector<core::Release> releases;
    keyboard::Keybed keybed{keys_.keys, kTick_hz, *executor_};
    core::TakeTap tap{faults_, 1 << 20};
    TakeLog take{keybed};
    std::unique_ptr<hw::SimTransport> sim;  // null, like the array: notes are played without one
    std::unique_ptr<LiveArray> array;
};

}  // namespace letoff::ui::test
