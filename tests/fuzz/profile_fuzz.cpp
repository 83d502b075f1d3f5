// Any bytes as a touch profile's JSON: no crash; what is refused has one sentence; what is accepted is within its
// limits, and what is exported again is the same to the byte. With LETOFF_FUZZ_STORE set, what is accepted goes through
// a database too (a hundred times slower).
#include <cmath>
#include <cstdlib>
#include <memory>
#include <string>

#include "storage/profile_json.h"
#include "storage/profile_store.h"
#include "storage/utf8.h"
#include "tests/fuzz/require.h"
#include "ui/app/profiles/rows.h"

using namespace letoff;

namespace {

constexpr storage::RowTables kTables = ui::kProfileRows;

/// A database in memory, a new one now and then so that it does not grow for ever.
void through_a_store(const storage::Profile& profile) {
    static std::unique_ptr<storage::ProfileStore> store;
    static int uses = 0;
    if (!store || ++uses % 1000 == 0) {
        auto opened = storage::ProfileStore::open({.file = ":memory:", .rows = kTables});
        require(opened.ok());
        store = std::make_unique<storage::ProfileStore>(std::move(opened.value()));
    }
    const auto there = store->find(profile.name);
    require(there.ok());
    const auto saved = there.value() ? store->save(*there.value(), profile, "") : store->create(profile, "");
    require(saved.ok() && !saved.value().conflict);
    const auto head = store->find(profile.name);
    require(head.ok() && head.value());
    const auto loaded = store->load(*head.value());
    require(loaded.ok() && loaded.value() == profile);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const bool with_store = std::getenv("LETOFF_FUZZ_STORE") != nullptr;
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const auto profile = storage::parse_profile_json(text, "fuzz.json", kTables);
    if (!profile) {
        require(!profile.error().empty() && profile.error().size() < 1000);
        require(storage::is_clean_text(profile.error(), storage::TextShape::kOneLine));
        return 0;
    }
    require(storage::check_profile(profile.value(), kTables, "fuzz.json").ok());
    for (const auto& [place, value] : profile.value().values) require(std::isfinite(value.value));
    const std::string exported = storage::profile_json(profile.value());
    require(exported.size() <= storage::kLargestProfileFile_bytes);
    const auto again = storage::parse_profile_json(exported, "again.json", kTables);
    require(again.ok() && storage::profile_json(again.value()) == exported);
    // Unknown fields may be written another way than they were read, and then stay.
    storage::Profile same = again.value();
    same.extra = profile.value().extra;
    require(same == profile.value());
    if (with_store) through_a_store(again.value());
    return 0;
}
