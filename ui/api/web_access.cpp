#include "ui/api/web_access.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <random>

namespace letoff::ui {
namespace {

bool is_ip(const std::string& host) {
    in_addr v4{};
    in6_addr v6{};
    return inet_pton(AF_INET, host.c_str(), &v4) == 1 || inet_pton(AF_INET6, host.c_str(), &v6) == 1;
}

std::string lower(std::string text) {
    for (char& letter : text) {
        if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter - 'A' + 'a');
    }
    return text;
}

std::string own_name() {
    std::array<char, 256> name{};
    return gethostname(name.data(), name.size() - 1) == 0 ? lower(name.data()) : std::string();
}

/// "host:port" as a browser writes it: an IPv6 address in brackets.
struct HostAndPort {
    std::string host;
    std::string_view port;
};
HostAndPort split(std::string_view text) {
    if (text.starts_with('[')) {
        const std::size_t end = text.find(']');
        if (end == std::string_view::npos) return {};
        const std::string_view rest = text.substr(end + 1);
        return {std::string(text.substr(1, end - 1)), rest.starts_with(':') ? rest.substr(1) : std::string_view()};
    }
    const std::size_t colon = text.rfind(':');
    if (colon == std::string_view::npos) return {std::string(text), {}};
    return {std::string(text.substr(0, colon)), text.substr(colon + 1)};
}

/// In a time that tells nothing about where they differ.
bool same(std::string_view a, std::string_view b) {
    unsigned different = a.size() == b.size() ? 0U : 1U;
    for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i)
        different |= static_cast<unsigned>(static_cast<unsigned char>(a[i]) ^ static_cast<unsigned char>(b[i]));
    return different == 0;
}

}  // namespace

bool WebAddress::loopback() const {
    return host.starts_with("127.") || host == "::1";
}

core::Result<WebAddress> parse_web_address(std::string_view text) {
    const auto refuse = [&] {
        return core::Error{
            fmt::format("--http {}: an address and a port are needed, as in 127.0.0.1:8088, or off", text)};
    };
    WebAddress address;
    auto [host, port] = split(text);
    if (port.empty() && host.find_first_not_of("0123456789") == std::string::npos) {
        port = text;
        host = address.host;
    }
    if (host == "localhost") host = address.host;
    const auto [end, error] = std::from_chars(port.data(), port.data() + port.size(), address.port);
    if (port.empty() || error != std::errc() || end != port.data() + port.size()) return refuse();
    if (address.port < 0 || address.port > 65535 || !is_ip(host)) return refuse();
    address.host = host;
    return address;
}

bool WebAccess::host_is_ours(std::string_view text) const {
    const auto [written, port] = split(text);
    const std::string host = lower(written);
    if (port != std::to_string(address_.port) && !(port.empty() && address_.port == 80)) return false;
    if (address_.loopback()) return host == "localhost" || host == address_.host;
    if (host == address_.host) return true;
    // Listening everywhere, any of our addresses may be meant, but no name except our own.
    if (!address_.every()) return false;
    const std::string name = own_name();
    return is_ip(host) || host == "localhost" || (!name.empty() && (host == name || host == name + ".local"));
}

bool WebAccess::origin_is_ours(std::string_view origin, std::string_view host) const {
    return origin.empty() || origin == "http://" + std::string(host);
}

bool WebAccess::token_is_right(std::string_view token) const {
    return !needs_token() || (!token_.empty() && same(token, token_));
}

std::string WebAccess::pair(std::string_view code, Time now) {
    if (last_try_ != Time{})
        tries_ =
            std::min(kMostTries, tries_ + kTriesPerSecond * std::chrono::duration<double>(now - last_try_).count());
    last_try_ = now;
    if (tries_ < 1) return {};
    --tries_;
    if (!same(code, code_)) return {};
    tries_ = kMostTries;
    return token_;
}

std::string random_digits(int count) {
    std::random_device random;  // the kernel's
    std::string digits;
    while (static_cast<int>(digits.size()) < count) digits += static_cast<char>('0' + random() % 10);
    return digits;
}

std::string random_token() {
    std::random_device random;
    std::string token;
    for (int i = 0; i < 4; ++i) token += fmt::format("{:08x}", random());
    return token;
}

}  // namespace letoff::ui
