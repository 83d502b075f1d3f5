// A recording's head and events, and a folder with a database to keep them in.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "storage/recording_store.h"
#include "tests/storage/temporary_folder.h"

namespace letoff::storage {

inline RecordingHead head_named(const std::string& name) {
    return {.name = name,
            .build = "abc",
            .profile_name = "concert",
            .profile_revision = 3,
            .profile_json = R"({"name": "concert"})",
            .strings = {440, -0.0, 1e-310},
            .tick_hz = 4000,
            .begin_s = 0.5};
}

inline std::vector<core::TakeEvent> some_events(std::int64_t first_tick) {
    return {{.tick = first_tick,
             .time_s = 0.1 + 1e-16,
             .kind = core::TakeKind::message,
             .message = core::note_on(3, 60, 99)},
            {.tick = first_tick + 1, .time_s = -0.0, .value = 2.8125, .kind = core::TakeKind::strike, .key = 39},
            {.tick = first_tick + 1,
             .value = std::numeric_limits<double>::infinity(),
             .bits = 0xFEDCBA9876543210U,
             .kind = core::TakeKind::state}};
}

class RecordingFolder : public letoff::test::TemporaryFolder {
  protected:
    std::string file() const { return (folder_ / "recordings.db").string(); }
    RecordingStore opened() const {
        auto store = RecordingStore::open(file(), [] { return std::int64_t{1'700'000'000}; });
        EXPECT_TRUE(store.ok()) << store.error();
        return std::move(store.value());
    }
};

}  // namespace letoff::storage
