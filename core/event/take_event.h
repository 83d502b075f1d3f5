// What is kept of live play, one event at a time: everything that came in and decided what the mechanics did, so that
// they can do it again to the bit, and what they did, so that it can be looked at without doing it again. Each has the
// tick before which it acted (or in which it happened), counted by the keybed.
#pragma once

#include <cstdint>

#include "core/midi/message.h"

namespace letoff::core {

enum class TakeKind : std::uint8_t {  // stable: files have these numbers
    // came in
    message = 1,      // `message`, at time_s of the keybed's clock
    release_all = 2,  // a source was lost, or panic
    catch_up = 3,     // `value`: percent, from this tick on
    touch = 4,        // `bits`: the version of the touch that the keys turn into
    tables = 5,       // other finger tables: `bits` the version of the touch of their strokes, key 1: with catch-up, 0:
                      // without; a table_of_key follows for every key whose catch-up is of another touch than 0
    table_of_key = 6,  // `key`, `bits`: the version of the touch of its catch-up
    begin = 7,  // before everything else: it is told from this tick on; `bits`: the version of the touch that the
                // keys have, `value`: which telling of its tap it is. What else holds then follows
    end = 8,    // after everything else: it is no longer told; all fingers leave
    // came in from a motor array
    device_key = 9,   // `key` has the numbers of another device, its rows the defaults but for those that follow
    device_row = 10,  // `key`, `bits`: index of a row of keyboard/haptic, `value`
    live_keys = 11,   // keys that are played by their motion: `bits` the lower 64 of them, `value` the others, a whole
                      // number
    motion = 12,      // measured at time_s; key 1: all rest, which holds at the begin of every tick until the next
    key_moved = 13,   // with the motion before: `key`, `bits`: as core/event/key_motion_code.h has it
    hands = 14,       // strokes for live keys are made by the array's own fingers
    // happened
    strike = 32,   // `key`, at time_s, `value`: hammer's speed, m/s
    release = 33,  // `key`, at time_s, `value`: key's speed upwards, m/s
    state = 34,    // `bits`: hash of every coordinate and speed after `tick` ticks
    gap = 35,      // `value`: seconds that were never run, before this tick
};

struct TakeEvent {
    std::int64_t tick = 0;
    double time_s = 0;
    double value = 0;
    std::uint64_t bits = 0;
    TakeKind kind = TakeKind::message;
    std::int8_t key = 0;
    MidiMessage message{};

    friend bool operator==(const TakeEvent&, const TakeEvent&) = default;
};

}  // namespace letoff::core
