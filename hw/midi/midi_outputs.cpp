#include "hw/midi/midi_outputs.h"

#include <algorithm>
#include <utility>

#include "core/rt/monotonic_clock.h"
#include "hw/midi/port_watch.h"

namespace letoff::hw {

MidiOutputs::MidiOutputs(MidiOutputOptions options, MidiSystems systems, core::FaultCounters& faults)
    : options_(std::move(options)), systems_(std::move(systems)), faults_(faults), queue_(faults) {
    choose(std::move(options_.choices));
}

MidiOutputs::~MidiOutputs() {
    stop_.store(true, std::memory_order_release);
    wake();
    if (sender_.joinable()) sender_.join();
    ports_.clear();
}

int MidiOutputs::open_ports() const {
    const std::lock_guard lock(mutex_);
    return static_cast<int>(ports_.size());
}

// ---- the control thread ----

void MidiOutputs::choose(std::vector<MidiOutputChoice> choices) {
    std::erase_if(choices, [](const MidiOutputChoice& c) { return c.port.kind == MidiChoice::Kind::kNone; });
    if (choices.empty()) queue_.close();
    std::vector<std::shared_ptr<Port>> gone;  // closed without the lock
    {
        std::unique_lock lock(mutex_);
        gone = ports_;
        for (const auto& port : gone) {
            const SoundingNotes all = port->sounding;
            all.release([&](const core::MidiMessage& message) { send(*port, message, lock); });
        }
        ports_.clear();
    }
    gone.clear();
    options_.choices = std::move(choices);
    missing_reported_.assign(options_.choices.size(), false);
    if (options_.choices.empty()) return;
    queue_.open();
    if (!sender_.joinable()) sender_ = std::thread([this] { run(); });
}

bool MidiOutputs::sends_to(std::string_view system, std::string_view port) const {
    const std::lock_guard lock(mutex_);
    return std::any_of(ports_.begin(), ports_.end(), [&](const std::shared_ptr<Port>& open) {
        return open->system->name() == system && open->to.name == port;
    });
}

std::vector<MidiPortEvent> MidiOutputs::poll() {
    std::vector<MidiPortEvent> events;
    if (options_.choices.empty()) return events;
    for (const auto& system : systems_) poll_system(*system, events);
    report_missing(events);
    return events;
}

void MidiOutputs::poll_system(MidiSystem& system, std::vector<MidiPortEvent>& events) {
    const bool usable = system.refresh();
    const std::vector<MidiPort> destinations = usable ? system.destinations() : std::vector<MidiPort>{};
    std::vector<std::shared_ptr<Port>> gone;
    {
        const std::lock_guard lock(mutex_);
        std::erase_if(ports_, [&](const std::shared_ptr<Port>& port) {
            if (port->system != &system) return false;
            const bool alive = usable && port->epoch == system.epoch() && !port->dead &&
                               (port->is_virtual || is_still_there(port->to, *port->port, destinations));
            if (alive) return false;
            if (!port->dead) faults_.raise(core::Fault::kMidiPortLost);
            port->dead = true;
            gone.push_back(port);
            return true;
        });
    }
    // Without the lock: closing a port whose server is dead takes RtMidi up to a second.
    for (const auto& port : gone) close(*port, events);
    gone.clear();
    if (!usable) return;
    for (std::size_t choice = 0; choice < options_.choices.size(); ++choice)
        poll_choice(choice, system, destinations, events);
}

bool MidiOutputs::is_open(std::size_t choice, const MidiSystem* system) const {
    const std::lock_guard lock(mutex_);
    return std::any_of(ports_.begin(), ports_.end(), [&](const std::shared_ptr<Port>& port) {
        return port->choice == choice && (system == nullptr || port->system == system);
    });
}

void MidiOutputs::poll_choice(std::size_t choice, MidiSystem& system, const std::vector<MidiPort>& destinations,
                              std::vector<MidiPortEvent>& events) {
    const MidiChoice& wanted = options_.choices[choice].port;
    if (wanted.kind == MidiChoice::Kind::kVirtual) {
        if (!is_open(choice, &system)) open(choice, system, nullptr, events);
        std::unique_lock lock(mutex_);
        const auto ports = ports_;  // only this thread changes the list, but a sending may let go of the lock
        for (const auto& port : ports) {
            if (port->system == &system && port->choice == choice) pay(*port, lock);
        }
        return;
    }
    if (is_open(choice, nullptr)) return;
    for (const MidiPort& port : destinations) {
        if (is_our_port(port.name, options_.client_name) || !matches_name(port, wanted.name)) continue;
        open(choice, system, &port, events);
        return;
    }
}

void MidiOutputs::open(std::size_t choice, MidiSystem& system, const MidiPort* to, std::vector<MidiPortEvent>& events) {
    auto opened = std::make_shared<Port>();
    opened->port = system.open_out(to);
    if (opened->port == nullptr) return;
    opened->system = &system;
    opened->epoch = system.epoch();
    opened->choice = choice;
    core::InputMap map;
    map.curve = options_.choices[choice].curve;
    opened->curve = core::InputMapper(map, options_.velocity_form);
    opened->is_virtual = to == nullptr;
    opened->to = to == nullptr ? MidiPort{options_.client_name + "-out:out", "", "", false} : *to;
    const std::string name = opened->to.name;
    {
        std::unique_lock lock(mutex_);
        pay(*opened, lock);
        ports_.push_back(std::move(opened));
    }
    missing_reported_[choice] = false;
    events.push_back({MidiPortEvent::Kind::kFound, name,
                      "MIDI is sent to " + std::string(to == nullptr ? "our port \"" : "\"") + name + "\" (" +
                          std::string(system.name()) + ")."});
}

void MidiOutputs::close(const Port& port, std::vector<MidiPortEvent>& events) {
    if (port.sounding.any()) owed_[port.key()].add(port.sounding);
    events.push_back({MidiPortEvent::Kind::kLost, port.to.name,
                      "The MIDI destination \"" + port.to.name + "\" (" + std::string(port.system->name()) +
                          ") went away; nothing is sent until it comes back."});
}

/// Ends what still sounded there when it was lost; at a port of our own not before someone hears it.
void MidiOutputs::pay(Port& port, std::unique_lock<std::mutex>& lock) {
    const auto owed = owed_.find(port.key());
    if (owed == owed_.end()) return;
    if (port.is_virtual) {
        const auto peers = port.port->peers();
        if (peers && peers->empty()) return;
    }
    SoundingNotes notes = owed->second;
    notes.remove(port.sounding);  // struck anew since then: their own ends will come
    owed_.erase(owed);
    notes.release([&](const core::MidiMessage& message) { send(port, message, lock); });
}

void MidiOutputs::report_missing(std::vector<MidiPortEvent>& events) {
    for (std::size_t choice = 0; choice < options_.choices.size(); ++choice) {
        if (is_open(choice, nullptr)) continue;
        if (missing_reported_[choice]) continue;
        missing_reported_[choice] = true;
        const MidiChoice& port = options_.choices[choice].port;
        events.push_back(
            {MidiPortEvent::Kind::kMissing, port.name, why_none_goes_out(port, systems_, options_.client_name)});
    }
}

// ---- the sender ----

void MidiOutputs::run() {
    std::int64_t busy_until_ns = 0;
    bool woken = false;
    while (!stop_.load(std::memory_order_acquire)) {
        const bool any = drain();
        const std::int64_t now_ns = core::monotonic_now_ns();
        if (any || woken) busy_until_ns = now_ns + kBusy_ns;
        woken = wake_.wait_until_ns(now_ns + (now_ns < busy_until_ns ? kBusyWait_ns : kIdleWait_ns));
    }
    drain();
    release_all();
}

bool MidiOutputs::drain() {
    bool any = false;
    core::TimedMidiMessage next;
    while (queue_.pop(next)) {
        any = true;
        send(next.message);
    }
    if (queue_.take_overflow()) release_all();
    return any;
}

void MidiOutputs::send(const core::MidiMessage& message) {
    std::unique_lock lock(mutex_);
    // A copy: the list may change while a port is waited for.
    const auto ports = ports_;
    for (const auto& port : ports) {
        for (const core::MidiMessage& meant : port->curve.map(message)) send(*port, meant, lock);
    }
}

void MidiOutputs::send(Port& port, const core::MidiMessage& message, std::unique_lock<std::mutex>& lock) {
    const core::MidiBytes bytes = core::encode(message);
    if (bytes.size == 0) return;
    const std::int64_t give_up_ns = core::monotonic_now_ns() + kStuck_ns;
    while (!port.dead) {
        const std::int64_t now_ns = core::monotonic_now_ns();
        // Before it is sent: an echo may be quick.
        if (options_.echoes != nullptr) options_.echoes->sent(message, now_ns);
        const MidiOutPort::Sent sent = port.port->send(bytes.span());
        if (sent == MidiOutPort::Sent::kYes) {
            port.sounding.see(message);
            if (!std::exchange(port.stuck, false)) return;
            // What was dropped may have been a note-off.
            const SoundingNotes all = port.sounding;
            all.release([&](const core::MidiMessage& end) { send(port, end, lock); });
            return;
        }
        if (sent == MidiOutPort::Sent::kDead) {
            port.dead = true;
            faults_.raise(core::Fault::kMidiPortLost);
            return;
        }
        port.stuck = port.stuck || now_ns > give_up_ns;
        if (port.stuck) {
            faults_.raise(core::Fault::kMidiOutputOverflow);
            return;
        }
        lock.unlock();
        core::sleep_until_ns(now_ns + kBusyWait_ns);
        lock.lock();
    }
}

void MidiOutputs::release_all() {
    std::unique_lock lock(mutex_);
    const auto ports = ports_;
    for (const auto& port : ports) {
        const SoundingNotes all = port->sounding;
        all.release([&](const core::MidiMessage& message) { send(*port, message, lock); });
    }
}

}  // namespace letoff::hw
