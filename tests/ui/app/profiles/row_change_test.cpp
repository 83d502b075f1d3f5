#include "ui/app/profiles/row_change.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace letoff::ui {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr core::Row kRows[] = {
    {"blow_mm", "mm", 45, 30, 60, core::Live::kTechnician, "A row."},
    {"angle", "", 0, -1, 1, core::Live::kTechnician, "A row that may be negative."},
};
constexpr std::span<const core::Row> kTables[] = {kRows};

RowChange parsed(std::string_view text) {
    const auto change = parse_row_change(text, kTables);
    EXPECT_TRUE(change.ok()) << text << ": " << change.error();
    return change.ok() ? change.value() : RowChange{};
}
std::string refused(std::string_view text) {
    const auto change = parse_row_change(text, kTables);
    EXPECT_FALSE(change.ok()) << text;
    return change.ok() ? "" : change.error();
}
storage::ProfileValues after(storage::ProfileValues values, std::initializer_list<const char*> changes, int key = 49) {
    for (const char* change : changes) apply(parsed(change), key, values);
    return values;
}

TEST(RowChange, ANumberSetsASignTurnsAColonSetsWithASign) {
    EXPECT_EQ(parsed("blow_mm=44.5").kind, RowChange::Kind::kSet);
    EXPECT_EQ(parsed("blow_mm=44.5").value, 44.5);
    EXPECT_EQ(parsed("blow_mm=44.5").row, &kRows[0]);
    EXPECT_EQ(parsed("blow_mm=+3").kind, RowChange::Kind::kTurn);
    EXPECT_EQ(parsed("blow_mm=+3").value, 3);
    EXPECT_EQ(parsed("angle=-0.25").kind, RowChange::Kind::kTurn);
    EXPECT_EQ(parsed("angle=-0.25").value, -0.25);
    EXPECT_EQ(parsed("angle:=-0.25").kind, RowChange::Kind::kSet);
    EXPECT_EQ(parsed("angle:=-0.25").value, -0.25);
    EXPECT_EQ(parsed("angle:=+0.5").kind, RowChange::Kind::kSet);
    EXPECT_EQ(parsed("blow_mm=base").kind, RowChange::Kind::kBase);
}

TEST(RowChange, WhatIsNoChangeIsASentence) {
    for (const char* text : {"", "=1", "blow_mm", "blow_mm 3"}) EXPECT_THAT(refused(text), HasSubstr("is no change"));
    EXPECT_THAT(refused("let_off=1"), AllOf(HasSubstr("there is no value 'let_off'"), HasSubstr("profile rows")));
    EXPECT_THAT(refused("blow_mm=61"), AllOf(HasSubstr("61"), HasSubstr("between 30 and 60 mm")));
    for (const char* text : {"blow_mm=", "blow_mm=1,5", "blow_mm=default", "angle:=base"})
        EXPECT_THAT(refused(text), HasSubstr("not a number")) << text;
    EXPECT_THAT(refused("blow_mm=nan"), HasSubstr("between 30 and 60 mm"));
    for (const char* text : {"blow_mm=+", "blow_mm=-", "blow_mm=+x", "blow_mm=+31", "blow_mm=-1e9", "blow_mm=+nan"})
        EXPECT_THAT(refused(text), HasSubstr("at most 30 mm either way")) << text;
}

TEST(RowChange, ATurnAddsToWhatIsThere) {
    const storage::ProfilePlace a4{49, "blow_mm"};
    EXPECT_EQ(after({}, {"blow_mm=+3"}).at(a4), (storage::ProfileValue{3, true}));
    EXPECT_EQ(after({}, {"blow_mm=+0.1", "blow_mm=+0.2"}).at(a4), (storage::ProfileValue{0.3, true}));
    EXPECT_EQ(after({}, {"blow_mm=44", "blow_mm=-1"}).at(a4), (storage::ProfileValue{43, false}));
    EXPECT_EQ(after({}, {"blow_mm=-1", "blow_mm=44"}).at(a4), (storage::ProfileValue{44, false}));
}

TEST(RowChange, ATurnBackAndBaseLeaveNothing) {
    EXPECT_TRUE(after({}, {"blow_mm=+0.1", "blow_mm=-0.1"}).empty());
    EXPECT_TRUE(after({}, {"blow_mm=44", "blow_mm=base"}).empty());
    EXPECT_TRUE(after({}, {"blow_mm=base"}).empty());
    EXPECT_EQ(after({}, {"angle:=0"}).size(), 1u);  // zero is a value
    const auto other_keys = after({{{0, "blow_mm"}, {44, false}}, {{50, "blow_mm"}, {1, true}}}, {"blow_mm=base"});
    EXPECT_EQ(other_keys.size(), 2u);
}

}  // namespace
}  // namespace letoff::ui
