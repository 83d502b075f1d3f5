// How the replaced functions report a call to the guard.
#pragma once

#include "tests/rt/rt_guard.h"

namespace letoff::test {

/// Counts if the calling thread is armed. `call` must live for ever.
void rt_count(RtViolation kind, const char* call, const void* caller) noexcept;

}  // namespace letoff::test
