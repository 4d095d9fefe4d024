#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include <tl/expected.hpp>

#include "properties/targets/isolation/isolation_settings.h"
#include "properties/targets/isolation/patience.h"
#include "properties/targets/isolation/shared_slots.h"
#include "properties/targets/isolation/work_permits.h"

namespace gradproof::targets {

/// A process with one thread and none of the target's code, from which children are forked: forks
/// of this process, with its worker threads, would inherit locks that no thread of theirs releases.
/// It tells a slot when its child has ended. Shared by all workers.
class ForkServer {
 public:
  static tl::expected<std::unique_ptr<ForkServer>, std::string> start(
      const std::vector<std::filesystem::path>& libraries, const IsolationSettings& settings);
  ~ForkServer();
  ForkServer(const ForkServer&) = delete;
  ForkServer& operator=(const ForkServer&) = delete;

  const IsolationSettings& settings() const { return settings_; }
  const SharedSlots& slots() const { return *slots_; }

  /// A free slot, which becomes the caller's; nullopt: all are taken.
  std::optional<std::size_t> take_slot();
  void give_back(std::size_t slot);

  /// Forks a child into the slot; its turn comes to `Parent` when it has introduced itself. A
  /// server that the target has killed is started again.
  std::optional<std::string> fork_child(std::size_t slot);
  /// Kills the slot's child; the slot's turn comes to `Over`.
  void kill_child(std::size_t slot);
  /// Kills a server that does not answer, and with it its children.
  void give_up(std::uint64_t generation);

  /// A child works under one of them.
  WorkPermits& permits() { return permits_; }
  Patience& patience() { return patience_; }

  /// Number of times that it was started: it changes where the target has killed the server, and
  /// all children with it.
  std::uint64_t generation();

 private:
  ForkServer(std::unique_ptr<SharedSlots> slots, std::vector<std::filesystem::path> libraries,
             const IsolationSettings& settings)
      : slots_(std::move(slots)),
        libraries_(std::move(libraries)),
        settings_(settings),
        patience_(settings) {}

  std::optional<std::string> start_process();
  bool is_running();
  void end_process();

  std::unique_ptr<SharedSlots> slots_;
  std::vector<std::filesystem::path> libraries_;
  IsolationSettings settings_;
  Patience patience_;
  WorkPermits permits_;
  std::mutex mutex_;
  std::vector<std::size_t> free_slots_;
  pid_t process_ = 0;
  int socket_ = -1;
  std::uint64_t generation_ = 0;
};

}  // namespace gradproof::targets
