#include "storage/profile_json.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>

#include "core/versions.h"
#include "storage/utf8.h"
#include "tests/storage/profile_examples.h"

namespace letoff::storage {
namespace {

using test::example;
using test::kRows;
using ::testing::AllOf;
using ::testing::HasSubstr;
namespace fs = std::filesystem;

std::string read(const fs::path& file) {
    std::ifstream in(file, std::ios::binary);
    EXPECT_TRUE(in) << file;
    return {std::istreambuf_iterator<char>(in), {}};
}
Profile parsed(std::string_view text) {
    const auto profile = parse_profile_json(text, "f.json", kRows);
    EXPECT_TRUE(profile.ok()) << profile.error();
    return profile.ok() ? profile.value() : Profile{};
}
std::string refused(std::string_view text) {
    const auto profile = parse_profile_json(text, "f.json", kRows);
    EXPECT_FALSE(profile.ok()) << text;
    if (profile.ok()) return {};
    EXPECT_THAT(profile.error(), HasSubstr("f.json"));
    EXPECT_TRUE(is_clean_text(profile.error(), TextShape::kOneLine)) << profile.error();
    EXPECT_LT(profile.error().size(), 400u);
    return profile.error();
}
/// A document with one more or another field.
std::string with(const std::string& field, const std::string& value) {
    nlohmann::ordered_json json = {
        {"format", "letoff-profile"}, {"version", 1}, {"name", "A"}, {"action", "grand"}, {"notes", ""}};
    json[field] = "$";
    std::string text = json.dump();
    return text.replace(text.find("\"$\""), 3, value);
}

TEST(ProfileJson, LooksLikeThis) {
    EXPECT_EQ(profile_json(example()), R"({
  "format": "letoff-profile",
  "version": 1,
  "name": "My grand",
  "action": "grand",
  "notes": "Two lines,\nthe second.",
  "values": {
    "angle_rad": {"relative": -0.1},
    "blow_mm": 44.5
  },
  "keys": {
    "49": {
      "hammer_g": {"relative": 3}
    },
    "88": {
      "from_a_newer_build": 1e-300
    }
  }
}
)");
}

TEST(ProfileJson, EveryBitOfEveryValueComesBack) {
    Profile profile = example();
    int key = 1;
    for (const double value : {0.1, 1.0 / 3, 1e22, 123456789012345678.0, 1e300 / 3, 5e-324,
                               std::numeric_limits<double>::max(), -std::numeric_limits<double>::min()}) {
        profile.values[{key++, "unknown"}] = {value, false};
    }
    const std::string text = profile_json(profile);
    EXPECT_EQ(parsed(text), profile);
    EXPECT_EQ(profile_json(parsed(text)), text);
}

TEST(ProfileJson, ANegativeZeroIsZero) {
    const Profile profile = parsed(with("values", R"({"x": -0.0})"));
    EXPECT_FALSE(std::signbit(profile.values.at({0, "x"}).value));
    EXPECT_EQ(profile_json(parsed(profile_json(profile))), profile_json(profile));
}

TEST(ProfileJson, UnknownFieldsAndRowsAreKept) {
    const std::string text = with(
        "voicing",
        R"({"curve": [1, 2.50, -0.0, 1e20, "\u00e9\n", null, {}, [], {"a": {"b": true}}], "z": 12345678901234567890})");
    const Profile profile = parsed(text);
    const std::string once = profile_json(profile);
    const auto json = nlohmann::json::parse(once);
    EXPECT_EQ(json["voicing"]["curve"][1], 2.5);
    EXPECT_EQ(json["voicing"]["curve"][4], "\u00e9\n");
    EXPECT_EQ(json["voicing"]["curve"][8]["a"]["b"], true);
    EXPECT_EQ(json["voicing"]["z"], 12345678901234567890u);
    EXPECT_EQ(profile_json(parsed(once)), once);
    EXPECT_EQ(parsed(once), profile);
}

TEST(ProfileJson, VersionOneIsReadForEver) {
    const fs::path file = fs::path(LETOFF_SOURCE_DIR) / "tests/storage/data/profile_v1.json";
    const auto profile = read_profile_file(file, kRows);
    ASSERT_TRUE(profile.ok()) << profile.error();
    EXPECT_EQ(profile.value().name, "Salon 1901");
    EXPECT_EQ(profile.value().action, "grand");
    EXPECT_EQ(profile.value().notes, "Repinned in May.\nHammers: \"Abel\", 9 g – light.");
    const ProfileValues expected{
        {{0, "backcheck_x_mm"}, {-0.5, true}},         {{0, "lever_height_mm"}, {0.125, false}},
        {{0, "row_of_another_build"}, {7, false}},     {{49, "hammer_mass_kg"}, {-0.0015, true}},
        {{88, "key_dry_friction_Nm"}, {0.004, false}},
    };
    EXPECT_EQ(profile.value().values, expected);
    const auto json = nlohmann::json::parse(profile_json(profile.value()));
    EXPECT_EQ(json["field_of_another_build"]["list"], nlohmann::json({1, 2.5, "three"}));
    if constexpr (core::kProfileJsonVersion == 1) {
        EXPECT_EQ(profile_json(profile.value()), read(file));
    }
}

TEST(ProfileJson, ThereIsAnExampleOfEveryVersion) {
    for (int version = 1; version <= core::kProfileJsonVersion; ++version) {
        const fs::path file =
            fs::path(LETOFF_SOURCE_DIR) / "tests/storage/data" / ("profile_v" + std::to_string(version) + ".json");
        EXPECT_EQ(nlohmann::json::parse(read(file))["version"], version) << file;
        EXPECT_TRUE(read_profile_file(file, kRows).ok()) << file;
    }
}

TEST(ProfileJson, NewerAndImpossibleVersionsAreRefused) {
    EXPECT_THAT(refused(with("version", "2")), AllOf(HasSubstr("version 2"), HasSubstr("newer"), HasSubstr("1 to 1")));
    EXPECT_THAT(refused(with("version", "18446744073709551615")), HasSubstr("newer"));
    EXPECT_THAT(refused(with("version", "0")), HasSubstr("never was"));
    EXPECT_THAT(refused(with("version", "-3")), HasSubstr("never was"));
    for (const char* wrong : {"1.0", "\"1\"", "null", "99999999999999999999999"})
        EXPECT_THAT(refused(with("version", wrong)), HasSubstr("version")) << wrong;
}

TEST(ProfileJson, WhatIsNoProfileIsRefusedWithTheReason) {
    EXPECT_THAT(refused(""), HasSubstr("line 1, column 1"));
    EXPECT_THAT(refused("{\n  \"format\": \"letoff-profile\",\n  oops\n}"), HasSubstr("line 3, column 3"));
    EXPECT_THAT(refused("[]"), HasSubstr("not a JSON object"));
    EXPECT_THAT(refused("{}"), HasSubstr("'format'"));
    EXPECT_THAT(refused(with("format", "\"strokes\"")), AllOf(HasSubstr("strokes"), HasSubstr("letoff-profile")));
    EXPECT_THAT(refused(with("name", "7")), HasSubstr("'name' is not a text"));
    EXPECT_THAT(refused(with("name", "\"\"")), HasSubstr("empty"));
    EXPECT_THAT(refused(with("name", "\"a\\u0000b\"")), HasSubstr("name"));
    EXPECT_THAT(refused(with("action", "\"a b\"")), HasSubstr("action"));
    EXPECT_THAT(refused(with("values", "[]")), HasSubstr("'values' is not an object"));
    EXPECT_THAT(refused(with("values", R"({"blow_mm": "1"})")), HasSubstr("\"blow_mm\" is neither a number"));
    EXPECT_THAT(refused(with("values", R"({"blow_mm": {"relative": 1, "why": 2}})")), HasSubstr("neither"));
    EXPECT_THAT(refused(with("values", R"({"blow_mm": 99})")), AllOf(HasSubstr("blow_mm is 99"), HasSubstr("60 mm")));
    EXPECT_THAT(refused(with("values", R"({"blow_mm": 1e999})")), HasSubstr("too large"));
    EXPECT_THAT(refused(with("values", R"({"a": 1, "a": 2})")), HasSubstr("stands twice"));
    EXPECT_THAT(refused(with("values", "{\"\xC3(\": 1}")), HasSubstr("not JSON"));
    for (const char* key : {"0", "89", "01", "A4", "", "-1", "1 ", "99999999999"})
        EXPECT_THAT(refused(with("keys", std::string("{\"") + key + "\": {}}")), HasSubstr("there is no key")) << key;
    EXPECT_THAT(refused(with("keys", R"({"1": 5})")), HasSubstr("key 1 is not an object"));
}

TEST(ProfileJson, SizesAreBounded) {
    EXPECT_THAT(refused(std::string(kLargestProfileFile_bytes + 1, ' ')), HasSubstr("at most 4194304"));
    EXPECT_THAT(refused(std::string(1'000'000, '[')), HasSubstr("nested"));
    EXPECT_THAT(refused(with("x", std::string(17, '[') + std::string(17, ']'))), HasSubstr("nested"));
    EXPECT_THAT(refused(with("x", '"' + std::string(kLongestExtra_bytes, 'x') + '"')), HasSubstr("does not know"));
    std::string many = "{";
    for (std::size_t i = 0; i <= kMostProfileValues; ++i) many += (i ? ",\"r" : "\"r") + std::to_string(i) + "\":1";
    EXPECT_THAT(refused(with("values", many + "}")), HasSubstr("more than 20000 values"));
}

TEST(ProfileJson, TheLargestProfileFitsIntoItsFile) {
    Profile profile = example(std::string(kLongestName_bytes, '"'));
    profile.values.clear();
    profile.notes = std::string(kLongestNotes_bytes, '\t');
    const std::string stem(kLongestRowId_bytes - 5, 'r');
    for (std::size_t i = 0; i < kMostProfileValues; ++i) {
        profile.values[{static_cast<int>(i % 89), stem + std::to_string(10000 + i / 89)}] = {-1.2345678901234567e-100,
                                                                                             true};
    }
    const std::string text = profile_json(profile);
    EXPECT_LT(text.size(), kLargestProfileFile_bytes - kLongestExtra_bytes);
    EXPECT_EQ(parsed(text), profile);
}

TEST(ProfileJson, FilesThatCannotBeReadAreASentence) {
    for (const char* file : {"/nonexistent/p.json", "/tmp"})
        EXPECT_THAT(read_profile_file(file, kRows).error(), AllOf(HasSubstr("cannot read"), HasSubstr(file)));
    EXPECT_THAT(read_profile_file("/dev/zero", kRows).error(), HasSubstr("at most 4194304"));
}

/// The schema names the version, the fields that every profile has, and the bounds of their texts.
TEST(ProfileJson, TheSchemaFileSaysTheSame) {
    const auto schema =
        nlohmann::json::parse(read(fs::path(LETOFF_SOURCE_DIR) / "packaging/profiles/profile.schema.json"));
    const auto& properties = schema["properties"];
    EXPECT_EQ(properties["format"]["const"], kProfileFormat);
    EXPECT_EQ(properties["version"]["const"], core::kProfileJsonVersion);
    EXPECT_EQ(properties["name"]["maxLength"], kLongestName_bytes);
    EXPECT_EQ(properties["notes"]["maxLength"], kLongestNotes_bytes);
    EXPECT_EQ(schema["$defs"]["row_id"]["maxLength"], kLongestRowId_bytes);
    const auto json = nlohmann::json::parse(profile_json(example()));
    for (const auto& item : json.items()) EXPECT_TRUE(properties.contains(item.key())) << item.key();
    EXPECT_EQ(properties.size(), json.size());
    for (const auto& needed : schema["required"]) {
        auto without = json;
        without.erase(needed.get<std::string>());
        EXPECT_FALSE(parse_profile_json(without.dump(), "f.json", kRows).ok()) << needed;
    }
    for (const auto& item : json.items()) {
        auto without = json;
        without.erase(item.key());
        const auto& required = schema["required"];
        const bool needed = std::find(required.begin(), required.end(), item.key()) != required.end();
        EXPECT_EQ(parse_profile_json(without.dump(), "f.json", kRows).ok(), !needed) << item.key();
    }
    EXPECT_TRUE(schema["additionalProperties"]);
}

}  // namespace
}  // namespace letoff::storage
