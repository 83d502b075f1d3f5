#include "core/midi/mts.h"

#include <algorithm>

namespace letoff::core {
namespace {

constexpr std::size_t kNote_bytes = 3;
constexpr std::size_t kPitchClasses = 12;
constexpr double kFractions = 16384;

/// Where three bytes put a note; `as_it_is` for 7F 7F 7F.
double pitch_of(std::span<const std::uint8_t> bytes, double as_it_is) {
    if (bytes[0] == 0x7F && bytes[1] == 0x7F && bytes[2] == 0x7F) return as_it_is;
    return bytes[0] + (bytes[1] << 7 | bytes[2]) / kFractions;
}

/// The last byte is the sum of the others, with the first of them or without.
bool sum_is_right(std::span<const std::uint8_t> summed) {
    std::uint8_t sum = 0;
    for (const std::uint8_t byte : summed.subspan(1, summed.size() - 2)) sum ^= byte;
    const auto with_first = static_cast<std::uint8_t>(sum ^ summed[0]);
    return summed.back() == (sum & 127U) || summed.back() == (with_first & 127U);
}

}  // namespace

MtsTuning::MtsTuning() {
    for (std::size_t note = 0; note < pitches_.size(); ++note) pitches_[note] = static_cast<double>(note);
}

void MtsTuning::take_name(std::span<const std::uint8_t> text) {
    name_size_ = std::min(text.size(), name_.size());
    for (std::size_t i = 0; i < name_size_; ++i)
        name_[i] = text[i] >= ' ' && text[i] <= '~' ? static_cast<char>(text[i]) : ' ';
    while (name_size_ > 0 && name_[name_size_ - 1] == ' ') --name_size_;
}

MtsTuning::Told MtsTuning::take(std::span<const std::uint8_t> sysex) {
    if (!is_mts(sysex)) return Told::kNothing;
    if (std::any_of(sysex.begin(), sysex.end(), [](std::uint8_t byte) { return byte > 127; })) return Told::kDamaged;
    const bool at_once = sysex[0] == 0x7F;
    const auto data = sysex.subspan(4);
    switch (sysex[3]) {
        case 0x01:
        case 0x04:
            return at_once ? Told::kNothing : bulk(data, sysex, sysex[3] == 0x04);
        case 0x02:
            return at_once ? single(data, false) : Told::kNothing;
        case 0x07:
            return single(data, true);
        case 0x05:
        case 0x06:
            return at_once ? Told::kNothing : octave_dump(data, sysex, sysex[3] == 0x05 ? 1 : 2);
        case 0x08:
        case 0x09: {
            constexpr std::size_t kChannels_bytes = 3;
            if (data.size() < kChannels_bytes) return Told::kDamaged;
            return octave(data.subspan(kChannels_bytes), sysex[3] == 0x08 ? 1 : 2);
        }
        default:
            return Told::kNothing;
    }
}

MtsTuning::Told MtsTuning::bulk(std::span<const std::uint8_t> data, std::span<const std::uint8_t> summed,
                                bool has_bank) {
    const std::size_t head = has_bank ? 2 : 1;
    if (data.size() != head + kName_bytes + kMidiNotes * kNote_bytes + 1 || !sum_is_right(summed))
        return Told::kDamaged;
    take_name(data.subspan(head, kName_bytes));
    const auto notes = data.subspan(head + kName_bytes);
    for (std::size_t note = 0; note < pitches_.size(); ++note)
        pitches_[note] = pitch_of(notes.subspan(note * kNote_bytes, kNote_bytes), pitches_[note]);
    return Told::kTuning;
}

MtsTuning::Told MtsTuning::single(std::span<const std::uint8_t> data, bool has_bank) {
    const std::size_t head = has_bank ? 3 : 2;
    constexpr std::size_t kEach = 1 + kNote_bytes;
    if (data.size() < head || data.size() != head + data[head - 1] * kEach) return Told::kDamaged;
    for (auto rest = data.subspan(head); !rest.empty(); rest = rest.subspan(kEach)) {
        double& pitch = pitches_[rest[0]];
        pitch = pitch_of(rest.subspan(1, kNote_bytes), pitch);
    }
    return Told::kTuning;
}

MtsTuning::Told MtsTuning::octave_dump(std::span<const std::uint8_t> data, std::span<const std::uint8_t> summed,
                                       std::size_t width) {
    constexpr std::size_t kHead = 2;
    const std::size_t offsets = kPitchClasses * width;
    if (data.size() != kHead + kName_bytes + offsets + 1 || !sum_is_right(summed)) return Told::kDamaged;
    take_name(data.subspan(kHead, kName_bytes));
    return octave(data.subspan(kHead + kName_bytes, offsets), width);
}

MtsTuning::Told MtsTuning::octave(std::span<const std::uint8_t> offsets, std::size_t width) {
    if (offsets.size() != kPitchClasses * width) return Told::kDamaged;
    for (std::size_t note = 0; note < pitches_.size(); ++note) {
        const std::size_t at = note % kPitchClasses * width;
        const double cents =
            width == 1 ? offsets[at] - 64.0 : ((offsets[at] << 7 | offsets[at + 1]) - 8192) * (100.0 / 8192);
        pitches_[note] = static_cast<double>(note) + cents / 100;
    }
    return Told::kTuning;
}

}  // namespace letoff::core
