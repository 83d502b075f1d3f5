// The settings page's server (libwebsockets): the page's files from memory, its calls (api_calls.h) as POST /api/NAME,
// and one WebSocket, /live, with telemetry at most 60 times a second and only while somebody listens. A client that
// does not read gets the newest frame when it does, never a backlog; what a page holds down is let go when it leaves.
//
// Bounds: connections, header and body sizes, messages a second and times are limited here; a request that goes beyond
// is refused or cut off, and the instrument plays on. Who may talk to it: web_access.h.
//
// Threads: one event thread; calls run one after the other on a work thread, as some take seconds. start() and the
// destructor on the control thread; the instrument must outlive it.
#pragma once

#include <memory>
#include <string>

#include "core/port/instrument_control.h"
#include "core/result.h"
#include "ui/api/web_access.h"

namespace letoff::ui {

struct WebSetting {
    WebAddress address;
    bool only_look = false;     // nothing can be changed or played
    double body_within_s = 20;  // a request's body has to be there, whatever its sender does
    double header_within_s = 5;
    double answer_within_s = 60;  // and an answer has to be taken, or the connection ends
    int frames_hz = 60;           // telemetry at most so often
};

class WebServer {
  public:
    static constexpr int kMostConnections = 160;
    static constexpr std::size_t kMostBodies_bytes = std::size_t{24} << 20;  // of all requests at once
    // What waits in the system for a page that does not read: some frames, then only the newest is sent.
    static constexpr int kSendBuffer_bytes = 16 * 1024;
    static constexpr double kMessagesPerSecond = 1000;  // of one page: a glissando over 88 keys is 176

    static core::Result<std::unique_ptr<WebServer>> start(const WebSetting& setting,
                                                          core::InstrumentControl& instrument);
    ~WebServer();
    WebServer(const WebServer&) = delete;
    WebServer& operator=(const WebServer&) = delete;

    int port() const;
    /// For a browser.
    std::string url() const;
    /// "" where none is needed.
    std::string pairing_code() const;
    /// The page itself was built in.
    static bool has_page();

    class Impl;  // web_server_impl.h

  private:
    WebServer();
    std::unique_ptr<Impl> impl_;
};

}  // namespace letoff::ui
