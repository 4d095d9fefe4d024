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
#include "properties/laws/law.h"
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

/// Phase one alone gets real tensors up to this, to see that it writes nothing; beyond, a call is
/// only described. Filling and comparing them is what would take the time.
constexpr std::uint64_t most_bytes_to_see_untouched = std::uint64_t{1} << 13;

properties::CheckSettings check_settings() {
  properties::CheckSettings settings;
  settings.judge = judge_settings();
  settings.run.memory_limit_bytes = std::uint64_t{16} << 20;
  return settings;
}

/// No device has an address for every element of such tensors.
constexpr std::uint64_t beyond_any_memory = std::uint64_t{1} << 48;

/// Whether no program can pass the call: row-major strides that leave 64 bits cannot be written
/// down.
bool is_beyond_strides(const Case& problem) {
  const auto is_beyond = [&](auto role) {
    const auto& tensor = corpus::tensor(problem, role);
    if (!tensor || tensor->strides || tensor->shape.empty()) return false;
    std::vector<std::int64_t> inner = tensor->shape;
    inner.front() = 1;
    std::ranges::replace(inner, std::int64_t{0}, std::int64_t{1});
    return !corpus::element_count(inner);
  };
  return std::ranges::any_of(corpus::input_roles, is_beyond) ||
         std::ranges::any_of(corpus::output_roles, is_beyond);
}

/// Why a disagreement is none: how a call went that no rule speaks about says nothing as long as it
/// leaves the process alive, and a legal call whose tensors no memory holds may be refused for
/// resources (HW-01), in the strict profiles too.
std::optional<std::string> excuse_for(const Verdict& verdict, const Case& problem,
                                      oracle::Profile profile) {
  if (verdict.outcome != corpus::Outcome::Disagree) return std::nullopt;
  const auto bytes = properties::memory_bytes(problem);
  if (verdict.kind == corpus::DisagreementKind::Crash) {
    if (!bytes) return "a tensor cannot exist";
    return oracle::admissible_statuses(problem, profile).not_judged;
  }
  if (is_beyond_strides(problem)) return "the tensors have no strides";
  const bool may_succeed =
      std::ranges::find(verdict.admitted, corpus::Status::Success) != verdict.admitted.end();
  const bool is_refusal = verdict.status == corpus::Status::InnerNullptr && may_succeed;
  if (is_refusal && bytes.value_or(~0ULL) > beyond_any_memory) {
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

Case small_case_of(const CaseGenes& genes) {
  Case problem = case_of_genes(genes, small_calls);
  problem.id = "fuzzed";
  if (!problem.data) return problem;
  if (is_affordable(problem) && has_distinct_elements(problem)) {
    auto planned = oracle::with_recipe(problem, problem.data->distribution, problem.data->seed);
    if (planned) return *planned;
  }
  problem.data.reset();
  return problem;
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
  return small_case_of(genes_from_bytes(bytes));
}

std::optional<Case> strided_case(std::span<const std::uint8_t> bytes) {
  CaseGenes genes = genes_from_bytes(bytes);
  genes.recipe = 0;  // the exact grid: laws speak of sums that nobody rounds
  for (std::uint8_t i = 0; i < 3; ++i) {
    constexpr std::uint8_t another_order = 2, a_gap = 4;
    auto& order = genes.layouts.at(i).order;
    if (order == 0) genes.layouts.at(i).gaps |= a_gap;
    if (order == 0) order = static_cast<std::uint8_t>(another_order + i);
  }
  return small_case_of(genes);
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
  run.memory_limit_bytes = most_bytes_to_see_untouched;
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

Verdict check_layouts(const Case& problem) {
  Verdict verdict = check_values(problem);
  if (verdict.outcome != corpus::Outcome::Agree) return verdict;
  static const properties::CheckSettings settings = check_settings();
  for (const char* name : {"strided_as_contiguous", "offset_independence", "format_independence"}) {
    const properties::Law& law = *properties::law_named(name);
    if (!law.applies(problem)) continue;
    Verdict held = properties::check_law(law, fuzzed_target(), problem, settings);
    if (held.outcome == corpus::Outcome::Disagree) return held;
  }
  return verdict;
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
