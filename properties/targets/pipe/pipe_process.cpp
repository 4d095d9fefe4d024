#include "properties/targets/pipe/pipe_process.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <poll.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <limits>
#include <utility>

namespace gradproof::targets {
namespace {

/// Closed at the end, unless taken.
struct Descriptor {
  int number = -1;
  Descriptor() = default;
  ~Descriptor() {
    if (number >= 0) ::close(number);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int take() { return std::exchange(number, -1); }
};

std::string failure(const char* what) { return fmt::format("{}: {}", what, std::strerror(errno)); }

/// Opens the pipes. The input is a socket: writing to an ended program is an error, no signal.
bool open_ends(Descriptor& our_input, Descriptor& its_input, Descriptor& our_output,
               Descriptor& its_output) {
  std::array<int, 2> ends{};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) return false;
  our_input.number = ends[0];
  its_input.number = ends[1];
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return false;
  our_output.number = ends[0];
  its_output.number = ends[1];
  const auto never_waits = [](int end) { return ::fcntl(end, F_SETFL, O_NONBLOCK) == 0; };
  return never_waits(our_input.number) && never_waits(our_output.number);
}

/// The program's signals are those of a fresh one, whatever this thread has blocked or ignored.
void set_attributes(posix_spawnattr_t& attributes) {
  sigset_t none{}, defaults{};
  ::sigemptyset(&none);
  ::sigemptyset(&defaults);
  ::sigaddset(&defaults, SIGPIPE);
  ::posix_spawnattr_setsigmask(&attributes, &none);
  ::posix_spawnattr_setsigdefault(&attributes, &defaults);
  ::posix_spawnattr_setpgroup(&attributes, 0);
  ::posix_spawnattr_setflags(
      &attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
}

int spawn(pid_t& process, const std::string& command, int input, int output) {
  posix_spawn_file_actions_t actions{};
  posix_spawnattr_t attributes{};
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawnattr_init(&attributes);
  ::posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
  ::posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
  set_attributes(attributes);
  std::string shell = "sh", option = "-c", words = command;
  std::array<char*, 4> arguments{shell.data(), option.data(), words.data(), nullptr};
  const int error =
      ::posix_spawn(&process, "/bin/sh", &actions, &attributes, arguments.data(), environ);
  ::posix_spawnattr_destroy(&attributes);
  ::posix_spawn_file_actions_destroy(&actions);
  return error;
}

int milliseconds_until(PipeProcess::Clock::time_point deadline) {
  const auto left =
      std::chrono::duration_cast<std::chrono::milliseconds>(deadline - PipeProcess::Clock::now());
  constexpr std::int64_t longest = std::numeric_limits<int>::max();
  return static_cast<int>(std::clamp<std::int64_t>(left.count() + 1, 0, longest));
}

}  // namespace

tl::expected<std::unique_ptr<PipeProcess>, std::string> PipeProcess::start(
    const std::string& command) {
  Descriptor our_input, its_input, our_output, its_output;
  if (!open_ends(our_input, its_input, our_output, its_output)) {
    return tl::unexpected(failure("a pipe cannot be made"));
  }
  pid_t process = 0;
  if (const int error = spawn(process, command, its_input.number, its_output.number)) {
    errno = error;
    return tl::unexpected(failure("/bin/sh cannot be started"));
  }
  return std::unique_ptr<PipeProcess>(
      new PipeProcess(process, our_input.take(), our_output.take()));
}

PipeProcess::~PipeProcess() {
  end();
  if (input_ >= 0) ::close(input_);
  ::close(output_);
}

PipeProcess::Event PipeProcess::exchange(std::span<const std::byte>& out,
                                         std::vector<std::byte>& in, Clock::time_point deadline) {
  while (true) {
    const bool writes = !out.empty() && input_ >= 0;
    std::array<pollfd, 2> ends{{{.fd = output_, .events = POLLIN, .revents = 0},
                                {.fd = writes ? input_ : -1, .events = POLLOUT, .revents = 0}}};
    const int ready = ::poll(ends.data(), ends.size(), milliseconds_until(deadline));
    if (ready < 0 && errno == EINTR) continue;
    if (ready == 0) return Event::Late;
    if (ready < 0) return Event::Over;
    bool has_moved = ends[1].revents != 0 && write_some(out);
    if (ends[0].revents != 0) {
      const Event event = read_some(in);
      if (event == Event::Over) return event;
      has_moved |= event == Event::Progress;
    }
    if (has_moved) return Event::Progress;
    if (Clock::now() >= deadline) return Event::Late;
  }
}

/// True if anything was written. A program that reads no more may still answer.
bool PipeProcess::write_some(std::span<const std::byte>& out) {
  const ssize_t written = ::send(input_, out.data(), out.size(), MSG_NOSIGNAL);
  if (written > 0) {
    out = out.subspan(static_cast<std::size_t>(written));
    return true;
  }
  if (errno == EAGAIN || errno == EINTR) return false;
  ::close(std::exchange(input_, -1));
  return false;
}

PipeProcess::Event PipeProcess::read_some(std::vector<std::byte>& in) {
  constexpr std::size_t most = std::size_t{1} << 16;
  const std::size_t before = in.size();
  in.resize(before + most);
  const ssize_t count = ::read(output_, in.data() + before, most);
  in.resize(before + static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
  if (count > 0) return Event::Progress;
  const bool is_over = count == 0 || (errno != EAGAIN && errno != EINTR);
  return is_over ? Event::Over : Event::Late;
}

int PipeProcess::end() {
  if (process_ == 0) return status_;
  // One that has closed its output may be about to end by itself, which says more than a kill.
  constexpr int patience = 50;
  constexpr useconds_t a_while = 2'000;
  pid_t ended = 0;
  for (int i = 0; i < patience && ended == 0; ++i) {
    ended = ::waitpid(process_, &status_, WNOHANG);
    if (ended == 0 && i == 0 && input_ >= 0) ::shutdown(input_, SHUT_WR);
    if (ended == 0) ::usleep(a_while);
  }
  ::kill(-process_, SIGKILL);
  if (ended == 0) {
    while (::waitpid(process_, &status_, 0) < 0 && errno == EINTR) {
    }
  }
  process_ = 0;
  return status_;
}

}  // namespace gradproof::targets
