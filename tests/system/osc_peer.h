// OSC to a `letoff play` that a test has started with --osc 0.
#pragma once

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <bit>
#include <cstdint>
#include <string>
#include <vector>

#include "tests/system/play_stage.h"

namespace letoff::test {

/// The port that it says it takes OSC at; 0: none.
inline int osc_port(PlayingProgram& letoff) {
    const std::string at = "OSC is taken at 127.0.0.1:";
    if (!letoff.says(at, kStartsWithin_s) || !letoff.plays()) return 0;
    const std::string err = letoff.err();
    return std::stoi(err.substr(err.find(at) + at.size()));
}

inline void add_osc_text(std::string& bytes, const std::string& text) {
    bytes += text;
    do bytes += '\0';
    while (bytes.size() % 4 != 0);
}

inline void send_packet(int port, const std::string& bytes) {
    sockaddr_in to{};
    to.sin_family = AF_INET;
    to.sin_port = htons(static_cast<std::uint16_t>(port));
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    const int out = ::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    ASSERT_GE(out, 0);
    const ssize_t sent =
        ::sendto(out, bytes.data(), bytes.size(), 0, reinterpret_cast<const sockaddr*>(&to), sizeof to);
    EXPECT_EQ(sent, static_cast<ssize_t>(bytes.size()));
    ::close(out);
}

inline void send_osc(int port, const std::string& address, const std::vector<std::uint8_t>& numbers) {
    std::string bytes;
    add_osc_text(bytes, address);
    add_osc_text(bytes, ',' + std::string(numbers.size(), 'i'));
    for (const std::uint8_t number : numbers) bytes += std::string(3, '\0') + static_cast<char>(number);
    send_packet(port, bytes);
}

/// A row of the touch of all keys.
inline void send_osc_row(int port, const std::string& id, float value) {
    std::string bytes;
    add_osc_text(bytes, "/letoff/param");
    add_osc_text(bytes, ",sf");
    add_osc_text(bytes, id);
    const auto bits = std::bit_cast<std::uint32_t>(value);
    for (int shift = 24; shift >= 0; shift -= 8) bytes += static_cast<char>(bits >> shift & 255U);
    send_packet(port, bytes);
}

}  // namespace letoff::test
