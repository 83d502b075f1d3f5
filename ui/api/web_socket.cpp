// The server's WebSocket: telemetry out, playing in.
#include <sys/socket.h>

#include <algorithm>

#include "core/midi/message.h"
#include "ui/api/web_server_impl.h"

namespace letoff::ui {
namespace {

constexpr std::string_view kPath = "/live";
constexpr std::string_view kTokenPrefix = "token.";   // among the protocols: a browser lets us set no other header
constexpr unsigned kFirstChannel = 8, kChannels = 8;  // keyboards usually play on the others

std::int64_t now_ns() {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

std::string_view token_in(std::string_view protocols) {
    const std::size_t at = protocols.find(kTokenPrefix);
    if (at == std::string_view::npos) return {};
    const std::string_view rest = protocols.substr(at + kTokenPrefix.size());
    return rest.substr(0, rest.find_first_of(", "));
}

}  // namespace

bool WebServer::Impl::may_open_socket(lws* wsi) const {
    const std::string host = header(wsi, WSI_TOKEN_HOST);
    return header(wsi, WSI_TOKEN_GET_URI) == kPath && access.host_is_ours(host) &&
           access.origin_is_ours(header(wsi, WSI_TOKEN_ORIGIN), host) &&
           access.token_is_right(token_in(header(wsi, WSI_TOKEN_PROTOCOL)));
}

void WebServer::Impl::on_socket_open(lws* wsi, SocketSession& session) {
    session.wsi = wsi;
    session.channel = static_cast<std::uint8_t>(kFirstChannel + next_channel_++ % kChannels);
    session.messages_left = kMessagesPerSecond;
    session.counted_ns = now_ns();
    setsockopt(lws_get_socket_fd(wsi), SOL_SOCKET, SO_SNDBUF, &kSendBuffer_bytes, sizeof kSendBuffer_bytes);
    sockets_.push_back(&session);
    instrument.listen(true);
    if (sockets_.size() == 1) schedule_frame();
    lws_callback_on_writable(wsi);
}

void WebServer::Impl::on_socket_closed(SocketSession& session) {
    std::erase(sockets_, &session);
    for (int key = 0; key < core::kKeyCount; ++key) {
        if (session.held[key]) instrument.play(core::note_off(session.channel, core::midi_note_of_key(key)));
    }
    for (int controller = 0; controller <= core::kMidiDataMax; ++controller) {
        if (session.pedals[controller]) instrument.play(core::control_change(session.channel, controller, 0));
    }
    if (sockets_.empty()) instrument.listen(false);
}

bool WebServer::Impl::within_rate(SocketSession& session) const {
    const std::int64_t now = now_ns();
    session.messages_left =
        std::min(kMessagesPerSecond,
                 session.messages_left + 1e-9 * static_cast<double>(now - session.counted_ns) * kMessagesPerSecond);
    session.counted_ns = now;
    if (session.messages_left < 1) return false;
    session.messages_left -= 1;
    return true;
}

int WebServer::Impl::on_socket_text(lws* wsi, SocketSession& session, std::string_view part) {
    if (lws_frame_is_binary(wsi) != 0 || session.text_bytes + part.size() > sizeof session.text) {
        lws_close_reason(wsi, LWS_CLOSE_STATUS_MESSAGE_TOO_LARGE, nullptr, 0);
        return -1;
    }
    std::copy(part.begin(), part.end(), session.text + session.text_bytes);
    session.text_bytes += part.size();
    if (lws_is_final_fragment(wsi) == 0 || lws_remaining_packet_payload(wsi) > 0) return 0;
    const std::string_view text(session.text, session.text_bytes);
    session.text_bytes = 0;
    if (take_message(session, text)) return 0;
    lws_close_reason(wsi, LWS_CLOSE_STATUS_POLICY_VIOLATION, nullptr, 0);
    return -1;
}

bool WebServer::Impl::take_message(SocketSession& session, std::string_view text) {
    const auto message = parse_page_message(text);
    if (!message || !within_rate(session)) return false;
    using Kind = PageMessage::Kind;
    if (message->kind == Kind::kWatch) {
        instrument.watch(message->key - 1);
        return true;
    }
    if (setting.only_look) return true;
    if (message->kind == Kind::kPanic) {
        std::fill(std::begin(session.held), std::end(session.held), false);
        std::fill(std::begin(session.pedals), std::end(session.pedals), false);
        instrument.release_all();
        return true;
    }
    if (message->kind == Kind::kPedal) {
        session.pedals[message->controller] = message->value > 0;
        instrument.play(core::control_change(session.channel, message->controller, message->value));
        return true;
    }
    const int key = message->key - 1, note = core::midi_note_of_key(key);
    const bool on = message->kind == Kind::kOn;
    // Each on is owed one off: a key that is held already is let go first, one that is not held has none to give.
    if (session.held[key]) {
        instrument.play(core::note_off(session.channel, note, on ? core::kDefaultReleaseVelocity : message->value));
    }
    if (on) instrument.play(core::note_on(session.channel, note, message->value));
    session.held[key] = on;
    return true;
}

/// On a grid of time, so that what a look takes does not make the looks fewer; a grid that was missed begins anew.
void WebServer::Impl::schedule_frame() {
    const lws_usec_t now = lws_now_usecs(), step = LWS_USEC_PER_SEC / setting.frames_hz;
    next_frame_us_ = next_frame_us_ + step > now ? next_frame_us_ + step : now + step;
    lws_sul_schedule(
        context_, 0, &frames_.list,
        [](lws_sorted_usec_list_t* list) { reinterpret_cast<Frames*>(list)->server->on_frame(); },
        next_frame_us_ - now);
}

void WebServer::Impl::on_frame() {
    if (sockets_.empty()) return;
    schedule_frame();
    std::string draft = draft_message(instrument.draft());
    const bool other_draft = draft != draft_text_;
    if (other_draft) {
        draft_text_ = std::move(draft);
        ++draft_number_;
    }
    const bool moved = instrument.newest(telemetry_);
    if (moved) {
        write_telemetry(telemetry_, frame_);
        ++frame_number_;
    }
    for (const SocketSession* session : sockets_) {
        if (session->seen_frame != frame_number_ || session->seen_draft != draft_number_)
            lws_callback_on_writable(session->wsi);
    }
}

int WebServer::Impl::on_socket_writable(lws* wsi, SocketSession& session) {
    // Called again after a part was written: only what is new goes out, and only when there is room.
    if (lws_send_pipe_choked(wsi) != 0) return 0;
    if (session.seen_draft != draft_number_) {
        session.seen_draft = draft_number_;
        std::vector<unsigned char> text(LWS_PRE + draft_text_.size());
        std::copy(draft_text_.begin(), draft_text_.end(), text.begin() + LWS_PRE);
        if (lws_write(wsi, text.data() + LWS_PRE, draft_text_.size(), LWS_WRITE_TEXT) < 0) return -1;
        if (session.seen_frame != frame_number_) lws_callback_on_writable(wsi);
        return 0;
    }
    if (session.seen_frame == frame_number_) return 0;
    session.seen_frame = frame_number_;
    std::array<unsigned char, LWS_PRE + kTelemetryFrame_bytes> bytes;
    std::copy(frame_.begin(), frame_.end(), bytes.begin() + LWS_PRE);
    return lws_write(wsi, bytes.data() + LWS_PRE, frame_.size(), LWS_WRITE_BINARY) < 0 ? -1 : 0;
}

}  // namespace letoff::ui
