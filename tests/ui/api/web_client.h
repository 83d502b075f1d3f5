// A client that says what it is told to, byte by byte, over a real socket; every wait has a deadline.
#pragma once

#include <arpa/inet.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <chrono>
#include <string>
#include <string_view>
#include <utility>

namespace letoff::ui::test {

class WebClient {
  public:
    static constexpr int kPatience_ms = 10000;

    explicit WebClient(int port, int receive_bytes = 0) : port_(port), fd_(socket(AF_INET, SOCK_STREAM, 0)) {
        if (receive_bytes > 0) setsockopt(fd_, SOL_SOCKET, SO_RCVBUF, &receive_bytes, sizeof receive_bytes);
        sockaddr_in to{};
        to.sin_family = AF_INET;
        to.sin_port = htons(static_cast<std::uint16_t>(port));
        inet_pton(AF_INET, "127.0.0.1", &to.sin_addr);
        EXPECT_EQ(connect(fd_, reinterpret_cast<const sockaddr*>(&to), sizeof to), 0);
    }
    ~WebClient() { close(); }
    WebClient(WebClient&& other) noexcept
        : port_(other.port_), fd_(std::exchange(other.fd_, -1)), in_(std::move(other.in_)) {}
    WebClient(const WebClient&) = delete;
    WebClient& operator=(const WebClient&) = delete;

    void close() {
        if (fd_ >= 0) ::close(std::exchange(fd_, -1));
    }
    /// False: the other side is gone.
    bool send(std::string_view bytes) const {
        return ::send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL) == static_cast<ssize_t>(bytes.size());
    }
    /// Reads until it holds `bytes`; false: closed or too late.
    bool has(std::size_t bytes, int patience_ms = kPatience_ms) {
        const auto until = std::chrono::steady_clock::now() + std::chrono::milliseconds(patience_ms);
        while (in_.size() < bytes) {
            const auto left =
                std::chrono::duration_cast<std::chrono::milliseconds>(until - std::chrono::steady_clock::now());
            pollfd wait{fd_, POLLIN, 0};
            if (left.count() <= 0 || poll(&wait, 1, static_cast<int>(left.count())) <= 0) return false;
            char part[4096];
            const ssize_t got = recv(fd_, part, sizeof part, 0);
            if (got <= 0) {
                closed_ = true;
                return false;
            }
            in_.append(part, static_cast<std::size_t>(got));
        }
        return true;
    }
    /// The other side closes within the time; what it said until then is in said().
    bool is_closed(int patience_ms = kPatience_ms) {
        while (!closed_ && has(in_.size() + 1, patience_ms)) continue;
        return closed_;
    }
    const std::string& said() const { return in_; }
    std::string take(std::size_t bytes) {
        std::string taken = in_.substr(0, bytes);
        in_.erase(0, bytes);
        return taken;
    }

    struct Reply {
        int status = 0;
        std::string head, body;
    };
    /// One answer with a length; status 0: none came.
    Reply reply() {
        std::size_t end = 0;
        while ((end = in_.find("\r\n\r\n")) == std::string::npos) {
            if (!has(in_.size() + 1)) return {};
        }
        Reply reply;
        reply.head = in_.substr(0, end + 4);
        reply.status = std::stoi(reply.head.substr(9, 3));
        const std::size_t at = reply.head.find("content-length: ");
        const std::size_t length = at == std::string::npos ? 0 : std::stoul(reply.head.substr(at + 16));
        if (!has(end + 4 + length)) return {};
        take(end + 4);
        reply.body = take(length);
        return reply;
    }
    std::string own_host() const { return fmt::format("127.0.0.1:{}", port_); }
    Reply get(const std::string& path, const std::string& host = "", const std::string& more = "") {
        send(fmt::format("GET {} HTTP/1.1\r\nHost: {}\r\n{}\r\n", path, host.empty() ? own_host() : host, more));
        return reply();
    }
    Reply post(const std::string& call, const std::string& body, const std::string& more = "") {
        send(fmt::format(
            "POST /api/{} HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\n{}Content-Length: {}\r\n\r\n{}",
            call, own_host(), more, body.size(), body));
        return reply();
    }

    /// Becomes a WebSocket; false: refused.
    bool open_socket(const std::string& more = "", const std::string& protocols = "letoff.v1") {
        send(
            fmt::format("GET /live HTTP/1.1\r\nHost: {}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n{}"
                        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n"
                        "Sec-WebSocket-Protocol: {}\r\n\r\n",
                        own_host(), more, protocols));
        return reply().status == 101;
    }
    /// A masked frame, as clients have to send.
    static std::string frame(std::string_view payload, int opcode = 1, bool masked = true) {
        std::string bytes{static_cast<char>(0x80 | opcode)};
        const int mask_bit = masked ? 0x80 : 0;
        if (payload.size() < 126) {
            bytes += static_cast<char>(mask_bit | static_cast<int>(payload.size()));
        } else {
            bytes += static_cast<char>(mask_bit | 126);
            bytes += static_cast<char>(payload.size() >> 8);
            bytes += static_cast<char>(payload.size() & 255);
        }
        if (masked) bytes += std::string(4, '\0');
        bytes += payload;
        return bytes;
    }
    struct Message {
        int opcode = -1;  // -1: none came
        std::string payload;
    };
    Message message() {
        if (!has(2)) return {};
        const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(in_[i]); };
        std::size_t head = 2, length = byte(1) & 127U;
        if (length == 126) {
            if (!has(4)) return {};
            length = static_cast<std::size_t>(byte(2) << 8 | byte(3));
            head = 4;
        }
        if (!has(head + length)) return {};
        Message message{byte(0) & 15, in_.substr(head, length)};
        take(head + length);
        return message;
    }
    /// The tick of the next telemetry frame; -1: none came.
    std::int64_t tick() {
        for (;;) {
            const Message next = message();
            if (next.opcode < 0) return -1;
            if (next.opcode != 2 || next.payload.size() < 8) continue;
            std::int64_t tick = 0;
            for (int i = 3; i >= 0; --i)
                tick = tick << 8 | static_cast<unsigned char>(next.payload[static_cast<std::size_t>(4 + i)]);
            return tick;
        }
    }

  private:
    int port_;
    int fd_;
    std::string in_;
    bool closed_ = false;
};

}  // namespace letoff::ui::test
