// MIDI from keyboards and other programs, for the thread that plays the keys.
//
//   auto   a port of our own, "Letoff" "in", on every system that works, and every foreign source that looks like a
//          keyboard (port_choice.h), those that appear later too.
//   NAME   the first source whose name holds NAME, found again after it vanished.
//   none   nothing.
//
// Each source has a decoder and a ring of its own: the libraries call one thread a source, with JACK a real-time one,
// so a lock that they share could make one wait for another. Reading merges the rings in the order of their stamps,
// which are CLOCK_MONOTONIC at the call of the library: with JACK that is once a period.
//
// A source that was lost, or disconnected from us, or that lost a message because its ring was full, leaves one record
// kSourceLost after its last message: what it held must be released. Its slot is used again only when that was read.
//
// What a source sends is put right by its own map (core/midi/input_map.h): channels, velocity curve, pedal ends. A
// source that once sent active sensing and then is silent for kSensing_ns is lost as if its cable were pulled, until it
// sends again (MIDI 1.0, "Active sensing": 300 ms, and a tenth more for its clock). MIDI clock tells its tempo.
//
// Tunings (core/midi/mts.h) are kept apart, for whoever tunes.
//
// Threads: pop() on one reader thread, real-time safe; everything else on the control thread; `wake` is called on the
// sources' threads (no lock, no allocation, a semaphore may be posted) and by poll().
// Errors: Fault::kMidiInputOverflow a lost message, kMidiMalformed, kMidiPortLost a lost source.
// Limit: RtMidi gives JACK's System Exclusive when it is whole; one whose end never comes holds back what follows.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "core/fault/fault.h"
#include "core/midi/clock_follower.h"
#include "core/midi/input_map.h"
#include "core/midi/mts.h"
#include "core/midi/stream_decoder.h"
#include "core/rt/ring.h"
#include "hw/midi/echo_guard.h"
#include "hw/midi/midi_system.h"
#include "hw/midi/port_choice.h"

namespace letoff::hw {

struct MidiInputRecord {
    enum class Kind : std::uint8_t { kMessage, kSourceLost };

    std::int64_t time_ns = 0;  // CLOCK_MONOTONIC at arrival, or when the loss was noticed
    std::uint16_t source = 0;  // 0..kMaxSources - 1
    Kind kind = Kind::kMessage;
    core::MidiMessage message;  // of a channel, or system_reset
};

/// A System Exclusive that is about tuning, without F0 and F7.
struct TuningMessage {
    std::size_t size = 0;
    std::array<std::uint8_t, core::kLargestMts_bytes> bytes{};
    std::span<const std::uint8_t> sysex() const { return {bytes.data(), size}; }
};

struct MidiInputOptions {
    MidiChoice choice;
    std::string client_name = std::string(kMidiClientName);
    /// Something is there to pop. With a value, so that callers may leave it out of their braces.
    std::function<void()> wake = {};    // NOLINT(readability-redundant-member-init)
    const EchoGuard* echoes = nullptr;  // of the outputs; must outlive the inputs
    /// What was learnt of the keyboard of that name; on the control thread, as it is opened. Empty: nothing of any.
    std::function<core::InputMap(const std::string& name)> map_of = {};  // NOLINT(readability-redundant-member-init)
    /// Called on the sources' threads with every message that is no echo, before its map; no lock, no allocation.
    std::function<void(const core::MidiMessage&)> listen = {};  // NOLINT(readability-redundant-member-init)
};

class MidiInputs {
  public:
    static constexpr int kMaxSources = 16;
    static constexpr std::int64_t kSensing_ns = 330'000'000;
    static constexpr std::size_t kRingRecords = 4096;  // 2,000 messages in 50 ms fit twice

    MidiInputs(MidiInputOptions options, MidiSystems systems, core::FaultCounters& faults);
    ~MidiInputs();
    MidiInputs(const MidiInputs&) = delete;
    MidiInputs& operator=(const MidiInputs&) = delete;

    /// The oldest record there is. False: none.
    bool pop(MidiInputRecord& record) noexcept;

    /// What came first of a source. False: none. Control thread.
    bool pop_tuning(TuningMessage& tuning) noexcept;

    /// About ten times a second, the first time at the start: looks for ports that came and went.
    std::vector<MidiPortEvent> poll();

    /// Other sources from the next poll() on; those that are not chosen any more are let go. Control thread.
    std::vector<MidiPortEvent> choose(MidiChoice choice);
    const MidiChoice& choice() const { return choice_; }
    /// Whether the port of that name is taken. Control thread.
    bool takes(std::string_view system, std::string_view port) const;
    /// The name of an open source, "" for a slot that is free. Control thread.
    std::string source_name(int source) const;
    int open_sources() const;
    /// Quarter notes a minute of a source's MIDI clock; 0 where it sends none. Any thread.
    double tempo_bpm(int source) const;

  private:
    struct Source {
        explicit Source(MidiInputs& all, std::uint16_t number) : owner(all), index(number) {}
        void take(std::span<const std::uint8_t> bytes) noexcept;
        void keep_tuning(std::span<const std::uint8_t> sysex) noexcept;
        bool push(const core::MidiMessage& message, std::int64_t now_ns) noexcept;

        MidiInputs& owner;
        const std::uint16_t index;
        core::MidiStreamDecoder decoder{kSysExBytes};
        std::uint64_t malformed = 0;
        EchoState echo;
        core::InputMapper mapper;
        core::ClockFollower clock;
        std::atomic<double> tempo_bpm{0};
        std::atomic<std::int64_t> heard_ns{0};
        std::atomic<bool> senses{false};  // it sends active sensing
        core::Ring<MidiInputRecord> ring{kRingRecords};
        core::Ring<TuningMessage> tunings{kTunings};
        std::atomic<std::int64_t> lost_ns{0};  // 0: not lost
        // reader
        MidiInputRecord head;
        bool has_head = false;
        // control thread
        MidiSystem* system = nullptr;  // null: the slot is free
        std::uint64_t epoch = 0;
        bool is_virtual = false;
        MidiPort from;
        std::vector<std::string> peers;
        std::unique_ptr<MidiInPort> port;
    };
    static constexpr std::size_t kSysExBytes = 1024;  // of other payloads none is used
    static constexpr std::size_t kTunings = 64;       // single notes may come one by one

    bool poll_system(MidiSystem& system, bool alsa_works, std::vector<MidiPortEvent>& events);
    void watch_peers(Source& source);
    bool wanted(const MidiPort& port, const MidiSystem& system, bool alsa_works) const;
    void open(MidiSystem& system, const MidiPort* from, std::vector<MidiPortEvent>& events);
    void close(Source& source, std::vector<MidiPortEvent>& events, bool server_died);
    void let_go(Source& source);
    void mark_lost(Source& source);
    void watch_silence(Source& source);
    void report_missing(std::vector<MidiPortEvent>& events);

    const MidiInputOptions options_;
    MidiChoice choice_;  // control thread
    const MidiSystems systems_;
    core::FaultCounters& faults_;
    std::set<std::string> refused_;  // identities that could not be opened, until they vanish
    bool missing_reported_ = false;
    bool full_reported_ = false;
    std::array<std::unique_ptr<Source>, kMaxSources> sources_;
};

}  // namespace letoff::hw
