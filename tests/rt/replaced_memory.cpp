// malloc and its family, operator new and delete, counted. They go on to glibc's own names for its allocator, not
// through dlsym, which allocates itself.
#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <new>

#include "tests/rt/rt_count.h"

extern "C" {
void* __libc_malloc(std::size_t size);
void* __libc_calloc(std::size_t count, std::size_t size);
void* __libc_realloc(void* memory, std::size_t size);
void* __libc_memalign(std::size_t alignment, std::size_t size);
void __libc_free(void* memory);
}

#define LETOFF_COUNT(kind, call) \
    ::letoff::test::rt_count(::letoff::test::RtViolation::kind, call, __builtin_return_address(0))

extern "C" {

void* malloc(std::size_t size) noexcept {
    LETOFF_COUNT(kAllocate, "malloc");
    return __libc_malloc(size);
}
void* calloc(std::size_t count, std::size_t size) noexcept {
    LETOFF_COUNT(kAllocate, "calloc");
    return __libc_calloc(count, size);
}
void* realloc(void* memory, std::size_t size) noexcept {
    LETOFF_COUNT(kAllocate, "realloc");
    return __libc_realloc(memory, size);
}
void* memalign(std::size_t alignment, std::size_t size) noexcept {
    LETOFF_COUNT(kAllocate, "memalign");
    return __libc_memalign(alignment, size);
}
void* aligned_alloc(std::size_t alignment, std::size_t size) noexcept {
    LETOFF_COUNT(kAllocate, "aligned_alloc");
    return __libc_memalign(alignment, size);
}
int posix_memalign(void** memory, std::size_t alignment, std::size_t size) noexcept {
    LETOFF_COUNT(kAllocate, "posix_memalign");
    if (alignment % sizeof(void*) != 0 || (alignment & (alignment - 1)) != 0 || alignment == 0) return EINVAL;
    void* got = __libc_memalign(alignment, size);
    if (got == nullptr) return ENOMEM;
    *memory = got;
    return 0;
}
void free(void* memory) noexcept {
    if (memory != nullptr) LETOFF_COUNT(kFree, "free");
    __libc_free(memory);
}

}  // extern "C"

// The array, nothrow and sized forms of the library end in these.

void* operator new(std::size_t size) {
    LETOFF_COUNT(kAllocate, "operator new");
    if (void* memory = __libc_malloc(size == 0 ? 1 : size)) return memory;
    throw std::bad_alloc();
}
void* operator new(std::size_t size, std::align_val_t alignment) {
    LETOFF_COUNT(kAllocate, "operator new");
    if (void* memory = __libc_memalign(static_cast<std::size_t>(alignment), size == 0 ? 1 : size)) return memory;
    throw std::bad_alloc();
}
void operator delete(void* memory) noexcept {
    if (memory != nullptr) LETOFF_COUNT(kFree, "operator delete");
    __libc_free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
    if (memory != nullptr) LETOFF_COUNT(kFree, "operator delete");
    __libc_free(memory);
}
void operator delete(void* memory, std::align_val_t) noexcept {
    if (memory != nullptr) LETOFF_COUNT(kFree, "operator delete");
    __libc_free(memory);
}
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept {
    if (memory != nullptr) LETOFF_COUNT(kFree, "operator delete");
    __libc_free(memory);
}
