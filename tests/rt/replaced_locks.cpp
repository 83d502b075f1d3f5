// The locks and waits of pthreads, counted. std::mutex, std::condition_variable and most libraries end here;
// std::atomic's wait and oneTBB call futex themselves and do not: that is for a trap on system calls round the inline
// tick.
#include <dlfcn.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

#include "tests/rt/rt_count.h"

namespace {

/// The C library's own function. Looked up at the first call, at the latest before main (see find_all); not in a static
/// of a function, whose guard may lock. Two threads that look it up at once find the same.
template <typename Function>
struct Next {
    const char* name;
    const char*
        version;  // glibc holds pthread_cond_* twice, the older with another layout: the version has to be named
    Function* found;

    Function* get() noexcept {
        Function* function = __atomic_load_n(&found, __ATOMIC_ACQUIRE);
        if (function != nullptr) return function;
        void* address = version != nullptr ? dlvsym(RTLD_NEXT, name, version) : nullptr;
        if (address == nullptr) address = dlsym(RTLD_NEXT, name);
        function = reinterpret_cast<Function*>(address);
        __atomic_store_n(&found, function, __ATOMIC_RELEASE);
        return function;
    }
};

#if defined(__x86_64__)
constexpr const char* kCondition = "GLIBC_2.3.2";
#else
constexpr const char* kCondition = nullptr;  // other machines have one version
#endif

constinit Next<int(pthread_mutex_t*)> next_mutex_lock{"pthread_mutex_lock", nullptr, nullptr};
constinit Next<int(pthread_mutex_t*)> next_mutex_trylock{"pthread_mutex_trylock", nullptr, nullptr};
constinit Next<int(pthread_mutex_t*, const timespec*)> next_mutex_timedlock{"pthread_mutex_timedlock", nullptr,
                                                                            nullptr};
constinit Next<int(pthread_mutex_t*, clockid_t, const timespec*)> next_mutex_clocklock{"pthread_mutex_clocklock",
                                                                                       nullptr, nullptr};
constinit Next<int(pthread_rwlock_t*)> next_rdlock{"pthread_rwlock_rdlock", nullptr, nullptr};
constinit Next<int(pthread_rwlock_t*)> next_wrlock{"pthread_rwlock_wrlock", nullptr, nullptr};
constinit Next<int(pthread_cond_t*, pthread_mutex_t*)> next_cond_wait{"pthread_cond_wait", kCondition, nullptr};
constinit Next<int(pthread_cond_t*, pthread_mutex_t*, const timespec*)> next_cond_timedwait{"pthread_cond_timedwait",
                                                                                            kCondition, nullptr};
constinit Next<int(pthread_cond_t*, pthread_mutex_t*, clockid_t, const timespec*)> next_cond_clockwait{
    "pthread_cond_clockwait", nullptr, nullptr};
constinit Next<int(sem_t*)> next_sem_wait{"sem_wait", nullptr, nullptr};
constinit Next<int(sem_t*, const timespec*)> next_sem_timedwait{"sem_timedwait", nullptr, nullptr};
constinit Next<int(sem_t*, clockid_t, const timespec*)> next_sem_clockwait{"sem_clockwait", nullptr, nullptr};
constinit Next<int(pthread_t, void**)> next_join{"pthread_join", nullptr, nullptr};
constinit Next<int(const timespec*, timespec*)> next_nanosleep{"nanosleep", nullptr, nullptr};
constinit Next<int(clockid_t, int, const timespec*, timespec*)> next_clock_nanosleep{"clock_nanosleep", nullptr,
                                                                                     nullptr};

__attribute__((constructor)) void find_all() {
    next_mutex_lock.get();
    next_mutex_trylock.get();
    next_mutex_timedlock.get();
    next_mutex_clocklock.get();
    next_rdlock.get();
    next_wrlock.get();
    next_cond_wait.get();
    next_cond_timedwait.get();
    next_cond_clockwait.get();
    next_sem_wait.get();
    next_sem_timedwait.get();
    next_sem_clockwait.get();
    next_join.get();
    next_nanosleep.get();
    next_clock_nanosleep.get();
}

}  // namespace

#define LETOFF_COUNT(kind, call) \
    ::letoff::test::rt_count(::letoff::test::RtViolation::kind, call, __builtin_return_address(0))

extern "C" {

int pthread_mutex_lock(pthread_mutex_t* mutex) noexcept {
    LETOFF_COUNT(kLock, "pthread_mutex_lock");
    return next_mutex_lock.get()(mutex);
}
// Even a lock that is only tried has to be given back, which may wake a waiter by a system call.
int pthread_mutex_trylock(pthread_mutex_t* mutex) noexcept {
    LETOFF_COUNT(kLock, "pthread_mutex_trylock");
    return next_mutex_trylock.get()(mutex);
}
int pthread_mutex_timedlock(pthread_mutex_t* mutex, const timespec* until) noexcept {
    LETOFF_COUNT(kLock, "pthread_mutex_timedlock");
    return next_mutex_timedlock.get()(mutex, until);
}
int pthread_mutex_clocklock(pthread_mutex_t* mutex, clockid_t clock, const timespec* until) noexcept {
    LETOFF_COUNT(kLock, "pthread_mutex_clocklock");
    return next_mutex_clocklock.get()(mutex, clock, until);
}
int pthread_rwlock_rdlock(pthread_rwlock_t* lock) noexcept {
    LETOFF_COUNT(kLock, "pthread_rwlock_rdlock");
    return next_rdlock.get()(lock);
}
int pthread_rwlock_wrlock(pthread_rwlock_t* lock) noexcept {
    LETOFF_COUNT(kLock, "pthread_rwlock_wrlock");
    return next_wrlock.get()(lock);
}
int pthread_cond_wait(pthread_cond_t* condition, pthread_mutex_t* mutex) {
    LETOFF_COUNT(kWait, "pthread_cond_wait");
    return next_cond_wait.get()(condition, mutex);
}
int pthread_cond_timedwait(pthread_cond_t* condition, pthread_mutex_t* mutex, const timespec* until) {
    LETOFF_COUNT(kWait, "pthread_cond_timedwait");
    return next_cond_timedwait.get()(condition, mutex, until);
}
int pthread_cond_clockwait(pthread_cond_t* condition, pthread_mutex_t* mutex, clockid_t clock, const timespec* until) {
    LETOFF_COUNT(kWait, "pthread_cond_clockwait");
    return next_cond_clockwait.get()(condition, mutex, clock, until);
}
int sem_wait(sem_t* semaphore) {
    LETOFF_COUNT(kWait, "sem_wait");
    return next_sem_wait.get()(semaphore);
}
int sem_timedwait(sem_t* semaphore, const timespec* until) {
    LETOFF_COUNT(kWait, "sem_timedwait");
    return next_sem_timedwait.get()(semaphore, until);
}
int sem_clockwait(sem_t* semaphore, clockid_t clock, const timespec* until) {
    LETOFF_COUNT(kWait, "sem_clockwait");
    return next_sem_clockwait.get()(semaphore, clock, until);
}
int pthread_join(pthread_t thread, void** result) {
    LETOFF_COUNT(kWait, "pthread_join");
    return next_join.get()(thread, result);
}
int nanosleep(const timespec* time, timespec* left) {
    LETOFF_COUNT(kWait, "nanosleep");
    return next_nanosleep.get()(time, left);
}
int clock_nanosleep(clockid_t clock, int flags, const timespec* time, timespec* left) {
    LETOFF_COUNT(kWait, "clock_nanosleep");
    return next_clock_nanosleep.get()(clock, flags, time, left);
}

}  // extern "C"
