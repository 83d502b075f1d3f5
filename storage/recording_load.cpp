// A recording out of its database, as far as it is sound.
#include <fmt/format.h>

#include <cstring>

#include "storage/recording_database.h"
#include "storage/recording_events.h"
#include "storage/recording_store.h"

namespace letoff::storage {
namespace {

constexpr std::int64_t kMostEvents = 50'000'000;  // of one recording: a day of two hundred notes a second

std::span<const std::uint8_t> bytes_of(const SQLite::Column& column) {
    return {static_cast<const std::uint8_t*>(column.getBlob()), static_cast<std::size_t>(column.getBytes())};
}

}  // namespace

core::Result<Recording> RecordingStore::load(std::string_view name) {
    return database_->guarded([&]() -> core::Result<Recording> {
        const auto id = id_of(name);
        if (!id) return core::Error{id.error()};
        Recording recording;
        SQLite::Statement head(database_->sqlite(),
                               "SELECT name, created_unix_s, build, profile_name, profile_revision, profile_json,"
                               " strings, tick_hz, begin_s, lost, captured FROM recording WHERE id = ?");
        head.bind(1, id.value());
        if (!head.executeStep()) return core::Error{fmt::format("the recording '{}' was deleted meanwhile", name)};
        RecordingHead& to = recording.head;
        to.name = head.getColumn(0).getString();
        to.created_unix_s = head.getColumn(1).getInt64();
        to.build = head.getColumn(2).getString();
        to.profile_name = head.getColumn(3).getString();
        to.profile_revision = head.getColumn(4).getInt();
        to.profile_json = head.getColumn(5).getString();
        const SQLite::Column blob = head.getColumn(6);
        to.strings.resize(bytes_of(blob).size() / sizeof(double));
        if (!to.strings.empty())
            std::memcpy(to.strings.data(), bytes_of(blob).data(), to.strings.size() * sizeof(double));
        to.tick_hz = head.getColumn(7).getInt();
        to.begin_s = head.getColumn(8).getDouble();
        recording.lost = head.getColumn(9).getInt64();
        to.captured = head.getColumn(10).getInt() != 0;

        SQLite::Statement chunks(
            database_->sqlite(),
            "SELECT number, events, check_sum, bytes, form FROM chunk WHERE recording_id = ? ORDER BY number");
        chunks.bind(1, id.value());
        std::int64_t last_tick = 0;
        for (int number = 1; chunks.executeStep(); ++number) {
            const SQLite::Column column = chunks.getColumn(3);
            const auto bytes = bytes_of(column);
            const bool packed = chunks.getColumn(4).getInt() == static_cast<int>(TakeForm::kPacked);
            const std::vector<core::TakeEvent> events = packed ? packed_events(bytes) : take_events(bytes);
            bool sound = chunks.getColumn(0).getInt() == number && sum_of(bytes) == chunks.getColumn(2).getInt64() &&
                         chunks.getColumn(1).getInt64() == static_cast<std::int64_t>(events.size());
            for (const core::TakeEvent& event : events) {
                sound = sound && event.tick >= last_tick;
                last_tick = event.tick;
            }
            if (!sound || static_cast<std::int64_t>(recording.events.size() + events.size()) > kMostEvents) {
                recording.warnings.push_back(
                    fmt::format("the recording '{}' is damaged after {:.1f} s; what is before is used", to.name,
                                recording.length_s()));
                break;
            }
            recording.events.insert(recording.events.end(), events.begin(), events.end());
        }
        SQLite::Statement touches(database_->sqlite(),
                                  "SELECT version, profile_json FROM touch WHERE recording_id = ? ORDER BY version");
        touches.bind(1, id.value());
        while (touches.executeStep()) {
            recording.touches.push_back(
                {static_cast<std::uint64_t>(touches.getColumn(0).getInt64()), touches.getColumn(1).getString()});
        }
        return recording;
    });
}

}  // namespace letoff::storage
