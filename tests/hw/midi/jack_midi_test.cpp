// MIDI over a real JACK server. The other side of every cable is RtMidi in a client of its own, or jack_connect.
#include <gtest/gtest.h>
#include <rtmidi/RtMidi.h>

#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "core/rt/monotonic_clock.h"
#include "hw/midi/midi_devices.h"
#include "hw/midi/midi_inputs.h"
#include "hw/midi/midi_outputs.h"
#include "hw/midi/midi_strike_out.h"
#include "tests/hw/midi/jack_server.h"

namespace letoff::hw {
namespace {

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

bool has(const Events& events, MidiPortEvent::Kind kind, const std::string& part) {
    for (const auto& event : events) {
        if (event.kind == kind && event.sentence.find(part) != std::string::npos) return true;
    }
    return false;
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

core::MidiMessage nth_note(int i) {
    return core::note_on(i % 16, i % 128, 1 + i % 127);
}
Bytes bytes_of(const core::MidiMessage& message) {
    const auto bytes = core::encode(message);
    return {bytes.bytes.begin(), bytes.bytes.begin() + static_cast<std::ptrdiff_t>(bytes.size)};
}

TEST_F(JackMidiTest, ThousandNotesWithSystemExclusiveBetweenArriveInOrder) {
    JackServer server;
    ASSERT_TRUE(server.up());
    Keyboard keys("Keystation");
    listen();
    ASSERT_TRUE(polled(MidiPortEvent::Kind::kFound, "\"Keystation:out\" (JACK)"));
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
    ASSERT_EQ(all.size(), 2000u);
    EXPECT_EQ(faults.errors(), 0u);
    for (int i = 0; i < 2000; ++i) ASSERT_EQ(all[static_cast<std::size_t>(i)].message, nth_note(i));
}

TEST_F(JackMidiTest, AKilledServerReleasesTheNotesAndItsSuccessorPlaysOn) {
    JackServer server;
    ASSERT_TRUE(server.up());
    auto keys = std::make_unique<Keyboard>("Keystation");
    auto synth = std::make_unique<Synth>("Synth");
    listen();
    auto& out = send_to("synth");
    ASSERT_TRUE(polled(MidiPortEvent::Kind::kFound, "Keystation"));
    EXPECT_EQ(out.open_ports(), 1);
    keys->play({0x90, 60, 64});
    ASSERT_EQ(taken(1).size(), 1u);
    out.queue().push(core::note_on(0, 72, 70), 0);
    ASSERT_TRUE(wait_for(10, [&] { return !synth->all().empty(); }));

    server.kill();
    // Clients of this process too: they must be gone before ours come back.
    keys.reset();
    synth.reset();
    ASSERT_TRUE(polled(MidiPortEvent::Kind::kLost, "\"Keystation:out\" (JACK) went away with its server"));
    const auto lost = taken(2);
    ASSERT_EQ(lost.size(), 2u) << "our own port and the keyboard";
    for (const auto& record : lost) EXPECT_EQ(record.kind, MidiInputRecord::Kind::kSourceLost);
    EXPECT_TRUE(midi_holds_dead_jack_clients()) << "the output's";
    out.poll();
    EXPECT_EQ(out.open_ports(), 0);
    for (int i = 0; i < 3000; ++i) out.queue().push(core::note_on(0, 72, 70), 0);
    EXPECT_EQ(inputs->open_sources(), 0);
    EXPECT_FALSE(midi_holds_dead_jack_clients());

    server.start();
    ASSERT_TRUE(server.up());
    keys = std::make_unique<Keyboard>("Keystation");
    synth = std::make_unique<Synth>("Synth");
    ASSERT_TRUE(polled(MidiPortEvent::Kind::kFound, "Keystation"));
    keys->play({0x90, 61, 65});
    const auto again = taken(1);
    ASSERT_EQ(again.size(), 1u);
    EXPECT_EQ(again[0].message, core::note_on(0, 61, 65));
    ASSERT_TRUE(wait_for(10, [&] {
        out.poll();
        return out.open_ports() == 1;
    }));
    ASSERT_TRUE(wait_for(10, [&] { return !synth->all().empty(); }));
    EXPECT_EQ(synth->all()[0], (Bytes{0x80, 72, 64})) << "the note that sounded when the server died";
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

struct JackMidiLong : JackMidiTest {};  // a synchronous server closes nothing quickly while a dead client is on it

// jack_midiseq plays a note over and over, in a process of its own, until it is killed as a crash would.
TEST_F(JackMidiLong, AClientThatDiesWithoutClosingLetsGoOfItsNotes) {
    JackServer server;
    ASSERT_TRUE(server.up());
    const pid_t player = test::start_program({"jack_midiseq", "Sequencer", "24000", "0", "60", "23000"});
    listen();
    const bool found = polled(MidiPortEvent::Kind::kFound, "Sequencer");
    const auto first = taken(1);
    ::kill(player, SIGKILL);
    waitpid(player, nullptr, 0);
    ASSERT_TRUE(found);
    ASSERT_FALSE(first.empty());
    EXPECT_EQ(first[0].message.data1, 60);
    EXPECT_TRUE(polled(MidiPortEvent::Kind::kLost, "Sequencer"));
    bool let_go = false;
    for (MidiInputRecord next; inputs->pop(next);) let_go = next.kind == MidiInputRecord::Kind::kSourceLost;
    EXPECT_TRUE(let_go) << "the last that comes of it";
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

TEST_F(JackMidiTest, AServerThatStandsStillHoldsNobody) {
    JackServer server;
    ASSERT_TRUE(server.up());
    Synth synth("Synth");
    auto& out = send_to("synth");
    ASSERT_EQ(out.open_ports(), 1);
    server.send_signal(SIGSTOP);
    // 4,000 messages are 28,000 bytes in RtMidi's ring, which holds 16,384 and then waits.
    for (int i = 0; i < 4000; ++i) out.queue().push(nth_note(i), 0);
    EXPECT_TRUE(wait_for(10, [&] { return faults.count(core::Fault::kMidiOutputOverflow) > 2000; }));
    server.send_signal(SIGCONT);
    EXPECT_TRUE(wait_for(10, [&] {
        out.poll();
        out.queue().push(core::control_change(0, 7, 99), 0);
        const auto all = synth.all();
        return !all.empty() && all.back() == Bytes{0xB0, 7, 99};
    }));
}

TEST_F(JackMidiTest, WithoutAServerItWorksSaysWhyAndPrintsNothing) {
    const JackServer nobody(JackServer::State::kNone);
    unsetenv("JACK_NO_START_SERVER");
    ::testing::internal::CaptureStderr();
    ::testing::internal::CaptureStdout();
    listen();
    outputs = std::make_unique<MidiOutputs>(MidiOutputOptions{.choices = {{{MidiChoice::Kind::kVirtual, {}}}}},
                                            MidiSystems{make_jack_system("Letoff")}, faults);
    const Events in = inputs->poll();
    const Events out = outputs->poll();
    const MidiDevices devices = midi_ports(MidiSystems{make_jack_system("Letoff")});
    MidiInputRecord record;
    const bool any = inputs->pop(record);
    inputs.reset();
    outputs.reset();
    systems.clear();
    EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
    EXPECT_EQ(::testing::internal::GetCapturedStdout(), "");
    EXPECT_FALSE(any);
    EXPECT_TRUE(access("/dev/snd/seq", F_OK) == 0 ||
                has(in, MidiPortEvent::Kind::kMissing, "no JACK server is running"));
    EXPECT_TRUE(has(out, MidiPortEvent::Kind::kMissing, "no JACK server is running"));
    ASSERT_EQ(devices.sentences.size(), 1u);
    EXPECT_EQ(
        devices.sentences[0],
        "JACK cannot be used: no JACK server is running (start one with jackd or qjackctl; Letoff then finds it).");
    setenv("JACK_NO_START_SERVER", "1", 1);
    EXPECT_NE(run_program({"jack_lsp"}), 0) << "a server was started";
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
