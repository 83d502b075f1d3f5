// One way to the machine's MIDI: the JACK server or the ALSA sequencer. What the lists, the inputs and the outputs
// share, with no type of a library in it, so that tests put one of their own in its place.
//
//   source: a port that messages come from, a keyboard. destination: a port that takes them, a synthesizer.
//   epoch: how often the system went away; a port opened in an older epoch is dead.
//
// Threads: all on the control thread, except MidiOutPort::send() (one sender thread) and MidiBytesHandler (a thread of
// the library for each port; JACK's is a real-time thread). Nothing throws, nothing prints; a failure is an empty
// pointer or a false.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace letoff::hw {

struct MidiPort {
    std::string name;      // as the system writes it, client and port; ALSA adds numbers that shift
    std::string alias;     // another name of the same port, where there is one: JACK's for hardware
    std::string identity;  // this port from its registration to its end; a port that comes back has another one
    bool physical = false;
};

/// Bytes in the order they came, split anywhere. `context` as given to open_in().
using MidiBytesHandler = void (*)(void* context, std::span<const std::uint8_t> bytes);

class MidiInPort {
  public:
    /// Afterwards the handler is not called any more.
    virtual ~MidiInPort() = default;
    /// The names of the ports that are connected to this one; nothing where the system does not tell.
    virtual std::optional<std::vector<std::string>> peers() = 0;
};

class MidiOutPort {
  public:
    enum class Sent { kYes, kTryLater, kDead };

    virtual ~MidiOutPort() = default;
    virtual std::optional<std::vector<std::string>> peers() = 0;
    /// One whole message. kTryLater: the server has not taken the earlier ones yet.
    virtual Sent send(std::span<const std::uint8_t> bytes) = 0;
};

class MidiSystem {
  public:
    virtual ~MidiSystem() = default;
    virtual std::string_view name() const = 0;  // "JACK", "ALSA"
    /// Looks whether it is there, and tries to come back when it is not. False: it cannot be used now; ports of an
    /// older epoch keep it from coming back until they are closed.
    virtual bool refresh() = 0;
    /// One sentence, after refresh() said false.
    virtual std::string why_not() const = 0;
    virtual std::uint64_t epoch() const = 0;
    virtual std::vector<MidiPort> sources() = 0;
    virtual std::vector<MidiPort> destinations() = 0;
    /// from: null for a port that others connect to.
    virtual std::unique_ptr<MidiInPort> open_in(const MidiPort* from, MidiBytesHandler handler, void* context) = 0;
    virtual std::unique_ptr<MidiOutPort> open_out(const MidiPort* to) = 0;
};

/// In the order in which a name is looked for: ALSA, whose messages are stamped one by one, before JACK, whose messages
/// come once a period. Shared by inputs and outputs, which must live on the same control thread.
using MidiSystems = std::vector<std::shared_ptr<MidiSystem>>;

inline constexpr std::string_view kMidiClientName = "Letoff";

/// libjack (1.9.21) deletes every client that the process still has when one is opened after the server died, and who
/// owns a deleted one then crashes. So whoever opens a client of JACK, sound too, first asks whether someone still
/// holds one of a dead server. This is MIDI's answer; any thread.
bool midi_holds_dead_jack_clients() noexcept;
/// The answer of the others, asked on the control thread before MIDI opens its first client; empty: no.
using HoldDeadClients = std::function<bool()>;

/// client_name: the start of the name of every client of ours.
MidiSystems make_midi_systems(std::string client_name = std::string(kMidiClientName), HoldDeadClients others_hold = {});

std::shared_ptr<MidiSystem> make_jack_system(std::string client_name, HoldDeadClients others_hold = {});
std::shared_ptr<MidiSystem> make_alsa_system(std::string client_name);

/// What happened to a port, as one sentence for the user.
struct MidiPortEvent {
    enum class Kind { kFound, kLost, kMissing };
    Kind kind = Kind::kFound;
    std::string port;
    std::string sentence;
};

}  // namespace letoff::hw
