#include "tests/rt/system_call_trap.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstring>
#include <numeric>
#include <type_traits>
#include <vector>

#include "core/rt/monotonic_clock.h"

namespace letoff::test {

namespace {

#if defined(__x86_64__)
constexpr std::uint32_t kArchitecture = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr std::uint32_t kArchitecture = AUDIT_ARCH_AARCH64;
#else
#error "Name this machine's AUDIT_ARCH: a system call's number means nothing without it."
#endif

static_assert(std::is_trivially_copyable_v<TrapReport>, "goes through a pipe");

// Of the child: the handler has no other way to know them.
int report_pipe = -1;
TrapReport report_of_child;
const RtGuard* guard_of_child = nullptr;

[[noreturn]] void send_report_and_end() {
    const auto sent = write(report_pipe, &report_of_child, sizeof report_of_child);
    _exit(sent == static_cast<ssize_t>(sizeof report_of_child) ? 0 : 1);
}

void keep_counts() {
    if (guard_of_child == nullptr) return;
    for (int kind = 0; kind < kRtViolations; ++kind) {
        report_of_child.guard[static_cast<std::size_t>(kind)] = guard_of_child->count(static_cast<RtViolation>(kind));
    }
    if (const char* name = guard_of_child->first_call(); name != nullptr) {
        std::strncpy(report_of_child.first_call.data(), name, report_of_child.first_call.size() - 1);
    }
}

void on_system_call(int, siginfo_t* info, void*) {
    keep_counts();  // an allocation may be what made the call
    report_of_child.ended = true;
    report_of_child.system_call = info->si_syscall;
    report_of_child.caller = info->si_call_addr;
    send_report_and_end();
}

/// From now on every system call of this thread but these and the report's own is a SIGSYS.
bool forbid_system_calls(std::initializer_list<int> allowed) {
    struct sigaction action{};
    action.sa_sigaction = on_system_call;
    action.sa_flags = SA_SIGINFO;
    if (sigaction(SIGSYS, &action, nullptr) != 0 || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return false;

    constexpr std::uint32_t kNumber = offsetof(seccomp_data, nr), kArch = offsetof(seccomp_data, arch);
    constexpr std::uint32_t kFirstArgument = offsetof(seccomp_data, args);  // its low half: little-endian machines
    const auto pipe = static_cast<std::uint32_t>(report_pipe);
    // Jump offsets count from the next instruction: 0, 1 goes on to the next where it is equal, else leaves it out.
    std::vector<sock_filter> program{
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, kArch),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, kArchitecture, 1, 0),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRAP),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, kNumber),
    };
    std::vector<int> all{__NR_exit_group, __NR_exit, __NR_rt_sigreturn};
    all.insert(all.end(), allowed);
    for (const int number : all) {
        program.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, static_cast<std::uint32_t>(number), 0, 1));
        program.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
    }
    for (const sock_filter& last : {
             sock_filter BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_write, 1, 0),
             sock_filter BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRAP),
             sock_filter BPF_STMT(BPF_LD | BPF_W | BPF_ABS, kFirstArgument),
             sock_filter BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, pipe, 0, 1),
             sock_filter BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
             sock_filter BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRAP),
         })
        program.push_back(last);
    const sock_fprog filter{static_cast<unsigned short>(program.size()), program.data()};
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter, 0, 0) == 0;
}

using Child = std::int64_t (*)(const std::function<std::int64_t()>& work);

std::int64_t work_trapped(const std::function<std::int64_t()>& work) {
    if (!forbid_system_calls({})) _exit(2);
    RtGuard guard;
    guard_of_child = &guard;
    const std::int64_t answer = work();
    guard.disarm();
    keep_counts();
    return answer;
}

std::int64_t work_only(const std::function<std::int64_t()>& work) {
    return work();
}

/// Forks and waits for the report of the child.
TrapReport report_of(Child run, const std::function<std::int64_t()>& work) {
    TrapReport report;
    int ends[2];
    if (pipe(ends) != 0) return report;
    const pid_t child = fork();
    if (child == 0) {
        close(ends[0]);
        report_pipe = ends[1];
        report_of_child = {};
        const std::int64_t answer = run(work);
        report_of_child.ended = true;
        report_of_child.answer = answer;
        send_report_and_end();
    }
    close(ends[1]);
    TrapReport got;
    ssize_t bytes = 0;
    do {
        bytes = read(ends[0], &got, sizeof got);
    } while (bytes < 0 && errno == EINTR);
    close(ends[0]);
    if (child > 0) waitpid(child, nullptr, 0);
    if (bytes == static_cast<ssize_t>(sizeof got)) report = got;
    return report;
}

}  // namespace

bool TrapReport::clean() const {
    return ended && system_call < 0 && std::accumulate(guard.begin(), guard.end(), std::int64_t{0}) == 0;
}

std::string TrapReport::text() const {
    if (!ended) return "the child did not report";
    std::string counts = fmt::format("{} allocations, {} frees, {} locks, {} waits; the first was {}", guard[0],
                                     guard[1], guard[2], guard[3], first_call[0] != '\0' ? first_call.data() : "none");
    if (system_call < 0) return counts;
    // The parent is the same program at the same addresses.
    const auto address = reinterpret_cast<std::uintptr_t>(caller);
    Dl_info where{};
    const bool known = dladdr(caller, &where) != 0;
    return fmt::format("system call {} from {}+{:#x} ({}); {}", system_call, known ? where.dli_fname : "?",
                       address - (known ? reinterpret_cast<std::uintptr_t>(where.dli_fbase) : 0),
                       known && where.dli_sname != nullptr ? where.dli_sname : "?", counts);
}

TrapReport run_trapped(const std::function<std::int64_t()>& work) {
    return report_of(work_trapped, work);
}

TrapReport run_in_child(const std::function<std::int64_t()>& work) {
    return report_of(work_only, work);
}

void trap_this_thread(std::initializer_list<int> allowed) {
    if (!forbid_system_calls(allowed)) _exit(2);
}

bool clock_is_no_system_call() {
    return run_trapped([] { return core::monotonic_now_ns(); }).system_call < 0;
}

}  // namespace letoff::test
