#include "properties/targets/isolation/fork_server.h"

#include <fmt/core.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <thread>

#include "properties/targets/isolation/server_process.h"

namespace gradproof::targets {
namespace {

/// Added to those asked for: one that introduces the library, one that makes findings small.
constexpr std::size_t further_slots = 6;

std::size_t slots_for(std::size_t targets) {
  const std::size_t processors = std::max(1U, std::thread::hardware_concurrency());
  return (targets == 0 ? 4 * processors : targets) + further_slots;
}

std::uint64_t default_memory_bytes() {
  constexpr std::uint64_t most = std::uint64_t{20} << 30;
  const auto pages = static_cast<std::uint64_t>(std::max(0L, ::sysconf(_SC_PHYS_PAGES)));
  const auto page = static_cast<std::uint64_t>(std::max(0L, ::sysconf(_SC_PAGESIZE)));
  const std::uint64_t share = pages * page / 5 * 4;
  return share == 0 ? most : std::min(most, share);
}

}  // namespace

tl::expected<std::unique_ptr<ForkServer>, std::string> ForkServer::start(
    const std::vector<std::filesystem::path>& libraries, const IsolationSettings& settings) {
  auto slots = SharedSlots::reserve(slots_for(settings.targets));
  if (!slots) return tl::unexpected(slots.error() + "; --in-process needs none");
  IsolationSettings own = settings;
  if (own.memory_bytes == 0) own.memory_bytes = default_memory_bytes();
  std::unique_ptr<ForkServer> server(new ForkServer(std::move(*slots), libraries, own));
  for (std::size_t i = server->slots_->count(); i-- > 0;) server->free_slots_.push_back(i);
  const std::scoped_lock lock(server->mutex_);
  if (auto problem = server->start_process()) return tl::unexpected(*problem);
  return server;
}

ForkServer::~ForkServer() { end_process(); }

std::optional<std::size_t> ForkServer::take_slot() {
  const std::scoped_lock lock(mutex_);
  if (free_slots_.empty()) return std::nullopt;
  const std::size_t slot = free_slots_.back();
  free_slots_.pop_back();
  return slot;
}

void ForkServer::give_back(std::size_t slot) {
  const std::scoped_lock lock(mutex_);
  free_slots_.push_back(slot);
}

std::optional<std::string> ForkServer::fork_child(std::size_t slot) {
  const std::scoped_lock lock(mutex_);
  if (!is_running()) {
    end_process();
    if (auto problem = start_process()) return problem;
  }
  SlotHead& head = slots_->head(slot);
  head.doing.front() = '\0';
  head.wait_status.store(0);
  head.fork_error.store(0);
  head.turn.store(static_cast<std::uint32_t>(Turn::Child));
  ::kill(process_, SIGCONT);  // a target may have stopped it
  const ServerOrder order{ServerOrder::Action::Fork, static_cast<std::uint32_t>(slot)};
  if (::send(socket_, &order, sizeof order, MSG_NOSIGNAL) == sizeof order) return std::nullopt;
  return fmt::format("no child process can be started: {}", std::strerror(errno));
}

void ForkServer::kill_child(std::size_t slot) {
  const std::scoped_lock lock(mutex_);
  if (!is_running()) return;
  ::kill(process_, SIGCONT);
  const ServerOrder order{ServerOrder::Action::Kill, static_cast<std::uint32_t>(slot)};
  ::send(socket_, &order, sizeof order, MSG_NOSIGNAL | MSG_DONTWAIT);
}

void ForkServer::give_up(std::uint64_t generation) {
  const std::scoped_lock lock(mutex_);
  if (is_running() && generation == generation_) ::kill(process_, SIGKILL);
}

std::uint64_t ForkServer::generation() {
  const std::scoped_lock lock(mutex_);
  return is_running() ? generation_ : 0;
}

std::optional<std::string> ForkServer::start_process() {
  std::array<int, 2> ends{};
  if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()) != 0) {
    return fmt::format("no socket for child processes: {}", std::strerror(errno));
  }
  std::fflush(nullptr);  // a child that calls exit() would print it again
  const pid_t process = ::fork();
  if (process == 0) {
    ::close(ends[0]);
    serve_forks(ends[1], *slots_, libraries_);
  }
  ::close(ends[1]);
  if (process < 0) {
    ::close(ends[0]);
    return fmt::format("no process can be forked: {}", std::strerror(errno));
  }
  socket_ = ends[0];
  process_ = process;
  ++generation_;
  return std::nullopt;
}

bool ForkServer::is_running() {
  if (process_ <= 0) return false;
  siginfo_t info{};
  const int status =
      ::waitid(P_PID, static_cast<id_t>(process_), &info, WEXITED | WNOHANG | WNOWAIT);
  return status == 0 && info.si_pid == 0;
}

void ForkServer::end_process() {
  if (socket_ >= 0) ::close(socket_);
  socket_ = -1;
  if (process_ <= 0) return;
  ::kill(process_, SIGCONT);
  while (::waitpid(process_, nullptr, 0) < 0 && errno == EINTR) {
  }
  process_ = 0;
}

}  // namespace gradproof::targets
