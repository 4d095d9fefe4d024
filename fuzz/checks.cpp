#include "fuzz/checks.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "corpus/case_json.h"
#include "fuzz/case_from_bytes.h"
#include "fuzz/fuzzed_library.h"
#include "oracle/recipe_plan.h"
#include "oracle/workload.h"
#include "properties/check.h"
#include "properties/target/case_memory.h"

namespace gradproof::fuzz {
namespace {

using corpus::Case;
using corpus::Verdict;

/// What the tensors of a case with data may need, copies on the host included: views and edits may
/// ask for more than the limits of the sizes say.
constexpr std::uint64_t most_bytes_of_tensors = std::uint64_t{4} << 20;
constexpr std::uint64_t most_macs = 4 * static_cast<std::uint64_t>(small_calls.macs);

bool is_affordable(const Case& problem) {
  const auto bytes = properties::memory_bytes(problem);
  return bytes && *bytes <= most_bytes_of_tensors &&
         oracle::mac_count(problem).value_or(0) <= most_macs;
}

properties::CheckSettings check_settings() {
  properties::CheckSettings settings;
  settings.judge = judge_settings();
  settings.run.memory_limit_bytes = std::uint64_t{16} << 20;
  return settings;
}

/// No device has an address for every element of such tensors.
constexpr std::uint64_t beyond_any_memory = std::uint64_t{1} << 48;

/// Why a disagreement is none: how a call went that no rule speaks about says nothing as long as it
/// leaves the process alive, and a legal call whose tensors no memory holds may be refused for
/// resources (HW-01), in the strict profiles too.
std::optional<std::string> excuse_for(const Verdict& verdict, const Case& problem,
                                      oracle::Profile profile) {
  if (verdict.outcome != corpus::Outcome::Disagree) return std::nullopt;
  if (verdict.kind == corpus::DisagreementKind::Crash) {
    return oracle::admissible_statuses(problem, profile).not_judged;
  }
  const bool is_refusal = verdict.status == corpus::Status::InnerNullptr && verdict.rules.empty();
  if (is_refusal && properties::memory_bytes(problem).value_or(~0ULL) > beyond_any_memory) {
    return "the tensors are larger than any memory (HW-01)";
  }
  return std::nullopt;
}

Verdict excused(Verdict verdict, const Case& problem, oracle::Profile profile) {
  const auto excuse = excuse_for(verdict, problem, profile);
  if (!excuse) return verdict;
  Verdict skipped;
  skipped.reason = *excuse;
  return skipped;
}

/// Whether no two elements of a view share a place in memory, as far as nested axes show it.
bool has_distinct_elements(const corpus::TensorCase& tensor) {
  if (!tensor.strides) return true;
  std::vector<std::pair<std::int64_t, std::int64_t>> axes;  // stride, length
  for (std::size_t axis = 0; axis < tensor.shape.size(); ++axis) {
    if (tensor.shape[axis] > 1) axes.emplace_back((*tensor.strides)[axis], tensor.shape[axis]);
  }
  std::ranges::sort(axes);
  std::int64_t reach = 0;
  for (const auto& [stride, length] : axes) {
    std::int64_t step = 0;
    if (stride <= reach || __builtin_mul_overflow(stride, length - 1, &step) ||
        __builtin_add_overflow(reach, step, &reach)) {
      return false;
    }
  }
  return true;
}

/// Elements that share a place have no values of their own, neither as data nor as results.
bool has_distinct_elements(const Case& problem) {
  const auto is_distinct = [&](auto role) {
    const auto& tensor = corpus::tensor(problem, role);
    return !tensor || has_distinct_elements(*tensor);
  };
  return std::ranges::all_of(corpus::input_roles, is_distinct) &&
         std::ranges::all_of(corpus::output_roles, is_distinct);
}

Verdict round_trip_broken(std::string reason) {
  Verdict verdict;
  verdict.outcome = corpus::Outcome::Disagree;
  verdict.kind = corpus::DisagreementKind::Law;
  verdict.law = "round trip";
  verdict.reason = std::move(reason);
  return verdict;
}

}  // namespace

std::optional<Case> small_case(std::span<const std::uint8_t> bytes) {
  Case problem = case_from_bytes(bytes, small_calls);
  problem.id = "fuzzed";
  if (!problem.data) return problem;
  if (is_affordable(problem) && has_distinct_elements(problem)) {
    auto planned = oracle::with_recipe(problem, problem.data->distribution, problem.data->seed);
    if (planned) return std::move(*planned);
  }
  problem.data.reset();
  return problem;
}

std::optional<Case> bare_case(std::span<const std::uint8_t> bytes) {
  Case problem = case_from_bytes(bytes, any_size);
  problem.id = "fuzzed";
  problem.data.reset();
  return problem;
}

std::optional<Case> parsed_case(std::span<const std::uint8_t> text) {
  const std::string line(text.begin(), text.end());
  auto parsed = corpus::parse_case(line);
  if (!parsed) return std::nullopt;
  return std::move(*parsed);
}

Verdict check_values(const Case& problem) {
  static const properties::CheckSettings settings = check_settings();
  return excused(properties::check(fuzzed_target(), problem, settings), problem,
                 settings.judge.profile);
}

Verdict check_status(const Case& problem) {
  static const properties::CheckSettings settings = check_settings();
  properties::RunSettings run = settings.run;
  run.status_only = true;
  const corpus::Observation seen = properties::run_case(fuzzed_target(), problem, run);
  Case without_values = problem;
  without_values.shape_consistent = false;
  Verdict verdict =
      excused(oracle::judge(without_values, seen, settings.judge), problem, settings.judge.profile);
  if (verdict.outcome == corpus::Outcome::Disagree) return verdict;
  oracle::JudgeSettings tolerant = settings.judge;
  tolerant.profile = oracle::Profile::Tolerant;
  Verdict foreign =
      excused(oracle::judge(without_values, seen, tolerant), problem, tolerant.profile);
  if (foreign.outcome != corpus::Outcome::Disagree) return verdict;
  foreign.reason = "as a foreign library: " + foreign.reason;
  return foreign;
}

Verdict check_round_trip(const Case& problem) {
  Verdict verdict;
  verdict.outcome = corpus::Outcome::Agree;
  const std::string line = corpus::to_json_line(problem);
  const auto again = corpus::parse_case(line);
  if (!again) {
    const auto& error = again.error();
    return round_trip_broken("the canonical line is refused: " + error.key + ": " + error.problem);
  }
  if (*again != problem) return round_trip_broken("the canonical line is read as another case");
  if (corpus::to_json_line(*again) != line) {
    return round_trip_broken("the case that was read is written as another line");
  }
  return verdict;
}

}  // namespace gradproof::fuzz
