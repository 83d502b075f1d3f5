// The database that recordings and keyboards share: opened, tuned and brought to this build's version. Internal to
// storage.
#pragma once

#include <SQLiteCpp/SQLiteCpp.h>
#include <fmt/format.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "core/result.h"

namespace letoff::storage {

class RecordingDatabase {
  public:
    static core::Result<std::unique_ptr<RecordingDatabase>> open(const std::string& file,
                                                                 std::function<std::int64_t()> now_unix_s);

    SQLite::Database& sqlite() { return sqlite_; }
    const std::string& file() const { return file_; }
    std::int64_t now_unix_s() const { return now_unix_s_(); }

    /// One call of a store: an exception of SQLite's becomes a sentence.
    template <typename Work>
    auto guarded(const Work& work) -> decltype(work()) {
        try {
            return work();
        } catch (const SQLite::Exception& exception) {
            return unusable(file_, exception.what());
        }
    }

  private:
    RecordingDatabase(const std::string& file, std::function<std::int64_t()> now_unix_s);
    static core::Error unusable(std::string_view file, std::string_view why);

    std::string file_;
    std::function<std::int64_t()> now_unix_s_;
    SQLite::Database sqlite_;
};

}  // namespace letoff::storage
