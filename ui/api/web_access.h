// Who may talk to the page's server, decided from the request's headers alone.
//
//   Host    must be the address that the server listens on: a name that somebody else's DNS turns into our address (DNS
//           rebinding) is not.
//   Origin  where a browser sends one it must be our own page.
//   token   on other addresses than loopback each call carries one, which a page gets once for the pairing code on the
//           terminal; never a cookie, so that no other page can lend it.
//
// One thread.
#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "core/result.h"

namespace letoff::ui {

struct WebAddress {
    std::string host = "127.0.0.1";  // an IP address
    int port = 8088;                 // 0: any that is free
    bool loopback() const;
    bool every() const { return host == "0.0.0.0" || host == "::"; }
};

/// "127.0.0.1:8088", "[::1]:8088", "localhost:8088", "8088".
core::Result<WebAddress> parse_web_address(std::string_view text);

class WebAccess {
  public:
    using Time = std::chrono::steady_clock::time_point;
    /// `code` and `token` from random_digits and random_token; unused on loopback.
    WebAccess(const WebAddress& address, std::string code, std::string token)
        : address_(address), code_(std::move(code)), token_(std::move(token)) {}

    /// The port is known once the server listens.
    void listen_on(int port) { address_.port = port; }
    bool needs_token() const { return !address_.loopback(); }
    const std::string& code() const { return code_; }

    /// A name in any case: a browser writes it small, the machine's own may have capitals.
    bool host_is_ours(std::string_view host) const;
    /// `origin` may be empty: programs send none.
    bool origin_is_ours(std::string_view origin, std::string_view host) const;
    bool token_is_right(std::string_view token) const;
    /// The token for the right code; "" for a wrong one. At most five tries, then one every ten seconds.
    std::string pair(std::string_view code, Time now);

  private:
    static constexpr double kMostTries = 5, kTriesPerSecond = 0.1;

    WebAddress address_;
    std::string code_, token_;
    double tries_ = kMostTries;
    Time last_try_{};
};

std::string random_digits(int count);
std::string random_token();

}  // namespace letoff::ui
