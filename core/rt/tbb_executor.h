// An executor on oneTBB's workers, in an arena of its own. The only place that knows oneTBB; its types stay in the
// source.
#pragma once

#include <memory>
#include <string_view>

#include "core/rt/executor.h"

namespace letoff::core {

class TbbExecutor final : public Executor {
  public:
    /// threads >= 1, the caller included.
    explicit TbbExecutor(int threads);
    ~TbbExecutor() override;

    void run(int count, Work work, void* context) noexcept override;
    std::string_view kind() const noexcept override { return "tbb"; }
    int threads() const noexcept override { return threads_; }

  private:
    struct Arena;
    const int threads_;
    std::unique_ptr<Arena> arena_;
};

}  // namespace letoff::core
