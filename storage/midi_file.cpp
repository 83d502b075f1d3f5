#include "storage/midi_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <optional>
#include <system_error>

#include "storage/midi_track.h"
#include "storage/tempo_map.h"

namespace letoff::storage {

namespace {

constexpr std::size_t kChunkHeader_bytes = 8;
constexpr std::size_t kHeader_bytes = 6;
constexpr std::string_view kHeaderId = "MThd";
constexpr std::string_view kTrackId = "MTrk";

std::uint32_t big_endian(std::span<const std::uint8_t> bytes) {
    std::uint32_t value = 0;
    for (const std::uint8_t byte : bytes) value = value << 8 | byte;
    return value;
}

bool starts_with(std::span<const std::uint8_t> bytes, std::string_view id) {
    return bytes.size() >= id.size() && std::equal(id.begin(), id.end(), bytes.begin());
}

class FileReader {
  public:
    FileReader(std::span<const std::uint8_t> bytes, std::string_view name) : bytes_(bytes), name_(name) {}

    core::Result<MidiFile> read() {
        if (auto error = read_header()) return *error;
        if (auto error = read_tracks()) return *error;
        const TempoMap map(division_);
        if (file_.format == 2) {
            one_after_the_other(map);
        } else {
            all_at_once(map);
        }
        if (left_out_ > 0) {
            warnings_.add(fmt::format("{} events later than {} hours are left out", left_out_, kLongestPiece_s / 3600));
        }
        file_.warnings = warnings_.take();
        return std::move(file_);
    }

  private:
    core::Error refuse(std::string_view why) const { return {fmt::format("cannot read '{}': {}", name_, why)}; }

    std::optional<core::Error> read_header() {
        if (bytes_.empty()) return refuse("it is empty, a Standard MIDI File is needed");
        if (!starts_with(bytes_, kHeaderId)) {
            return refuse("it is not a Standard MIDI File, which begins with MThd");
        }
        if (bytes_.size() < kChunkHeader_bytes + kHeader_bytes) return refuse("it is cut off within its header");
        const std::size_t length = big_endian(bytes_.subspan(4, 4));
        if (length < kHeader_bytes || length > bytes_.size() - kChunkHeader_bytes) {
            return refuse(fmt::format("its header claims {} bytes, where 6 are usual and the file has {}", length,
                                      bytes_.size() - kChunkHeader_bytes));
        }
        file_.format = static_cast<int>(big_endian(bytes_.subspan(8, 2)));
        claimed_tracks_ = static_cast<int>(big_endian(bytes_.subspan(10, 2)));
        division_ = static_cast<int>(big_endian(bytes_.subspan(12, 2)));
        if (file_.format > 2) return refuse(fmt::format("its format is {}, 0, 1 and 2 are known", file_.format));
        if (!TempoMap(division_).valid()) {
            return refuse(
                fmt::format("its time division is {:#06x}, ticks a quarter note from 1 to 32767 or SMPTE time "
                            "(24, 25, 29 or 30 frames a second, 1 to 255 ticks a frame) are needed",
                            division_));
        }
        position_ = kChunkHeader_bytes + length;
        if (length != kHeader_bytes) {
            warnings_.add(fmt::format("the header has {} bytes instead of 6", length));
            const std::size_t usual = kChunkHeader_bytes + kHeader_bytes;
            if (!starts_with(bytes_.subspan(position_), kTrackId) && starts_with(bytes_.subspan(usual), kTrackId)) {
                position_ = usual;
            }
        }
        return std::nullopt;
    }

    std::optional<core::Error> read_tracks() {
        while (find_chunk()) {
            const std::size_t claimed = big_endian(bytes_.subspan(position_ + 4, 4));
            const bool is_track = starts_with(bytes_.subspan(position_), kTrackId);
            position_ += kChunkHeader_bytes;
            const std::size_t length = std::min(claimed, bytes_.size() - position_);
            if (!is_track) {  // the standard asks to step over chunks of other kinds
                position_ += length;
                continue;
            }
            Track track = read_track(bytes_.subspan(position_, length), ++file_.tracks, warnings_);
            if (!track.ended && length < claimed) {
                return refuse(fmt::format("it is cut off: track {} claims {} bytes, the file has {} of them",
                                          file_.tracks, claimed, length));
            }
            check_length(track, claimed, length);
            tracks_.push_back(std::move(track));
        }
        if (starts_as_track(bytes_.subspan(position_))) return refuse("it is cut off at the beginning of a track");
        if (tracks_.empty()) return refuse("it has no track");
        const bool nothing =
            std::all_of(tracks_.begin(), tracks_.end(), [](const Track& t) { return t.broken && t.events.empty(); });
        if (nothing) return refuse(fmt::format("no event in it makes sense; {}", warnings_.take().front()));
        if (file_.tracks != claimed_tracks_) {
            warnings_.add(fmt::format("the header claims {} tracks, the file has {}", claimed_tracks_, file_.tracks));
        }
        if (file_.format == 0 && file_.tracks > 1) {
            warnings_.add(
                fmt::format("a format 0 file has one track, this one has {}; all are played at once", file_.tracks));
        }
        return std::nullopt;
    }

    /// Moves to the next chunk; steps over bytes that cannot be one, where a length before was wrong.
    bool find_chunk() {
        const auto rest = bytes_.subspan(position_);
        const auto letter = [](std::uint8_t c) { return c >= ' ' && c <= '~'; };
        if (rest.size() >= kChunkHeader_bytes && std::all_of(rest.begin(), rest.begin() + 4, letter)) return true;
        const auto found = std::search(rest.begin(), rest.end(), kTrackId.begin(), kTrackId.end());
        if (rest.end() - found < static_cast<std::ptrdiff_t>(kChunkHeader_bytes)) {
            if (!rest.empty()) warnings_.add(fmt::format("{} bytes after the last track are left out", rest.size()));
            return false;
        }
        const auto skipped = static_cast<std::size_t>(found - rest.begin());
        warnings_.add(fmt::format("{} bytes between tracks are left out", skipped));
        position_ += skipped;
        return true;
    }

    static bool starts_as_track(std::span<const std::uint8_t> rest) {
        const std::size_t common = std::min(rest.size(), kTrackId.size());
        return common > 0 && starts_with(rest, kTrackId.substr(0, common));
    }

    /// A track that ends before or without its claimed length: what comes next decides where the next chunk is.
    void check_length(const Track& track, std::size_t claimed, std::size_t length) {
        std::size_t used = length;
        if (track.ended && track.bytes_read < claimed) {
            warnings_.add(
                fmt::format("track {} claims {} bytes and ends after {}", file_.tracks, claimed, track.bytes_read));
            const bool next_here = starts_with(bytes_.subspan(position_ + track.bytes_read), kTrackId);
            if (next_here || length < claimed) used = track.bytes_read;
        } else if (!track.ended && !track.broken && claimed > 0) {
            warnings_.add(fmt::format("track {} has no end-of-track", file_.tracks));
        }
        position_ += used;
    }

    void all_at_once(TempoMap map) {
        struct Source {
            std::int64_t tick;
            std::size_t order;  // by track, then as in the track: decides where ticks are equal
            const TrackEvent* event;
        };
        std::vector<Source> sources;
        std::int64_t end_tick = 0;
        for (const Track& track : tracks_) {
            end_tick = std::max(end_tick, track.end_tick);
            for (const TrackEvent& event : track.events) sources.push_back({event.tick, sources.size(), &event});
        }
        std::sort(sources.begin(), sources.end(), [](const Source& a, const Source& b) {
            return a.tick != b.tick ? a.tick < b.tick : a.order < b.order;
        });
        std::vector<TrackEvent> events;
        events.reserve(sources.size());
        for (const Source& source : sources) events.push_back(*source.event);
        place(events, end_tick, map);
    }

    void one_after_the_other(TempoMap map) {
        for (const Track& track : tracks_) {
            if (!place(track.events, track.end_tick, map)) return;
            map.start_sequence(track.end_tick);
        }
    }

    /// False once the longest piece is reached.
    bool place(const std::vector<TrackEvent>& events, std::int64_t end_tick, TempoMap& map) {
        for (std::size_t i = 0; i < events.size(); ++i) {
            const TrackEvent& event = events[i];
            if (map.later_than(event.tick, kLongestPiece_s)) {
                left_out_ += events.size() - i;
                file_.end_s = file_.messages.empty() ? 0 : file_.messages.back().time_s;
                return false;
            }
            if (event.tempo_us_per_quarter != 0) {
                map.set_tempo(event.tick, event.tempo_us_per_quarter);
            } else {
                file_.messages.push_back({map.seconds(event.tick), event.message});
            }
        }
        const bool too_late = map.later_than(end_tick, kLongestPiece_s);
        file_.end_s = too_late ? kLongestPiece_s : map.seconds(end_tick);
        return !too_late;
    }

    std::span<const std::uint8_t> bytes_;
    std::string_view name_;
    MidiFile file_;
    Warnings warnings_;
    std::vector<Track> tracks_;
    int claimed_tracks_ = 0;
    int division_ = 0;
    std::size_t position_ = 0;
    std::size_t left_out_ = 0;
};

}  // namespace

core::Result<MidiFile> parse_midi_file(std::span<const std::uint8_t> bytes, std::string_view name) {
    return FileReader(bytes, name).read();
}

core::Result<MidiFile> read_midi_file(const std::filesystem::path& path) {
    const auto refuse = [&](std::string_view why) {
        return core::Error{fmt::format("cannot read '{}': {}", path.string(), why)};
    };
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) return refuse(std::generic_category().message(errno));
    // Read until the end rather than by a size asked beforehand: pipes and devices have none.
    std::vector<std::uint8_t> bytes;
    std::array<std::uint8_t, 65536> block{};
    int error_number = 0;
    while (bytes.size() <= kLargestMidiFile_bytes) {
        const ssize_t count = ::read(descriptor, block.data(), block.size());
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) error_number = errno;
        if (count <= 0) break;
        bytes.insert(bytes.end(), block.begin(), block.begin() + count);
        if (bytes.size() >= kHeaderId.size() && !starts_with(bytes, kHeaderId)) break;  // the parser says why
    }
    ::close(descriptor);
    if (error_number != 0) return refuse(std::generic_category().message(error_number));
    if (bytes.size() > kLargestMidiFile_bytes) {
        return refuse(fmt::format("it is larger than {} MiB, the most that is read", kLargestMidiFile_bytes >> 20));
    }
    return parse_midi_file(bytes, path.string());
}

}  // namespace letoff::storage
