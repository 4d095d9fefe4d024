#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "corpus/case.h"
#include "corpus/observation.h"
#include "oracle/arithmetic/algorithm_scope.h"
#include "oracle/arithmetic/arithmetic_model.h"
#include "oracle/geometry/geometry.h"
#include "oracle/judge/operand_store.h"
#include "oracle/numbers/dense.h"
#include "oracle/numbers/number_format.h"
#include "properties/cases/check/check.h"
#include "properties/targets/target/target.h"

namespace gradproof::findings::diagnosis {

using Numbers = oracle::Dense<oracle::Number>;

/// One run of the target as evidence about one gradient: what it was given and what it gave back.
struct Witness {
  corpus::Case test_case;
  corpus::OutputRole role = corpus::OutputRole::GradInput;
  oracle::Geometry geometry;
  std::size_t axes = 3;  ///< spatial ones that the call has: of D, H, W the last so many
  std::array<std::int64_t, 3> padding_end{};  ///< along D, H, W
  /// The operands as the call gives them, lifted to N C D H W; `other` is weight or input, and for
  /// gradBias gradOutput again, unread.
  Numbers grad_output, other;
  std::vector<oracle::Arithmetic> arithmetics;  ///< the first is what the specification says
  oracle::Adder adder = oracle::Adder::Ieee;
  std::optional<oracle::TileForm> tiles;  ///< in which it may compute as well
  corpus::OutputObservation observed;     ///< its elements in the order N C D H W too
  /// Of a large output the elements that are looked at, by index, which tell as much as all: those
  /// furthest from exact and others all over. Empty: all.
  std::vector<std::uint64_t> looked_at;
  bool is_line = false;  ///< the failure was found on a call with one axis, which is called l then
  bool is_line_throughout = false;  ///< the call before it was shrunk had one axis too

  corpus::InputRole other_role() const {
    return role == corpus::OutputRole::GradWeight ? corpus::InputRole::Input
                                                  : corpus::InputRole::Weight;
  }
  bool has_other() const { return role != corpus::OutputRole::GradBias; }
};

/// A run of which only the output is still to be seen (`observed`), of the case's data or, where
/// not null, of the operands that are given. nullopt where the call asks for no such gradient.
std::optional<Witness> unseen(const corpus::Case& test_case, corpus::OutputRole role,
                              const oracle::JudgeSettings& settings,
                              const oracle::GivenOperands* given = nullptr);

/// Runs the case, which must have complete data. nullopt where the run gave no gradient of this
/// role to look at.
std::optional<Witness> observe(targets::Target& target, const corpus::Case& test_case,
                               corpus::OutputRole role, const cases::CheckSettings& settings);

}  // namespace gradproof::findings::diagnosis
