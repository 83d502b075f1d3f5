#include "ui/app/removed_if_killed.h"

#include <signal.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <climits>
#include <cstring>
#include <string>
#include <system_error>

namespace letoff::ui {
namespace {

struct Slot {
    std::atomic<bool> taken{false};
    std::atomic<bool> ready{false};
    std::array<char, PATH_MAX> path{};
};
constexpr int kSlots = 8;  // a subcommand writes three files at most
std::array<Slot, kSlots> slots;

extern "C" void remove_and_die(int signal_number) {
    for (Slot& slot : slots) {
        if (slot.ready.load()) ::unlink(slot.path.data());
    }
    ::raise(signal_number);  // SA_RESETHAND: now it ends the program as if it had never been caught
}

void catch_signals() {
    struct sigaction action{};
    action.sa_handler = remove_and_die;
    action.sa_flags = static_cast<int>(SA_RESETHAND);
    for (const int number : {SIGINT, SIGTERM, SIGHUP}) {
        struct sigaction before{};
        // Ignored by whoever started us (nohup): stays ignored.
        if (::sigaction(number, nullptr, &before) == 0 && before.sa_handler != SIG_IGN) {
            ::sigaction(number, &action, nullptr);
        }
    }
}

}  // namespace

RemovedIfKilled::RemovedIfKilled(const std::filesystem::path& path) {
    std::error_code ignored;
    const std::string whole = std::filesystem::absolute(path, ignored).string();
    if (!std::filesystem::is_regular_file(path, ignored) || whole.size() >= PATH_MAX) return;
    static const bool once = (catch_signals(), true);
    static_cast<void>(once);
    for (int i = 0; i < kSlots; ++i) {
        Slot& slot = slots[static_cast<std::size_t>(i)];
        if (slot.taken.exchange(true)) continue;
        std::memcpy(slot.path.data(), whole.c_str(), whole.size() + 1);
        slot.ready.store(true);
        slot_ = i;
        return;
    }
}

RemovedIfKilled::~RemovedIfKilled() {
    if (slot_ < 0) return;
    Slot& slot = slots[static_cast<std::size_t>(slot_)];
    slot.ready.store(false);
    slot.taken.store(false);
}

}  // namespace letoff::ui
