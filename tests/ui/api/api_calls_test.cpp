#include "ui/api/api_calls.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/ui/api/fake_instrument.h"

namespace letoff::ui {
namespace {

using nlohmann::json;

TEST(ApiCalls, RowsAreToldAsTheirTableHasThem) {
    test::FakeInstrument instrument;
    const json rows = json::parse(api_call(instrument, "rows", "").body)["tables"][0];
    ASSERT_EQ(rows.size(), std::size(test::kFakeRows));
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const core::Row& row = test::kFakeRows[i];
        EXPECT_EQ(rows[i]["id"], row.id);
        EXPECT_EQ(rows[i]["unit"], row.unit);
        EXPECT_EQ(rows[i]["default"], row.default_value);
        EXPECT_EQ(rows[i]["minimum"], row.minimum);
        EXPECT_EQ(rows[i]["maximum"], row.maximum);
        EXPECT_EQ(rows[i]["sentence"], row.sentence);
    }
    EXPECT_EQ(rows[0]["live"], "technician");
    EXPECT_FALSE(rows[0].contains("choices"));
    EXPECT_EQ(rows[1]["choices"], (json{"equal", "meantone"}));
    const json value = json::parse(api_call(instrument, "values", R"({"key":49})").body)["values"][0];
    EXPECT_EQ(value, (json{{"row", "let_off_mm"}, {"value", 1.5}, {"saved", 1.9}, {"factory", 1.9}, {"own", true}}));
}

TEST(ApiCalls, WhatCannotBeUnderstoodIsSaidInOneSentence) {
    test::FakeInstrument instrument;
    const auto refused = [&](const char* call, const std::string& body, const char* about) {
        const ApiReply reply = api_call(instrument, call, body);
        EXPECT_EQ(reply.status, 400) << body.substr(0, 60);
        const std::string error = json::parse(reply.body)["error"];
        EXPECT_NE(error.find(about), std::string::npos) << error;
    };
    refused("values", R"({})", "key");
    refused("values", R"({"key":1.5})", "0 to 88");
    refused("force_curve", R"({"key":0})", "1 to 88");
    refused("measure", R"({"keys":[1,2,3,4,5,6,7,8,9]})", "1 to 8");
    refused("edit", R"({"revision":0,"keys":[0,1],"changes":[{"row":"a","value":1}]})", "whole instrument");
    refused("edit", R"({"revision":0,"keys":[1],"changes":[{"row":"a","kind":"twist","value":1}]})", "twist");
    refused("edit", R"({"revision":0,"keys":[1],"changes":[{"row":"a","value":"1"}]})", "number");
    refused("edit", R"({"revision":1e300,"keys":[1],"changes":[{"row":"a","value":1}]})", "whole number");
    refused("measure", R"({"keys":[1],"of":"yours"})", "yours");
    refused("draft", "[1]", "object");
    refused("draft", "{" + std::string(100, '['), "");
    refused("draft", R"({"a":)" + std::string(100000, '[') + std::string(100000, ']') + "}", "deep");
    EXPECT_EQ(api_call(instrument, "nothing", "{}").status, 404);
    EXPECT_EQ(instrument.edits, 0);
}

TEST(ApiCalls, TellsTheMachinesFindingsAndTheTicks) {
    test::FakeInstrument instrument;
    const auto told = nlohmann::json::parse(api_call(instrument, "findings", "").body)["findings"];
    ASSERT_EQ(told.size(), 1u);
    EXPECT_EQ(told[0]["level"], "advice");
    EXPECT_EQ(told[0]["fix"], "close other programs");
    const auto health = nlohmann::json::parse(api_call(instrument, "health", "").body);
    EXPECT_EQ(health["tick_times"], nlohmann::json::parse("[[10.0,12.0,7]]"));
    EXPECT_EQ(health["black_box"], false);
    EXPECT_EQ(health["faults"], (json{{"tick_late", 3}}));
    EXPECT_NE(health["fault_says"]["tick_late"].get<std::string>().find("tick"), std::string::npos);
}

TEST(ApiCalls, AFigureThatThereIsNotIsNullAndSaysWhy) {
    test::FakeInstrument instrument;
    const json figures =
        json::parse(api_call(instrument, "measure", R"({"keys":[49]})").body)["measured"][0]["figures"];
    EXPECT_EQ(figures["let_off_mm"], (json{{"value", 1.9}, {"unit", "mm"}}));
    EXPECT_EQ(figures["drop_mm"], (json{{"value", nullptr}, {"unit", "mm"}, {"why", "this action has no let-off"}}));
}

TEST(ApiCalls, DevicesAreToldChosenAndArmedAgain) {
    test::FakeInstrument instrument;
    const json before = json::parse(api_call(instrument, "devices", "").body);
    EXPECT_EQ(before["sound"], "auto");
    EXPECT_EQ(before["entries"][0], (json{{"kind", "sound"},
                                          {"choice", "jack"},
                                          {"name", "JACK"},
                                          {"says", ""},
                                          {"why_not", "no server runs"},
                                          {"used", false}}));
    EXPECT_EQ(before["motors"][0]["keys_out"], (json{"A4"}));
    EXPECT_EQ(before["motors"][0]["fallen"], true);
    const ApiReply refused = api_call(instrument, "use_device", R"({"kind":"sound","choice":"jack"})");
    EXPECT_EQ(refused.status, 422);
    EXPECT_EQ(json::parse(refused.body)["error"], "no server runs; the sound goes on through alsa");
    EXPECT_EQ(api_call(instrument, "use_device", R"({"kind":"midi_out","choice":"none"})").status, 200);
    EXPECT_EQ(instrument.devices_of_tests.kind_used, core::DeviceKind::kMidiOut);
    EXPECT_EQ(api_call(instrument, "use_device", R"({"kind":"printer","choice":"none"})").status, 400);
    EXPECT_EQ(api_call(instrument, "rearm", "").status, 200);
    EXPECT_EQ(instrument.devices_of_tests.rearmed, 1);
}

TEST(ApiCalls, AMeasuredCurveIsReadAndKeysAreMadeLikeIt) {
    test::FakeInstrument instrument;
    const json curve = json::parse(api_call(instrument, "read_curve", R"({"text":"four","file":"a4.csv"})").body);
    EXPECT_EQ(curve["curve"], (json{{"dip_mm", {4.0}}, {"down_N", {0.5}}, {"up_N", {0.4}}}));
    EXPECT_EQ(api_call(instrument, "make_alike", R"({"revision":0,"keys":[49,40],"text":"x","file":"a4.csv"})").status,
              200);
    EXPECT_EQ(instrument.edited_keys, (std::vector{40, 49}));
    EXPECT_EQ(api_call(instrument, "make_alike", R"({"revision":0,"keys":[49],"text":"x"})").status, 409);
    EXPECT_EQ(api_call(instrument, "make_alike", R"({"revision":1,"keys":[0],"text":"x"})").status, 400)
        << "the curve is fitted on a key";
    EXPECT_GT(longest_body_bytes("make_alike"), longest_body_bytes("edit"));
}

TEST(ApiCalls, TellsWhichOfThemChange) {
    for (const char* name : {"edit", "undo", "redo", "save", "choose", "import", "remove", "restore", "blend",
                             "play_saved", "black_box", "use_device", "rearm", "make_alike", "record_keep"})
        EXPECT_TRUE(api_call_changes(name)) << name;
    for (const char* name :
         {"rows", "draft", "values", "measure", "export", "health", "drawing", "findings", "devices", "read_curve"})
        EXPECT_FALSE(api_call_changes(name)) << name;
}

TEST(ApiCalls, RecordingsAreListedAndTheirFilesComeInParts) {
    test::FakeInstrument instrument;
    const json before = json::parse(api_call(instrument, "recordings", "").body);
    EXPECT_EQ(before["recordings"][0]["name"], "Evening");
    EXPECT_EQ(before["recordings"][0]["length_s"], 12.5);
    EXPECT_EQ(before["recording"], "");
    EXPECT_EQ(api_call(instrument, "record", R"({"name":"Mine"})").status, 200);
    EXPECT_EQ(json::parse(api_call(instrument, "recordings", "").body)["recording"], "Mine");
    EXPECT_EQ(api_call(instrument, "record_stop", "").status, 422);
    EXPECT_EQ(api_call(instrument, "record_export", R"({"name":"Mine","form":"xp"})").status, 200);
    const ApiReply kept = api_call(instrument, "record_keep", R"({"name":"Captured 1","new_name":"Mine"})");
    EXPECT_EQ(json::parse(kept.body)["sentence"], "Mine");
    EXPECT_EQ(instrument.recorder_of_tests.asked, core::ExportForm::kMidiXp);
    EXPECT_EQ(api_call(instrument, "record_export", R"({"name":"Mine","form":"mp3"})").status, 400);
    // MThd, 0, 255 (base64 of RFC 4648): of six bytes, five and four, so with every padding.
    const auto part = [&](int offset) {
        return json::parse(api_call(instrument, "record_part", json{{"offset", offset}}.dump()).body)["base64"];
    };
    EXPECT_EQ(part(0), "TVRoZAD/");
    EXPECT_EQ(part(1), "VGhkAP8=");
    EXPECT_EQ(part(2), "aGQA/w==");
    EXPECT_TRUE(api_call_changes("record_delete"));
    EXPECT_FALSE(api_call_changes("recordings"));
}

TEST(ApiCalls, TheScopeIsArmedAndReadTraceByTrace) {
    test::FakeInstrument instrument;
    EXPECT_EQ(json::parse(api_call(instrument, "captured", R"({"trace":"dip"})").body), (json{{"ready", false}}));
    EXPECT_EQ(api_call(instrument, "scope_arm", R"({"key":49})").status, 200);
    EXPECT_EQ(instrument.scope_of_tests.armed, 48);
    const auto channel = [&](const char* trace) {
        const json reply = json::parse(api_call(instrument, "captured", json{{"trace", trace}}.dump()).body);
        EXPECT_EQ(reply["key"], 49);
        EXPECT_EQ(reply["t_s"], (json{-0.001, 0}));
        EXPECT_EQ(reply["value"][0], 0.0025);
        return reply["value"][1];
    };
    EXPECT_EQ(channel("string"), 4);
    EXPECT_EQ(channel("q0"), core::kScopeBodies);
    EXPECT_EQ(channel("c19"), core::kScopeChannels - 1);
    EXPECT_EQ(api_call(instrument, "captured", R"({"trace":"c20"})").status, 400);
    EXPECT_EQ(api_call(instrument, "scope_arm", R"({"key":89})").status, 400);
}

}  // namespace
}  // namespace letoff::ui
