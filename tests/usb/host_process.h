// The host in a process of its own, so that a test can kill or stop it: this program started anew, with the testbed's
// devices and time, a hub, a transport and a keybed that asks for one force of all keys.
#pragma once

#include <sys/types.h>

#include <string>

#include "tests/usb/usb_testbed.h"

namespace letoff::test {

inline constexpr const char* kHostProcess = "LETOFF_TEST_USB_HOST";  // set: this process is one
/// main() of such a process; it ends by a signal.
int run_host_process();

class HostProcess {
  public:
    HostProcess(const UsbTestbed& bed, double force_N);
    ~HostProcess() { kill(); }
    HostProcess(const HostProcess&) = delete;
    HostProcess& operator=(const HostProcess&) = delete;

    /// At once, and gone when this returns.
    void kill();
    void stop();         // SIGSTOP
    void go_on();        // SIGCONT
    void rearm() const;  // the user says so
    /// What its hub told so far.
    const std::string& told();

  private:
    pid_t pid_ = -1;
    int pipe_ = -1;
    std::string told_;
};

}  // namespace letoff::test
