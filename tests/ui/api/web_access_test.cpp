#include "ui/api/web_access.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <string>

namespace letoff::ui {
namespace {

using Time = WebAccess::Time;
using std::chrono::seconds;

TEST(WebAddress, IsReadAsPeopleWriteIt) {
    for (const char* text : {"127.0.0.1:8088", "localhost:8088", "8088"}) {
        const auto address = parse_web_address(text);
        ASSERT_TRUE(address) << text;
        EXPECT_EQ(address.value().host, "127.0.0.1");
        EXPECT_EQ(address.value().port, 8088);
        EXPECT_TRUE(address.value().loopback());
    }
    EXPECT_EQ(parse_web_address("[::1]:80").value().host, "::1");
    EXPECT_FALSE(parse_web_address("192.168.1.5:8088").value().loopback());
    EXPECT_TRUE(parse_web_address("0.0.0.0:0").value().every());
    for (const char* text : {"", ":", "example.org:80", "127.0.0.1", "127.0.0.1:", "127.0.0.1:65536", "127.0.0.1:-1",
                             "1.2.3:80", "[::1", "127.0.0.1:80x"})
        EXPECT_FALSE(parse_web_address(text)) << text;
}

TEST(WebAccess, KnowsItsOwnHosts) {
    const WebAccess loopback({"127.0.0.1", 8088}, "1", "t");
    EXPECT_TRUE(loopback.host_is_ours("127.0.0.1:8088"));
    EXPECT_TRUE(loopback.host_is_ours("localhost:8088"));
    for (const char* host :
         {"", "127.0.0.1", "127.0.0.1:8089", "letoff.example:8088", "localhost.example:8088", "192.168.1.5:8088"})
        EXPECT_FALSE(loopback.host_is_ours(host)) << host;
    const WebAccess everywhere({"0.0.0.0", 8088}, "1", "t");
    EXPECT_TRUE(everywhere.host_is_ours("192.168.1.5:8088"));
    EXPECT_TRUE(everywhere.host_is_ours("[fe80::1]:8088"));
    EXPECT_TRUE(everywhere.host_is_ours("LocalHost:8088"));
    std::array<char, 256> own{};
    ASSERT_EQ(::gethostname(own.data(), own.size() - 1), 0);
    EXPECT_TRUE(everywhere.host_is_ours(std::string(own.data()) + ":8088"));
    EXPECT_FALSE(everywhere.host_is_ours("letoff.example:8088")) << "a name that somebody's DNS turns into our address";
    EXPECT_TRUE(loopback.origin_is_ours("http://localhost:8088", "localhost:8088"));
    EXPECT_FALSE(loopback.origin_is_ours("https://localhost:8088", "localhost:8088"));
}

TEST(WebAccess, TheCodeCannotBeGuessed) {
    WebAccess access({"192.168.1.5", 8088}, "12345678", "secret");
    Time now{seconds(1000)};
    for (int i = 0; i < 5; ++i) EXPECT_EQ(access.pair("00000000", now), "");
    EXPECT_EQ(access.pair("12345678", now), "") << "the right one, but too soon";
    now += seconds(11);
    EXPECT_EQ(access.pair("12345678", now), "secret");
    EXPECT_TRUE(access.token_is_right("secret"));
    EXPECT_FALSE(access.token_is_right("secret2"));
    EXPECT_FALSE(access.token_is_right(""));
    EXPECT_NE(random_token(), random_token());
    EXPECT_EQ(random_token().size(), 32U);
}

}  // namespace
}  // namespace letoff::ui
