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

#include "properties/runs/gate/world.h"

namespace gradproof::runs {
namespace {

#if defined(__x86_64__)
constexpr std::uint32_t processor = AUDIT_ARCH_X86_64, other_numbers = 0x4000'0000;  // of x32
constexpr std::uint32_t forks[] = {SYS_fork, SYS_vfork};
#else
constexpr std::uint32_t processor = AUDIT_ARCH_AARCH64, other_numbers = ~0U;
constexpr std::uint32_t forks[] = {SYS_unshare};
#endif
constexpr std::uint32_t denied[] = {SYS_ptrace,
                                    SYS_process_vm_readv,
                                    SYS_process_vm_writev,
                                    SYS_unshare,
                                    SYS_setns,
                                    SYS_mount,
                                    SYS_bpf,
                                    SYS_perf_event_open,
                                    SYS_userfaultfd,
                                    SYS_io_uring_setup};

constexpr std::uint32_t no_such_call = SECCOMP_RET_ERRNO | ENOSYS,
                        not_permitted = SECCOMP_RET_ERRNO | EPERM;

constexpr sock_filter load(std::size_t offset) {
  return {BPF_LD | BPF_W | BPF_ABS, 0, 0, static_cast<std::uint32_t>(offset)};
}
constexpr sock_filter skip_if(std::uint16_t test, std::uint32_t value) {
  return {static_cast<std::uint16_t>(BPF_JMP | test | BPF_K), 1, 0, value};
}
constexpr sock_filter skip_unless(std::uint16_t test, std::uint32_t value) {
  return {static_cast<std::uint16_t>(BPF_JMP | test | BPF_K), 0, 1, value};
}
constexpr sock_filter end(std::uint32_t answer) { return {BPF_RET | BPF_K, 0, 0, answer}; }

int made() {
  std::vector<sock_filter> filter{load(offsetof(seccomp_data, arch)), skip_if(BPF_JEQ, processor),
                                  end(no_such_call), load(offsetof(seccomp_data, nr))};
  const auto deny = [&](std::uint16_t test, std::uint32_t number, std::uint32_t answer) {
    filter.insert(filter.end(), {skip_unless(test, number), end(answer)});
  };
  for (const std::uint32_t number : forks) deny(BPF_JEQ, number, not_permitted);
  for (const std::uint32_t number : denied) deny(BPF_JEQ, number, not_permitted);
  deny(BPF_JGE, other_numbers, no_such_call);
  deny(BPF_JEQ, SYS_clone3, no_such_call);  // its flags are not seen from here
  filter.insert(filter.end(), {skip_if(BPF_JEQ, SYS_clone), end(SECCOMP_RET_ALLOW),
                               load(offsetof(seccomp_data, args)), skip_if(BPF_JSET, CLONE_THREAD),
                               end(not_permitted), end(SECCOMP_RET_ALLOW)});
  const int file = ::memfd_create("", MFD_CLOEXEC);
  const std::size_t size = filter.size() * sizeof(sock_filter);
  const bool is_whole =
      file >= 0 && ::write(file, filter.data(), size) == static_cast<ssize_t>(size);
  return is_whole ? file : -1;
}

}  // namespace

int system_call_filter() {
  static const int file = made();
  return file;
}

}  // namespace gradproof::runs
