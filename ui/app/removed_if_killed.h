// Half-written files go away even when the program is stopped by Ctrl-C, a closed terminal or kill: destructors do not
// run then, so the signal's handler removes what is registered here (unlink is allowed in a handler, POSIX 2.4.3).
#pragma once

#include <filesystem>

namespace letoff::ui {

class RemovedIfKilled {
  public:
    /// Only ordinary files are ever removed: a device or pipe is left alone.
    explicit RemovedIfKilled(const std::filesystem::path& path);
    ~RemovedIfKilled();
    RemovedIfKilled(const RemovedIfKilled&) = delete;
    RemovedIfKilled& operator=(const RemovedIfKilled&) = delete;

  private:
    int slot_ = -1;  // -1: not registered
};

}  // namespace letoff::ui
