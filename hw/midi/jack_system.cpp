// JACK through RtMidi, and beside it a small client of our own that watches the server, because RtMidi does not notice
// when the server dies. The watch also lists the ports and connects them by name, where RtMidi goes by numbers that
// shift.
//
//   Every client is opened with JackNoStartServer, RtMidi's too: nothing here starts a server.
//   Heart beat: the watch counts the server's cycles. RtMidi's output waits for ever when its ring of 16 KiB is full,
//   and only a cycle empties it: so no more than kMostUntaken_bytes are handed over between two beats.
#include <jack/jack.h>

#include <algorithm>
#include <atomic>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <utility>

#include "core/rt/monotonic_clock.h"
#include "hw/midi/jack_watch.h"
#include "hw/midi/midi_system.h"
#include "hw/midi/rtmidi_port.h"

namespace letoff::hw {

namespace {

// A missing server is looked for this often: an attempt costs about a millisecond.
constexpr std::int64_t kRetry_ns = 500'000'000;
// A quarter of RtMidi's ring, counted as it does, with four bytes of length a message.
constexpr std::size_t kMostUntaken_bytes = 4096;
constexpr std::size_t kRtMidiHeader_bytes = 4;

std::vector<std::string> take_names(const char** names) {
    std::vector<std::string> all;
    for (const char** name = names; name != nullptr && *name != nullptr; ++name) all.emplace_back(*name);
    if (names != nullptr) jack_free(static_cast<void*>(names));
    return all;
}

class JackSystem;

/// A port of ours at the server. The system lives longer: who owns ports owns the system.
class JackPeers {
  public:
    JackPeers(JackSystem& system, std::uint64_t epoch, std::string own_name)
        : system_(system), epoch_(epoch), own_name_(std::move(own_name)) {}
    std::optional<std::vector<std::string>> get() const;

  private:
    JackSystem& system_;
    const std::uint64_t epoch_;
    const std::string own_name_;
};

class JackInPort final : public MidiInPort {
  public:
    JackInPort(JackPeers peers, std::shared_ptr<JackWatch> watch, std::unique_ptr<RtMidiInput> port)
        : peers_(std::move(peers)), counted_(std::move(watch)), port_(std::move(port)) {}
    std::optional<std::vector<std::string>> peers() override { return peers_.get(); }

  private:
    const JackPeers peers_;
    const CountedJackClient counted_;
    std::unique_ptr<RtMidiInput> port_;
};

class JackOutPort final : public MidiOutPort {
  public:
    JackOutPort(JackPeers peers, std::shared_ptr<JackWatch> watch, std::unique_ptr<RtMidiOutput> port)
        : peers_(std::move(peers)), watch_(std::move(watch)), counted_(watch_), port_(std::move(port)) {}
    std::optional<std::vector<std::string>> peers() override { return peers_.get(); }
    Sent send(std::span<const std::uint8_t> bytes) override {
        if (watch_->down.load(std::memory_order_acquire)) return Sent::kDead;
        const std::uint64_t beat = watch_->beats.load(std::memory_order_acquire);
        // Two beats: RtMidi may have had its turn in the first one before the bytes were there.
        if (beat - beat_ >= 2) {
            beat_ = beat;
            untaken_bytes_ = 0;
        }
        if (untaken_bytes_ + bytes.size() + kRtMidiHeader_bytes > kMostUntaken_bytes) return Sent::kTryLater;
        untaken_bytes_ += bytes.size() + kRtMidiHeader_bytes;
        return port_->send(bytes) ? Sent::kYes : Sent::kDead;
    }

  private:
    const JackPeers peers_;
    const std::shared_ptr<JackWatch> watch_;
    const CountedJackClient counted_;
    std::unique_ptr<RtMidiOutput> port_;
    std::uint64_t beat_ = 0;
    std::size_t untaken_bytes_ = 0;
};

class JackSystem final : public MidiSystem {
  public:
    JackSystem(std::string client_name, HoldDeadClients others_hold)
        : client_name_(std::move(client_name)), others_hold_(std::move(others_hold)) {
        // libjack prints every failed attempt; the sentence of why_not() says it once.
        jack_set_error_function([](const char*) {});
        jack_set_info_function([](const char*) {});
    }
    ~JackSystem() override { close(); }

    std::string_view name() const override { return "JACK"; }
    std::uint64_t epoch() const override { return epoch_; }
    std::string why_not() const override {
        return "JACK cannot be used: no JACK server is running (start one with jackd or qjackctl; Letoff then finds "
               "it).";
    }

    bool refresh() override {
        if (client_ != nullptr && watch_->down.load(std::memory_order_acquire)) {
            close();
            ++epoch_;
            next_try_ns_ = 0;
        }
        if (client_ != nullptr) return true;
        if (midi_holds_dead_jack_clients() || (others_hold_ && others_hold_())) return false;
        const std::int64_t now_ns = core::monotonic_now_ns();
        if (now_ns < next_try_ns_) return false;
        next_try_ns_ = now_ns + kRetry_ns;
        return open();
    }

    std::vector<MidiPort> sources() override { return ports(JackPortIsOutput); }
    std::vector<MidiPort> destinations() override { return ports(JackPortIsInput); }

    std::unique_ptr<MidiInPort> open_in(const MidiPort* from, MidiBytesHandler handler, void* context) override {
        if (!usable()) return nullptr;
        auto port = make_rtmidi_input(RtMidiApi::kJack, from != nullptr ? client_name_ + "-keys" : client_name_,
                                      handler, context);
        const std::string own_name = open_own(port.get(), "in", JackPortIsInput);
        if (own_name.empty() || !connect(from == nullptr ? "" : from->name, own_name)) return nullptr;
        return std::make_unique<JackInPort>(JackPeers(*this, epoch_, own_name), watch_, std::move(port));
    }
    std::unique_ptr<MidiOutPort> open_out(const MidiPort* to) override {
        if (!usable()) return nullptr;
        auto port = make_rtmidi_output(RtMidiApi::kJack, client_name_ + "-out");
        const std::string own_name = open_own(port.get(), "out", JackPortIsOutput);
        if (own_name.empty() || !connect(own_name, to == nullptr ? "" : to->name)) return nullptr;
        return std::make_unique<JackOutPort>(JackPeers(*this, epoch_, own_name), watch_, std::move(port));
    }

    std::vector<std::string> connected_to(const std::string& own_name) {
        if (!usable()) return {};
        count_registrations();
        jack_port_t* port = jack_port_by_name(client_, own_name.c_str());
        if (port == nullptr) return {};
        auto all = take_names(jack_port_get_all_connections(client_, port));
        std::erase_if(all, [this](const std::string& name) { return ended_.contains(name); });
        return all;
    }

  private:
    bool usable() const { return client_ != nullptr && !watch_->down.load(std::memory_order_acquire); }

    bool open() {
        client_ = jack_client_open((client_name_ + "-watch").c_str(), JackNoStartServer, nullptr);
        if (client_ == nullptr) return false;
        watch_ = make_jack_watch();
        counted_.emplace(watch_);
        registrations_.clear();
        ended_.clear();
        jack_on_shutdown(
            client_, [](void* watch) { static_cast<JackWatch*>(watch)->down.store(true, std::memory_order_release); },
            watch_.get());
        jack_set_process_callback(
            client_,
            [](jack_nframes_t, void* watch) {
                static_cast<JackWatch*>(watch)->beats.fetch_add(1, std::memory_order_acq_rel);
                return 0;
            },
            watch_.get());
        jack_set_port_registration_callback(
            client_,
            [](jack_port_id_t id, int registered, void* context) {
                auto* watch = static_cast<JackWatch*>(context);
                const std::lock_guard lock(watch->mutex);
                watch->changes.emplace_back(id, registered != 0);
            },
            watch_.get());
        if (jack_activate(client_) == 0) return true;
        close();
        return false;
    }
    void close() {
        if (client_ == nullptr) return;
        jack_client_close(client_);
        client_ = nullptr;
        counted_.reset();
        watch_->down.store(true, std::memory_order_release);
    }

    /// Opens a port of ours and finds its full name: JACK adds a number to a client's name that is taken.
    template <typename Port>
    std::string open_own(Port* port, const char* short_name, unsigned long direction) {
        if (port == nullptr) return {};
        const std::string pattern = "^" + client_name_ + ".*:" + short_name + "$";
        const auto before = list(pattern.c_str(), direction);
        if (!port->open_virtual(short_name)) return {};
        for (const std::string& name : list(pattern.c_str(), direction)) {
            if (std::find(before.begin(), before.end(), name) == before.end()) return name;
        }
        return {};
    }
    bool connect(const std::string& from, const std::string& to) {
        return from.empty() || to.empty() || jack_connect(client_, from.c_str(), to.c_str()) == 0;
    }

    std::vector<std::string> list(const char* pattern, unsigned long direction) {
        return take_names(jack_get_ports(client_, pattern, JACK_DEFAULT_MIDI_TYPE, direction));
    }
    std::vector<MidiPort> ports(unsigned long direction) {
        if (!usable()) return {};
        count_registrations();
        std::vector<MidiPort> all;
        for (const std::string& name : list(nullptr, direction)) {
            jack_port_t* port = jack_port_by_name(client_, name.c_str());
            if (port == nullptr || ended_.contains(name)) continue;
            MidiPort found{name, "", name, (jack_port_flags(port) & JackPortIsPhysical) != 0};
            found.identity += '#' + std::to_string(registrations_[name]);
            std::vector<char> first(static_cast<std::size_t>(jack_port_name_size())), second = first;
            char* aliases[] = {first.data(), second.data()};
            if (jack_port_get_aliases(port, aliases) > 0) found.alias = first.data();
            all.push_back(std::move(found));
        }
        return all;
    }
    /// A port that ended and came back between two looks is another one. The server's word may come after the port was
    /// first seen, so a new identity alone is no proof: a port that is still connected is still the same.
    void count_registrations() {
        std::vector<std::pair<jack_port_id_t, bool>> changes;
        {
            const std::lock_guard lock(watch_->mutex);
            changes.swap(watch_->changes);
        }
        for (const auto& [id, came] : changes) {
            jack_port_t* port = jack_port_by_id(client_, id);
            if (port == nullptr) continue;
            const std::string name = jack_port_name(port);
            if (came) {
                ++registrations_[name];
                ended_.erase(name);
            } else {
                ended_.insert(name);
            }
        }
    }

    const std::string client_name_;
    const HoldDeadClients others_hold_;
    jack_client_t* client_ = nullptr;
    std::shared_ptr<JackWatch> watch_;
    std::optional<CountedJackClient> counted_;
    std::uint64_t epoch_ = 0;
    std::int64_t next_try_ns_ = 0;
    std::map<std::string, int> registrations_;
    std::set<std::string> ended_;  // a synchronous server (jackd -S) goes on listing the ports of a client that died
};

std::optional<std::vector<std::string>> JackPeers::get() const {
    if (epoch_ != system_.epoch()) return std::nullopt;
    return system_.connected_to(own_name_);
}

}  // namespace

std::shared_ptr<MidiSystem> make_jack_system(std::string client_name, HoldDeadClients others_hold) {
    return std::make_shared<JackSystem>(std::move(client_name), std::move(others_hold));
}

}  // namespace letoff::hw
