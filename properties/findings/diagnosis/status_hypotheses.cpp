#include "properties/findings/diagnosis/clues.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdint>

#include "corpus/product.h"
#include "oracle/status/status_oracle.h"

namespace gradproof::findings::diagnosis {
namespace {

using corpus::Case;
using corpus::Status;

struct StatusAnswer {
  Case test_case;
  Status status = Status::Success;
};

bool admits(const Case& test_case, Status status, oracle::Profile profile) {
  const auto ruling = oracle::admissible_statuses(test_case, profile);
  return std::ranges::find(ruling.statuses, status) != ruling.statuses.end();
}

Case with_dtype(Case test_case, corpus::DataType dtype) {
  for (const auto role : corpus::input_roles) {
    if (auto& tensor = corpus::tensor(test_case, role)) tensor->dtype = dtype;
  }
  for (const auto role : corpus::output_roles) {
    if (auto& tensor = corpus::tensor(test_case, role)) tensor->dtype = dtype;
  }
  return test_case;
}

/// The call itself, in each dtype, on each product that the target has.
std::vector<Case> neighbours(const targets::Target& target, Case test_case) {
  test_case.data.reset();
  test_case.expect.reset();
  std::vector<Case> calls{test_case};
  for (const targets::Device& device : target.library().devices()) {
    if (!device.product) continue;
    test_case.soc = corpus::name_of(*device.product);
    for (const auto dtype :
         {corpus::DataType::Float, corpus::DataType::Float16, corpus::DataType::BFloat16}) {
      calls.push_back(with_dtype(test_case, dtype));
    }
  }
  return calls;
}

std::vector<StatusAnswer> answers_of(targets::Target& target, const Case& test_case,
                                     cases::CheckSettings settings) {
  settings.run.status_only = true;
  std::vector<StatusAnswer> answers;
  for (Case& call : neighbours(target, test_case)) {
    const auto verdict = cases::check(target, call, settings);
    const bool is_judged =
        verdict.outcome == corpus::Outcome::Agree || verdict.outcome == corpus::Outcome::Disagree;
    if (is_judged && verdict.status) answers.push_back({std::move(call), *verdict.status});
  }
  return answers;
}

}  // namespace

std::vector<std::string> status_hypotheses(targets::Target& target, const Case& test_case,
                                           const cases::CheckSettings& settings) {
  const auto profile = settings.judge.profile;
  const auto answers = answers_of(target, test_case, settings);
  const auto is_wrong = [&](const StatusAnswer& one) {
    return !admits(one.test_case, one.status, profile);
  };
  const auto wrong = std::ranges::count_if(answers, is_wrong);
  std::vector<std::string> sentences;
  if (answers.empty() || !is_wrong(answers.front())) return sentences;
  for (std::int8_t mode = 0; mode < 4; ++mode) {
    if (mode == test_case.cube_math_type) continue;
    const bool explains_all = std::ranges::all_of(answers, [&](StatusAnswer one) {
      one.test_case.cube_math_type = mode;
      return admits(one.test_case, one.status, profile);
    });
    if (!explains_all) continue;
    sentences.push_back(fmt::format(
        "the status equals the right one with cubeMathType {} taken for {} (tested on {} calls, {} "
        "of them wrong)",
        mode, test_case.cube_math_type, answers.size(), wrong));
  }
  return sentences;
}

}  // namespace gradproof::findings::diagnosis
