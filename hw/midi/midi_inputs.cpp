#include "hw/midi/midi_inputs.h"

#include <algorithm>
#include <utility>

#include "core/rt/monotonic_clock.h"
#include "hw/midi/port_watch.h"

namespace letoff::hw {

namespace {

bool contains(const std::vector<std::string>& names, const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

MidiInputs::MidiInputs(MidiInputOptions options, MidiSystems systems, core::FaultCounters& faults)
    : options_(std::move(options)), choice_(options_.choice), systems_(std::move(systems)), faults_(faults) {
    for (std::size_t i = 0; i < sources_.size(); ++i) {
        sources_[i] = std::make_unique<Source>(*this, static_cast<std::uint16_t>(i));
    }
}

MidiInputs::~MidiInputs() {
    for (auto& source : sources_) source->port.reset();
}

void MidiInputs::Source::take(std::span<const std::uint8_t> bytes) noexcept {
    const std::int64_t now_ns = core::monotonic_now_ns();
    heard_ns.store(now_ns, std::memory_order_relaxed);
    bool pushed = false;
    core::MidiMessage message;
    for (const std::uint8_t byte : bytes) {
        if (!decoder.push(byte, message)) continue;
        clock.see(message, now_ns);
        if (message.kind == core::MidiKind::clock)
            tempo_bpm.store(clock.tempo_bpm().value_or(0), std::memory_order_relaxed);
        if (message.kind == core::MidiKind::active_sensing) senses.store(true, std::memory_order_relaxed);
        if (message.kind == core::MidiKind::system_exclusive) keep_tuning(decoder.sysex());
        if (!core::is_channel_message(message.kind) && message.kind != core::MidiKind::system_reset) continue;
        if (owner.options_.echoes != nullptr && owner.options_.echoes->is_echo(echo, message, now_ns)) continue;
        if (owner.options_.listen) owner.options_.listen(message);
        for (const core::MidiMessage& meant : mapper.map(message)) pushed = push(meant, now_ns) || pushed;
    }
    const auto& counts = decoder.counts();
    const std::uint64_t wrong =
        counts.stray_data_bytes + counts.broken_messages + counts.undefined_statuses + counts.broken_sysex;
    if (wrong != malformed) {
        owner.faults_.raise(core::Fault::kMidiMalformed, wrong - malformed);
        malformed = wrong;
    }
    if (pushed && owner.options_.wake) owner.options_.wake();
}

void MidiInputs::Source::keep_tuning(std::span<const std::uint8_t> sysex) noexcept {
    if (!core::is_mts(sysex) || sysex.size() > core::kLargestMts_bytes) return;
    TuningMessage tuning;
    tuning.size = sysex.size();
    std::copy(sysex.begin(), sysex.end(), tuning.bytes.begin());
    if (!tunings.try_push(tuning)) owner.faults_.raise(core::Fault::kMidiInputOverflow);
}

bool MidiInputs::pop_tuning(TuningMessage& tuning) noexcept {
    return std::any_of(sources_.begin(), sources_.end(),
                       [&](const auto& source) { return source->tunings.try_pop(tuning); });
}

bool MidiInputs::Source::push(const core::MidiMessage& message, std::int64_t now_ns) noexcept {
    if (ring.try_push({now_ns, index, MidiInputRecord::Kind::kMessage, message})) return true;
    owner.faults_.raise(core::Fault::kMidiInputOverflow);
    // It may have been a note-off: whatever is held must go.
    lost_ns.store(now_ns, std::memory_order_release);
    return false;
}

bool MidiInputs::pop(MidiInputRecord& record) noexcept {
    Source* oldest = nullptr;
    for (const auto& source : sources_) {
        if (!source->has_head) {
            // The loss is read before the ring: an empty ring then has nothing that came before the loss.
            std::int64_t lost_ns = source->lost_ns.load(std::memory_order_acquire);
            if (source->ring.try_pop(source->head)) {
                source->has_head = true;
            } else if (lost_ns != 0 && source->lost_ns.compare_exchange_strong(lost_ns, 0, std::memory_order_acq_rel)) {
                source->head = {lost_ns, source->index, MidiInputRecord::Kind::kSourceLost, {}};
                source->has_head = true;
            }
        }
        if (source->has_head && (oldest == nullptr || source->head.time_ns < oldest->head.time_ns)) {
            oldest = source.get();
        }
    }
    if (oldest == nullptr) return false;
    record = oldest->head;
    oldest->has_head = false;
    return true;
}

std::vector<MidiPortEvent> MidiInputs::poll() {
    std::vector<MidiPortEvent> events;
    if (choice_.kind == MidiChoice::Kind::kNone) return events;
    bool alsa_works = false;
    for (const auto& system : systems_) {
        const bool usable = poll_system(*system, alsa_works, events);
        alsa_works = alsa_works || (usable && system->name() == "ALSA");
    }
    report_missing(events);
    return events;
}

bool MidiInputs::poll_system(MidiSystem& system, bool alsa_works, std::vector<MidiPortEvent>& events) {
    const bool usable = system.refresh();
    const std::vector<MidiPort> ports = usable ? system.sources() : std::vector<MidiPort>{};
    bool have_virtual = false;
    for (const auto& source : sources_) {
        if (source->system != &system) continue;
        if (!usable || source->epoch != system.epoch()) {
            close(*source, events, true);
        } else if (!source->is_virtual && !is_still_there(source->from, *source->port, ports)) {
            close(*source, events, false);
        } else {
            watch_peers(*source);
            watch_silence(*source);
            have_virtual = have_virtual || source->is_virtual;
        }
    }
    if (!usable) return false;
    if (choice_.kind == MidiChoice::Kind::kAuto && !have_virtual) open(system, nullptr, events);
    for (const MidiPort& port : ports) {
        if (wanted(port, system, alsa_works)) open(system, &port, events);
    }
    std::erase_if(refused_, [&](const std::string& identity) {
        return identity.size() > system.name().size() && identity.starts_with(system.name()) &&
               std::none_of(ports.begin(), ports.end(),
                            [&](const MidiPort& p) { return identity == std::string(system.name()) + p.identity; });
    });
    return true;
}

/// Someone else's cable at our port: pulled, its notes are released; to our own output, it is an echo.
void MidiInputs::watch_peers(Source& source) {
    auto peers = source.port->peers();
    if (!peers) return;
    const bool one_left = std::any_of(source.peers.begin(), source.peers.end(),
                                      [&](const std::string& name) { return !contains(*peers, name); });
    if (one_left) mark_lost(source);
    const bool ours = std::any_of(peers->begin(), peers->end(),
                                  [&](const std::string& name) { return is_our_port(name, options_.client_name); });
    source.echo.connected_to_us.store(ours, std::memory_order_relaxed);
    source.peers = std::move(*peers);
}

void MidiInputs::watch_silence(Source& source) {
    const std::int64_t silent_ns = core::monotonic_now_ns() - source.heard_ns.load(std::memory_order_relaxed);
    if (silent_ns <= kSensing_ns || !source.senses.exchange(false, std::memory_order_relaxed)) return;
    mark_lost(source);
}

double MidiInputs::tempo_bpm(int source) const {
    if (source < 0 || source >= kMaxSources) return 0;
    return sources_[static_cast<std::size_t>(source)]->tempo_bpm.load(std::memory_order_relaxed);
}

bool MidiInputs::wanted(const MidiPort& port, const MidiSystem& system, bool alsa_works) const {
    if (is_our_port(port.name, options_.client_name) || refused_.contains(std::string(system.name()) + port.identity)) {
        return false;
    }
    if (choice_.kind == MidiChoice::Kind::kName) {
        return open_sources() == 0 && matches_name(port, choice_.name);
    }
    if (!looks_like_keyboard(port) || (alsa_works && system.name() == "JACK" && is_alsa_through_jack(port)))
        return false;
    return std::none_of(sources_.begin(), sources_.end(), [&](const auto& source) {
        return source->system == &system && source->from.identity == port.identity;
    });
}

void MidiInputs::open(MidiSystem& system, const MidiPort* from, std::vector<MidiPortEvent>& events) {
    const auto slot = std::find_if(sources_.begin(), sources_.end(), [](const auto& source) {
        return source->system == nullptr && source->lost_ns.load(std::memory_order_acquire) == 0;
    });
    const std::string name = from == nullptr ? options_.client_name + ":in" : from->name;
    if (slot == sources_.end()) {
        // Either sixteen are open, or the reader has not yet read of a loss; then the next poll has room.
        if (open_sources() == kMaxSources && !std::exchange(full_reported_, true)) {
            events.push_back({MidiPortEvent::Kind::kMissing, name,
                              "The MIDI source \"" + name + "\" is not used: " + std::to_string(kMaxSources) +
                                  " sources are open already."});
        }
        return;
    }
    full_reported_ = false;
    Source& source = **slot;
    source.decoder.reset();
    source.mapper.set(options_.map_of ? options_.map_of(name) : core::InputMap());
    source.clock = {};
    source.tempo_bpm.store(0, std::memory_order_relaxed);
    source.senses.store(false, std::memory_order_relaxed);
    source.echo.connected_to_us.store(false, std::memory_order_relaxed);
    source.echo.prefix_was_echo = false;
    source.echo.equal_notes = 0;
    source.echo.suspect_until_ns = 0;
    source.port = system.open_in(
        from, [](void* context, std::span<const std::uint8_t> bytes) { static_cast<Source*>(context)->take(bytes); },
        &source);
    if (source.port == nullptr) {
        const std::string identity = std::string(system.name()) + (from == nullptr ? "" : from->identity);
        if (refused_.insert(identity).second) {
            events.push_back({MidiPortEvent::Kind::kMissing, name,
                              "The MIDI source \"" + name + "\" (" + std::string(system.name()) +
                                  ") could not be opened; it is tried again when it comes anew."});
        }
        return;
    }
    source.system = &system;
    source.epoch = system.epoch();
    source.is_virtual = from == nullptr;
    source.from = from == nullptr ? MidiPort{name, "", "", false} : *from;
    source.peers.clear();
    missing_reported_ = false;
    events.push_back({MidiPortEvent::Kind::kFound, name,
                      from == nullptr
                          ? "MIDI is taken at our port \"" + name + "\" (" + std::string(system.name()) + ")."
                          : "MIDI is taken from \"" + name + "\" (" + std::string(system.name()) + ")."});
}

void MidiInputs::close(Source& source, std::vector<MidiPortEvent>& events, bool server_died) {
    faults_.raise(core::Fault::kMidiPortLost);
    events.push_back({MidiPortEvent::Kind::kLost, source.from.name,
                      "The MIDI source \"" + source.from.name + "\" (" + std::string(source.system->name()) +
                          ") went away" + (server_died ? " with its server" : "") +
                          "; its notes are released and it is taken again when it comes back."});
    let_go(source);
}

void MidiInputs::let_go(Source& source) {
    mark_lost(source);  // at once: closing takes seconds where a server waits for a dead client
    source.port.reset();
    mark_lost(source);  // what came until then
    source.system = nullptr;
    source.from = {};
    source.peers.clear();
}

std::vector<MidiPortEvent> MidiInputs::choose(MidiChoice choice) {
    std::vector<MidiPortEvent> events;
    choice_ = std::move(choice);
    missing_reported_ = false;
    refused_.clear();
    bool has_named = false;
    for (const auto& source : sources_) {
        if (source->system == nullptr || choice_.kind == MidiChoice::Kind::kAuto) continue;
        const bool stays = choice_.kind == MidiChoice::Kind::kName && !has_named && !source->is_virtual &&
                           matches_name(source->from, choice_.name);
        has_named = has_named || stays;
        if (stays) continue;
        events.push_back({MidiPortEvent::Kind::kLost, source->from.name,
                          "MIDI is no longer taken from \"" + source->from.name + "\"."});
        let_go(*source);
    }
    return events;
}

bool MidiInputs::takes(std::string_view system, std::string_view port) const {
    return std::any_of(sources_.begin(), sources_.end(), [&](const auto& source) {
        return source->system != nullptr && source->system->name() == system && source->from.name == port;
    });
}

void MidiInputs::mark_lost(Source& source) {
    source.lost_ns.store(core::monotonic_now_ns(), std::memory_order_release);
    if (options_.wake) options_.wake();
}

void MidiInputs::report_missing(std::vector<MidiPortEvent>& events) {
    if (open_sources() > 0 || std::exchange(missing_reported_, true)) return;
    events.push_back(
        {MidiPortEvent::Kind::kMissing, choice_.name, why_none_comes_in(choice_, systems_, options_.client_name)});
}

std::string MidiInputs::source_name(int source) const {
    if (source < 0 || source >= kMaxSources) return {};
    return sources_[static_cast<std::size_t>(source)]->from.name;
}

int MidiInputs::open_sources() const {
    return static_cast<int>(
        std::count_if(sources_.begin(), sources_.end(), [](const auto& source) { return source->system != nullptr; }));
}

}  // namespace letoff::hw
