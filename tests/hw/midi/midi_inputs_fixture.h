// Inputs on systems of the test's own, and what is read of them.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "hw/midi/midi_inputs.h"
#include "tests/hw/midi/fake_system.h"

namespace letoff::hw {

struct MidiInputsTest : ::testing::Test {
    std::unique_ptr<MidiInputs> inputs(const std::string& choice, MidiSystems systems = {}) {
        if (systems.empty()) systems = {alsa};
        return std::make_unique<MidiInputs>(
            MidiInputOptions{.choice = parse_midi_input(choice).value(), .wake = [this] { ++wakes; }}, systems, faults);
    }
    static std::vector<MidiInputRecord> taken(MidiInputs& from) {
        std::vector<MidiInputRecord> all;
        for (MidiInputRecord next; from.pop(next);) all.push_back(next);
        return all;
    }
    static std::vector<MidiPortEvent::Kind> kinds(const std::vector<MidiPortEvent>& events) {
        std::vector<MidiPortEvent::Kind> all;
        all.reserve(events.size());
        for (const auto& event : events) all.push_back(event.kind);
        return all;
    }

    core::FaultCounters faults;
    std::shared_ptr<test::FakeSystem> alsa = std::make_shared<test::FakeSystem>("ALSA");
    std::shared_ptr<test::FakeSystem> jack = std::make_shared<test::FakeSystem>("JACK");
    int wakes = 0;
};

}  // namespace letoff::hw
