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
#include <string>
#include <thread>
#include <vector>

#include "core/fault/fault.h"
#include "hw/midi/echo_guard.h"
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
    /// Ends what sounds and closes all ports. False: a server that stands still holds the thread.
    bool stop();

  private:
    void run();
    void look();

    hw::EchoGuard echoes_;
    std::unique_ptr<hw::MidiOutputs> outputs_;
    std::unique_ptr<hw::MidiInputs> inputs_;  // wakes the outputs: made after them, closed before

    std::mutex mutex_;  // what follows
    std::condition_variable changed_;
    std::vector<std::string> sentences_;
    bool looked_ = false, stop_ = false, closed_ = false;
    std::thread thread_;
};

}  // namespace letoff::ui
