#include "properties/runs/faults/child_process.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <string_view>

namespace gradproof::runs {
namespace {

using Clock = std::chrono::steady_clock;

/// Text beyond it is dropped from the front: only the last line is wanted.
constexpr std::size_t most_text = 1U << 16U;

std::vector<std::string> environment_with(
    const std::vector<std::pair<std::string, std::string>>& added) {
  std::vector<std::string> entries;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text(*entry);
    bool is_replaced = false;
    for (const auto& [name, value] : added) is_replaced |= text.starts_with(name + "=");
    if (!is_replaced) entries.emplace_back(text);
  }
  for (const auto& [name, value] : added) entries.push_back(fmt::format("{}={}", name, value));
  return entries;
}

std::vector<char*> pointers_to(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  pointers.reserve(texts.size() + 1);
  for (std::string& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

/// Reads what the process writes until it closes its streams; false where the time was over first.
bool read_until(Clock::time_point deadline, int descriptor, std::string& text) {
  std::array<char, 4096> buffer{};
  while (true) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now());
    if (left.count() <= 0) return false;
    pollfd waiting{.fd = descriptor, .events = POLLIN, .revents = 0};
    const int ready = ::poll(&waiting, 1, static_cast<int>(left.count()));
    if (ready < 0 && errno == EINTR) continue;
    if (ready <= 0) return false;
    const ssize_t count = ::read(descriptor, buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return true;
    text.append(buffer.data(), static_cast<std::size_t>(count));
    if (text.size() > 2 * most_text) text.erase(0, text.size() - most_text);
  }
}

std::string last_line_of(std::string text) {
  while (text.ends_with('\n')) text.pop_back();
  const std::size_t begin = text.rfind('\n');
  return begin == std::string::npos ? text : text.substr(begin + 1);
}

ProcessEnd end_of(pid_t child, bool in_time, std::chrono::milliseconds limit) {
  if (!in_time) ::kill(child, SIGKILL);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  ProcessEnd end;
  if (!in_time) {
    end.words = fmt::format("still ran after {:.0f} s", static_cast<double>(limit.count()) / 1e3);
  } else if (WIFSIGNALED(status)) {
    end.words = fmt::format("killed by signal {}", WTERMSIG(status));
  } else {
    end.exit_code = WEXITSTATUS(status);
    end.words = fmt::format("exit code {}", WEXITSTATUS(status));
  }
  return end;
}

}  // namespace

ProcessEnd run_process(const std::vector<std::string>& words,
                       const std::vector<std::pair<std::string, std::string>>& environment,
                       std::chrono::milliseconds limit) {
  std::vector<std::string> arguments = words;
  std::vector<std::string> variables = environment_with(environment);
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return {{}, "no pipe", std::strerror(errno)};
  posix_spawn_file_actions_t actions{};
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  ::posix_spawn_file_actions_adddup2(&actions, ends[1], STDERR_FILENO);
  pid_t child = 0;
  const int error = ::posix_spawn(&child, arguments.front().c_str(), &actions, nullptr,
                                  pointers_to(arguments).data(), pointers_to(variables).data());
  ::posix_spawn_file_actions_destroy(&actions);
  ::close(ends[1]);
  ProcessEnd end{{}, "cannot be started", std::strerror(error)};
  if (error == 0) {
    std::string text;
    const bool in_time = read_until(Clock::now() + limit, ends[0], text);
    end = end_of(child, in_time, limit);
    end.last_output = last_line_of(std::move(text));
  }
  ::close(ends[0]);
  return end;
}

}  // namespace gradproof::runs
