// MIDI in and out, on a thread of their own that looks for ports ten times a second: opening and closing one may take
// seconds, and for ever where a JACK server stands still, and none of that may hold sound, signals or the end of the
// program.
//
// Threads: everything here on the control thread, but inputs().pop() and outputs().queue() as those classes say.
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "core/fault/fault.h"
#include "hw/midi/echo_guard.h"
#include "hw/midi/midi_devices.h"
#include "hw/midi/midi_inputs.h"
#include "hw/midi/midi_outputs.h"

namespace letoff::ui {

struct MidiSetting {
    hw::MidiChoice in{hw::MidiChoice::Kind::kAuto, {}};
    std::vector<hw::MidiOutputChoice> out;
    core::VelocityForm velocity_form = core::VelocityForm::prefix_88;  // of what goes out
    hw::HoldDeadClients others_hold;                                   // asked on this thread
    std::function<core::InputMap(const std::string&)> map_of{};        // of a keyboard, by its port
    std::function<void()> wake;  // a message is there; called as MidiInputOptions::wake
};

class MidiThread {
  public:
    static constexpr auto kEvery = std::chrono::milliseconds(100);
    static constexpr auto kFirstLook = std::chrono::seconds(3);  // a start waits so long for its ports, no longer
    static constexpr auto kClosing = std::chrono::seconds(5);    // one that answers needs a second at the most

    /// Returns after the first look. `faults` must outlive it.
    MidiThread(MidiSetting setting, core::FaultCounters& faults);
    /// As stop(), but waits for ever.
    ~MidiThread();
    MidiThread(const MidiThread&) = delete;
    MidiThread& operator=(const MidiThread&) = delete;

    /// Until stop().
    hw::MidiInputs& inputs() { return *inputs_; }
    hw::MidiOutputs& outputs() { return *outputs_; }

    /// What happened since the last call, a sentence each.
    std::vector<std::string> take_sentences();
    /// Other ports from the next look on.
    void choose_in(hw::MidiChoice choice);
    void choose_out(std::vector<hw::MidiOutputChoice> choices);
    /// What there is, and what of it is used, at the last look that was asked for; this asks for the next one.
    hw::MidiDevices devices();
    /// Ends what sounds and closes all ports. False: a server that stands still holds the thread.
    bool stop();

  private:
    void run();
    void look();
    std::vector<hw::MidiPortEvent> take_choices();
    hw::MidiDevices list() const;

    hw::MidiSystems systems_;
    hw::EchoGuard echoes_;
    std::unique_ptr<hw::MidiOutputs> outputs_;
    std::unique_ptr<hw::MidiInputs> inputs_;  // wakes the outputs: made after them, closed before

    std::mutex mutex_;  // what follows
    std::condition_variable changed_;
    std::vector<std::string> sentences_;
    std::optional<hw::MidiChoice> in_;  // chosen, not yet taken
    std::optional<std::vector<hw::MidiOutputChoice>> out_;
    hw::MidiDevices devices_;
    bool asked_ = true;  // once at the start
    bool looked_ = false, stop_ = false, closed_ = false;
    std::thread thread_;
};

}  // namespace letoff::ui
