// RtMidi 5.0 behind plain types: one input or output object of one API, silent and without exceptions.
//
// RtMidi prints to stderr and throws in its constructors when the API cannot be used, before an error callback can be
// set: so whoever makes one of these has first made sure that the API is there. Later errors go to an empty callback.
//
// Threads: the control thread, except send() (one sender thread) and the handler (a thread of RtMidi's for each input;
// with JACK the server's real-time thread).
#pragma once

#include <memory>
#include <span>
#include <string>

#include "hw/midi/midi_system.h"

namespace letoff::hw {

enum class RtMidiApi { kJack, kAlsa };

class RtMidiInput {
  public:
    virtual ~RtMidiInput() = default;
    /// Names of the ports that can be listened to, in RtMidi's numbering of this moment.
    virtual std::vector<std::string> names() = 0;
    virtual bool open(const std::string& name, const std::string& own_port) = 0;
    virtual bool open_virtual(const std::string& own_port) = 0;
};
class RtMidiOutput {
  public:
    virtual ~RtMidiOutput() = default;
    virtual std::vector<std::string> names() = 0;
    virtual bool open(const std::string& name, const std::string& own_port) = 0;
    virtual bool open_virtual(const std::string& own_port) = 0;
    /// False: RtMidi reported an error. With JACK it never does, and waits for ever when its 16 KiB are full.
    virtual bool send(std::span<const std::uint8_t> bytes) = 0;
};

/// Null: it could not be made. The handler may be null.
std::unique_ptr<RtMidiInput> make_rtmidi_input(RtMidiApi api, const std::string& client, MidiBytesHandler handler,
                                               void* context);
std::unique_ptr<RtMidiOutput> make_rtmidi_output(RtMidiApi api, const std::string& client);

}  // namespace letoff::hw
