#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <tl/expected.hpp>

#include "corpus/case.h"
#include "corpus/observation.h"
#include "properties/targets/session/device_memory.h"
#include "properties/targets/session/marshal.h"

namespace gradproof::targets {

/// Memory that the tensors of a case need on device and host together; nullopt where one of them
/// cannot exist (a negative length, a product beyond int64, a view that leaves its storage).
std::optional<std::uint64_t> memory_bytes(const corpus::Case& test_case);

/// Device memory of the tensors: each with guard zones, inputs placed through their strides,
/// gaps and guards filled with a pattern, outputs filled with the sentinel.
class CaseMemory {
 public:
  /// Places the tensors of a case whose memory_bytes is defined and affordable, and which outlives
  /// this. Inputs without data are all gap. Each tensor lies `shift` bytes behind where it would;
  /// outputs hold the sentinel or ones. Errors: the runtime call that failed, or an input whose
  /// view meets itself with different values.
  static tl::expected<CaseMemory, std::string> placed(const CannApi& api,
                                                      const corpus::Case& test_case,
                                                      std::size_t shift = 0,
                                                      bool outputs_hold_ones = false);

  TensorAddresses addresses() const;

  /// Reads everything back: outputs, guards, gaps, and whether the inputs are as they were.
  /// Errors: the runtime call that failed.
  std::optional<std::string> observe(corpus::Observation& observation) const;

  /// Puts other numbers into the inputs, ordinary ones in every format, until `show_inputs`. Errors
  /// of both: the runtime call that failed.
  std::optional<std::string> hide_inputs();
  std::optional<std::string> show_inputs();
  /// Queues copies in the stream that show them, behind others that keep it busy for a while; at
  /// once where the target has none. This must live until the stream has come to them.
  std::optional<std::string> show_inputs_in(aclrtStream stream);

  /// Puts back into the outputs what was in them, for a repeat of the call.
  std::optional<std::string> renew_outputs();

 private:
  struct Placed {
    const corpus::TensorCase* tensor;
    GuardedBlock block;

    std::size_t image_bytes() const { return block.written().size(); }
    /// The storage as it was before the call.
    const std::byte* storage_before() const { return block.written().data() + guard_bytes; }
  };
  static tl::expected<Placed, std::string> place(const CannApi& api,
                                                 const corpus::TensorCase& tensor,
                                                 const std::vector<std::byte>& elements,
                                                 std::size_t shift);
  corpus::PerInput<std::optional<Placed>> inputs_;
  corpus::PerOutput<std::optional<Placed>> outputs_;
  std::optional<Placed> bias_;  ///< all gap: no element of it is read
  const CannApi* api_ = nullptr;
  std::vector<GuardedBlock> staged_;  ///< what the stream copies from
};

/// Observation of an output, given the images of its memory, guard zones included, as written and
/// as it is now, which is spent.
corpus::OutputObservation seen_output(const corpus::TensorCase& tensor,
                                      std::span<const std::byte> before, std::span<std::byte> now);

}  // namespace gradproof::targets
