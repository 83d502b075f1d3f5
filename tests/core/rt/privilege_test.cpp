#include "core/rt/privilege.h"

#include <gtest/gtest.h>

#include <cerrno>
#include <fstream>
#include <string>
#include <vector>

namespace letoff::core {
namespace {

int calls_made = 0;
int priority_asked = 0;

const RtCalls kAllGranted{[](int priority) { return ++calls_made, priority_asked = priority, 0; },
                          [] { return ++calls_made, 0; }, [] { return true; }};
const RtCalls kAllRefused{[](int) { return ++calls_made, EPERM; }, [] { return ++calls_made, ENOMEM; },
                          [] { return true; }};

class PrivilegeTest : public testing::Test {
  protected:
    void SetUp() override { calls_made = priority_asked = 0; }
};

TEST_F(PrivilegeTest, ModesAreReadAndNamed) {
    EXPECT_EQ(parse_rt_mode("auto").value(), RtMode::automatic);
    EXPECT_EQ(parse_rt_mode("require").value(), RtMode::require);
    EXPECT_EQ(parse_rt_mode("off").value(), RtMode::off);
    EXPECT_EQ(parse_rt_mode("on").error(), "The real-time mode 'on' does not exist; use auto, require or off.");
    EXPECT_FALSE(parse_rt_mode("").ok());
    EXPECT_EQ(rt_mode_name(RtMode::automatic), "auto");
}

TEST_F(PrivilegeTest, GrantedSaysNothing) {
    for (const RtMode mode : {RtMode::automatic, RtMode::require}) {
        const auto thread = make_thread_realtime(mode, kKeybedPriority, kAllGranted);
        ASSERT_TRUE(thread.ok());
        EXPECT_TRUE(thread.value().granted);
        EXPECT_EQ(thread.value().sentence, "");
        EXPECT_EQ(priority_asked, 80);
        const auto memory = lock_memory(mode, kAllGranted);
        ASSERT_TRUE(memory.ok());
        EXPECT_TRUE(memory.value().granted);
    }
    EXPECT_EQ(calls_made, 4);
}

TEST_F(PrivilegeTest, AutomaticGoesOnWithOneSentenceThatSaysHowToGetIt) {
    const auto thread = make_thread_realtime(RtMode::automatic, 70, kAllRefused);
    ASSERT_TRUE(thread.ok());
    EXPECT_FALSE(thread.value().granted);
    EXPECT_EQ(
        thread.value().sentence,
        "The system gives no real-time priority 70 (Operation not permitted); to get it, copy "
        "packaging/realtime/95-letoff.conf into /etc/security/limits.d (its line is '@audio - rtprio 95'), join the "
        "group with 'sudo usermod -aG audio $USER', and log in again.");
    const auto memory = lock_memory(RtMode::automatic, kAllRefused);
    ASSERT_TRUE(memory.ok());
    EXPECT_FALSE(memory.value().granted);
    EXPECT_EQ(
        memory.value().sentence,
        "The system does not let the program lock its memory without a limit (Cannot allocate memory); to get it, "
        "copy packaging/realtime/95-letoff.conf into /etc/security/limits.d (its line is '@audio - memlock "
        "unlimited'), join the group with 'sudo usermod -aG audio $USER', and log in again.");
}

TEST_F(PrivilegeTest, TheFileToCopyHoldsTheLinesThatTheSentencesName) {
    std::ifstream file(std::string(LETOFF_SOURCE_DIR) + "/packaging/realtime/95-letoff.conf");
    std::vector<std::string> lines;
    for (std::string line; std::getline(file, line);) {
        if (!line.empty() && line[0] != '#') lines.push_back(line);
    }
    ASSERT_EQ(lines, (std::vector<std::string>{"@audio - rtprio 95", "@audio - memlock unlimited"}));
    EXPECT_LT(kAudioPriority, kKeybedPriority);
    EXPECT_LT(kKeybedPriority, 95);
    EXPECT_NE(make_thread_realtime(RtMode::automatic, 70, kAllRefused).value().sentence.find('\'' + lines[0] + '\''),
              std::string::npos);
    EXPECT_NE(lock_memory(RtMode::automatic, kAllRefused).value().sentence.find('\'' + lines[1] + '\''),
              std::string::npos);
}

TEST_F(PrivilegeTest, RequireIsAnErrorWithTheSameSentence) {
    const auto thread = make_thread_realtime(RtMode::require, 80, kAllRefused);
    ASSERT_FALSE(thread.ok());
    EXPECT_EQ(thread.error(), make_thread_realtime(RtMode::automatic, 80, kAllRefused).value().sentence);
    const auto memory = lock_memory(RtMode::require, kAllRefused);
    ASSERT_FALSE(memory.ok());
    EXPECT_EQ(memory.error(), lock_memory(RtMode::automatic, kAllRefused).value().sentence);
}

TEST_F(PrivilegeTest, OffTouchesNothing) {
    for (const RtCalls& calls : {kAllGranted, kAllRefused}) {
        const auto thread = make_thread_realtime(RtMode::off, 80, calls);
        ASSERT_TRUE(thread.ok());
        EXPECT_FALSE(thread.value().granted);
        EXPECT_EQ(thread.value().sentence, "");
        const auto memory = lock_memory(RtMode::off, calls);
        ASSERT_TRUE(memory.ok());
        EXPECT_FALSE(memory.value().granted);
        EXPECT_EQ(memory.value().sentence, "");
    }
    EXPECT_EQ(calls_made, 0);
}

// Locked for the future under a limit, a later allocation would fail instead of being paged.
TEST_F(PrivilegeTest, MemoryIsNotLockedUnderALimit) {
    RtCalls limited = kAllGranted;
    limited.memory_lock_unlimited = [] { return false; };
    const auto memory = lock_memory(RtMode::automatic, limited);
    ASSERT_TRUE(memory.ok());
    EXPECT_FALSE(memory.value().granted);
    EXPECT_EQ(calls_made, 0);
    EXPECT_FALSE(lock_memory(RtMode::require, limited).ok());
}

TEST_F(PrivilegeTest, PriorityHasToBeOne) {
    EXPECT_EQ(make_thread_realtime(RtMode::automatic, 0, kAllGranted).error(),
              "The real-time priority is 0, it must be between 1 and 99.");
    EXPECT_FALSE(make_thread_realtime(RtMode::off, 100, kAllGranted).ok());
    EXPECT_EQ(calls_made, 0);
}

// The faster thread first, both between the interrupt handlers and the kernel's watchdogs.
TEST_F(PrivilegeTest, PrioritiesAreInOrder) {
    EXPECT_LT(50, kAudioPriority);
    EXPECT_LT(kAudioPriority, kKeybedPriority);
    EXPECT_LT(kKeybedPriority, 95);
    touch_stack();  // a thread's stack is large enough
}

}  // namespace
}  // namespace letoff::core
