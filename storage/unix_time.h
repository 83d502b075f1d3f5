// The clock of what is saved, where a store is given none of its own. Internal to storage.
#pragma once

#include <chrono>
#include <cstdint>

namespace letoff::storage {

inline std::int64_t system_now_unix_s() {
    using namespace std::chrono;
    return duration_cast<seconds>(system_clock::now().time_since_epoch()).count();
}

}  // namespace letoff::storage
