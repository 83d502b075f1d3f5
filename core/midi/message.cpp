#include "core/midi/message.h"

namespace letoff::core {

int data_bytes_after(std::uint8_t status) {
    if (status < 0x80) return -1;
    if (status < 0xC0 || (status >= 0xE0 && status < 0xF0)) return 2;
    if (status < 0xE0) return 1;
    switch (status) {
        case 0xF1:
        case 0xF3:
            return 1;
        case 0xF2:
            return 2;
        case 0xF6:
        case 0xF8:
        case 0xFA:
        case 0xFB:
        case 0xFC:
        case 0xFE:
        case 0xFF:
            return 0;
        default:
            return -1;
    }
}

MidiBytes encode(const MidiMessage& message) {
    const auto kind = static_cast<std::uint8_t>(message.kind);
    const auto status =
        static_cast<std::uint8_t>(is_channel_message(message.kind) ? kind | (message.channel & 15) : kind);
    const int data = data_bytes_after(status);
    if (data < 0) return {};
    // Masked, so that no value can turn into a status byte and break the stream.
    return {{status, static_cast<std::uint8_t>(message.data1 & 127), static_cast<std::uint8_t>(message.data2 & 127)},
            static_cast<std::size_t>(data) + 1};
}

MidiMessage message_of(std::uint8_t status, std::uint8_t data1, std::uint8_t data2) {
    if (status >= 0xF0) return {static_cast<MidiKind>(status), 0, data1, data2};
    const auto kind = static_cast<MidiKind>(status & 0xF0);
    if (kind == MidiKind::note_on) return note_on(status & 15, data1, data2);
    return {kind, static_cast<std::uint8_t>(status & 15), data1, data2};
}

}  // namespace letoff::core
