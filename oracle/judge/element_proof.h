#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include <tl/expected.hpp>

#include "corpus/case.h"
#include "corpus/verdict.h"
#include "oracle/arithmetic/arithmetic_model.h"
#include "oracle/arithmetic/judge_settings.h"
#include "oracle/geometry/geometry.h"
#include "oracle/judge/operand_store.h"
#include "oracle/sums/dyadic.h"

namespace gradproof::oracle {

/// Why one computed element is right or wrong: everything a stranger needs to check it, exact.
/// Units: those of the gradient.
struct ElementProof {
  Arithmetic way;           ///< under which it was judged
  Dyadic sum, magnitude;    ///< s and S
  std::uint64_t terms = 0;  ///< K
  bool is_exact = false;    ///< nothing rounds in any order: equality is demanded
  Dyadic bound = {};        ///< of |FLOAT sum - s|; 0 where `is_exact`
  bool is_admitted = false;
  bool operands_are_finite = false;  ///< all elements of both, as the way rounds them
};

/// Proves elements of one case, which must have data and outlive the object.
class ElementProver {
 public:
  /// Errors: a sentence; the case has no gradient.
  static tl::expected<ElementProver, std::string> for_case(const corpus::Case& test_case,
                                                           const JudgeSettings& settings);

  /// The element of an output with these evidence and bits. nullopt: no product of it is finite
  /// throughout, or nothing can be said of it (a partial sum may overflow).
  std::optional<ElementProof> prove(corpus::OutputRole role, const corpus::OutputEvidence& evidence,
                                    const corpus::AttestedOutput& element);

 private:
  ElementProver(const corpus::Case& test_case, const JudgeSettings& settings,
                const Geometry& geometry)
      : problem_(&test_case),
        settings_(settings),
        geometry_(std::make_unique<Geometry>(geometry)),
        operands_(std::make_unique<OperandStore>(test_case, *geometry_)) {}

  std::optional<ElementProof> prove_under(const Arithmetic& way, corpus::OutputRole role,
                                          const corpus::AttestedOutput& element);

  const corpus::Case* problem_;
  JudgeSettings settings_;
  std::unique_ptr<Geometry> geometry_;  // the store refers to it
  std::unique_ptr<OperandStore> operands_;
};

}  // namespace gradproof::oracle
