// Work on many keys, done a block at a time on an executor. Control threads.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>

#include "core/rt/executor.h"
#include "core/simd/lanes.h"

namespace letoff::keyboard {

/// work(begin, count) for every block of at most core::kLanes of `keys`, in rounds of as many as there are threads: so
/// progress, the share done, is told on the calling thread. False where `stopped` said so after a round.
inline bool in_blocks(std::size_t keys, core::Executor& executor, const std::function<void(double)>& progress,
                      const std::function<bool()>& stopped,
                      const std::function<void(std::size_t begin, std::size_t count)>& work) {
    constexpr std::size_t kBlock = core::kLanes;
    const int blocks = static_cast<int>((keys + kBlock - 1) / kBlock);
    const int at_once = std::max(1, executor.threads());
    for (int first = 0; first < blocks; first += at_once) {
        if (progress) progress(static_cast<double>(first) / blocks);
        core::parallel_for(executor, std::min(at_once, blocks - first), [&](int i) {
            const std::size_t begin = static_cast<std::size_t>(first + i) * kBlock;
            work(begin, std::min(kBlock, keys - begin));
        });
        if (stopped && stopped()) return false;
    }
    if (progress) progress(1.0);
    return true;
}

}  // namespace letoff::keyboard
