#pragma once

#include <cstdint>
#include <optional>

#include "kernel/device/device.h"
#include "kernel/device/product.h"
#include "kernel/operators/vector/vector_kernels.h"

namespace gradproof::kernel::operators {

/// Circumstances of one call's run on the simulated chip: everything about the machine, nothing
/// about the problem.
struct Launch {
  device::OperatorPath path = device::OperatorPath::Plain;
  device::Product product = device::Product::Ascend910B;
  int cores = 1;                      ///< cube cores that work is split over
  int host_threads = 1;               ///< threads that simulate them
  bool spreads_every_launch = false;  ///< over those threads, even where their start takes longer
  bool has_winograd = false;          ///< where its conditions hold, dw is computed so
  bool deterministic = false;  ///< every sum in a fixed order. Source: DET-04, any level but 0
  std::uint64_t schedule_seed = 0;
  /// The schedule follows from the seed and the call; else it also changes from call to call.
  bool is_replayed = false;
  std::uint64_t run = 0;  ///< what a call's schedule is drawn from, together with the seed
  /// The vector instructions to use; nullopt, or what the processor lacks: the best that it has.
  std::optional<InstructionSet> instructions = std::nullopt;
};

}  // namespace gradproof::kernel::operators
