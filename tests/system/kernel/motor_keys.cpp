// A motorised keyboard for the kernel of a virtual machine: the simulated device of hw/sim, which runs here, outside,
// at its own speed; the machine reaches it by connections to a port of 127.0.0.1, which is the first line of standard
// output. Each begins with a line:
//
//   cable        from then on it is a cable of USB/IP, which is plugged in
//   press KEY    answered by a line, as are: unplug, hold KEY, report
//
// Ends with its standard input. Eight keys at 1 kHz: a machine that emulates every instruction can keep up with that.
#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <sstream>
#include <string>

#include "tests/hw/usb/sim_keybed.h"
#include "tests/system/kernel/usbip_cable.h"

namespace {

using letoff::test::SimKeybed;
using letoff::test::UsbIpCable;

constexpr int kFirstKey = 40, kKeys = 8;
constexpr std::uint8_t kOne_kHz = 1;
// A mezzo forte stroke that stays down 0.3 s, and one that stays down.
constexpr double kStroke_mps2 = 40, kStrokeIn_s = 0.02, kStrokeLasts_s = 0.3, kLift_mps = 0.25, kHold_s = 60;

class Keyboard {
  public:
    Keyboard()
        : device_({.serial = "KERNEL-1", .first_key = kFirstKey, .keys = kKeys, .rates = kOne_kHz}), cable_(device_) {
        device_.with(UsbIpCable::now_us(), [](letoff::hw::SimDevice& device) {
            for (int key = 0; key < device.keys(); ++key) device.key(key).plant.finger = letoff::hw::SimFinger::ready();
        });
    }
    UsbIpCable& cable() { return cable_; }

    std::string obey(const std::string& line) {
        std::istringstream words(line);
        std::string what;
        int key = 0;
        words >> what >> key;
        std::array<char, 240> said{};
        const std::int64_t now_us = UsbIpCable::now_us();
        if (what == "unplug") {
            const double before_N = force_N(now_us);
            cable_.unplug();
            std::snprintf(said.data(), said.size(), "unplugged under %.3f N", before_N);
        } else if (what == "press" || what == "hold") {
            device_.with(now_us, [&](letoff::hw::SimDevice& device) {
                const double begin_s = 1e-6 * static_cast<double>(device.time_us()) + kStrokeIn_s;
                auto& finger = device.key(key % kKeys).plant.finger;
                finger.press(begin_s, kStroke_mps2);
                finger.lift(begin_s + (what == "press" ? kStrokeLasts_s : kHold_s), kLift_mps);
            });
            std::snprintf(said.data(), said.size(), "%s key %d", what.c_str(), key % kKeys);
        } else if (what == "report") {
            const auto status = device_.status(now_us);
            std::snprintf(said.data(), said.size(),
                          "valid %u bad %u stale %u early %u watchdog %u state %d most_mN %.0f now_mN %.0f first %d",
                          status.frames_valid, status.frames_bad, status.frames_stale, status.frames_early,
                          status.watchdog_trips, static_cast<int>(status.state), 1000 * most_N_, 1000 * force_N(now_us),
                          first_force());
        } else {
            return "not known: " + line;
        }
        return said.data();
    }
    void look() { most_N_ = std::max(most_N_, force_N(UsbIpCable::now_us())); }

  private:
    double force_N(std::int64_t now_us) {
        double most_N = 0;
        for (int key = 0; key < kKeys; ++key) most_N = std::max(most_N, std::abs(device_.force_N(key, now_us)));
        return most_N;
    }
    /// The greatest that any session began with.
    int first_force() const {
        const auto first = device_.first_forces();
        return first.empty() ? -1 : *std::max_element(first.begin(), first.end());
    }

    SimKeybed device_;
    UsbIpCable cable_;
    double most_N_ = 0;
};

/// -1: no port could be had.
int listen_here(std::uint16_t& port) {
    const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in where{};
    where.sin_family = AF_INET;
    where.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof where;
    if (socket < 0 || ::bind(socket, reinterpret_cast<sockaddr*>(&where), size) != 0 || ::listen(socket, 4) != 0 ||
        ::getsockname(socket, reinterpret_cast<sockaddr*>(&where), &size) != 0)
        return -1;
    port = ntohs(where.sin_port);
    return socket;
}

/// Byte by byte: what follows the line may be the kernel's. Empty: none came within two seconds.
std::string read_line(int socket) {
    timeval patience{2, 0};
    ::setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    std::string line;
    for (char c = 0; line.size() < 100 && ::recv(socket, &c, 1, 0) == 1; line += c) {
        if (c == '\n') return line;
    }
    return {};
}

void welcome(Keyboard& keyboard, int socket) {
    const std::string line = read_line(socket);
    if (line == "cable") {
        const int on = 1;
        ::setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
        keyboard.cable().plug(socket);
        std::puts("plugged in");
    } else {
        const std::string said = keyboard.obey(line) + "\n";
        std::fputs(said.c_str(), stdout);
        ::send(socket, said.data(), said.size(), MSG_NOSIGNAL);
        ::close(socket);
    }
    std::fflush(stdout);
}

}  // namespace

int main() {
    std::uint16_t port = 0;
    const int door = listen_here(port);
    if (door < 0) {
        std::perror("motor_keys");
        return 1;
    }
    std::printf("%d\n", port);
    std::fflush(stdout);
    Keyboard keyboard;
    constexpr int kSoon_ms = 1;
    while (true) {
        UsbIpCable& cable = keyboard.cable();
        std::array<pollfd, 3> files{pollfd{STDIN_FILENO, POLLIN, 0}, pollfd{door, POLLIN, 0},
                                    pollfd{cable.socket(), POLLIN, 0}};
        ::poll(files.data(), files.size(), kSoon_ms);
        if (files[0].revents != 0) return 0;
        if (files[1].revents != 0) {
            const int socket = ::accept4(door, nullptr, nullptr, SOCK_CLOEXEC);
            if (socket >= 0) welcome(keyboard, socket);
        } else if (cable.socket() >= 0 && files[2].revents != 0) {
            cable.take();
        }
        cable.carry();
        keyboard.look();
    }
}
