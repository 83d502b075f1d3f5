#include "ui/app/live/midi_thread.h"

#include <utility>

namespace letoff::ui {

MidiThread::MidiThread(MidiSetting setting, core::FaultCounters& faults)
    : systems_(hw::make_midi_systems(std::string(hw::kMidiClientName), std::move(setting.others_hold))) {
    outputs_ = std::make_unique<hw::MidiOutputs>(
        hw::MidiOutputOptions{
            .choices = std::move(setting.out), .velocity_form = setting.velocity_form, .echoes = &echoes_},
        systems_, faults);
    hw::MidiInputOptions in{.choice = std::move(setting.in), .echoes = &echoes_};
    in.wake = [wake = std::move(setting.wake), out = outputs_.get()] {
        wake();
        out->wake();
    };
    in.map_of = std::move(setting.map_of);
    inputs_ = std::make_unique<hw::MidiInputs>(std::move(in), systems_, faults);
    thread_ = std::thread([this] { run(); });
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, kFirstLook, [&] { return looked_; });
}

MidiThread::~MidiThread() {
    (void)stop();
    if (thread_.joinable()) thread_.join();
}

std::vector<hw::MidiPortEvent> MidiThread::take_choices() {
    std::optional<hw::MidiChoice> in;
    std::optional<std::vector<hw::MidiOutputChoice>> out;
    {
        const std::lock_guard lock(mutex_);
        in = std::exchange(in_, std::nullopt);
        out = std::exchange(out_, std::nullopt);
    }
    if (out) outputs_->choose(std::move(*out));
    return in ? inputs_->choose(std::move(*in)) : std::vector<hw::MidiPortEvent>{};
}

hw::MidiDevices MidiThread::list() const {
    hw::MidiDevices all = hw::midi_ports(systems_);
    for (hw::MidiDevice& port : all.ports) {
        port.used = port.direction == hw::MidiDevice::Direction::kIn ? inputs_->takes(port.api, port.name)
                                                                     : outputs_->sends_to(port.api, port.name);
    }
    return all;
}

void MidiThread::look() {
    std::vector<hw::MidiPortEvent> events = take_choices();
    for (hw::MidiPortEvent& event : outputs_->poll()) events.push_back(std::move(event));
    for (hw::MidiPortEvent& event : inputs_->poll()) events.push_back(std::move(event));
    std::unique_lock lock(mutex_);
    if (std::exchange(asked_, false)) {
        lock.unlock();
        hw::MidiDevices all = list();
        lock.lock();
        devices_ = std::move(all);
    }
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

void MidiThread::choose_in(hw::MidiChoice choice) {
    const std::lock_guard lock(mutex_);
    in_ = std::move(choice);
}

void MidiThread::choose_out(std::vector<hw::MidiOutputChoice> choices) {
    const std::lock_guard lock(mutex_);
    out_ = std::move(choices);
}

hw::MidiDevices MidiThread::devices() {
    const std::lock_guard lock(mutex_);
    asked_ = true;
    return devices_;
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
