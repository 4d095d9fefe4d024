#include "properties/targets/isolation/server_process.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>

#include "properties/targets/isolation/strays.h"

namespace gradproof::targets {
namespace {

constexpr int socket_place = 3;

/// Resets signals to those of a fresh program, whatever this process was forked from. Ctrl-C, and
/// the end that a scheduler asks all of a job's processes for, are the parent's to answer; they
/// must not look like a crash of the target's.
void reset_signals() {
  for (int signal = 1; signal < NSIG; ++signal) std::signal(signal, SIG_DFL);
  std::signal(SIGINT, SIG_IGN);
  std::signal(SIGTERM, SIG_IGN);
  sigset_t none{};
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
}

/// Gives a target nothing to read, and sends what it prints where it can't be taken for results.
void turn_standard_streams_away() {
  const int null = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  if (null >= 0) ::dup2(null, STDIN_FILENO);
  ::close(null);
  ::dup2(STDERR_FILENO, STDOUT_FILENO);
  ::setvbuf(stdout, nullptr, _IOLBF, 0);  // a child that ends by a signal loses what is buffered
}

/// Ends a child with all that it has started and not moved to a group of its own.
void end_child(pid_t child) {
  ::kill(-child, SIGKILL);
  ::kill(child, SIGKILL);  // before it has a group
}

class Server {
 public:
  Server(const SharedSlots& slots, const std::vector<std::filesystem::path>& libraries)
      : slots_(slots), libraries_(libraries), children_(slots.count(), 0) {
    sigset_t child_ends{};
    ::sigemptyset(&child_ends);
    ::sigaddset(&child_ends, SIGCHLD);
    ::sigprocmask(SIG_BLOCK, &child_ends, nullptr);
    ends_ = ::signalfd(-1, &child_ends, SFD_CLOEXEC | SFD_NONBLOCK);
  }

  /// Returns when the other end of the socket is closed.
  void serve() {
    std::array<pollfd, 2> waiting{{{.fd = socket_place, .events = POLLIN, .revents = 0},
                                   {.fd = ends_, .events = POLLIN, .revents = 0}}};
    while (true) {
      if (::poll(waiting.data(), waiting.size(), -1) < 0) continue;
      if (waiting[1].revents != 0) reap();
      if (waiting[0].revents == 0) continue;
      ServerOrder order;
      const ssize_t size = ::recv(socket_place, &order, sizeof order, 0);
      if (size < 0 && errno == EINTR) continue;
      if (size != sizeof order) return;
      obey(order);
    }
  }

  void kill_all() {
    for (const pid_t child : children_) {
      if (child > 0) end_child(child);
    }
    for (const pid_t child : children_) {
      if (child > 0) ::waitpid(child, nullptr, 0);
    }
    end_strays();
  }

 private:
  void obey(const ServerOrder& order) {
    if (order.slot >= children_.size()) return;
    pid_t& child = children_[order.slot];
    if (order.action == ServerOrder::Action::Kill) {
      if (child > 0) end_child(child);
      return;
    }
    child = ::fork();
    if (child == 0) become_child(order.slot);
    const int reason = errno;
    SlotHead& head = slots_.head(order.slot);
    head.process.store(child);
    if (child > 0) return;
    child = 0;
    head.fork_error.store(reason);
    pass_turn(head, Turn::Over);
  }

  [[noreturn]] void become_child(std::size_t slot) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() == 1) ::_exit(1);
    ::close(socket_place);
    ::close(ends_);
    ::setpgid(0, 0);
    reset_signals();
    turn_standard_streams_away();
    const rlimit no_core{.rlim_cur = 0, .rlim_max = 0};
    ::setrlimit(RLIMIT_CORE, &no_core);
    serve_as_child(slots_, slot, libraries_);
  }

  void reap() {
    signalfd_siginfo ignored{};
    while (::read(ends_, &ignored, sizeof ignored) > 0) {
    }
    int status = 0;
    for (pid_t ended = 0; (ended = ::waitpid(-1, &status, WNOHANG)) > 0;) {
      const auto child = std::ranges::find(children_, ended);
      if (child == children_.end()) continue;
      *child = 0;
      end_strays(children_);
      SlotHead& head = slots_.head(static_cast<std::size_t>(child - children_.begin()));
      head.wait_status.store(status);
      pass_turn(head, Turn::Over);
    }
  }

  const SharedSlots& slots_;
  const std::vector<std::filesystem::path>& libraries_;
  std::vector<pid_t> children_;  ///< by slot; 0: none
  int ends_ = -1;
};

}  // namespace

[[noreturn]] void serve_forks(int socket, const SharedSlots& slots,
                              const std::vector<std::filesystem::path>& libraries) {
  ::setpgid(0, 0);  // a terminal's signals are for the parent
  adopt_strays();
  reset_signals();
  // Files of the parent's, with their locks, must not stay open because of its children.
  if (socket != socket_place) ::dup2(socket, socket_place);
  ::close_range(socket_place + 1, ~0U, 0);
  Server server(slots, libraries);
  server.serve();
  server.kill_all();
  ::_exit(0);
}

}  // namespace gradproof::targets
