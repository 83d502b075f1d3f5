#include "ui/app/live/rearm_desk.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <fstream>
#include <iterator>
#include <utility>

namespace letoff::ui {
namespace {

constexpr int kMostWaiting = 8;

std::string desk_prefix(unsigned user) {
    return fmt::format("letoff-keybed-{}-", user);
}

/// In Linux's abstract names, which begin with a zero byte and need no file.
std::pair<sockaddr_un, socklen_t> address(const std::string& name) {
    sockaddr_un where{};
    where.sun_family = AF_UNIX;
    const std::size_t length = std::min(name.size(), sizeof where.sun_path - 1);
    std::memcpy(where.sun_path + 1, name.data(), length);
    return {where, static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + length)};
}

const sockaddr* as_any(const sockaddr_un& where) {
    return reinterpret_cast<const sockaddr*>(&where);
}

bool may_ask(int socket) {
    ucred who{};
    socklen_t size = sizeof who;
    return ::getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &who, &size) == 0 && (who.uid == ::geteuid() || who.uid == 0);
}

std::string ask(const std::string& desk) {
    const int socket = ::socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
    if (socket < 0) return {};
    const auto [where, length] = address(desk);
    std::string answer;
    pollfd file{socket, POLLIN, 0};
    if (::connect(socket, as_any(where), length) == 0 && ::poll(&file, 1, kPatience_ms) == 1) {
        std::array<char, 1024> text{};
        const ssize_t got = ::recv(socket, text.data(), text.size(), MSG_DONTWAIT);
        if (got > 0) answer.assign(text.data(), static_cast<std::size_t>(got));
    }
    ::close(socket);
    return answer;
}

}  // namespace

std::unique_ptr<RearmDesk> RearmDesk::open() {
    const int socket = ::socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (socket < 0) return nullptr;
    const auto [where, length] = address(fmt::format("{}{}", desk_prefix(::geteuid()), ::getpid()));
    if (::bind(socket, as_any(where), length) != 0 || ::listen(socket, kMostWaiting) != 0) {
        ::close(socket);
        return nullptr;
    }
    return std::unique_ptr<RearmDesk>(new RearmDesk(socket));
}

RearmDesk::~RearmDesk() {
    ::close(socket_);
}

void RearmDesk::serve(const std::function<std::string()>& rearm) {
    for (int guest = ::accept4(socket_, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK); guest >= 0;
         guest = ::accept4(socket_, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK)) {
        if (may_ask(guest)) {
            const std::string answer = rearm();
            (void)::send(guest, answer.data(), answer.size(), MSG_NOSIGNAL);
        }
        ::close(guest);
    }
}

std::vector<std::string> desks_in(std::string_view sockets, unsigned user) {
    const std::string begin = "@" + desk_prefix(user);
    std::vector<std::string> found;
    for (std::size_t at = sockets.find(begin); at != std::string_view::npos; at = sockets.find(begin, at + 1)) {
        const std::string_view name = sockets.substr(at + 1, sockets.find('\n', at) - at - 1);
        // One line for the desk and one for each who stands at it.
        if (std::find(found.begin(), found.end(), name) == found.end()) found.emplace_back(name);
    }
    return found;
}

std::vector<std::string> ask_to_rearm() {
    std::ifstream file("/proc/net/unix");
    const std::string sockets{std::istreambuf_iterator<char>(file), {}};
    std::vector<std::string> answers;
    for (const std::string& desk : desks_in(sockets, ::geteuid())) {
        std::string answer = ask(desk);
        if (!answer.empty()) answers.push_back(std::move(answer));
    }
    return answers;
}

}  // namespace letoff::ui
