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
