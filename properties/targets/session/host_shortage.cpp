#include "properties/targets/session/host_shortage.h"

#include <fmt/core.h>
#include <sys/mman.h>

#include <algorithm>
#include <latch>
#include <system_error>
#include <thread>
#include <vector>

#include "properties/targets/target/call_notes.h"

namespace gradproof::targets {
namespace {

using corpus::Status;

bool gives_memory(std::uint64_t bytes) {
  void* const memory =
      ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return false;
  ::munmap(memory, bytes);
  return true;
}

/// True if it gives so many threads at once, which all wait for the last one.
bool gives_threads(std::size_t count) {
  std::latch are_asked_for(1);
  std::vector<std::jthread> threads;
  bool gives_all = true;
  try {
    while (threads.size() < count) threads.emplace_back([&] { are_asked_for.wait(); });
  } catch (const std::system_error&) {
    gives_all = false;
  }
  are_asked_for.count_down();
  return gives_all;
}

}  // namespace

bool may_lack_resources(const corpus::Observation& seen) {
  const auto fails = [](const std::optional<Status>& status) {
    return status && *status != Status::Success;
  };
  return seen.failure || seen.phase_one == Status::RuntimeError || fails(seen.phase_two) ||
         fails(seen.synchronise);
}

std::optional<std::string> host_shortage(std::uint64_t bytes) {
  constexpr std::uint64_t least = std::uint64_t{64} << 20U;
  constexpr std::size_t threads = 8;
  const std::uint64_t asked = std::max(least, 2 * bytes);
  if (!gives_memory(asked)) {
    return fmt::format("{}memory: it does not give the target's process {} MiB more", host_lacks,
                       asked >> 20U);
  }
  if (gives_threads(threads)) return std::nullopt;
  return fmt::format("{}threads: it does not give the target's process {} more", host_lacks,
                     threads);
}

}  // namespace gradproof::targets
