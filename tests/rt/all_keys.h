// All 88 keys played in 200 ticks, and a sink that counts what their keybed tells, for the guard and the trap.
#pragma once

#include "core/port/sound_sink.h"
#include "core/port/strike_sink.h"
#include "core/rt/denormals.h"
#include "keyboard/keybed/keybed.h"

namespace letoff::test {

struct CountingSink : core::SoundSink, core::StrikeSink {
    int ticks_with_force = 0, strikes = 0, bottoms = 0, releases = 0;

    void on_tick(const core::SoundFrame& frame) noexcept override { ticks_with_force += frame.forces.empty() ? 0 : 1; }
    void on_strike(const core::Strike&) noexcept override { ++strikes; }
    void on_key_bottom(int, double) noexcept override { ++bottoms; }
    void on_release(const core::Release&) noexcept override { ++releases; }
};

/// At 4 kHz: half of the keys from soft to loud at once, the others 5 ms later; the first are let go, the pedal goes
/// down. after_tick(tick) runs behind each.
template <typename AfterTick>
void play_all_keys(keyboard::Keybed& keybed, CountingSink& sink, const AfterTick& after_tick) {
    const core::DenormalsOff denormals_off;
    for (int tick = 0; tick < 200; ++tick) {
        if (tick == 0 || tick == 20) {
            for (int k = tick == 0 ? 0 : 1; k < keybed.keys(); k += 2) keybed.press(k, keybed.now_s(), 40.0 + k);
        }
        if (tick == 100) {
            for (int k = 0; k < keybed.keys(); k += 2) keybed.lift(k, keybed.now_s(), 0.5);
        }
        if (tick >= 150) keybed.set_tray((tick - 150) / 50.0);
        keybed.tick(&sink, &sink);
        after_tick(tick);
    }
}

/// Whether it was played, in every part.
inline bool all_was_told(const CountingSink& sink) noexcept {
    // Of the 44 that are let go the slowest need a little longer.
    return sink.ticks_with_force > 10 && sink.strikes == 88 && sink.bottoms > 80 && sink.releases >= 30;
}

}  // namespace letoff::test
