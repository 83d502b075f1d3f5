#include "hw/midi/rtmidi_port.h"

#include <rtmidi/RtMidi.h>

#include <exception>

namespace letoff::hw {

namespace {

RtMidi::Api api_of(RtMidiApi api) {
    return api == RtMidiApi::kJack ? RtMidi::UNIX_JACK : RtMidi::LINUX_ALSA;
}

/// What RtMidi would print or throw.
void note_error(RtMidiError::Type type, const std::string& /*text*/, void* failed) {
    if (type != RtMidiError::WARNING && type != RtMidiError::DEBUG_WARNING) *static_cast<bool*>(failed) = true;
}

template <typename Port>
std::vector<std::string> names_of(Port& port) {
    std::vector<std::string> names;
    try {
        const unsigned count = port.getPortCount();
        for (unsigned number = 0; number < count; ++number) names.push_back(port.getPortName(number));
    } catch (const std::exception&) {
        names.clear();
    }
    // A port that went away between count and name has none.
    std::erase(names, std::string());
    return names;
}

template <typename Port>
bool open_by_name(Port& port, const std::string& name, const std::string& own_port, bool& failed) {
    try {
        const unsigned count = port.getPortCount();
        for (unsigned number = 0; number < count; ++number) {
            if (port.getPortName(number) != name) continue;
            failed = false;
            port.openPort(number, own_port);
            return !failed;
        }
        return false;
    } catch (const std::exception&) {
        return false;
    }
}

template <typename Port>
bool open_virtual_port(Port& port, const std::string& own_port, bool& failed) {
    try {
        failed = false;
        port.openVirtualPort(own_port);
        return !failed;
    } catch (const std::exception&) {
        return false;
    }
}

class Input final : public RtMidiInput {
  public:
    Input(RtMidiApi api, const std::string& client, MidiBytesHandler handler, void* context)
        : handler_(handler), context_(context), port_(api_of(api), client) {
        port_.setErrorCallback(note_error, &failed_);
        // Everything comes through, to the decoder: clock tells a tempo, active sensing a cable that was pulled.
        port_.ignoreTypes(false, false, false);
        if (handler_ != nullptr) {
            port_.setCallback(
                [](double, std::vector<unsigned char>* bytes, void* self) {
                    const auto* input = static_cast<Input*>(self);
                    if (bytes != nullptr) input->handler_(input->context_, {bytes->data(), bytes->size()});
                },
                this);
        }
    }
    std::vector<std::string> names() override { return names_of(port_); }
    bool open(const std::string& name, const std::string& own_port) override {
        return open_by_name(port_, name, own_port, failed_);
    }
    bool open_virtual(const std::string& own_port) override { return open_virtual_port(port_, own_port, failed_); }

  private:
    const MidiBytesHandler handler_;
    void* const context_;
    bool failed_ = false;
    RtMidiIn port_;  // last: its thread uses the others
};

class Output final : public RtMidiOutput {
  public:
    Output(RtMidiApi api, const std::string& client) : port_(api_of(api), client) {
        port_.setErrorCallback(note_error, &failed_);
    }
    std::vector<std::string> names() override { return names_of(port_); }
    bool open(const std::string& name, const std::string& own_port) override {
        return open_by_name(port_, name, own_port, failed_);
    }
    bool open_virtual(const std::string& own_port) override { return open_virtual_port(port_, own_port, failed_); }
    bool send(std::span<const std::uint8_t> bytes) override {
        try {
            failed_ = false;
            port_.sendMessage(bytes.data(), bytes.size());
            return !failed_;
        } catch (const std::exception&) {
            return false;
        }
    }

  private:
    bool failed_ = false;
    RtMidiOut port_;
};

}  // namespace

std::unique_ptr<RtMidiInput> make_rtmidi_input(RtMidiApi api, const std::string& client, MidiBytesHandler handler,
                                               void* context) {
    try {
        return std::make_unique<Input>(api, client, handler, context);
    } catch (const std::exception&) {
        return nullptr;
    }
}

std::unique_ptr<RtMidiOutput> make_rtmidi_output(RtMidiApi api, const std::string& client) {
    try {
        return std::make_unique<Output>(api, client);
    } catch (const std::exception&) {
        return nullptr;
    }
}

}  // namespace letoff::hw
