#include "properties/runs/gate/system_calls.h"

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace gradproof::runs {
namespace {

#if defined(__x86_64__)
constexpr std::uint32_t processor = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr std::uint32_t processor = AUDIT_ARCH_AARCH64;
#else
constexpr std::uint32_t processor = 0;
#endif

constexpr std::uint32_t denied[] = {
#if defined(__x86_64__)
    SYS_fork,
    SYS_vfork,
#endif
    SYS_ptrace,
    SYS_process_vm_readv,
    SYS_process_vm_writev,
    SYS_unshare,
    SYS_setns,
    SYS_mount,
    SYS_bpf,
    SYS_perf_event_open,
    SYS_keyctl,
    SYS_userfaultfd,
    SYS_io_uring_setup,
    SYS_pidfd_getfd};

using Filter = std::vector<sock_filter>;

void load(Filter& filter, std::size_t offset) {
  filter.push_back({BPF_LD | BPF_W | BPF_ABS, 0, 0, static_cast<std::uint32_t>(offset)});
}
void end(Filter& filter, std::uint32_t answer) {
  filter.push_back({BPF_RET | BPF_K, 0, 0, answer});
}
void fail_if(Filter& filter, std::uint16_t test, std::uint32_t value, int error) {
  filter.push_back({static_cast<std::uint16_t>(BPF_JMP | test | BPF_K), 0, 1, value});
  end(filter, SECCOMP_RET_ERRNO | static_cast<std::uint32_t>(error));
}

Filter filter_of_calls() {
  Filter filter;
  load(filter, offsetof(seccomp_data, arch));
  filter.push_back({BPF_JMP | BPF_JEQ | BPF_K, 1, 0, processor});
  end(filter, SECCOMP_RET_ERRNO | ENOSYS);  // another processor's numbers
  load(filter, offsetof(seccomp_data, nr));
  for (const std::uint32_t number : denied) fail_if(filter, BPF_JEQ, number, EPERM);
  fail_if(filter, BPF_JGE, 0x4000'0000, ENOSYS);  // x32's numbers
  fail_if(filter, BPF_JEQ, SYS_clone3, ENOSYS);   // its flags are not seen from here
  filter.push_back({BPF_JMP | BPF_JEQ | BPF_K, 1, 0, SYS_clone});
  end(filter, SECCOMP_RET_ALLOW);
  load(filter, offsetof(seccomp_data, args));
  filter.push_back({BPF_JMP | BPF_JSET | BPF_K, 1, 0, CLONE_THREAD});
  end(filter, SECCOMP_RET_ERRNO | EPERM);
  end(filter, SECCOMP_RET_ALLOW);
  return filter;
}

int made() {
  const Filter filter = filter_of_calls();
  const int file = processor == 0 ? -1 : ::memfd_create("", MFD_CLOEXEC);
  const auto size = static_cast<ssize_t>(filter.size() * sizeof(sock_filter));
  return file >= 0 && ::write(file, filter.data(), static_cast<std::size_t>(size)) == size ? file
                                                                                           : -1;
}

}  // namespace

int system_call_filter() {
  static const int file = made();
  return file;
}

}  // namespace gradproof::runs
