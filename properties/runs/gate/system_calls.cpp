#include <fmt/format.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string_view>
#include <vector>

#include "properties/runs/gate/world.h"

namespace gradproof::runs {
namespace {

#if defined(__x86_64__)
constexpr std::uint32_t processor = AUDIT_ARCH_X86_64, other_numbers = 0x4000'0000;  // of x32
#else
constexpr std::uint32_t processor = AUDIT_ARCH_AARCH64, other_numbers = ~0U;
#endif

/// A system call that a numerical kernel never needs.
struct Barred {
  std::uint32_t number;
  std::string_view name, does;
};
constexpr std::string_view process = "starts a process", spies = "reaches into another process",
                           leaves = "changes what a process can see",
                           machine = "changes or watches the machine";
constexpr Barred barred[] = {{SYS_clone, "clone", process},  // without CLONE_THREAD
                             {SYS_socket, "socket", "reaches for a network"},  // but local ones
                             {~0U, "a system call by other numbers", "hides what is called"},
#if defined(__x86_64__)
                             {SYS_fork, "fork", process},
                             {SYS_vfork, "vfork", process},
#endif
                             {SYS_ptrace, "ptrace", spies},
                             {SYS_process_vm_readv, "process_vm_readv", spies},
                             {SYS_process_vm_writev, "process_vm_writev", spies},
                             {SYS_pidfd_getfd, "pidfd_getfd", spies},
                             {SYS_kcmp, "kcmp", spies},
                             {SYS_unshare, "unshare", leaves},
                             {SYS_setns, "setns", leaves},
                             {SYS_mount, "mount", leaves},
                             {SYS_umount2, "umount2", leaves},
                             {SYS_move_mount, "move_mount", leaves},
                             {SYS_open_tree, "open_tree", leaves},
                             {SYS_fsopen, "fsopen", leaves},
                             {SYS_pivot_root, "pivot_root", leaves},
                             {SYS_chroot, "chroot", leaves},
                             {SYS_open_by_handle_at, "open_by_handle_at", leaves},
                             {SYS_bpf, "bpf", machine},
                             {SYS_perf_event_open, "perf_event_open", machine},
                             {SYS_userfaultfd, "userfaultfd", machine},
                             {SYS_io_uring_setup, "io_uring_setup", machine},
                             {SYS_add_key, "add_key", machine},
                             {SYS_request_key, "request_key", machine},
                             {SYS_keyctl, "keyctl", machine},
                             {SYS_init_module, "init_module", machine},
                             {SYS_finit_module, "finit_module", machine},
                             {SYS_kexec_load, "kexec_load", machine},
                             {SYS_clock_settime, "clock_settime", machine},
                             {SYS_settimeofday, "settimeofday", machine},
                             {SYS_reboot, "reboot", machine}};
constexpr std::size_t clone_row = 0, socket_row = 1, other_numbers_row = 2, first_plain = 3;

/// The exit code by which a host says that row 0 was called: behind a shell's, of signals.
constexpr int first_code = 193;
static_assert(first_code + std::size(barred) <= 256);

/// A signal to the thread that called; the host's handler ends it with the code that it is told.
constexpr std::uint32_t trapped(std::size_t row) {
  return SECCOMP_RET_TRAP | static_cast<std::uint32_t>(first_code + row);
}
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
                                  end(trapped(other_numbers_row)),
                                  load(offsetof(seccomp_data, nr))};
  const auto answer = [&](std::uint16_t test, std::uint32_t number, std::uint32_t with) {
    filter.insert(filter.end(), {skip_unless(test, number), end(with)});
  };
  for (std::size_t i = first_plain; i < std::size(barred); ++i) {
    answer(BPF_JEQ, barred[i].number, trapped(i));
  }
  answer(BPF_JGE, other_numbers, trapped(other_numbers_row));
  // Its flags are not seen from here: who is told so takes clone.
  answer(BPF_JEQ, SYS_clone3, SECCOMP_RET_ERRNO | ENOSYS);
  constexpr std::uint8_t to_clone = 6;
  filter.push_back({BPF_JMP | BPF_JEQ | BPF_K, 0, to_clone, SYS_socket});
  filter.insert(filter.end(), {load(offsetof(seccomp_data, args)), skip_unless(BPF_JEQ, AF_UNIX),
                               end(SECCOMP_RET_ALLOW), skip_unless(BPF_JEQ, AF_NETLINK),
                               end(SECCOMP_RET_ALLOW), end(trapped(socket_row))});
  filter.insert(filter.end(), {skip_if(BPF_JEQ, SYS_clone), end(SECCOMP_RET_ALLOW),
                               load(offsetof(seccomp_data, args)), skip_if(BPF_JSET, CLONE_THREAD),
                               end(trapped(clone_row)), end(SECCOMP_RET_ALLOW)});
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

std::string barred_call(int exit_code) {
  const int row = exit_code - first_code;
  if (row < 0 || row >= static_cast<int>(std::size(barred))) return {};
  return fmt::format("it called {}, which {} (a kernel needs threads at most)", barred[row].name,
                     barred[row].does);
}

}  // namespace gradproof::runs
