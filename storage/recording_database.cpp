#include "storage/recording_database.h"

#include <utility>

#include "storage/recording_schema.h"
#include "storage/small_database.h"
#include "storage/unix_time.h"

namespace letoff::storage {

RecordingDatabase::RecordingDatabase(const std::string& file, std::function<std::int64_t()> now_unix_s)
    : file_(file),
      now_unix_s_(now_unix_s ? std::move(now_unix_s) : system_now_unix_s),
      sqlite_(file, SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE, kBusyTimeout_ms) {}

core::Error RecordingDatabase::unusable(std::string_view file, std::string_view why) {
    return {fmt::format("the recordings in '{}' cannot be used: {}", file, why)};
}

core::Result<std::unique_ptr<RecordingDatabase>> RecordingDatabase::open(const std::string& file,
                                                                         std::function<std::int64_t()> now_unix_s) {
    if (file.empty()) return unusable(file, "the name is empty");
    try {
        auto database = std::unique_ptr<RecordingDatabase>(new RecordingDatabase(file, std::move(now_unix_s)));
        SQLite::Database& sqlite = database->sqlite_;
        if (auto done = prepare(sqlite, kRecordingApplicationId, kRecordingSchemaSteps); !done)
            return unusable(file, done.error());
        return database;
    } catch (const SQLite::Exception& exception) {
        return unusable(file, exception.what());
    }
}

}  // namespace letoff::storage
