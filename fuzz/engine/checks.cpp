#include "fuzz/engine/checks.h"

#include <algorithm>
#include <string>
#include <utility>

#include "corpus/case_json.h"
#include "corpus/shared_places.h"
#include "fuzz/engine/features.h"
#include "fuzz/engine/fuzzed_library.h"
#include "fuzz/records/case_from_bytes.h"
#include "oracle/geometry/workload.h"
#include "oracle/judge/judge.h"
#include "properties/cases/check/check.h"
#include "properties/cases/laws/law.h"
#include "properties/targets/session/case_memory.h"
#include "properties/targets/target/target.h"

namespace gradproof::fuzz {
namespace {

using corpus::Case;
using corpus::Verdict;

/// Memory that the tensors of a case with data may need, copies on the host included: views and
/// edits may ask for more than the limits of the sizes say.
constexpr std::uint64_t most_bytes_of_tensors = std::uint64_t{4} << 20;
constexpr std::uint64_t most_macs = 4 * static_cast<std::uint64_t>(small_calls.macs);

bool is_affordable(const Case& test_case) {
  const auto bytes = targets::memory_bytes(test_case);
  return bytes && *bytes <= most_bytes_of_tensors &&
         oracle::mac_count(test_case).value_or(0) <= most_macs;
}

/// Up to this size phase one alone gets real tensors, to see that it writes nothing; a larger call
/// is only described, because filling and comparing tensors would take most of the time.
constexpr std::uint64_t most_bytes_to_see_untouched = std::uint64_t{1} << 13;

cases::CheckSettings check_settings() {
  cases::CheckSettings settings;
  settings.judge = judge_settings();
  settings.run.memory_limit_bytes = std::uint64_t{16} << 20;
  return settings;
}

/// Settings of a check without data.
cases::CheckSettings bare_settings() {
  cases::CheckSettings settings = check_settings();
  settings.run.status_only = true;
  settings.run.memory_limit_bytes = most_bytes_to_see_untouched;
  return settings;
}

/// True if no two elements of an input share a place: such elements cannot have separate data.
bool has_distinct_inputs(const Case& test_case) {
  return std::ranges::all_of(corpus::input_roles, [&](corpus::InputRole role) {
    const auto& tensor = corpus::tensor(test_case, role);
    return !tensor || !corpus::may_share_places(*tensor);
  });
}

/// The recipe planned; no data for a call that must be refused, which reads none of its elements.
Case with_useful_data(const Case& test_case) {
  auto runs =
      cases::runs_of({test_case, ruling_of_call(test_case)}, {test_case.data->distribution});
  return std::move(runs.front());
}

Case small_case_of(const CaseGenes& genes) {
  Case test_case = case_of_genes(genes, small_calls);
  test_case.id = "fuzzed";
  if (!test_case.data) return test_case;
  if (is_affordable(test_case) && has_distinct_inputs(test_case))
    return with_useful_data(test_case);
  test_case.data.reset();
  return test_case;
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
  genes.recipe = 0;  // the exact grid: the laws hold where no sum is rounded
  for (std::uint8_t i = 0; i < 3; ++i) {
    constexpr std::uint8_t another_order = 2, a_gap = 4;
    auto& order = genes.layouts.at(i).order;
    if (order == 0) genes.layouts.at(i).gaps |= a_gap;
    if (order == 0) order = static_cast<std::uint8_t>(another_order + i);
  }
  return small_case_of(genes);
}

std::optional<Case> bare_case(std::span<const std::uint8_t> bytes) {
  Case test_case = case_from_bytes(bytes, any_size);
  test_case.id = "fuzzed";
  test_case.data.reset();
  return test_case;
}

std::optional<Case> parsed_case(std::span<const std::uint8_t> text) {
  const std::string line(text.begin(), text.end());
  auto parsed = corpus::parse_case(line);
  if (!parsed) return std::nullopt;
  return std::move(*parsed);
}

Verdict check_values(const Case& test_case) {
  static const cases::CheckSettings settings = check_settings(), bare = bare_settings();
  const cases::CheckSettings& used = test_case.data ? settings : bare;
  const corpus::Observation seen = fuzzed_target().run_case(test_case, used.run);
  return cases::judged({test_case, ruling_of_call(test_case)}, seen, used);
}

Verdict check_status(const Case& test_case) {
  static const cases::CheckSettings settings = bare_settings();
  const corpus::Observation seen = fuzzed_target().run_case(test_case, settings.run);
  const bool values = false;
  Verdict verdict =
      oracle::judge({test_case, ruling_of_call(test_case)}, seen, settings.judge, values);
  if (verdict.outcome == corpus::Outcome::Disagree) return verdict;
  oracle::JudgeSettings tolerant = settings.judge;
  tolerant.profile = oracle::Profile::Tolerant;
  Verdict foreign = oracle::judge({test_case, tolerant.profile}, seen, tolerant, values);
  if (foreign.outcome != corpus::Outcome::Disagree) return verdict;
  foreign.reason = "as a foreign library: " + foreign.reason;
  return foreign;
}

Verdict check_layouts(const Case& test_case) {
  Verdict verdict = check_values(test_case);
  if (verdict.outcome != corpus::Outcome::Agree) return verdict;
  static const cases::CheckSettings settings = check_settings();
  for (const char* name : {"strided_as_contiguous", "offset_independence", "format_independence"}) {
    const cases::Law& law = *cases::law_named(name);
    if (!law.applies(test_case)) continue;
    Verdict held = cases::check_law(law, fuzzed_target(), test_case, settings);
    if (held.outcome == corpus::Outcome::Disagree) return held;
  }
  return verdict;
}

Verdict check_round_trip(const Case& test_case) {
  Verdict verdict;
  verdict.outcome = corpus::Outcome::Agree;
  const std::string line = corpus::to_json_line(test_case);
  const auto again = corpus::parse_case(line);
  if (!again) {
    const auto& error = again.error();
    return round_trip_broken("the canonical line is refused: " + error.key + ": " + error.problem);
  }
  if (*again != test_case) return round_trip_broken("the canonical line is read as another case");
  if (corpus::to_json_line(*again) != line) {
    return round_trip_broken("the case that was read is written as another line");
  }
  return verdict;
}

}  // namespace gradproof::fuzz
