// What the program's memory costs when it is locked: of what is mapped later only what is used.
#include <gtest/gtest.h>
#include <sys/mman.h>

#include <cstddef>
#include <cstdio>
#include <fstream>
#include <string>

#include "core/rt/privilege.h"

namespace letoff::core {
namespace {

constexpr std::size_t kStack_bytes = std::size_t{8} << 20, kPage_bytes = 4096;

/// A figure of the mapping that begins there, in kB; -1: there is none.
long kilobytes(const char* figure, const void* begin) {
    char address[32];
    std::snprintf(address, sizeof address, "%lx-", reinterpret_cast<unsigned long>(begin));
    std::ifstream maps("/proc/self/smaps");
    bool found = false;
    for (std::string line; std::getline(maps, line);) {
        if (line.starts_with(address)) found = true;
        if (found && line.starts_with(figure)) return std::stol(line.substr(std::string(figure).size()));
    }
    return -1;
}

TEST(MemoryLock, WhatIsMappedLaterIsLockedPageByPageAsItIsUsed) {
    const auto grant = lock_memory(RtMode::automatic);
    ASSERT_TRUE(grant.ok());
    if (!grant.value().granted) GTEST_SKIP() << grant.value().sentence;
    // As a thread's stack is: of its own protection, so that it is a mapping of its own.
    void* const later =
        mmap(nullptr, kStack_bytes, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    ASSERT_NE(later, MAP_FAILED);
    EXPECT_EQ(kilobytes("Rss:", later), 0);
    static_cast<volatile char*>(later)[0] = 1;
    EXPECT_EQ(kilobytes("Rss:", later), static_cast<long>(kPage_bytes / 1024));
    EXPECT_EQ(kilobytes("Locked:", later), static_cast<long>(kPage_bytes / 1024));
    munmap(later, kStack_bytes);
    munlockall();
}

}  // namespace
}  // namespace letoff::core
