// A store with one profile in it, and what is asked of a store.
#pragma once

#include <gtest/gtest.h>

#include <optional>
#include <string>

#include "tests/storage/profile_examples.h"

namespace letoff::storage {

class ProfileStoreTest : public test::ProfileFolder {
  protected:
    /// A store that has "My grand" as revision 1.
    ProfileStore with_example() const {
        ProfileStore store = opened();
        const auto saved = store.create(test::example(), "first");
        EXPECT_TRUE(saved.ok()) << saved.error();
        return store;
    }
    static double blow(ProfileStore& store, std::optional<int> revision = {}) {
        return content(store, "My grand", revision).values.at({kWholeInstrument, "blow_mm"}).value;
    }
    static void expect_revision(const core::Result<Saved>& saved, int revision) {
        ASSERT_TRUE(saved.ok()) << saved.error();
        EXPECT_FALSE(saved.value().conflict);
        EXPECT_EQ(saved.value().revision, revision);
    }
    static std::string error_of(const core::Result<Saved>& saved) {
        EXPECT_FALSE(saved.ok());
        return saved.ok() ? "" : saved.error();
    }
};

}  // namespace letoff::storage
