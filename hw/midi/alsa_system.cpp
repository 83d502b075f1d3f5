// The ALSA sequencer through RtMidi. Ports are told apart by their whole name, whose numbers are the sequencer's
// addresses; who is connected to a port of ours is not asked (RtMidi does not show it).
#include <unistd.h>

#include <algorithm>
#include <utility>

#include "hw/midi/midi_system.h"
#include "hw/midi/rtmidi_port.h"

namespace letoff::hw {

namespace {

constexpr const char* kDevice = "/dev/snd/seq";

class AlsaInPort final : public MidiInPort {
  public:
    explicit AlsaInPort(std::unique_ptr<RtMidiInput> port) : port_(std::move(port)) {}
    std::optional<std::vector<std::string>> peers() override { return std::nullopt; }

  private:
    std::unique_ptr<RtMidiInput> port_;
};

class AlsaOutPort final : public MidiOutPort {
  public:
    explicit AlsaOutPort(std::unique_ptr<RtMidiOutput> port) : port_(std::move(port)) {}
    std::optional<std::vector<std::string>> peers() override { return std::nullopt; }
    Sent send(std::span<const std::uint8_t> bytes) override { return port_->send(bytes) ? Sent::kYes : Sent::kDead; }

  private:
    std::unique_ptr<RtMidiOutput> port_;
};

class AlsaSystem final : public MidiSystem {
  public:
    explicit AlsaSystem(std::string client_name) : client_name_(std::move(client_name)) {}

    std::string_view name() const override { return "ALSA"; }
    std::uint64_t epoch() const override { return 0; }

    bool refresh() override {
        // Asked before RtMidi is: it and ALSA's own library print what they miss.
        if (access(kDevice, F_OK) != 0) {
            why_not_ =
                "The ALSA sequencer cannot be used: there is no /dev/snd/seq (the kernel module snd-seq makes it).";
            return false;
        }
        if (access(kDevice, R_OK | W_OK) != 0) {
            why_not_ =
                "The ALSA sequencer cannot be used: you may not open /dev/snd/seq (members of the group audio may).";
            return false;
        }
        if (in_list_ == nullptr)
            in_list_ = make_rtmidi_input(RtMidiApi::kAlsa, client_name_ + "-list", nullptr, nullptr);
        if (out_list_ == nullptr) out_list_ = make_rtmidi_output(RtMidiApi::kAlsa, client_name_ + "-list");
        if (in_list_ != nullptr && out_list_ != nullptr) return true;
        why_not_ = "The ALSA sequencer cannot be used: it refused a client of ours.";
        return false;
    }
    std::string why_not() const override { return why_not_; }

    std::vector<MidiPort> sources() override {
        return in_list_ == nullptr ? std::vector<MidiPort>{} : ports_of(in_list_->names());
    }
    std::vector<MidiPort> destinations() override {
        return out_list_ == nullptr ? std::vector<MidiPort>{} : ports_of(out_list_->names());
    }

    std::unique_ptr<MidiInPort> open_in(const MidiPort* from, MidiBytesHandler handler, void* context) override {
        auto port = make_rtmidi_input(RtMidiApi::kAlsa, from != nullptr ? client_name_ + "-keys" : client_name_,
                                      handler, context);
        if (port == nullptr) return nullptr;
        if (!(from != nullptr ? port->open(from->name, "in") : port->open_virtual("in"))) return nullptr;
        return std::make_unique<AlsaInPort>(std::move(port));
    }
    std::unique_ptr<MidiOutPort> open_out(const MidiPort* to) override {
        auto port = make_rtmidi_output(RtMidiApi::kAlsa, client_name_ + "-out");
        if (port == nullptr) return nullptr;
        if (!(to != nullptr ? port->open(to->name, "out") : port->open_virtual("out"))) return nullptr;
        return std::make_unique<AlsaOutPort>(std::move(port));
    }

  private:
    static std::vector<MidiPort> ports_of(const std::vector<std::string>& names) {
        std::vector<MidiPort> ports;
        ports.reserve(names.size());
        for (const std::string& name : names) ports.push_back({name, "", name, false});
        return ports;
    }

    const std::string client_name_;
    std::string why_not_;
    std::unique_ptr<RtMidiInput> in_list_;
    std::unique_ptr<RtMidiOutput> out_list_;
};

}  // namespace

std::shared_ptr<MidiSystem> make_alsa_system(std::string client_name) {
    return std::make_shared<AlsaSystem>(std::move(client_name));
}

MidiSystems make_midi_systems(std::string client_name, HoldDeadClients others_hold) {
    auto alsa = make_alsa_system(client_name);
    return {std::move(alsa), make_jack_system(std::move(client_name), std::move(others_hold))};
}

}  // namespace letoff::hw
