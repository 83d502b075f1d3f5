#include "ui/app/live/midi_thread.h"

#include <utility>

namespace letoff::ui {

MidiThread::MidiThread(MidiSetting setting, core::FaultCounters& faults) {
    const hw::MidiSystems systems =
        hw::make_midi_systems(std::string(hw::kMidiClientName), std::move(setting.others_hold));
    outputs_ = std::make_unique<hw::MidiOutputs>(
        hw::MidiOutputOptions{
            .choices = std::move(setting.out), .velocity_form = setting.velocity_form, .echoes = &echoes_},
        systems, faults);
    hw::MidiInputOptions in{.choice = std::move(setting.in), .echoes = &echoes_};
    in.wake = [wake = std::move(setting.wake), out = outputs_.get()] {
        wake();
        out->wake();
    };
    in.map_of = std::move(setting.map_of);
    inputs_ = std::make_unique<hw::MidiInputs>(std::move(in), systems, faults);
    thread_ = std::thread([this] { run(); });
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, kFirstLook, [&] { return looked_; });
}

MidiThread::~MidiThread() {
    (void)stop();
    if (thread_.joinable()) thread_.join();
}

void MidiThread::look() {
    std::vector<hw::MidiPortEvent> events = outputs_->poll();
    for (hw::MidiPortEvent& event : inputs_->poll()) events.push_back(std::move(event));
    const std::lock_guard lock(mutex_);
    for (hw::MidiPortEvent& event : events) sentences_.push_back(std::move(event.sentence));
    looked_ = true;
    changed_.notify_all();
}

void MidiThread::run() {
    for (bool stop = false; !stop;) {
        look();
        std::unique_lock lock(mutex_);
        stop = changed_.wait_for(lock, kEvery, [&] { return stop_; });
    }
    inputs_.reset();
    outputs_.reset();
    const std::lock_guard lock(mutex_);
    closed_ = true;
    changed_.notify_all();
}

std::vector<std::string> MidiThread::take_sentences() {
    const std::lock_guard lock(mutex_);
    return std::exchange(sentences_, {});
}

bool MidiThread::stop() {
    {
        std::unique_lock lock(mutex_);
        stop_ = true;
        changed_.notify_all();
        if (!changed_.wait_for(lock, kClosing, [&] { return closed_; })) return false;
    }
    if (thread_.joinable()) thread_.join();
    return true;
}

}  // namespace letoff::ui
