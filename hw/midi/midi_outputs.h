// MIDI to synthesizers and other programs: what the real-time thread puts into queue() is sent at once by a thread of
// its own, to every output that was chosen, with that output's curve of velocities.
//
//   virtual   a port of our own, "Letoff-out" "out", on every system that works
//   NAME      the first destination whose name holds NAME, found again after it vanished
//   none      nothing
//
// The real-time side may not call the system, so it cannot wake the sender: the sender looks every kBusyWait_ns while
// something was sent or wake() was called in the last kBusy_ns, and every kIdleWait_ns else (250 looks a second, about
// 0.1 % of a core). Whoever gives the keys something to do may call wake(): a hammer needs some milliseconds to the
// string, and by then the sender looks often.
//
// A port that died is counted once, stays silent, and poll() opens it again when it is back; what sounded on it at its
// death is ended first then, on a port of our own as soon as someone is connected to it. At the end, and after an
// overflow, every sounding note is ended and every pedal lifted.
//
// Threads: queue().push() on the real-time thread; poll() on the control thread; wake() on any that may call the
// system. Errors: Fault::kMidiPortLost, kMidiOutputOverflow (also what a server that stands still does not take).
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "core/fault/fault.h"
#include "core/midi/input_map.h"
#include "core/rt/wake_signal.h"
#include "hw/midi/echo_guard.h"
#include "hw/midi/midi_out_queue.h"
#include "hw/midi/midi_system.h"
#include "hw/midi/port_choice.h"
#include "hw/midi/sounding_notes.h"

namespace letoff::hw {

struct MidiOutputOptions {
    std::vector<MidiOutputChoice> choices;
    core::VelocityForm velocity_form = core::VelocityForm::prefix_88;  // of what a curve changes
    std::string client_name = std::string(kMidiClientName);
    EchoGuard* echoes = nullptr;  // told what is sent; must outlive the outputs
};

class MidiOutputs {
  public:
    static constexpr std::int64_t kBusyWait_ns = 1'000'000;
    static constexpr std::int64_t kIdleWait_ns = 4'000'000;
    static constexpr std::int64_t kBusy_ns = 2'000'000'000;
    /// A server that takes nothing for so long stands still: its messages are dropped until it goes on.
    static constexpr std::int64_t kStuck_ns = 500'000'000;

    MidiOutputs(MidiOutputOptions options, MidiSystems systems, core::FaultCounters& faults);
    ~MidiOutputs();
    MidiOutputs(const MidiOutputs&) = delete;
    MidiOutputs& operator=(const MidiOutputs&) = delete;

    MidiOutQueue& queue() noexcept { return queue_; }
    void wake() noexcept { wake_.wake(); }
    /// About ten times a second, the first time at the start: looks for ports that came and went.
    std::vector<MidiPortEvent> poll();
    int open_ports() const;
    /// Other destinations from the next poll() on; what sounds where nothing is sent any more is ended. Control thread.
    void choose(std::vector<MidiOutputChoice> choices);
    const std::vector<MidiOutputChoice>& choices() const { return options_.choices; }
    /// Whether something is sent to the port of that name. Any thread.
    bool sends_to(std::string_view system, std::string_view port) const;

  private:
    struct Port {
        MidiSystem* system = nullptr;
        std::uint64_t epoch = 0;
        bool is_virtual = false;
        std::size_t choice = 0;  // which of the choices
        MidiPort to;
        core::InputMapper curve;  // sender
        std::unique_ptr<MidiOutPort> port;
        // sender, under mutex_
        SoundingNotes sounding;
        bool dead = false;
        bool stuck = false;
        std::string key() const { return std::string(system->name()) + to.name; }
    };

    void poll_choice(std::size_t choice, MidiSystem& system, const std::vector<MidiPort>& destinations,
                     std::vector<MidiPortEvent>& events);
    bool is_open(std::size_t choice, const MidiSystem* system) const;
    void poll_system(MidiSystem& system, std::vector<MidiPortEvent>& events);
    void open(std::size_t choice, MidiSystem& system, const MidiPort* to, std::vector<MidiPortEvent>& events);
    void close(const Port& port, std::vector<MidiPortEvent>& events);
    void pay(Port& port, std::unique_lock<std::mutex>& lock);
    void report_missing(std::vector<MidiPortEvent>& events);

    void run();
    bool drain();
    void send(const core::MidiMessage& message);
    void send(Port& port, const core::MidiMessage& message, std::unique_lock<std::mutex>& lock);
    void release_all();

    MidiOutputOptions options_;  // control thread, but `echoes`, which does not change
    const MidiSystems systems_;
    core::FaultCounters& faults_;
    MidiOutQueue queue_;
    std::map<std::string, SoundingNotes> owed_;  // by Port::key(): what sounded when it was lost
    std::vector<bool> missing_reported_;         // by choice

    mutable std::mutex mutex_;  // the list below; never held by a real-time thread
    std::vector<std::shared_ptr<Port>> ports_;
    core::WakeSignal wake_;
    std::atomic<bool> stop_{false};
    std::thread sender_;  // none while nothing was ever chosen
};

}  // namespace letoff::hw
