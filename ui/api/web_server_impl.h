// Inside the settings page's server: what its parts share. Only ui/api/web_*.cpp include this.
#pragma once

#include <libwebsockets.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "ui/api/api_calls.h"
#include "ui/api/page_files.h"
#include "ui/api/page_message.h"
#include "ui/api/telemetry_frame.h"
#include "ui/api/web_server.h"
#include "ui/api/work_thread.h"

namespace letoff::ui {

/// One request and its answer. libwebsockets keeps only its number, which is 0 between requests.
struct HttpSession {
    std::uint64_t exchange;
};
struct Exchange {
    lws* wsi = nullptr;
    std::string call, body;
    std::size_t longest = 0;
    std::shared_ptr<void> room;  // for its body, until the call is done with it
    bool working = false;        // a job is waiting or at it
    bool complete = false;       // all of the body is there
    bool answered = false, headers_sent = false, close_after = false;
    int status = 200;
    std::string type = "application/json", text;
    std::span<const std::uint8_t> data{};
    bool gzip = false, lasting = false;
    std::size_t sent = 0;
};

/// One page that is open. Zeroed by libwebsockets: nothing here has a constructor.
struct SocketSession {
    lws* wsi;
    std::uint8_t channel;
    bool held[core::kKeyCount];
    bool pedals[core::kMidiDataMax + 1];
    double messages_left;
    std::int64_t counted_ns;
    std::uint64_t seen_frame, seen_draft;
    std::size_t text_bytes;
    char text[kLongestPageMessage_bytes];
};

class WebServer::Impl {
  public:
    Impl(const WebSetting& setting, core::InstrumentControl& instrument);
    ~Impl();
    core::Result<bool> listen();

    // web_http.cpp
    int on_http(lws* wsi, HttpSession& session, std::string_view path);
    int on_body(HttpSession& session, std::string_view part);
    int on_body_complete(HttpSession& session);
    int on_http_writable(lws* wsi, HttpSession& session);
    void on_http_closed(HttpSession& session);
    int on_timer(HttpSession& session);
    void answer_done_calls();

    // web_socket.cpp
    bool may_open_socket(lws* wsi) const;
    void on_socket_open(lws* wsi, SocketSession& session);
    int on_socket_text(lws* wsi, SocketSession& session, std::string_view part);
    int on_socket_writable(lws* wsi, SocketSession& session);
    void on_socket_closed(SocketSession& session);
    void on_frame();

    static std::string header(lws* wsi, lws_token_indexes which);

    WebSetting setting;
    WebAccess access;
    core::InstrumentControl& instrument;
    int port = 0;

  private:
    struct Frames {
        lws_sorted_usec_list_t list;  // first: libwebsockets hands back its address
        Impl* server;
    };
    struct Done {
        std::uint64_t exchange;
        ApiReply reply;
    };
    void run();
    Exchange& begin(lws* wsi, HttpSession& session);
    int refuse(lws* wsi, HttpSession& session, int status, std::string_view sentence);
    int serve_file(lws* wsi, HttpSession& session, std::string_view path);
    int begin_call(lws* wsi, HttpSession& session, std::string_view name);
    int start_call(HttpSession& session);
    void answer(Exchange& exchange, ApiReply reply);
    ApiReply pair(const std::string& body);
    void schedule_frame();
    bool take_message(SocketSession& session, std::string_view text);
    bool within_rate(SocketSession& session) const;
    std::shared_ptr<void> room_for(std::size_t bytes);
    void time_answer(lws* wsi) const;

    lws_context* context_ = nullptr;
    std::atomic<std::size_t> bodies_bytes_{0};
    std::map<std::uint64_t, Exchange> exchanges_;
    std::uint64_t next_exchange_ = 1;
    std::vector<SocketSession*> sockets_;
    unsigned next_channel_ = 0;
    Frames frames_{};
    lws_usec_t next_frame_us_ = 0;
    core::Telemetry telemetry_;
    TelemetryFrame frame_{};
    std::uint64_t frame_number_ = 0, draft_number_ = 0;
    std::string draft_text_;

    std::mutex mutex_;  // of done_ and gone_
    std::vector<Done> done_;
    std::set<std::uint64_t> gone_;  // nobody waits for these any more
    std::atomic<bool> stop_{false};
    std::thread thread_;
    std::unique_ptr<WorkThread> work_;
};

}  // namespace letoff::ui
