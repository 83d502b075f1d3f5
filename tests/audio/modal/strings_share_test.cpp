#include "audio/modal/strings_share.h"

#include <gtest/gtest.h>

#include <memory>

#include "core/string/string_design.h"

namespace letoff::audio {
namespace {

TEST(StringsShare, CountsEveryModeOfThePiano) {
    const auto set = std::make_unique<core::StringSet>(core::design_strings({}));
    int modes = 0;
    for (const core::NoteStrings& note : set->notes)
        for (size_t i = 0; i < static_cast<size_t>(note.sets); ++i) modes += note.set[i].count;
    auto share = measure_strings_share(*set, 0.01);
    ASSERT_TRUE(share.ok());
    EXPECT_EQ(share.value().modes, modes);  // none of the design's modes is lost at 48 kHz
    EXPECT_GT(share.value().share_free, 0);
    EXPECT_GT(share.value().share_ringing, 0);
    EXPECT_FALSE(share.value().simd_target.empty());
}

}  // namespace
}  // namespace letoff::audio
