#include "core/rt/executor.h"

#include <fmt/format.h>

#include <system_error>

#include "core/rt/denormals.h"
#include "core/rt/tbb_executor.h"
#include "core/rt/threads_executor.h"

namespace letoff::core {

void Executor::run_range(int begin, int end, Work work, void* context) noexcept {
    const DenormalsOff denormals_off;
    for (int index = begin; index < end; ++index) work(context, index);
}

namespace {

class InlineExecutor final : public Executor {
  public:
    void run(int count, Work work, void* context) noexcept override { run_range(0, count, work, context); }
    std::string_view kind() const noexcept override { return "inline"; }
    int threads() const noexcept override { return 1; }
};

}  // namespace

Result<std::unique_ptr<Executor>> make_executor(std::string_view kind, int threads) {
    if (threads < 1 || threads > kMaxExecutorThreads) {
        return Error{
            fmt::format("The number of threads is {}, it must be between 1 and {}.", threads, kMaxExecutorThreads)};
    }
    try {
        if (kind == "inline") return std::unique_ptr<Executor>(std::make_unique<InlineExecutor>());
        if (kind == "tbb") return std::unique_ptr<Executor>(std::make_unique<TbbExecutor>(threads));
        if (kind == "threads") return std::unique_ptr<Executor>(std::make_unique<ThreadsExecutor>(threads));
    } catch (const std::system_error& error) {
        return Error{fmt::format("The {} executor could not start {} threads ({}); try fewer.", kind, threads,
                                 error.code().message())};
    }
    return Error{fmt::format("The executor '{}' does not exist; use inline, tbb or threads.", kind)};
}

}  // namespace letoff::core
