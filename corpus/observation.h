#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "corpus/status.h"
#include "corpus/tiling_field.h"

namespace gradproof::corpus {

/// Observation of one output tensor after a run.
struct OutputObservation {
  /// Bytes of the elements, dense and row-major over the tensor's shape; empty for a null tensor.
  std::vector<std::byte> bits;
  /// Bytes that were in the tensor before the run (a sentinel pattern); same size as bits.
  std::vector<std::byte> before;
  /// First byte outside the view (guard zone or storage gap) that changed, relative to the
  /// storage's begin.
  std::optional<std::int64_t> overwritten_byte;
};

/// All that one run of a case showed; plain data, no judgement.
struct Observation {
  std::optional<std::string>
      unsupported;            ///< not run, and why (the target lacks the api, no such device, ...)
  std::optional<int> signal;  ///< the target died of this signal
  bool timed_out = false;
  std::optional<std::string> ended;  ///< how the target ended or damaged its process otherwise
  std::optional<std::string>
      failure;  ///< a runtime call around the operator failed: which one, with its code

  std::optional<Status> phase_one;  ///< aclnnConvolutionBackwardGetWorkspaceSize
  bool out_parameters_untouched =
      false;                          ///< workspaceSize and executor as they were before phase one
  std::uint64_t workspace_size = 0;   ///< bytes
  std::optional<Status> phase_two;    ///< aclnnConvolutionBackward
  std::optional<Status> synchronise;  ///< aclrtSynchronizeStream after it
  std::string message;                ///< the target's error text, if it gives one
  std::vector<TilingField> tiling;    ///< what a tiling class filled in; empty for other calls

  std::array<OutputObservation, 3> outputs;  ///< by OutputRole
  /// First byte, by InputRole, of the input's memory (guard zones included) that changed, relative
  /// to the storage's begin.
  std::array<std::optional<std::int64_t>, 3> input_changed_byte;
  std::optional<std::int64_t> bias_changed_byte;  ///< likewise, of a bias that the call takes
  std::optional<std::int64_t>
      workspace_overwritten_byte;  ///< first byte beyond the workspace that changed
  /// Outputs whose bits differed in a repeat of the same call with other workspace poison, by
  /// OutputRole.
  std::array<bool, 3> repeat_differs{};
  bool repeated = false;
  double milliseconds = 0;  ///< wall time of both phases and the synchronisation
};

/// Observation of a case that the target could not run. `reason`: in words.
inline Observation not_run(std::string reason) {
  Observation seen;
  seen.unsupported = std::move(reason);
  return seen;
}

}  // namespace gradproof::corpus
