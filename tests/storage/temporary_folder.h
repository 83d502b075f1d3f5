// A test in an empty folder of its own, gone afterwards.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "tests/support/temp_dir.h"

namespace letoff::test {

class TemporaryFolder : public ::testing::Test {
  protected:
    static std::string contents(const std::filesystem::path& path) {
        std::ifstream in(path, std::ios::binary);
        return {std::istreambuf_iterator<char>(in), {}};
    }
    std::size_t entries() const {
        return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(folder_), {}));
    }

    const TempDir dir_;
    const std::filesystem::path folder_ = dir_.path();
};

}  // namespace letoff::test
