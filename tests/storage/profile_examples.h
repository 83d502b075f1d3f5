// Rows and a profile for the tests of the profile store, and a folder with a database in it.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "storage/profile_store.h"
#include "tests/storage/temporary_folder.h"

namespace letoff::test {

inline constexpr core::Row kSomeRows[] = {
    {"blow_mm", "mm", 45, 30, 60, core::Live::kTechnician, "A row."},
    {"hammer_g", "g", 10, 3, 30, core::Live::kTechnician, "Another row."},
    {"angle_rad", "rad", -0.5, -1, 1, core::Live::kTechnician, "A row that may be negative."},
};
inline constexpr std::span<const core::Row> kTables[] = {kSomeRows};
inline constexpr storage::RowTables kRows = kTables;

inline storage::Profile example(const std::string& name = "My grand") {
    storage::Profile profile{.name = name, .action = "grand", .notes = "Two lines,\nthe second."};
    profile.values[{storage::kWholeInstrument, "blow_mm"}] = {44.5, false};
    profile.values[{storage::kWholeInstrument, "angle_rad"}] = {-0.1, true};
    profile.values[{49, "hammer_g"}] = {3, true};
    profile.values[{88, "from_a_newer_build"}] = {1e-300, false};
    return profile;
}

class ProfileFolder : public TemporaryFolder {
  protected:
    std::string file() const { return (folder_ / "profiles.db").string(); }

    storage::ProfileStoreSetting setting() const {
        return {.file = file(), .own_place = true, .rows = kRows, .reserved_names = {"concert"}};
    }
    storage::ProfileStore opened() const { return opened(setting()); }
    static storage::ProfileStore opened(const storage::ProfileStoreSetting& setting) {
        auto store = storage::ProfileStore::open(setting);
        if (!store) throw std::runtime_error(store.error());
        return std::move(store.value());
    }
    static std::string refused(const storage::ProfileStoreSetting& setting) {
        const auto store = storage::ProfileStore::open(setting);
        EXPECT_FALSE(store.ok());
        return store.ok() ? "" : store.error();
    }

    static storage::ProfileHead head(storage::ProfileStore& store, const std::string& name = "My grand",
                                     storage::Deleted deleted = storage::Deleted::kToo) {
        const auto found = store.find(name, deleted);
        if (!found || !found.value()) throw std::runtime_error("there is no profile " + name);
        return *found.value();
    }
    static storage::Profile content(storage::ProfileStore& store, const std::string& name = "My grand",
                                    std::optional<int> revision = {}) {
        const auto loaded = store.load(head(store, name), revision);
        if (!loaded) throw std::runtime_error(loaded.error());
        return loaded.value();
    }
    /// One value more, as a revision.
    static storage::Saved set(storage::ProfileStore& store, int key, const std::string& row, double value,
                              const std::string& name = "My grand") {
        storage::Profile profile = content(store, name);
        profile.values[{key, row}] = {value, false};
        const auto saved = store.save(head(store, name), profile, "");
        if (!saved) throw std::runtime_error(saved.error());
        return saved.value();
    }
};

}  // namespace letoff::test
