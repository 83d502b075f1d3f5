// Performances in Standard MIDI Files: read, and held against each other.
#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <filesystem>

#include "core/midi/performance.h"
#include "storage/midi_file.h"

namespace letoff::test {

inline core::Performance read_performance(const std::filesystem::path& file) {
    const auto midi = storage::read_midi_file(file);
    if (!midi) {
        ADD_FAILURE() << midi.error();
        return {};
    }
    return core::performance_of(midi.value().messages, midi.value().end_s);
}

/// Every note and every pedal value, times within 1 ms, velocities within 1.
inline void expect_same_performance(const core::Performance& got, const core::Performance& asked) {
    ASSERT_EQ(got.notes.size(), asked.notes.size());
    for (std::size_t i = 0; i < got.notes.size(); ++i) {
        ASSERT_EQ(got.notes[i].key_index, asked.notes[i].key_index) << i;
        ASSERT_NEAR(got.notes[i].on_time_s, asked.notes[i].on_time_s, 1e-3) << i;
        ASSERT_NEAR(got.notes[i].off_time_s, asked.notes[i].off_time_s, 1e-3) << i;
        ASSERT_NEAR(got.notes[i].midi_velocity(), asked.notes[i].midi_velocity(), 1) << i;
    }
    for (const auto moves : {&core::Performance::sustain, &core::Performance::sostenuto, &core::Performance::soft}) {
        ASSERT_EQ((got.*moves).size(), (asked.*moves).size());
        for (std::size_t i = 0; i < (got.*moves).size(); ++i) {
            ASSERT_EQ((got.*moves)[i].position, (asked.*moves)[i].position) << i;
            ASSERT_NEAR((got.*moves)[i].time_s, (asked.*moves)[i].time_s, 1e-3) << i;
        }
    }
}

}  // namespace letoff::test
