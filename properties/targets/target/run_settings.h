#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "properties/targets/target/machine_settings.h"

namespace gradproof::targets {

class CallNotes;

/// Ways of a call to use what the contract leaves to the caller (oracle/status/phase_rules.h).
struct PhaseForm {
  /// Bytes of workspace beyond what phase one asks for (PH-07).
  std::uint64_t added_workspace = 0;
  /// The workspace begins so many bytes behind where it would, a multiple of 64: to no more are
  /// addresses of aclrtMalloc aligned.
  std::size_t workspace_shift = 0;
  /// True if inputs hold other data in phase one; theirs are written by copies that the stream is
  /// at when phase two is called (PH-13).
  bool data_between_phases = false;
  bool default_stream = false;  ///< phase two is given a null stream (PH-16)
  bool phase_two_on_another_thread = false;
  /// Phase one is given tensors elsewhere; the memory of a repeatable executor's tensors is bound
  /// again before it runs (PH-15).
  bool rebound_executor = false;
  /// The same call with other numbers in the inputs is made before, in the same memory: outputs and
  /// workspace hold what it left.
  bool used_memory = false;

  friend bool operator==(const PhaseForm&, const PhaseForm&) = default;
};

/// Extent of a case's run, and what it may use.
struct RunSettings {
  /// Stop after phase one. Implied for a case without data and for one whose shapes only have a
  /// status.
  bool status_only = false;
  /// A case whose tensors (with their copies on the host) or workspace need more is not run.
  std::uint64_t memory_limit_bytes = std::uint64_t{8} << 30;
  /// Content of every byte of the workspace before phase two; 0xFF is NaN in every format.
  std::byte workspace_poison{0xFF};
  /// Phase two runs twice from one repeatable executor, the second time with other workspace
  /// contents and fresh outputs, which are what is seen.
  bool reuse_executor = false;
  /// Form of calls that are not run on several streams.
  PhaseForm phases = {};
  /// Machine that the calls are planned for, if the target can be told; no part of other calls.
  MachineSettings machine = {};
  /// Every tensor begins so many bytes later than where it would, a multiple of 32 (CANN asks for
  /// that alignment).
  std::size_t address_shift = 0;
  /// True if, for calls on several streams, each is made by a host thread of its own, and all begin
  /// each phase at once.
  bool host_threads = false;
  /// True if outputs hold ones beforehand, not NaN; for calls that are not on several streams.
  bool outputs_hold_ones = false;
  /// Seed of the order of calls on several streams: one for their launches and one for their
  /// synchronisations are drawn from it; 0: both in the order of the cases.
  std::uint64_t interleaving = 0;
  /// A call that still runs then is ended, where its code is in another process, and none begins.
  std::optional<std::chrono::steady_clock::time_point> until = {};
  CallNotes* notes = nullptr;  ///< must outlive the calls; null: they are not kept

  bool is_time_up() const { return until && std::chrono::steady_clock::now() >= *until; }
};

}  // namespace gradproof::targets
