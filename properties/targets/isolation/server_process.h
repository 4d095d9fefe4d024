#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <vector>

#include "properties/targets/isolation/shared_slots.h"

namespace gradproof::targets {

/// Order to a fork server, one packet each.
struct ServerOrder {
  enum class Action : std::uint32_t { Fork, Kill } action = Action::Fork;
  std::uint32_t slot = 0;
};

/// Serves as a fork server's process: takes orders from the socket until its other end is closed.
[[noreturn]] void serve_forks(int socket, const SharedSlots& slots,
                              const std::vector<std::filesystem::path>& libraries);

/// Serves as a freshly forked child: loads the libraries, introduces itself, and runs what the slot
/// asks for. It does not return: its end is to be killed.
[[noreturn]] void serve_as_child(const SharedSlots& slots, std::size_t slot,
                                 const std::vector<std::filesystem::path>& libraries);

}  // namespace gradproof::targets
