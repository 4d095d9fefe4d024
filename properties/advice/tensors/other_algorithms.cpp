#include <fmt/format.h>

#include "corpus/machine/algorithm.h"
#include "oracle/arithmetic/algorithm_scope.h"
#include "oracle/judge/judge_stages.h"
#include "properties/advice/tensors/suspects.h"

namespace gradproof::advice {

std::optional<std::string> told_by_tiles(const GivenTensors& tensors, corpus::OutputRole role,
                                         oracle::JudgeSettings judge) {
  if (role == corpus::OutputRole::GradBias) return std::nullopt;
  corpus::Case alone = tensors.test_case;
  alone.output_mask = {false, false, false};
  alone.output_mask->at(to_size(role)) = true;
  corpus::Observation seen;
  seen.outputs[role].bits = tensors.results[role];
  const auto geometry = oracle::geometry_of(alone);
  const auto ways = oracle::arithmetics(alone, role, judge);
  if (!geometry || ways.empty()) return std::nullopt;
  for (const corpus::Algorithm algorithm : corpus::winograd_algorithms) {
    judge.algorithms = {{.gradient = role, .algorithm = algorithm, .tiles_anywhere = true}};
    if (corpus::impossibility(judge.algorithms.front())) continue;
    const auto form = oracle::tiles_admitted(judge, alone, *geometry, role, ways.front());
    if (!form) continue;
    corpus::Verdict verdict;
    oracle::judge_tensors(alone, tensors.operand_bytes(), seen, judge, verdict);
    if (!verdict.outputs[role].compared || verdict.outputs[role].breaches > 0) continue;
    return fmt::format(
        "every element is within the bound of {}: right, if that is how the library computes; "
        "--machine with a file whose algorithms say {}, tiles_anywhere, judges by it",
        oracle::words(*form), corpus::name_of(algorithm));
  }
  return std::nullopt;
}

}  // namespace gradproof::advice
