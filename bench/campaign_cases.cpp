#include "bench/campaign_cases.h"

#include <algorithm>

#include "oracle/geometry/workload.h"
#include "properties/cases/check/check.h"
#include "properties/cases/generators/random_case.h"
#include "properties/cases/laws/law_choice.h"

namespace gradproof::bench {
namespace {

using corpus::Case;

/// Between these limits the mean of the generated calls is about 2,000.
constexpr std::int64_t least_macs = 600, most_macs = 8'000;

cases::CaseSource source_of(cases::Kind kind) {
  cases::Selection selection;
  selection.kind = kind;
  selection.max_macs = most_macs;
  return *cases::CaseSource::of(selection);
}

const cases::CaseSource& value_source() {
  static const cases::CaseSource source = source_of(cases::Kind::Valid);
  return source;
}

bool is_judged_by_all_values(const Case& test_case) {
  const auto macs = static_cast<std::int64_t>(oracle::mac_count(test_case).value_or(0));
  if (macs < least_macs || macs > most_macs) return false;
  return std::ranges::all_of(corpus::output_roles, [&](corpus::OutputRole role) {
    return corpus::is_requested(test_case, role);
  });
}

}  // namespace

Case generated_value_case(std::uint64_t index) { return value_source()(campaign_seed, index); }

std::vector<std::uint64_t> value_case_indices(std::size_t count) {
  std::vector<std::uint64_t> indices;
  for (std::uint64_t i = 0; indices.size() < count; ++i) {
    if (is_judged_by_all_values(generated_value_case(i))) indices.push_back(i);
  }
  return indices;
}

double mean_macs(const std::vector<Case>& cases) {
  double sum = 0;
  for (const Case& test_case : cases) {
    sum += static_cast<double>(oracle::mac_count(test_case).value_or(0));
  }
  return cases.empty() ? 0 : sum / static_cast<double>(cases.size());
}

std::vector<Case> value_runs(std::size_t calls) {
  std::vector<Case> runs;
  for (const std::uint64_t index : value_case_indices(calls)) {
    for (Case& run : cases::runs_of({generated_value_case(index), oracle::Profile::Documented}, {},
                                    campaign_seed)) {
      runs.push_back(std::move(run));
    }
  }
  return runs;
}

std::vector<Case> refused_calls(std::size_t count) {
  const cases::CaseSource source = source_of(cases::Kind::Invalid);
  std::vector<Case> calls;
  for (std::uint64_t i = 0; calls.size() < count; ++i) {
    calls.push_back(source(campaign_seed, i));
  }
  return calls;
}

std::vector<LawRun> law_runs(std::size_t count) {
  const cases::LawChoice choice = cases::law_choice({});
  std::vector<LawRun> runs;
  for (std::uint64_t i = 0; runs.size() < count; ++i) {
    const Case test_case = generated_value_case(i);
    for (const cases::Law* law :
         cases::laws_for(choice, test_case, true, oracle::Profile::Documented)) {
      const auto run = cases::law_run(*law, test_case, cases::data_seed(test_case, campaign_seed));
      if (run) runs.push_back({*run, law});
    }
  }
  return runs;
}

}  // namespace gradproof::bench
