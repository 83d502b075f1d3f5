// The server's HTTP side: files from memory and calls.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <nlohmann/json.hpp>
#include <utility>

#include "ui/api/web_server_impl.h"

namespace letoff::ui {
namespace {

constexpr std::size_t kChunk_bytes = 16 * 1024;
constexpr std::string_view kApi = "/api/";
constexpr std::string_view kPair = "pair";
constexpr const char* kNoPage =
    "<!doctype html><title>Letoff</title><p>The settings page is not in this build: npm was missing when it was made. "
    "Install it (packaging/play does) and build again.";

class HeaderWriter {
  public:
    explicit HeaderWriter(lws* wsi) : wsi_(wsi), at_(buffer_.data() + LWS_PRE) {}
    void status(int code) {
        ok_ = ok_ && lws_add_http_header_status(wsi_, static_cast<unsigned>(code), &at_, end()) == 0;
    }
    void add(lws_token_indexes name, std::string_view value) {
        ok_ = ok_ && lws_add_http_header_by_token(wsi_, name, reinterpret_cast<const unsigned char*>(value.data()),
                                                  static_cast<int>(value.size()), &at_, end()) == 0;
    }
    void length(std::size_t bytes) { ok_ = ok_ && lws_add_http_header_content_length(wsi_, bytes, &at_, end()) == 0; }
    bool write() { return ok_ && lws_finalize_write_http_header(wsi_, buffer_.data() + LWS_PRE, &at_, end()) == 0; }

  private:
    unsigned char* end() { return buffer_.data() + buffer_.size() - 1; }
    lws* wsi_;
    std::array<unsigned char, LWS_PRE + 2048> buffer_{};
    unsigned char* at_;
    bool ok_ = true;
};

}  // namespace

Exchange& WebServer::Impl::begin(lws* wsi, HttpSession& session) {
    exchanges_.erase(session.exchange);
    session.exchange = next_exchange_++;
    Exchange& exchange = exchanges_[session.exchange];
    exchange.wsi = wsi;
    return exchange;
}

void WebServer::Impl::answer(Exchange& exchange, ApiReply reply) {
    exchange.answered = true;
    exchange.working = false;
    exchange.status = reply.status;
    exchange.text = std::move(reply.body);
    exchange.data = {reinterpret_cast<const std::uint8_t*>(exchange.text.data()), exchange.text.size()};
    time_answer(exchange.wsi);
    lws_callback_on_writable(exchange.wsi);
}

void WebServer::Impl::time_answer(lws* wsi) const {
    lws_set_timer_usecs(wsi, static_cast<lws_usec_t>(setting.answer_within_s * 1e6));
}

/// Null: too much is on its way already.
std::shared_ptr<void> WebServer::Impl::room_for(std::size_t bytes) {
    if (bodies_bytes_.fetch_add(bytes) + bytes > kMostBodies_bytes) {
        bodies_bytes_ -= bytes;
        return nullptr;
    }
    return {&bodies_bytes_, [bytes](void* all) { *static_cast<std::atomic<std::size_t>*>(all) -= bytes; }};
}

/// What was sent after a refused request's head is not read: the connection is closed.
int WebServer::Impl::refuse(lws* wsi, HttpSession& session, int status, std::string_view sentence) {
    Exchange& exchange = begin(wsi, session);
    exchange.close_after = true;
    answer(exchange, api_error(status, sentence));
    return 0;
}

int WebServer::Impl::on_http(lws* wsi, HttpSession& session, std::string_view path) {
    const std::string host = header(wsi, WSI_TOKEN_HOST);
    if (!access.host_is_ours(host)) return refuse(wsi, session, 403, "this is not the page's own address");
    if (!access.origin_is_ours(header(wsi, WSI_TOKEN_ORIGIN), host))
        return refuse(wsi, session, 403, "another page may not use this one's instrument");
    if (lws_hdr_total_length(wsi, WSI_TOKEN_POST_URI) > 0) {
        if (!path.starts_with(kApi)) return refuse(wsi, session, 404, "there is no such call");
        return begin_call(wsi, session, path.substr(kApi.size()));
    }
    if (lws_hdr_total_length(wsi, WSI_TOKEN_GET_URI) > 0) return serve_file(wsi, session, path);
    return refuse(wsi, session, 405, "GET and POST are understood");
}

int WebServer::Impl::serve_file(lws* wsi, HttpSession& session, std::string_view path) {
    if (path == "/") path = "/index.html";
    const std::span<const PageFile> files = page_files();
    const auto file = std::find_if(files.begin(), files.end(), [&](const PageFile& f) { return f.path == path; });
    if (file == files.end()) {
        if (!files.empty() || path != "/index.html") return refuse(wsi, session, 404, "there is no such file");
        Exchange& exchange = begin(wsi, session);
        exchange.type = "text/html";
        answer(exchange, {200, kNoPage});
        return 0;
    }
    Exchange& exchange = begin(wsi, session);
    exchange.gzip =
        header(wsi, WSI_TOKEN_HTTP_ACCEPT_ENCODING).find("gzip") != std::string::npos && !file->gzip.empty();
    exchange.data = exchange.gzip ? file->gzip : file->plain;
    exchange.type = file->type;
    exchange.lasting = file->lasting;
    exchange.answered = true;
    time_answer(wsi);
    lws_callback_on_writable(wsi);
    return 0;
}

int WebServer::Impl::begin_call(lws* wsi, HttpSession& session, std::string_view name) {
    const bool pairing = name == kPair;
    if (!pairing && !is_api_call(name)) return refuse(wsi, session, 404, "there is no such call");
    constexpr std::string_view kBearer = "Bearer ";
    const std::string given = header(wsi, WSI_TOKEN_HTTP_AUTHORIZATION);
    const std::string_view token = given.starts_with(kBearer) ? std::string_view(given).substr(kBearer.size()) : "";
    if (!pairing && !access.token_is_right(token))
        return refuse(wsi, session, 401, "this page is not paired: the code stands on the instrument's terminal");
    if (setting.only_look && api_call_changes(name))
        return refuse(wsi, session, 403, "this page may only look (--http-look)");
    if (!header(wsi, WSI_TOKEN_HTTP_CONTENT_TYPE).starts_with("application/json"))
        return refuse(wsi, session, 415, "a call takes application/json");
    const std::string length = header(wsi, WSI_TOKEN_HTTP_CONTENT_LENGTH);
    std::size_t bytes = 0;
    const auto [end, error] = std::from_chars(length.data(), length.data() + length.size(), bytes);
    if (length.empty() || error != std::errc() || end != length.data() + length.size())
        return refuse(wsi, session, 411, "a call tells the length of its body");
    const std::size_t longest = pairing ? 1024 : longest_body_bytes(name);
    if (bytes > longest)
        return refuse(wsi, session, 413, fmt::format("a body of at most {} bytes is taken, not {}", longest, bytes));
    auto room = room_for(bytes);
    if (!room) return refuse(wsi, session, 503, "too much is sent at once; try again");
    Exchange& exchange = begin(wsi, session);
    exchange.call = name;
    exchange.longest = longest;
    exchange.room = std::move(room);
    if (bytes == 0) return start_call(session);
    lws_set_timer_usecs(wsi, static_cast<lws_usec_t>(setting.body_within_s * 1e6));
    return 0;
}

int WebServer::Impl::on_body(HttpSession& session, std::string_view part) {
    const auto found = exchanges_.find(session.exchange);
    if (found == exchanges_.end() || found->second.close_after) return 0;
    Exchange& exchange = found->second;
    if (exchange.body.size() + part.size() > exchange.longest) return -1;
    exchange.body += part;
    return 0;
}

int WebServer::Impl::on_body_complete(HttpSession& session) {
    const auto found = exchanges_.find(session.exchange);
    if (found == exchanges_.end() || found->second.close_after) return 0;
    return start_call(session);
}

ApiReply WebServer::Impl::pair(const std::string& body) {
    const nlohmann::json args = nlohmann::json::parse(body, nullptr, false);
    const std::string code = args.is_object() && args.contains("code") && args["code"].is_string()
                                 ? args["code"].get<std::string>()
                                 : std::string();
    const std::string token = access.pair(code, std::chrono::steady_clock::now());
    if (token.empty()) return api_error(403, "that is not the code; after five tries it takes a while until the next");
    return {200, nlohmann::json{{"token", token}}.dump()};
}

int WebServer::Impl::start_call(HttpSession& session) {
    const std::uint64_t number = session.exchange;
    Exchange& exchange = exchanges_.at(number);
    exchange.complete = true;
    lws_set_timeout(exchange.wsi, NO_PENDING_TIMEOUT, 0);
    if (exchange.call == kPair) {
        answer(exchange, pair(exchange.body));
        return 0;
    }
    auto job = [this, number, call = exchange.call, body = std::move(exchange.body), room = std::move(exchange.room)] {
        {
            const std::lock_guard lock(mutex_);
            if (gone_.erase(number) > 0) return;
        }
        ApiReply reply = api_call(instrument, call, body);
        {
            const std::lock_guard lock(mutex_);
            done_.push_back({number, std::move(reply)});
        }
        lws_cancel_service(context_);
    };
    // What somebody does goes before what pages look at.
    const bool taken = work_->post(std::move(job), api_call_changes(exchange.call));
    exchange.working = taken;
    if (!taken) answer(exchange, api_error(503, "too much is asked at once; try again"));
    return 0;
}

void WebServer::Impl::answer_done_calls() {
    std::vector<Done> done;
    {
        const std::lock_guard lock(mutex_);
        done.swap(done_);
        for (const Done& one : done) gone_.erase(one.exchange);
    }
    for (Done& one : done) {
        // Whoever asked may be gone by now.
        if (const auto found = exchanges_.find(one.exchange); found != exchanges_.end())
            answer(found->second, std::move(one.reply));
    }
}

int WebServer::Impl::on_http_writable(lws* wsi, HttpSession& session) {
    const auto found = exchanges_.find(session.exchange);
    if (found == exchanges_.end() || !found->second.answered) return 0;
    Exchange& exchange = found->second;
    if (!std::exchange(exchange.headers_sent, true)) {
        HeaderWriter headers(wsi);
        headers.status(exchange.status);
        headers.add(WSI_TOKEN_HTTP_CONTENT_TYPE, exchange.type);
        headers.add(WSI_TOKEN_HTTP_CACHE_CONTROL,
                    exchange.lasting ? "public, max-age=31536000, immutable" : "no-store");
        if (exchange.gzip) headers.add(WSI_TOKEN_HTTP_CONTENT_ENCODING, "gzip");
        headers.length(exchange.data.size());
        if (!headers.write()) return -1;
        lws_callback_on_writable(wsi);
        return 0;
    }
    std::array<unsigned char, LWS_PRE + kChunk_bytes> buffer;
    const std::size_t bytes = std::min(kChunk_bytes, exchange.data.size() - exchange.sent);
    std::copy_n(exchange.data.data() + exchange.sent, bytes, buffer.data() + LWS_PRE);
    exchange.sent += bytes;
    const bool last = exchange.sent == exchange.data.size();
    if (lws_write(wsi, buffer.data() + LWS_PRE, bytes, last ? LWS_WRITE_HTTP_FINAL : LWS_WRITE_HTTP) < 0) return -1;
    if (!last) {
        lws_callback_on_writable(wsi);
        return 0;
    }
    const bool close = exchange.close_after;
    exchanges_.erase(found);
    session.exchange = 0;
    return close || lws_http_transaction_completed(wsi) != 0 ? -1 : 0;
}

void WebServer::Impl::on_http_closed(HttpSession& session) {
    const auto found = exchanges_.find(session.exchange);
    if (found != exchanges_.end() && found->second.working && !api_call_changes(found->second.call)) {
        const std::lock_guard lock(mutex_);
        gone_.insert(session.exchange);
    }
    exchanges_.erase(session.exchange);
    session.exchange = 0;
}

/// The body is not there in time, or the answer not taken.
int WebServer::Impl::on_timer(HttpSession& session) {
    const auto found = exchanges_.find(session.exchange);
    if (found == exchanges_.end()) return 0;
    const bool waits = !found->second.call.empty() && !found->second.complete;
    return waits || found->second.answered ? -1 : 0;
}

}  // namespace letoff::ui
