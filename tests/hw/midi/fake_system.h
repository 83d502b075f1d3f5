// A MIDI system made of lists: what a test puts in as ports is what there is.
#pragma once

#include <algorithm>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "hw/midi/midi_system.h"

namespace letoff::hw::test {

class FakeSystem final : public MidiSystem {
  public:
    struct In final : MidiInPort {
        In(FakeSystem& s, std::string n, MidiBytesHandler h, void* c)
            : system(s), name(std::move(n)), handler(h), context(c) {
            system.ins.push_back(this);
        }
        ~In() override { std::erase(system.ins, this); }
        std::optional<std::vector<std::string>> peers() override { return connected; }
        void play(std::vector<std::uint8_t> bytes) const { handler(context, bytes); }

        FakeSystem& system;
        const std::string name;  // "" for the virtual one
        const MidiBytesHandler handler;
        void* const context;
        std::optional<std::vector<std::string>> connected;
    };
    struct Out final : MidiOutPort {
        explicit Out(FakeSystem& s) : system(s) {}
        std::optional<std::vector<std::string>> peers() override { return system.out_peers; }
        Sent send(std::span<const std::uint8_t> bytes) override {
            const std::lock_guard lock(system.mutex);
            if (system.answer == Sent::kYes) system.sent.emplace_back(bytes.begin(), bytes.end());
            return system.answer;
        }
        FakeSystem& system;
    };

    explicit FakeSystem(std::string name = "ALSA") : name_(std::move(name)) {}
    std::string_view name() const override { return name_; }
    bool refresh() override { return usable; }
    std::string why_not() const override { return name_ + " is away."; }
    std::uint64_t epoch() const override { return epoch_now; }
    std::vector<MidiPort> sources() override { return source_ports; }
    std::vector<MidiPort> destinations() override { return destination_ports; }
    std::unique_ptr<MidiInPort> open_in(const MidiPort* from, MidiBytesHandler handler, void* context) override {
        if (refuse) return nullptr;
        return std::make_unique<In>(*this, from == nullptr ? "" : from->name, handler, context);
    }
    std::unique_ptr<MidiOutPort> open_out(const MidiPort*) override {
        return refuse ? nullptr : std::make_unique<Out>(*this);
    }

    In* in(const std::string& port_name) {
        const auto found = std::find_if(ins.begin(), ins.end(), [&](const In* i) { return i->name == port_name; });
        return found == ins.end() ? nullptr : *found;
    }
    std::vector<std::vector<std::uint8_t>> all_sent() {
        const std::lock_guard lock(mutex);
        return sent;
    }
    void set_answer(MidiOutPort::Sent value) {
        const std::lock_guard lock(mutex);
        answer = value;
    }

    bool usable = true;
    bool refuse = false;
    std::uint64_t epoch_now = 0;
    std::vector<MidiPort> source_ports, destination_ports;
    std::vector<In*> ins;
    std::optional<std::vector<std::string>> out_peers;  // of every output
    std::mutex mutex;
    MidiOutPort::Sent answer = MidiOutPort::Sent::kYes;
    std::vector<std::vector<std::uint8_t>> sent;

  private:
    const std::string name_;
};

inline MidiPort port(const std::string& name, int registration = 0) {
    return {name, "", name + '#' + std::to_string(registration), false};
}

}  // namespace letoff::hw::test
