#include <array>

#include "hw/protocol/codec.h"

namespace letoff::hw {

namespace {

template <std::size_t N>
std::string_view at(const std::array<std::string_view, N>& names, std::size_t i, std::string_view otherwise) noexcept {
    return i < N ? names[i] : otherwise;
}

constexpr std::array<std::uint32_t, 256> kCrcTable = [] {
    std::array<std::uint32_t, 256> table{};
    for (std::uint32_t i = 0; i < 256; ++i) {
        std::uint32_t c = i;
        for (int k = 0; k < 8; ++k) c = (c & 1) != 0 ? 0xEDB88320U ^ c >> 1 : c >> 1;
        table[i] = c;
    }
    return table;
}();

constexpr std::string_view kUnnamed = "fault without a name";

}  // namespace

std::uint32_t crc32(std::span<const std::uint8_t> bytes) noexcept {
    std::uint32_t c = 0xFFFFFFFFU;
    for (const std::uint8_t byte : bytes) c = kCrcTable[(c ^ byte) & 0xFF] ^ c >> 8;
    return c ^ 0xFFFFFFFFU;
}

std::string_view sentence(Refused refused) noexcept {
    constexpr std::array<std::string_view, kRefusedKinds> kSentences = {
        "The message is right.",
        "The message's length is not what its contents ask for.",
        "The message does not begin as one of the keybed protocol.",
        "The message is of another version of the keybed protocol; version 1 is spoken here.",
        "The message was damaged on its way: its check sum does not fit.",
        "The message uses bits that version 1 reserves.",
        "The number of keys must be 8 to 96, and that of the device.",
        "The number of samples in a frame must be 1 to 8, and not of more than 2 ms.",
        "The rate must be 1, 2, 4 or 8 kHz.",
        "A value in the message is outside what the keybed protocol allows.",
    };
    return at(kSentences, static_cast<std::size_t>(refused), "The message was refused.");
}

std::string_view sentence(WriteRefusal refusal) noexcept {
    constexpr std::array<std::string_view, 11> kSentences = {
        "It refused nothing.",
        "It refused a message of the wrong length.",
        "It refused a damaged message.",
        "It refused a message of another protocol version.",
        "It does not know the command.",
        "It is in FAULT and takes only the clearing of it, once the cause is gone.",
        "It does not take that command in its state.",
        "It was told to arm by somebody who did not know its newest token.",
        "It got no valid force frame within the last 10 ms.",
        "It does not have that calibration.",
        "It cannot do what it was asked for.",
    };
    return at(kSentences, static_cast<std::size_t>(refusal), "It refused for a reason that a newer version knows.");
}

std::string_view name(DeviceState state) noexcept {
    constexpr std::array<std::string_view, kDeviceStates> kNames = {"DISABLED", "CALIBRATED", "ARMED", "ENABLED",
                                                                    "FAULT"};
    return at(kNames, static_cast<std::size_t>(state), "unknown");
}

std::string_view key_fault_name(std::uint8_t key_fault) noexcept {
    constexpr std::array<std::string_view, 11> kNames = {"none",
                                                         "motor too hot",
                                                         "too much current",
                                                         "too much energy given",
                                                         "dead sensor",
                                                         "stuck sensor",
                                                         "motor without current",
                                                         "motor shorted",
                                                         "amplifier fault",
                                                         "key too fast",
                                                         "key out of its travel"};
    return at(kNames, key_fault, kUnnamed);
}

std::string_view device_fault_name(std::uint8_t device_fault) noexcept {
    constexpr std::array<std::string_view, 8> kNames = {
        "none",    "emergency stop", "supply voltage low",   "supply voltage high",
        "too hot", "internal",       "calibration was lost", "too many keys have a fault"};
    return at(kNames, device_fault, kUnnamed);
}

}  // namespace letoff::hw
