#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "corpus/case.h"
#include "corpus/observation.h"
#include "oracle/arithmetic/arithmetic_model.h"
#include "oracle/arithmetic/judge_settings.h"
#include "oracle/gradients/linear/linear_check.h"
#include "oracle/judge/operand_store.h"
#include "oracle/judge/sum_scope.h"

namespace gradproof::oracle {

/// A large call whose sums are all exact, checked element by element in linear time
/// (gradients/linear/linear_check.h): one pass over all tensors decides about all outputs, when the
/// first is asked about. What it refers to must outlive it.
class LinearJudgement {
 public:
  LinearJudgement(const corpus::Case& test_case, const Geometry& geometry,
                  const JudgeSettings& settings, const GivenOperands* given,
                  const corpus::Observation& observation)
      : problem_(test_case),
        geometry_(geometry),
        settings_(settings),
        given_(given),
        observation_(observation) {}

  /// About one output.
  struct Decision {
    std::uint64_t zeros = 0;  ///< elements that are 0
    /// Row-major indices along N C D H W, one of which at least is wrong; empty: all are right.
    std::vector<std::uint64_t> suspects = {};
  };

  /// Decides the output; nullopt if the extents of the operands do not prove that every sum is
  /// exact, or if a conversion or a rounding may change what is multiplied or returned.
  std::optional<Decision> decide(corpus::OutputRole role, const Arithmetic& way);

 private:
  /// Elements of an input by entries of its first axis, drawn or given.
  struct Source {
    std::vector<std::byte> buffer;
    bool is_whole = false;  ///< the buffer holds all
  };

  bool wants(corpus::OutputRole role) const;
  bool is_exact(corpus::OutputRole role, const Arithmetic& way) const;
  void prepare();
  void add_input(corpus::InputRole role);
  void add_output(corpus::OutputRole role);
  std::span<const std::byte> entries(corpus::InputRole role, std::int64_t first,
                                     std::int64_t count);
  std::optional<Extent> known_extent(corpus::InputRole role) const;

  const corpus::Case& problem_;
  const Geometry& geometry_;
  const JudgeSettings& settings_;
  const GivenOperands* given_;
  const corpus::Observation& observation_;
  bool is_prepared_ = false;
  corpus::PerInput<Source> sources_;
  corpus::PerInput<std::optional<Extent>> extents_;  ///< expected, then found
  corpus::PerOutput<std::vector<std::byte>>
      reordered_;  ///< outputs along N C D H W, if they are not
  LinearProblem linear_;
  std::optional<LinearFindings> findings_;
};

}  // namespace gradproof::oracle
