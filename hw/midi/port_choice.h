// Which of the machine's MIDI ports we take, by their names alone.
//
// Threads: any. Nothing here looks at the machine.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "core/midi/input_map.h"
#include "core/result.h"
#include "hw/midi/midi_system.h"

namespace letoff::hw {

/// --midi-in auto|none|NAME; the words in any case.
struct MidiChoice {
    enum class Kind { kNone, kAuto, kVirtual, kName };
    Kind kind = Kind::kNone;
    std::string name;
};
core::Result<MidiChoice> parse_midi_input(std::string_view text);

/// Where to send, and what becomes of velocities there, from 1 to 127.
struct MidiOutputChoice {
    MidiChoice port;
    std::optional<std::array<double, core::InputMap::kCurvePoints>> curve = std::nullopt;
};
/// --midi-out none|virtual|NAME, behind each a curve if wanted: NAME=1:20,64:80,127:120, points in:out that rise,
/// straight between them and level beyond.
core::Result<MidiOutputChoice> parse_midi_output(std::string_view text);

/// The part occurs in the port's name or alias; ASCII letters in either case.
bool matches_name(const MidiPort& port, std::string_view part);

/// A port of a client whose name is ours, alone or with something after a dash ("Letoff:in", "Letoff-out-01:out").
bool is_our_port(std::string_view port_name, std::string_view client_name);

/// A source that plays by itself what someone else plays, or sends no notes: "Midi Through", and ports that name a
/// clock, time code or a mixing desk's remote control. Everything else may be a keyboard, a sequencer too.
bool looks_like_keyboard(const MidiPort& port);

/// A port of JACK that is a port of ALSA's seen through a bridge (a2jmidid, PipeWire) or the driver's own: taken beside
/// ALSA, every note of it would come twice.
bool is_alsa_through_jack(const MidiPort& port);

}  // namespace letoff::hw
