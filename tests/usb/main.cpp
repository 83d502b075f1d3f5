// umockdev works by a library that is loaded before all others: without it this program starts itself anew with it.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string>

#include "tests/usb/host_process.h"

int main(int argc, char** argv) {
    constexpr const char* kLibrary = "libumockdev-preload.so.0";
    const char* const loaded = std::getenv("LD_PRELOAD");
    if (loaded == nullptr || std::string(loaded).find(kLibrary) == std::string::npos) {
        const std::string all = loaded == nullptr ? kLibrary : std::string(kLibrary) + ":" + loaded;
        ::setenv("LD_PRELOAD", all.c_str(), 1);
        // A program under the address sanitizer insists on being the first library.
        const char* const asan = std::getenv("ASAN_OPTIONS");
        ::setenv("ASAN_OPTIONS",
                 ((asan == nullptr ? "" : std::string(asan) + ":") + "verify_asan_link_order=0").c_str(), 1);
        ::execv("/proc/self/exe", argv);
        std::perror("the tests of the USB path could not be started under umockdev");
        return 1;
    }
    if (std::getenv(letoff::test::kHostProcess) != nullptr) return letoff::test::run_host_process();
    ::testing::InitGoogleTest(&argc, argv);
    return RUN_ALL_TESTS();
}
