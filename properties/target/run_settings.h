#pragma once

#include <cstddef>
#include <cstdint>

#include "properties/target/machine_settings.h"

namespace gradproof::properties {

/// How far a case is run, and what it may use.
struct RunSettings {
  /// Stop after phase one. Implied for a case without data and for one whose shapes only have a
  /// status.
  bool status_only = false;
  /// A case whose tensors (with their copies on the host) or workspace need more is not run.
  std::uint64_t memory_limit_bytes = std::uint64_t{8} << 30;
  /// What every byte of the workspace is before phase two; 0xFF is NaN in every format.
  std::byte workspace_poison{0xFF};
  /// Phase two runs twice from one repeatable executor, the second time with other workspace
  /// contents and fresh outputs, which are what is seen.
  bool reuse_executor = false;
  /// What the calls are planned for, where the target can be told; no part of any other call.
  MachineSettings machine = {};
  /// Every tensor begins so many bytes later than where it would, a multiple of 32 (CANN asks for
  /// that alignment).
  std::size_t address_shift = 0;
  /// Of calls on several streams: an order for their launches and one for their synchronisations
  /// are drawn from it; 0: both in the order of the cases.
  std::uint64_t interleaving = 0;
};

}  // namespace gradproof::properties
