#include "tests/support/temp_dir.h"

#include <cstdlib>
#include <fstream>
#include <stdexcept>
#include <string>
#include <system_error>

namespace letoff::test {

TempDir::TempDir() {
    std::string name = (std::filesystem::temp_directory_path() / "letoff_test_XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("No folder could be made for a test: " + name);
    path_ = name;
}

TempDir::~TempDir() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
}

std::filesystem::path TempDir::write(const std::filesystem::path& name, std::string_view content) const {
    const std::filesystem::path whole = path_ / name;
    std::filesystem::create_directories(whole.parent_path());
    std::ofstream file(whole, std::ios::binary);
    file << content;
    if (!file.flush()) throw std::runtime_error("A test's file could not be written: " + whole.string());
    return whole;
}

}  // namespace letoff::test
