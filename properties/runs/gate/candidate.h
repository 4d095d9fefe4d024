#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <tl/expected.hpp>

#include "corpus/case.h"
#include "corpus/observation.h"
#include "properties/runs/gate/gate_operands.h"
#include "properties/runs/gate/world.h"
#include "properties/targets/pipe/pipe_process.h"

namespace gradproof::runs {

/// A call and what it is asked with.
struct GateCall {
  corpus::Case test_case;
  OperandBytes operands;
};

/// A candidate in a world of its own, asked over two pipes. It is told shapes, attributes and
/// elements, nothing else.
class Candidate {
 public:
  using Clock = std::chrono::steady_clock;

  /// Errors: why it cannot be loaded.
  static tl::expected<std::unique_ptr<Candidate>, std::string> start(const GateTarget& target,
                                                                     Clock::time_point until);

  /// Answers in order, until one does not come: then `fate` says why.
  struct Reply {
    std::vector<corpus::Observation> seen;
    std::optional<std::string> fate;
    bool is_late = false;
  };
  Reply ask(std::span<const GateCall> calls, Clock::time_point until);

  /// Describes a process beyond the host's own, or a library that was not declared; empty: none is
  /// there now. Notes the libraries that it sees.
  std::string stranger();

  const std::string& dtypes() const { return dtypes_; }  ///< that it declares; "-": none
  const std::string& claims() const { return claims_; }  ///< likewise
  std::uint64_t answered() const { return answered_; }
  /// Names, each with how it is told from others of the name.
  const std::map<std::string, std::string>& libraries() const { return libraries_; }

 private:
  Candidate(const GateTarget& target, SealedWorld world)
      : target_(target), world_(std::move(world)) {}
  tl::expected<void, std::string> greet(Clock::time_point until);
  bool is_allowed(const std::string& path) const;

  GateTarget target_;
  SealedWorld world_;
  std::unique_ptr<targets::PipeProcess> process_;
  std::vector<std::byte> unread_;
  std::string dtypes_, claims_;
  std::map<std::string, std::string> libraries_;
  std::uint32_t next_number_ = 0;
  std::uint64_t answered_ = 0;
};

}  // namespace gradproof::runs
