// A server of an instrument that only remembers, and clients of it.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <utility>

#include "tests/ui/api/fake_instrument.h"
#include "tests/ui/api/web_client.h"
#include "ui/api/web_server.h"

namespace letoff::ui::test {

struct WebServerTest : testing::Test {
    void start(WebSetting setting = {}) {
        setting.address.port = 0;
        auto started = WebServer::start(setting, instrument);
        ASSERT_TRUE(started) << started.error();
        server = std::move(started.value());
    }
    WebClient client(int receive_bytes = 0) const { return WebClient(server->port(), receive_bytes); }
    bool plays_on() const { return client().post("draft", "{}").status == 200; }

    FakeInstrument instrument;
    std::unique_ptr<WebServer> server;
};

}  // namespace letoff::ui::test
