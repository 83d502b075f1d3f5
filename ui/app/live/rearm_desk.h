// Where a running `letoff play` is told that somebody has looked and its motorised keys may push again after a fall:
// the desk of that play, and those who come to it (`letoff keybed rearm`). A Unix socket without a file, named after
// user and process, so nothing is left behind by a program that was killed; whoever is neither that user nor root is
// sent away.
//
// Threads: any, one at a time. Nothing here waits but ask_to_rearm(), at most kPatience_ms for each play.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace letoff::ui {

class RearmDesk {
  public:
    /// Null: the system gives no such socket, and the keys can only be unplugged.
    static std::unique_ptr<RearmDesk> open();
    ~RearmDesk();
    RearmDesk(const RearmDesk&) = delete;
    RearmDesk& operator=(const RearmDesk&) = delete;

    /// Everybody who came since the last call is told what `rearm` answers.
    void serve(const std::function<std::string()>& rearm);

  private:
    explicit RearmDesk(int socket) : socket_(socket) {}
    int socket_;
};

inline constexpr int kPatience_ms = 2000;

/// What each play of this user answers, one sentence each; empty: none is running with motorised keys.
std::vector<std::string> ask_to_rearm();

/// Names of desks of this user in the text of /proc/net/unix.
std::vector<std::string> desks_in(std::string_view sockets, unsigned user);

}  // namespace letoff::ui
