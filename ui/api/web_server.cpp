#include "ui/api/web_server.h"

#include <fmt/format.h>

#include <cerrno>
#include <cmath>
#include <cstring>

#include "ui/api/web_server_impl.h"

namespace letoff::ui {
namespace {

// Nothing but our own, nothing from elsewhere, and nobody may put the page into a frame of his.
constexpr const char* kContentPolicy =
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data: blob:; "
    "manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const lws_protocol_vhost_options kHeaders[] = {
    {&kHeaders[1], nullptr, "content-security-policy:", kContentPolicy},
    {&kHeaders[2], nullptr, "x-content-type-options:", "nosniff"},
    {&kHeaders[3], nullptr, "referrer-policy:", "no-referrer"},
    {&kHeaders[4], nullptr, "cross-origin-opener-policy:", "same-origin"},
    {nullptr, nullptr, "cross-origin-resource-policy:", "same-origin"},
};

// A page that is gone without a word is noticed after a minute.
const lws_retry_bo_t kIdle{nullptr, 0, 0, 20, 40, 0};

std::string_view text_of(const void* in, std::size_t bytes) {
    return {static_cast<const char*>(in), bytes};
}

}  // namespace

/// The functions that libwebsockets calls; friends of nothing, they only hand on.
struct WebCallbacks {
    static WebServer::Impl& server(lws* wsi) {
        return *static_cast<WebServer::Impl*>(lws_context_user(lws_get_context(wsi)));
    }
    static int http(lws* wsi, lws_callback_reasons reason, void* user, void* in, std::size_t bytes) {
        auto* session = static_cast<HttpSession*>(user);
        switch (reason) {
            case LWS_CALLBACK_HTTP:
                return server(wsi).on_http(wsi, *session, text_of(in, bytes));
            case LWS_CALLBACK_HTTP_BODY:
                return server(wsi).on_body(*session, text_of(in, bytes));
            case LWS_CALLBACK_HTTP_BODY_COMPLETION:
                return server(wsi).on_body_complete(*session);
            case LWS_CALLBACK_HTTP_WRITEABLE:
                return server(wsi).on_http_writable(wsi, *session);
            case LWS_CALLBACK_TIMER:
                return session == nullptr ? 0 : server(wsi).on_timer(*session);
            case LWS_CALLBACK_CLOSED_HTTP:
            case LWS_CALLBACK_HTTP_DROP_PROTOCOL:
                if (session != nullptr) server(wsi).on_http_closed(*session);
                return 0;
            case LWS_CALLBACK_EVENT_WAIT_CANCELLED:
                server(wsi).answer_done_calls();
                return 0;
            case LWS_CALLBACK_FILTER_PROTOCOL_CONNECTION:
                return 1;  // a WebSocket that does not speak our protocol
            default:
                return 0;
        }
    }
    static int socket(lws* wsi, lws_callback_reasons reason, void* user, void* in, std::size_t bytes) {
        auto* session = static_cast<SocketSession*>(user);
        switch (reason) {
            case LWS_CALLBACK_FILTER_PROTOCOL_CONNECTION:
                return server(wsi).may_open_socket(wsi) ? 0 : 1;
            case LWS_CALLBACK_ESTABLISHED:
                server(wsi).on_socket_open(wsi, *session);
                return 0;
            case LWS_CALLBACK_RECEIVE:
                return server(wsi).on_socket_text(wsi, *session, text_of(in, bytes));
            case LWS_CALLBACK_SERVER_WRITEABLE:
                return server(wsi).on_socket_writable(wsi, *session);
            case LWS_CALLBACK_CLOSED:
                server(wsi).on_socket_closed(*session);
                return 0;
            default:
                return 0;
        }
    }
};

namespace {

const lws_protocols kProtocols[] = {
    {"http", WebCallbacks::http, sizeof(HttpSession), 0, 0, nullptr, 0},
    {"letoff.v1", WebCallbacks::socket, sizeof(SocketSession), 512, 0, nullptr, 0},
    {nullptr, nullptr, 0, 0, 0, nullptr, 0},
};

}  // namespace

WebServer::Impl::Impl(const WebSetting& wanted, core::InstrumentControl& of)
    : setting(wanted), access(wanted.address, random_digits(8), random_token()), instrument(of) {
    frames_.server = this;
}

core::Result<bool> WebServer::Impl::listen() {
    lws_set_log_level(0, nullptr);
    lws_context_creation_info info{};
    info.options = LWS_SERVER_OPTION_EXPLICIT_VHOSTS | LWS_SERVER_OPTION_FAIL_UPON_UNABLE_TO_BIND |
                   LWS_SERVER_OPTION_VALIDATE_UTF8;
    const bool v6 = setting.address.host.find(':') != std::string::npos;
    if (!v6) info.options |= LWS_SERVER_OPTION_DISABLE_IPV6;
    info.user = this;
    info.protocols = kProtocols;
    info.headers = kHeaders;
    info.server_string = "letoff";
    info.port = setting.address.port;
    if (!setting.address.every()) info.iface = setting.address.host.c_str();
    info.max_http_header_data = 4096;
    info.max_http_header_pool = 64;
    info.timeout_secs = static_cast<unsigned>(std::ceil(setting.header_within_s));
    info.timeout_secs_ah_idle = info.timeout_secs;
    info.keepalive_timeout = 30;
    info.fd_limit_per_thread = kMostConnections;
    info.retry_and_idle_policy = &kIdle;
    context_ = lws_create_context(&info);
    if (context_ == nullptr) return core::Error{"the settings page: libwebsockets does not start"};
    errno = 0;
    lws_vhost* vhost = lws_create_vhost(context_, &info);
    if (vhost == nullptr) {
        return core::Error{fmt::format(
            "the settings page cannot listen on {}:{}{}; another address is given by --http, "
            "and --http off leaves it away",
            setting.address.host, setting.address.port, errno != 0 ? fmt::format(" ({})", std::strerror(errno)) : "")};
    }
    port = lws_get_vhost_listen_port(vhost);
    access.listen_on(port);
    work_ = std::make_unique<WorkThread>();
    thread_ = std::thread([this] { run(); });
    return true;
}

void WebServer::Impl::run() {
    while (!stop_.load(std::memory_order_acquire) && lws_service(context_, 0) >= 0) continue;
}

WebServer::Impl::~Impl() {
    stop_.store(true, std::memory_order_release);
    if (thread_.joinable()) {
        lws_cancel_service(context_);
        thread_.join();
    }
    work_.reset();
    if (context_ != nullptr) lws_context_destroy(context_);
}

std::string WebServer::Impl::header(lws* wsi, lws_token_indexes which) {
    const int bytes = lws_hdr_total_length(wsi, which);
    if (bytes <= 0) return {};
    std::string text(static_cast<std::size_t>(bytes) + 1, '\0');
    const int copied = lws_hdr_copy(wsi, text.data(), bytes + 1, which);
    text.resize(copied > 0 ? static_cast<std::size_t>(copied) : 0);
    return text;
}

WebServer::WebServer() = default;
WebServer::~WebServer() = default;

core::Result<std::unique_ptr<WebServer>> WebServer::start(const WebSetting& setting,
                                                          core::InstrumentControl& instrument) {
    auto server = std::unique_ptr<WebServer>(new WebServer());
    server->impl_ = std::make_unique<Impl>(setting, instrument);
    if (auto listens = server->impl_->listen(); !listens) return core::Error{listens.error()};
    return server;
}

int WebServer::port() const {
    return impl_->port;
}

std::string WebServer::url() const {
    const std::string& host = impl_->setting.address.host;
    const bool v6 = host.find(':') != std::string::npos;
    return v6 ? fmt::format("http://[{}]:{}/", host, impl_->port) : fmt::format("http://{}:{}/", host, impl_->port);
}

std::string WebServer::pairing_code() const {
    return impl_->access.needs_token() ? impl_->access.code() : std::string();
}

bool WebServer::has_page() {
    return !page_files().empty();
}

}  // namespace letoff::ui
