// The page's server over real sockets: who is let in, what is answered, and what becomes of those who mean ill.
#include "ui/api/web_server.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <vector>

#include "tests/support/wait_for.h"
#include "tests/ui/api/web_fixture.h"

namespace letoff::ui::test {
namespace {

using nlohmann::json;

TEST_F(WebServerTest, AnswersCallsAndKeepsTheConnection) {
    start();
    WebClient one = client();
    EXPECT_EQ(json::parse(one.post("draft", "{}").body)["draft"]["profile"], "Mine");
    const auto edited =
        one.post("edit", R"({"revision":0,"keys":[49,40],"changes":[{"row":"let_off_mm","value":1.6}]})");
    EXPECT_EQ(edited.status, 200) << edited.body;
    EXPECT_EQ(instrument.edited_keys, (std::vector{40, 49}));
    const auto late = one.post("edit", R"({"revision":0,"keys":[49],"changes":[{"row":"let_off_mm","value":1.5}]})");
    EXPECT_EQ(late.status, 409);
    EXPECT_EQ(json::parse(late.body)["draft"]["revision"], 1);
    EXPECT_EQ(one.post("edit", R"({"revision":1,"keys":[49],"changes":[{"row":"let_off_mm","value":99}]})").status,
              422);
}

TEST_F(WebServerTest, ThePageMayLoadNothingFromElsewhere) {
    start();
    const auto page = client().get("/");
    EXPECT_EQ(page.status, 200);
    EXPECT_NE(page.head.find("content-security-policy: default-src 'none'"), std::string::npos) << page.head;
    EXPECT_NE(page.head.find("frame-ancestors 'none'"), std::string::npos);
    EXPECT_NE(page.head.find("x-content-type-options: nosniff"), std::string::npos);
    EXPECT_EQ(page.head.find("set-cookie"), std::string::npos);
    EXPECT_EQ(page.body.find("http://"), std::string::npos);
    EXPECT_EQ(page.body.find("https://"), std::string::npos);
}

TEST_F(WebServerTest, AnotherHostOrOriginIsRefused) {
    start();
    EXPECT_EQ(client().get("/", "evil.example:" + std::to_string(server->port())).status, 403);
    EXPECT_EQ(client().get("/", "127.0.0.1:1").status, 403);
    EXPECT_EQ(client().get("/", "localhost:" + std::to_string(server->port())).status, 200);
    const char* edit = R"({"revision":0,"keys":[49],"changes":[{"row":"let_off_mm","value":1.6}]})";
    EXPECT_EQ(client().post("edit", edit, "Origin: http://evil.example\r\n").status, 403);
    EXPECT_EQ(client().post("edit", edit, "Origin: null\r\n").status, 403);
    EXPECT_EQ(instrument.edits, 0);
    WebClient own = client();
    EXPECT_EQ(own.post("edit", edit, "Origin: http://" + own.own_host() + "\r\n").status, 200);
    EXPECT_FALSE(client().open_socket("Origin: http://evil.example\r\n"));
    EXPECT_FALSE(client().open_socket("", "chat"));
    EXPECT_FALSE(instrument.listening);
}

TEST_F(WebServerTest, WhatIsNoCallIsRefused) {
    start();
    EXPECT_EQ(client().post("no_such_call", "{}").status, 404);
    EXPECT_EQ(client().post("draft", "[]").status, 400);
    EXPECT_EQ(client().post("draft", "{").status, 400);
    EXPECT_EQ(client().post("values", R"({"key":89})").status, 400);
    WebClient form = client();
    form.send(
        fmt::format("POST /api/draft HTTP/1.1\r\nHost: {}\r\nContent-Type: text/plain\r\nContent-Length: 2\r\n\r\n{{}}",
                    form.own_host()));
    EXPECT_EQ(form.reply().status, 415);
    WebClient endless = client();
    endless.send(fmt::format(
        "POST /api/draft HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n",
        endless.own_host()));
    EXPECT_EQ(endless.reply().status, 411);
    WebClient put = client();
    put.send(fmt::format("PUT / HTTP/1.1\r\nHost: {}\r\nContent-Length: 0\r\n\r\n", put.own_host()));
    EXPECT_NE(put.reply().status, 200);
    EXPECT_TRUE(plays_on());
}

TEST_F(WebServerTest, AnOversizedBodyIsRefusedUnread) {
    start();
    WebClient one = client();
    one.send(fmt::format(
        "POST /api/draft HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\nContent-Length: 65537\r\n\r\n",
        one.own_host()));
    EXPECT_EQ(one.reply().status, 413);
    EXPECT_TRUE(one.is_closed());
    EXPECT_EQ(client().post("import", json{{"text", std::string(100000, 'x')}}.dump()).status, 200);
    WebClient headers = client();
    headers.send("GET / HTTP/1.1\r\nHost: " + headers.own_host() + "\r\nX-Long: " + std::string(20000, 'x') +
                 "\r\n\r\n");
    EXPECT_TRUE(headers.is_closed());
    EXPECT_TRUE(plays_on());
}

TEST_F(WebServerTest, NoPathLeadsOut) {
    start();
    for (const char* path : {"/../../../../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "/..%2f..%2fetc/passwd",
                             "//etc/passwd", "/assets/../../etc/passwd", "/index.html%00.js"}) {
        WebClient one = client();
        const auto reply = one.get(path);
        EXPECT_EQ(reply.body.find("root:"), std::string::npos) << path;
        EXPECT_TRUE(reply.status == 0 || reply.status >= 400) << path << " gave " << reply.status;
    }
    EXPECT_TRUE(plays_on());
}

TEST_F(WebServerTest, TelemetryComesOnlyWhileSomebodyListens) {
    start();
    EXPECT_TRUE(plays_on());
    EXPECT_EQ(instrument.told, 0);
    WebClient one = client();
    ASSERT_TRUE(one.open_socket());
    const auto begin = std::chrono::steady_clock::now();
    std::int64_t frames = 0;
    for (std::int64_t last = 0; frames < 30; ++frames) {
        const std::int64_t tick = one.tick();
        ASSERT_GT(tick, last);
        last = tick;
    }
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    EXPECT_GE(seconds, 29.0 / 60 * 0.9) << "more than 60 frames a second";
    one.close();
    EXPECT_TRUE(letoff::test::wait_for(20, [&] { return !instrument.listening; }));
}

TEST_F(WebServerTest, MalformedFramesEndThePageThatSentThem) {
    WebSetting setting;
    setting.header_within_s = 1;  // as long is waited for the farewell of a page that gives none
    start(setting);
    WebClient good = client();
    ASSERT_TRUE(good.open_socket());
    const std::string endless = "\x01\xff\x7f\xff\xff\xff\xff\xff\xff\xff" + std::string(4, '\0');
    std::vector<WebClient> bad;
    for (const std::string& bytes :
         {WebClient::frame("not json"), WebClient::frame(R"({"t":"on","k":0,"v":1})"),
          WebClient::frame(std::string(2000, ' ')), WebClient::frame("{}", 2), WebClient::frame("x", 11),
          std::string("\xff\xff\xff\xff"), endless + std::string(1000, 'x')}) {
        bad.push_back(client());
        ASSERT_TRUE(bad.back().open_socket());
        bad.back().send(bytes);
    }
    for (std::size_t i = 0; i < bad.size(); ++i) EXPECT_TRUE(bad[i].is_closed()) << i;
    EXPECT_TRUE(instrument.played().empty());
    EXPECT_GT(good.tick(), 0);
}

TEST_F(WebServerTest, WhatAPageHoldsIsLetGoWhenItLeaves) {
    start();
    WebClient one = client();
    ASSERT_TRUE(one.open_socket());
    one.send(WebClient::frame(R"({"t":"on","k":49,"v":80})"));
    one.send(WebClient::frame(R"({"t":"on","k":49,"v":90})"));
    one.send(WebClient::frame(R"({"t":"off","k":50})"));
    one.send(WebClient::frame(R"({"t":"pedal","p":"sustain","v":127})"));
    one.send(WebClient::frame(R"({"t":"watch","k":49})"));
    ASSERT_TRUE(letoff::test::wait_for(20, [&] { return instrument.watched == 48; }));
    const std::vector<core::MidiMessage> played = instrument.played();
    ASSERT_EQ(played.size(), 4U);
    const int channel = played[0].channel;
    EXPECT_EQ(played[0], core::note_on(channel, 69, 80));
    EXPECT_EQ(played[1], core::note_off(channel, 69)) << "each on is owed an off";
    EXPECT_EQ(played[2], core::note_on(channel, 69, 90));
    EXPECT_EQ(played[3], core::control_change(channel, core::kSustainPedal, 127));
    one.close();
    ASSERT_TRUE(letoff::test::wait_for(20, [&] { return instrument.played().size() == 6; }));
    EXPECT_EQ(instrument.played()[4], core::note_off(channel, 69));
    EXPECT_EQ(instrument.played()[5], core::control_change(channel, core::kSustainPedal, 0));
}

TEST_F(WebServerTest, BeyondThisMachineAPageHasToBePaired) {
    WebSetting setting;
    setting.address.host = "0.0.0.0";
    start(setting);
    ASSERT_EQ(server->pairing_code().size(), 8U);
    EXPECT_EQ(client().get("/").status, 200);
    EXPECT_EQ(client().post("draft", "{}").status, 401);
    EXPECT_FALSE(client().open_socket());
    EXPECT_EQ(client().post("pair", R"({"code":"x"})").status, 403);
    const auto paired = client().post("pair", json{{"code", server->pairing_code()}}.dump());
    ASSERT_EQ(paired.status, 200) << paired.body;
    const std::string token = json::parse(paired.body)["token"];
    EXPECT_EQ(client().post("draft", "{}", "Authorization: Bearer " + token + "\r\n").status, 200);
    EXPECT_EQ(client().post("draft", "{}", "Authorization: Bearer " + token.substr(1) + "\r\n").status, 401);
    WebClient one = client();
    EXPECT_TRUE(one.open_socket("", "letoff.v1, token." + token));
}

TEST_F(WebServerTest, APageThatMayOnlyLookChangesNothing) {
    WebSetting setting;
    setting.only_look = true;
    start(setting);
    EXPECT_EQ(
        client().post("edit", R"({"revision":0,"keys":[49],"changes":[{"row":"let_off_mm","value":1.6}]})").status,
        403);
    EXPECT_TRUE(plays_on());
    WebClient one = client();
    ASSERT_TRUE(one.open_socket());
    one.send(WebClient::frame(R"({"t":"on","k":49,"v":80})"));
    one.send(WebClient::frame(R"({"t":"watch","k":49})"));
    ASSERT_TRUE(letoff::test::wait_for(20, [&] { return instrument.watched == 48; }));
    EXPECT_TRUE(instrument.played().empty());
}

TEST_F(WebServerTest, AnAddressThatIsTakenIsToldInOneSentence) {
    start();
    WebSetting setting;
    setting.address.port = server->port();
    const auto second = WebServer::start(setting, instrument);
    ASSERT_FALSE(second);
    EXPECT_NE(second.error().find(std::to_string(server->port())), std::string::npos) << second.error();
}

}  // namespace
}  // namespace letoff::ui::test
