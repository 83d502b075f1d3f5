// MIDI over a real JACK server: what is at the other side of our cables, RtMidi in a client of its own, and our inputs
// and outputs at this side.
#pragma once

#include <gtest/gtest.h>
#include <rtmidi/RtMidi.h>

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "hw/midi/midi_inputs.h"
#include "hw/midi/midi_outputs.h"
#include "tests/hw/midi/jack_server.h"

namespace letoff::hw {

using test::JackServer;
using test::run_program;
using test::wait_for;
using Bytes = std::vector<std::uint8_t>;
using Events = std::vector<MidiPortEvent>;

/// A keyboard: a client with one port that others listen to.
struct Keyboard {
    explicit Keyboard(const std::string& name) : out(RtMidi::UNIX_JACK, name) { out.openVirtualPort("out"); }
    void play(const Bytes& bytes) { out.sendMessage(bytes.data(), bytes.size()); }
    RtMidiOut out;
};

/// A synthesizer that writes down what it gets.
struct Synth {
    explicit Synth(const std::string& name) : in(RtMidi::UNIX_JACK, name) {
        in.setCallback(
            [](double, Bytes* bytes, void* self) {
                auto* synth = static_cast<Synth*>(self);
                const std::lock_guard lock(synth->mutex);
                synth->got.push_back(*bytes);
            },
            this);
        in.openVirtualPort("in");
    }
    std::vector<Bytes> all() {
        const std::lock_guard lock(mutex);
        return got;
    }
    std::mutex mutex;
    std::vector<Bytes> got;
    RtMidiIn in;
};

inline bool has(const Events& events, MidiPortEvent::Kind kind, const std::string& part) {
    for (const auto& event : events) {
        if (event.kind == kind && event.sentence.find(part) != std::string::npos) return true;
    }
    return false;
}

inline core::MidiMessage nth_note(int i) {
    return core::note_on(i % 16, i % 128, 1 + i % 127);
}
inline Bytes bytes_of(const core::MidiMessage& message) {
    const auto bytes = core::encode(message);
    return {bytes.bytes.begin(), bytes.bytes.begin() + static_cast<std::ptrdiff_t>(bytes.size)};
}

struct JackMidiTest : ::testing::Test {
    MidiInputs& listen(const std::string& choice = "auto") {
        inputs = std::make_unique<MidiInputs>(
            MidiInputOptions{.choice = parse_midi_input(choice).value(), .echoes = &echoes}, systems, faults);
        return *inputs;
    }
    MidiOutputs& send_to(const std::string& choice) {
        outputs = std::make_unique<MidiOutputs>(
            MidiOutputOptions{.choices = {parse_midi_output(choice).value()}, .echoes = &echoes}, systems, faults);
        outputs->poll();
        return *outputs;
    }
    bool polled(MidiPortEvent::Kind kind, const std::string& part) {
        return wait_for(10, [&] { return has(inputs->poll(), kind, part); });
    }
    /// A cable takes effect with the server's next cycle, and what is played in the one under way is lost: plays until
    /// something comes.
    bool carries(Keyboard& keys) {
        for (int probe = 1; probe <= core::kMidiDataMax; ++probe) {
            const core::MidiMessage sent = core::note_on(0, 0, probe);
            keys.play(bytes_of(sent));
            MidiInputRecord got;
            const auto has_come = [&] { return inputs->pop(got) && got.message == sent; };
            if (wait_for(1, has_come)) return true;
        }
        return false;
    }
    /// Reads until there are so many records, or ten seconds have passed.
    std::vector<MidiInputRecord> taken(std::size_t count) {
        std::vector<MidiInputRecord> all;
        wait_for(10, [&] {
            for (MidiInputRecord next; inputs->pop(next);) all.push_back(next);
            return all.size() >= count;
        });
        return all;
    }

    core::FaultCounters faults;
    EchoGuard echoes;
    MidiSystems systems = make_midi_systems();
    std::unique_ptr<MidiInputs> inputs;
    std::unique_ptr<MidiOutputs> outputs;
};

}  // namespace letoff::hw
