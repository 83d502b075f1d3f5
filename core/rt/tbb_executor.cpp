#include "core/rt/tbb_executor.h"

#include <tbb/blocked_range.h>
#include <tbb/global_control.h>
#include <tbb/info.h>
#include <tbb/parallel_for.h>
#include <tbb/partitioner.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <cstddef>

namespace letoff::core {

struct TbbExecutor::Arena {
    explicit Arena(int threads)
        : limit(tbb::global_control::max_allowed_parallelism,
                static_cast<std::size_t>(std::max(threads, tbb::info::default_concurrency()))),
          arena(threads) {}

    tbb::global_control limit;  // else oneTBB warns on stderr when more threads are asked for than there are cores
    tbb::task_arena arena;
};

TbbExecutor::TbbExecutor(int threads) : threads_(threads), arena_(std::make_unique<Arena>(threads)) {}
TbbExecutor::~TbbExecutor() = default;

void TbbExecutor::run(int count, Work work, void* context) noexcept {
    if (count <= 0) return;
    arena_->arena.execute([&] {
        // Static, as the indices are equal work: no stealing, few tasks. Denormals are set for every range, because
        // oneTBB gives its workers the floating-point setting of whoever first made the arena.
        tbb::parallel_for(
            tbb::blocked_range<int>(0, count),
            [&](const tbb::blocked_range<int>& range) { run_range(range.begin(), range.end(), work, context); },
            tbb::static_partitioner());
    });
}

}  // namespace letoff::core
