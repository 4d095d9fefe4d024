#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <tl/expected.hpp>

#include "corpus/case.h"
#include "corpus/observation.h"
#include "properties/targets/session/device_memory.h"
#include "properties/targets/session/marshal.h"

namespace gradproof::targets {

/// Device memory for a call of which phase one alone runs, which reads and writes no element: the
/// tensors side by side in one block, with guard zones between them. So all of them are placed
/// by one copy, and looked at by one.
class StatusMemory {
 public:
  /// The tensors as they are, all gap. The case's memory_bytes must be defined and affordable, and
  /// the case outlive this. Errors: the runtime call that failed.
  static tl::expected<StatusMemory, std::string> of_tensors(const CannApi& api,
                                                            const corpus::Case& test_case,
                                                            std::size_t shift);
  /// A few bytes instead of each, for tensors that are too large to be allocated or need not be.
  static tl::expected<StatusMemory, std::string> of_stand_ins(const CannApi& api,
                                                              std::size_t shift);

  TensorAddresses addresses() const;

  /// Notes which tensor's memory changed, and where; of one that is as it was, nothing. Errors: the
  /// runtime call that failed.
  std::optional<std::string> observe(corpus::Observation& observation) const;

 private:
  /// A tensor's storage in the block's image; guard zones lie before and after it.
  struct Place {
    const corpus::TensorCase* tensor = nullptr;  ///< null: a stand-in
    std::size_t begin = 0, bytes = 0;
  };
  /// Inputs, then outputs, then the bias.
  using Places = std::array<std::optional<Place>, 7>;

  StatusMemory(const Places& places, GuardedBlock block)
      : places_(places), block_(std::move(block)) {}
  static tl::expected<StatusMemory, std::string> made(const CannApi& api, Places places,
                                                      std::size_t shift);
  void note_change(std::size_t tensor, std::vector<std::byte>& now,
                   corpus::Observation& observation) const;

  Places places_;
  GuardedBlock block_;
};

}  // namespace gradproof::targets
