#include "storage/midi_track.h"

#include <fmt/format.h>

#include <utility>

namespace letoff::storage {

namespace {

constexpr std::uint8_t kSysEx = 0xF0;
constexpr std::uint8_t kSysExEscape = 0xF7;
constexpr std::uint8_t kMeta = 0xFF;
constexpr std::uint8_t kEndOfTrack = 0x2F;
constexpr std::uint8_t kTempo = 0x51;

/// Length that the standard fixes for a meta event; -1: any.
int fixed_meta_length(std::uint8_t type) {
    switch (type) {
        case 0x20:  // channel prefix
        case 0x21:  // port
            return 1;
        case kEndOfTrack:
            return 0;
        case kTempo:
            return 3;
        case 0x54:  // SMPTE offset
            return 5;
        case 0x58:  // time signature
            return 4;
        case 0x59:  // key signature
            return 2;
        default:
            return -1;
    }
}

class TrackReader {
  public:
    TrackReader(std::span<const std::uint8_t> bytes, int number, Warnings& warnings)
        : bytes_(bytes), number_(number), warnings_(warnings) {}

    Track read() {
        while (!track_.ended && !track_.broken && position_ < bytes_.size()) read_event();
        track_.bytes_read = position_;
        track_.end_tick = tick_;
        return std::move(track_);
    }

  private:
    void read_event() {
        std::uint32_t delta = 0;
        if (!variable_length(delta)) return;
        std::uint8_t status = 0;
        if (!next(status)) return;
        tick_ += delta;
        if (status < 0x80) {
            if (running_status_ == 0) return break_off("data without a status before it");
            --position_;
            return read_message(running_status_);
        }
        if (status == kMeta) return read_meta();
        if (status == kSysEx || status == kSysExEscape) return skip_payload("system exclusive");
        if (status >= 0xF0) return skip_system(status);
        // Kept over meta and System Exclusive events: the standard ends it there, files in the field do not.
        running_status_ = status;
        read_message(status);
    }

    void read_message(std::uint8_t status) {
        std::uint8_t data[2] = {0, 0};
        for (int i = 0; i < core::data_bytes_after(status); ++i) {
            if (!next(data[i])) return;
            if (data[i] >= 0x80) return break_off("a status byte where data was due");
        }
        track_.events.push_back({tick_, 0, core::message_of(status, data[0], data[1])});
    }

    /// Not allowed in a file outside an escape; its length is known, so the track can go on.
    void skip_system(std::uint8_t status) {
        const int data = core::data_bytes_after(status);
        if (data < 0) return break_off(fmt::format("undefined status {:#04x}", status));
        warn(fmt::format("status {:#04x} does not belong in a file and is left out", status));
        for (int i = 0; i < data; ++i) {
            std::uint8_t ignored = 0;
            if (!next(ignored)) return;
        }
    }

    void read_meta() {
        std::uint8_t type = 0;
        std::uint32_t length = 0;
        if (!next(type) || !variable_length(length)) return;
        if (length > bytes_.size() - position_) return break_off("a meta event longer than the track");
        const auto payload = bytes_.subspan(position_, length);
        position_ += length;
        const int expected = fixed_meta_length(type);
        const bool wrong_length = expected >= 0 && length != static_cast<std::uint32_t>(expected);
        if (wrong_length) {
            warn(fmt::format("meta event {:#04x} has {} bytes instead of {} and is left out", type, length, expected));
        }
        if (type == kEndOfTrack) {  // whatever its length: nothing can follow
            track_.ended = true;
        } else if (type == kTempo && !wrong_length) {
            const int tempo_us = payload[0] << 16 | payload[1] << 8 | payload[2];
            if (tempo_us == 0) return warn("a tempo of 0 microseconds a quarter note is left out");
            track_.events.push_back({tick_, tempo_us, {}});
        }
    }

    void skip_payload(const char* what) {
        std::uint32_t length = 0;
        if (!variable_length(length)) return;
        if (length > bytes_.size() - position_) return break_off(fmt::format("a {} event longer than the track", what));
        position_ += length;
    }

    bool next(std::uint8_t& byte) {
        if (position_ == bytes_.size()) {
            break_off("the track ends in the middle of an event");
            return false;
        }
        byte = bytes_[position_++];
        return true;
    }

    bool variable_length(std::uint32_t& value) {
        value = 0;
        for (int i = 0; i < 4; ++i) {
            std::uint8_t byte = 0;
            if (!next(byte)) return false;
            value = value << 7 | (byte & 127U);
            if (byte < 0x80) return true;
        }
        break_off("a variable-length number of more than four bytes");
        return false;
    }

    void break_off(std::string_view reason) {
        track_.broken = true;
        warnings_.add(fmt::format("track {} breaks off at its byte {}: {}; the {} events before it are used", number_,
                                  position_, reason, track_.events.size()));
    }

    void warn(std::string_view what) { warnings_.add(fmt::format("track {}, byte {}: {}", number_, position_, what)); }

    std::span<const std::uint8_t> bytes_;
    int number_;
    Warnings& warnings_;
    Track track_;
    std::size_t position_ = 0;
    std::int64_t tick_ = 0;
    std::uint8_t running_status_ = 0;
};

}  // namespace

void Warnings::add(std::string sentence) {
    if (sentences_.size() < kMost) {
        sentences_.push_back(std::move(sentence));
    } else {
        ++more_;
    }
}

std::vector<std::string> Warnings::take() {
    if (more_ > 0) sentences_.push_back(fmt::format("... and {} more", std::exchange(more_, 0)));
    return std::exchange(sentences_, {});
}

Track read_track(std::span<const std::uint8_t> bytes, int number, Warnings& warnings) {
    return TrackReader(bytes, number, warnings).read();
}

void append_variable_length(std::vector<std::uint8_t>& bytes, std::uint32_t value) {
    for (int shift = 21; shift > 0; shift -= 7) {
        if (value >> shift != 0) bytes.push_back(static_cast<std::uint8_t>((value >> shift & 127U) | 0x80U));
    }
    bytes.push_back(static_cast<std::uint8_t>(value & 127U));
}

}  // namespace letoff::storage
