#include "core/unit/key_set.h"

#include <gtest/gtest.h>

#include "core/string/string_table.h"

namespace letoff::core {
namespace {

std::vector<int> keys(std::string_view text) {
    const auto parsed = parse_keys(text);
    EXPECT_TRUE(parsed.ok()) << text << ": " << parsed.error();
    return parsed.ok() ? parsed.value() : std::vector<int>{};
}

TEST(KeySet, KeysRangesAndRegisters) {
    EXPECT_EQ(keys("A4"), (std::vector{48}));
    EXPECT_EQ(keys("49,1,A4"), (std::vector{0, 48}));
    EXPECT_EQ(keys("C8,A0-C1"), (std::vector{0, 1, 2, 3, 87}));
    EXPECT_EQ(keys("midi:60-midi:61"), (std::vector{39, 40}));
    EXPECT_EQ(keys("88-88"), (std::vector{87}));
}

TEST(KeySet, RegistersShareTheKeyboard) {
    std::vector<int> together;
    for (const Register& part : kRegisters) {
        const auto some = keys(part.name);
        together.insert(together.end(), some.begin(), some.end());
    }
    EXPECT_EQ(together, keys("1-88"));
    EXPECT_EQ(keys("bass"), keys("A0-E2"));
}

TEST(KeySet, TheBassHasTheWoundStrings) {
    const auto& table = string_rows();
    // Wound strings are heavier than steel for their core's section.
    EXPECT_GT(table[static_cast<size_t>(kRegisters[0].last)].density_kgpm3, 2 * 7850.0);
    EXPECT_LT(table[static_cast<size_t>(kRegisters[1].first)].density_kgpm3, 2 * 7850.0);
}

TEST(KeySet, WrongKeysAreASentenceThatNamesThem) {
    for (const char* wrong : {"", ",", "A4,", "0", "89", "H4", "1-", "-3", "bass-treble", "1-2-3", "all", "Bass "}) {
        const auto parsed = parse_keys(wrong);
        EXPECT_FALSE(parsed.ok()) << wrong;
    }
    const auto downwards = parse_keys("E2-A0");
    ASSERT_FALSE(downwards.ok());
    EXPECT_NE(downwards.error().find("E2-A0"), std::string::npos);
}

TEST(KeySet, ListsAreShortAndReadBack) {
    EXPECT_EQ(key_list({}), "");
    EXPECT_EQ(key_list({48}), "A4");
    EXPECT_EQ(key_list({0, 1}), "A0,A#0");
    EXPECT_EQ(key_list({0, 1, 2, 48, 86, 87}), "A0-B0,A4,B7,C8");
    EXPECT_EQ(keys(key_list({0, 1, 2, 48, 86, 87})), (std::vector{0, 1, 2, 48, 86, 87}));
}

}  // namespace
}  // namespace letoff::core
