#include "core/midi/controller_pairs.h"

namespace letoff::core {
namespace {

constexpr int kPairs = 32;
constexpr int kDataUpper = 6, kDataLower = 38, kDataUp = 96, kDataDown = 97;
constexpr int kOtherLower = 98, kOtherUpper = 99, kRegisteredLower = 100, kRegisteredUpper = 101;

}  // namespace

std::optional<WideControl> ControllerPairs::see(const MidiMessage& message) noexcept {
    if (message.kind == MidiKind::system_reset) channels_ = {};
    if (message.kind != MidiKind::control_change) return std::nullopt;
    Channel& channel = channels_[message.channel & 15];
    const int number = message.data1 & 127, value = message.data2 & 127;
    std::optional<WideControl> told;
    if (number == kResetAllControllers) {
        channel = {};
    } else if (number == kDataUpper || number == kDataLower || number == kDataUp || number == kDataDown) {
        told = data(channel, number, value);
    } else if (number < kPairs) {
        const auto at = static_cast<std::size_t>(number);
        channel.upper[at] = static_cast<std::uint8_t>(value);
        channel.known[at] = true;
        told = WideControl{WideControl::Kind::controller, 0, number, value << 7};
    } else if (number < 2 * kPairs) {
        const auto at = static_cast<std::size_t>(number - kPairs);
        if (channel.known[at])
            told = WideControl{WideControl::Kind::controller, 0, number - kPairs, channel.upper[at] << 7 | value};
    } else if (number >= kOtherLower && number <= kRegisteredUpper) {
        const bool registered = number >= kRegisteredLower;
        const bool upper = number == kOtherUpper || number == kRegisteredUpper;
        if (registered != channel.registered) channel.parameter = kNoParameter;
        channel.registered = registered;
        channel.parameter = upper ? value << 7 | (channel.parameter & 127) : (channel.parameter & ~127) | value;
        channel.parameter_value = 0;
    }
    if (told) told->channel = message.channel & 15;
    return told;
}

std::optional<WideControl> ControllerPairs::data(Channel& channel, int number, int value) noexcept {
    if (channel.parameter == kNoParameter) return std::nullopt;
    int& now = channel.parameter_value;
    if (number == kDataUpper) now = value << 7;
    if (number == kDataLower) now = (now & ~127) | value;
    if (number == kDataUp && now < kMost) ++now;
    if (number == kDataDown && now > 0) --now;
    const auto kind = channel.registered ? WideControl::Kind::registered : WideControl::Kind::other;
    return WideControl{kind, 0, channel.parameter, now};
}

}  // namespace letoff::core
