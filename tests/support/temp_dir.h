// A fresh folder for the files of one test, removed with all that is in it at the end of the test.
#pragma once

#include <filesystem>
#include <string_view>

namespace letoff::test {

class TempDir {
  public:
    TempDir();
    ~TempDir();
    TempDir(const TempDir&) = delete;
    TempDir& operator=(const TempDir&) = delete;

    const std::filesystem::path& path() const { return path_; }
    /// Writes a file, its folders too, and returns its whole path.
    std::filesystem::path write(const std::filesystem::path& name, std::string_view content) const;

  private:
    std::filesystem::path path_;
};

}  // namespace letoff::test
