// What becomes of those who send or read too slowly, or too much, and what they cost.
#include <dirent.h>
#include <gtest/gtest.h>
#include <linux/sockios.h>
#include <malloc.h>
#include <sys/ioctl.h>

#include <algorithm>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <vector>

#include "tests/support/wait_for.h"
#include "tests/ui/api/web_fixture.h"
#include "ui/api/telemetry_frame.h"

namespace letoff::ui::test {
namespace {

using nlohmann::json;

using WebBoundsTest = WebServerTest;

/// Bytes on the heap, the clients' too. (Of a program with a sanitizer's own heap it is 0.)
std::int64_t heap_bytes() {
    return static_cast<std::int64_t>(mallinfo2().uordblks);
}

/// The server's side of the connections that it has: it listens in this process.
std::vector<int> connections_of(int server_port) {
    std::vector<int> found;
    DIR* all = opendir("/proc/self/fd");
    for (const dirent* one = readdir(all); one != nullptr; one = readdir(all)) {
        const int fd = std::atoi(one->d_name);
        sockaddr_in own{}, peer{};
        socklen_t own_size = sizeof own, peer_size = sizeof peer;
        if (getsockname(fd, reinterpret_cast<sockaddr*>(&own), &own_size) == 0 && ntohs(own.sin_port) == server_port &&
            getpeername(fd, reinterpret_cast<sockaddr*>(&peer), &peer_size) == 0)
            found.push_back(fd);
    }
    closedir(all);
    return found;
}

/// What waits in the system to be taken by the client who has most of it.
int longest_queue_bytes(int server_port) {
    int longest = 0;
    for (const int fd : connections_of(server_port)) {
        int bytes = 0;
        if (ioctl(fd, SIOCOUTQ, &bytes) == 0) longest = std::max(longest, bytes);
    }
    return longest;
}

TEST_F(WebBoundsTest, WhoSendsTooSlowlyIsCutOff) {
    WebSetting setting;
    setting.header_within_s = 1;
    setting.body_within_s = 0.5;
    start(setting);
    // Bytes go on coming, so no silence gives them away.
    WebClient header = client(), body = client();
    header.send("GET / HTTP/1.1\r\n");
    body.send(fmt::format(
        "POST /api/draft HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\nContent-Length: 60000\r\n\r\n",
        body.own_host()));
    bool header_closed = false, body_closed = false;
    const auto both_closed = [&] {
        header_closed = header_closed || !header.send("x") || header.is_closed(10);
        body_closed = body_closed || !body.send(" ") || body.is_closed(10);
        return header_closed && body_closed;
    };
    EXPECT_TRUE(letoff::test::wait_for(20, both_closed)) << header_closed << body_closed;
    EXPECT_TRUE(plays_on());
}

TEST_F(WebBoundsTest, ManyWhoSendTooSlowlyShutNobodyOut) {
    WebSetting setting;
    setting.header_within_s = 1;
    start(setting);
    std::vector<WebClient> slow;
    for (int i = 0; i < 2 * WebServer::kMostConnections; ++i) {
        slow.push_back(client());
        slow.back().send("GET / HTTP/1.1\r\nHost: ");
    }
    // New ones come for as long as it takes: each is cut off in its turn, and somebody's page is served between them.
    bool served = false;
    const auto comes_through = [&] {
        WebClient one = client();
        served = one.get("/").status == 200;
        return served;
    };
    EXPECT_TRUE(letoff::test::wait_for(20, comes_through));
    EXPECT_TRUE(plays_on());
}

TEST_F(WebBoundsTest, WhoDoesNotTakeAnAnswerIsCutOff) {
    WebSetting setting;
    setting.answer_within_s = 0.5;
    setting.header_within_s = 30;  // libwebsockets' own patience with whoever does not read
    instrument.exported = std::string(8 << 20, 'x');
    start(setting);
    WebClient slow = client(4096);
    slow.send(
        fmt::format("POST /api/export HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\nContent-Length: "
                    "15\r\n\r\n{{\"profile\":\"x\"}}",
                    slow.own_host()));
    // It goes on reading a little, so that no silence gives it away.
    ASSERT_TRUE(slow.has(1));
    const auto cut_off = [&] {
        slow.has(slow.said().size() + 1, 1);
        return connections_of(server->port()).empty();
    };
    EXPECT_TRUE(letoff::test::wait_for(20, cut_off));
    EXPECT_TRUE(plays_on());
}

TEST_F(WebBoundsTest, WhoDoesNotReadGetsTheNewestLater) {
    WebSetting setting;
    setting.frames_hz = 4000;
    start(setting);
    WebClient stalled = client(4096), reads = client();
    ASSERT_TRUE(stalled.open_socket());
    ASSERT_TRUE(reads.open_socket());
    std::int64_t seen = 0;
    while (instrument.told < 8000) {
        ASSERT_GT(reads.tick(), seen) << "a stalled page held another one up";
        ++seen;
    }
    const std::int64_t now = instrument.told;
    std::int64_t frames = 0, tick = 0;
    while (tick < now) {
        tick = stalled.tick();
        ASSERT_GT(tick, 0);
        ++frames;
    }
    EXPECT_LT(frames, now / 2) << "frames were kept for a page that did not read";
}

TEST_F(WebBoundsTest, FiftyPagesThatDoNotReadCostABoundedMemory) {
    constexpr int kPages = 50, kFrames = 3000;
    constexpr std::int64_t kFrame_bytes = static_cast<std::int64_t>(kTelemetryFrame_bytes);
    WebSetting setting;
    setting.frames_hz = 4000;
    start(setting);
    WebClient reads = client();
    ASSERT_TRUE(reads.open_socket());
    std::vector<WebClient> stalled;
    for (int i = 0; i < kPages; ++i) {
        stalled.push_back(client(4096));
        ASSERT_TRUE(stalled.back().open_socket()) << i;
    }
    const auto play_on = [&](std::int64_t frames) {
        for (const std::int64_t until = instrument.told + frames; instrument.told < until;) ASSERT_GT(reads.tick(), 0);
    };
    play_on(kFrames / 4);  // what can be full is full
    const std::int64_t before = heap_bytes();
    play_on(kFrames);
    const std::int64_t grown = heap_bytes() - before;
    EXPECT_LT(grown, 1 << 20) << kPages * kFrames * kFrame_bytes << " bytes were not read";
    EXPECT_LT(longest_queue_bytes(server->port()), 3 * WebServer::kSendBuffer_bytes) << "of one page";
    EXPECT_TRUE(plays_on());
    // And whoever reads again has what is now, not what was.
    const std::int64_t now = instrument.told;
    int old = 0;
    for (; stalled.front().tick() < now; ++old) ASSERT_LT(old, 200);
}

TEST_F(WebBoundsTest, WhatManySendAtOnceIsBounded) {
    start();
    // Each announces the largest body that is taken, and sends a little of it.
    constexpr std::size_t kBody_bytes = std::size_t{9} << 20;
    constexpr std::size_t kFit = WebServer::kMostBodies_bytes / kBody_bytes;
    std::vector<WebClient> senders;
    for (std::size_t i = 0; i < kFit; ++i) {
        senders.push_back(client());
        senders.back().send(fmt::format(
            "POST /api/import HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n{{",
            senders.back().own_host(), kBody_bytes));
    }
    const auto status = [&] {
        WebClient one = client();
        one.send(
            fmt::format("POST /api/import HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\nContent-Length: "
                        "{}\r\n\r\n",
                        one.own_host(), kBody_bytes));
        return one.has(1, 200) ? one.reply().status : 0;  // none: its body is waited for
    };
    EXPECT_TRUE(letoff::test::wait_for(20, [&] { return status() == 503; }));
    EXPECT_TRUE(plays_on()) << "small calls have room";
    senders.clear();
    EXPECT_TRUE(letoff::test::wait_for(20, [&] { return status() == 0; })) << "the room of those that left is not free";
    EXPECT_EQ(client().post("import", json{{"text", std::string(100000, 'x')}}.dump()).status, 200);
}

TEST_F(WebBoundsTest, FiftyPagesAtOnce) {
    start();
    std::vector<WebClient> pages;
    for (int i = 0; i < 50; ++i) {
        pages.push_back(client());
        ASSERT_TRUE(pages.back().open_socket()) << i;
    }
    for (WebClient& page : pages) EXPECT_GT(page.tick(), 0);
    EXPECT_TRUE(plays_on());
    pages.clear();
    EXPECT_TRUE(letoff::test::wait_for(20, [&] { return !instrument.listening; }));
}

}  // namespace
}  // namespace letoff::ui::test
