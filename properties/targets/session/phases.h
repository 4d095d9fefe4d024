#pragma once

#include <acl/acl.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "corpus/case.h"
#include "corpus/observation.h"
#include "properties/targets/session/cann.h"
#include "properties/targets/session/device_memory.h"
#include "properties/targets/session/marshal.h"
#include "properties/targets/session/streams.h"
#include "properties/targets/target/run_settings.h"

namespace gradproof::targets {

/// Result of phase one.
struct Planned {
  /// Values of the out-parameters before phase one: a size that no call needs, an address that no
  /// object has.
  static constexpr std::uint64_t magic_workspace_size = 0xFACADE5EED5EED01U;
  static constexpr std::uintptr_t magic_executor = 0x5EED5EED5EED0010U;

  std::uint64_t workspace_size = magic_workspace_size;
  // NOLINTNEXTLINE(performance-no-int-to-ptr): never followed, it only has to come back unchanged
  aclOpExecutor* executor = reinterpret_cast<aclOpExecutor*>(magic_executor);

  bool is_size_untouched() const { return workspace_size == magic_workspace_size; }
  bool is_executor_untouched() const {
    return reinterpret_cast<std::uintptr_t>(executor) == magic_executor;
  }
  bool is_complete() const { return !is_size_untouched() && !is_executor_untouched() && executor; }
};

/// The two phases of a call, and what is seen of them.
class Phases {
 public:
  /// `streams` has entered the device; `stream` is one of its streams.
  Phases(const Streams& streams, const corpus::Case& test_case, const RunSettings& settings,
         aclrtStream stream)
      : streams_(streams),
        cann_(streams.cann()),
        test_case_(test_case),
        settings_(settings),
        stream_(settings.phases.default_stream ? nullptr : stream) {}

  corpus::Observation seen;
  /// Queues work in the stream that the next phase two follows at once; empty: there is none.
  std::function<std::optional<std::string>(aclrtStream)> queue_before_launch;

  /// Phase one. Where the target or the harness fails it, `seen.failure` says how.
  Planned phase_one(const MarshalledCall& call);

  /// Runs phase two and the stream's end, on a workspace filled with `poison`, or on that of the
  /// phase two before where memory is used twice. False where the executor did not get as far as
  /// the target's phase two: it is destroyed.
  bool phase_two(const Planned& planned, std::byte poison);

  /// Destroys an executor that phase two did not take.
  void destroy(const Planned& planned);

  /// Keeps the first failure. Whether there is a new one.
  bool note(const std::optional<std::string>& problem);

 private:
  const CannApi& api() const { return cann_.api; }
  corpus::Status launched(void* workspace, std::uint64_t size, aclOpExecutor* executor) const;
  void take_message();

  const Streams& streams_;
  Cann& cann_;
  const corpus::Case& test_case_;
  const RunSettings& settings_;
  aclrtStream stream_;
  std::optional<GuardedBlock> used_workspace_;
};

/// True if phase two succeeded, and so did what it had queued.
bool has_computed(const corpus::Observation& seen);

/// Converts bytes to GiB, for sentences.
double gib(std::uint64_t bytes);

}  // namespace gradproof::targets
