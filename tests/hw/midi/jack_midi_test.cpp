// What goes over the cables of a real JACK server, and which ports are found there.
#include "core/rt/monotonic_clock.h"
#include "hw/midi/midi_devices.h"
#include "hw/midi/midi_strike_out.h"
#include "tests/hw/midi/jack_midi_peers.h"

namespace letoff::hw {
namespace {

TEST_F(JackMidiTest, ThousandNotesWithSystemExclusiveBetweenArriveInOrder) {
    JackServer server;
    ASSERT_TRUE(server.up());
    Keyboard keys("Keystation");
    listen();
    ASSERT_TRUE(polled(MidiPortEvent::Kind::kFound, "\"Keystation:out\" (JACK)"));
    ASSERT_TRUE(carries(keys));
    const std::int64_t start_ns = core::monotonic_now_ns();
    for (int i = 0; i < 1000; ++i) {
        if (i == 300 || i == 600) {
            Bytes dump(i == 300 ? 300 : 5000, 0x55);
            dump.front() = 0xF0;
            dump.back() = 0xF7;
            keys.play(dump);
        }
        keys.play(bytes_of(nth_note(i)));
    }
    const auto all = taken(1000);
    const std::int64_t end_ns = core::monotonic_now_ns();
    ASSERT_EQ(all.size(), 1000u);
    for (std::size_t i = 0; i < all.size(); ++i) {
        ASSERT_EQ(all[i].message, nth_note(static_cast<int>(i))) << i;
        ASSERT_EQ(all[i].source, all[0].source);
        ASSERT_GE(all[i].time_ns, i == 0 ? start_ns : all[i - 1].time_ns);
        ASSERT_LE(all[i].time_ns, end_ns);
    }
    EXPECT_EQ(inputs->source_name(all[0].source), "Keystation:out");
    EXPECT_EQ(faults.errors(), 0u);
}

// Forty messages a millisecond is ten times what USB keyboards send.
TEST_F(JackMidiTest, TwoThousandMessagesInFiftyMillisecondsLoseNone) {
    JackServer server;
    ASSERT_TRUE(server.up());
    Keyboard keys("Keystation");
    listen("keystation");
    ASSERT_TRUE(polled(MidiPortEvent::Kind::kFound, "Keystation"));
    ASSERT_TRUE(carries(keys));
    const std::int64_t start_ns = core::monotonic_now_ns();
    std::vector<MidiInputRecord> all;
    const auto take = [&] {
        for (MidiInputRecord next; inputs->pop(next);) all.push_back(next);
    };
    for (std::size_t i = 0; i < 2000; ++i) {
        while (core::monotonic_now_ns() < start_ns + static_cast<std::int64_t>(i) * 25'000) std::this_thread::yield();
        // JACK's own buffer holds about 2,000 messages a period: no more than half may wait for a server that is late.
        ASSERT_TRUE(wait_for(10, [&] {
            if (i - all.size() > 1000) take();
            return i - all.size() <= 1000;
        }));
        keys.play(bytes_of(nth_note(static_cast<int>(i))));
    }
    wait_for(10, [&] {
        take();
        return all.size() >= 2000;
    });
    EXPECT_EQ(faults.errors(), 0u);
    for (std::size_t i = 0; i < all.size(); ++i) ASSERT_EQ(all[i].message, nth_note(static_cast<int>(i))) << i;
    EXPECT_EQ(all.size(), 2000u);
}

TEST_F(JackMidiTest, AKeyboardThatIsPulledAndPluggedInAgain) {
    JackServer server;
    ASSERT_TRUE(server.up());
    listen("key");
    auto keys = std::make_unique<Keyboard>("Keystation");
    ASSERT_TRUE(polled(MidiPortEvent::Kind::kFound, "Keystation"));
    keys.reset();
    keys = std::make_unique<Keyboard>("Keystation");
    // Whether or not a look fell between the two: it is another port now, and nothing is connected to it yet.
    Events events;
    ASSERT_TRUE(wait_for(10, [&] {
        for (const auto& event : inputs->poll()) events.push_back(event);
        return has(events, MidiPortEvent::Kind::kLost, "Keystation") &&
               has(events, MidiPortEvent::Kind::kFound, "Keystation");
    }));
    keys->play({0x90, 61, 65});
    const auto all = taken(2);
    ASSERT_EQ(all.size(), 2u);
    EXPECT_EQ(all[0].kind, MidiInputRecord::Kind::kSourceLost);
    EXPECT_EQ(all[1].message, core::note_on(0, 61, 65));
}

TEST_F(JackMidiTest, AHundredLooksLeaveTheClientsAsTheyWere) {
    JackServer server;
    ASSERT_TRUE(server.up());
    Keyboard keys("Keystation");
    listen();
    send_to("virtual");
    inputs->poll();
    const std::size_t clients = server.clients();
    EXPECT_GE(clients, 5u) << "the keyboard, the watch, our input, the keyboard's cable, our output";
    for (int i = 0; i < 100; ++i) {
        EXPECT_TRUE(inputs->poll().empty());
        EXPECT_TRUE(outputs->poll().empty());
        midi_ports(systems);
    }
    EXPECT_EQ(server.clients(), clients);
    inputs.reset();
    outputs.reset();
    systems.clear();
    EXPECT_TRUE(wait_for(10, [&] { return server.clients() <= clients - 4; }));
}

TEST_F(JackMidiTest, StrikesReachASynthesizerAndEndWithTheProgram) {
    JackServer server;
    ASSERT_TRUE(server.up());
    Synth synth("Synth");
    auto& out = send_to("synth");
    ASSERT_EQ(out.open_ports(), 1);
    MidiStrikeOut strikes(out.queue());
    strikes.pedal(1, 0);
    strikes.on_strike({.key_index = 48, .strike_time_s = 0.1, .hammer_speed_mps = 2.8});
    ASSERT_TRUE(wait_for(10, [&] { return synth.all().size() >= 3; }));
    outputs.reset();
    ASSERT_TRUE(wait_for(10, [&] { return synth.all().size() >= 5; }));
    EXPECT_EQ(synth.all(),
              (std::vector<Bytes>{{0xB0, 64, 127}, {0xB0, 88, 108}, {0x90, 69, 89}, {0x80, 69, 64}, {0xB0, 64, 0}}));
}

// Someone connects our output to our input by hand, and what comes in is played: without a guard for ever.
TEST_F(JackMidiTest, ALoopOfOurOwnPortsDoesNotRunAway) {
    for (const bool guarded : {false, true}) {
        JackServer server;
        ASSERT_TRUE(server.up());
        systems = make_midi_systems();
        inputs = std::make_unique<MidiInputs>(
            MidiInputOptions{.choice = {MidiChoice::Kind::kAuto, {}}, .echoes = guarded ? &echoes : nullptr}, systems,
            faults);
        inputs->poll();
        auto& out = send_to("virtual");
        inputs->poll();
        EXPECT_EQ(inputs->open_sources(), 1) << "our own output is no keyboard";
        ASSERT_EQ(run_program({"jack_connect", "Letoff-out:out", "Letoff:in"}), 0);
        MidiStrikeOut strikes(out.queue());
        const auto strike = [&] { strikes.on_strike({.key_index = 48, .strike_time_s = 0, .hammer_speed_mps = 1}); };
        strike();
        int came = 0;
        const std::int64_t start_ns = core::monotonic_now_ns();
        wait_for(1, [&] {
            for (MidiInputRecord next; inputs->pop(next);) {
                if (next.message.kind != core::MidiKind::note_on) continue;
                ++came;
                strike();
            }
            return came >= 20;
        });
        EXPECT_GT(core::monotonic_now_ns(), start_ns);
        // Without the guard this must be the loop that the guard is for.
        EXPECT_EQ(came >= 20, !guarded);
        EXPECT_EQ(came == 0, guarded);
        inputs.reset();
        outputs.reset();
        systems.clear();
    }
}

TEST_F(JackMidiTest, TheListNamesWhatIsThereAndNothingOfOurs) {
    JackServer server;
    ASSERT_TRUE(server.up());
    Keyboard keys("Keystation");
    Synth synth("Synth");
    listen();
    inputs->poll();
    std::vector<std::string> names;
    for (const auto& port : midi_ports(systems).ports) {
        if (port.api != "JACK") continue;
        names.push_back((port.direction == MidiDevice::Direction::kIn ? "in " : "out ") + port.name);
    }
    EXPECT_EQ(names, (std::vector<std::string>{"in Keystation:out", "out Synth:in"}));
}

}  // namespace
}  // namespace letoff::hw
