#include "properties/findings/results/answers.h"

#include <fmt/core.h>

namespace gradproof::findings {
namespace {

using corpus::Outcome;

/// A wrong result was computed too. A law states no status: its calls returned several.
bool was_computed(const corpus::Verdict& verdict) {
  const bool is_accepted = !verdict.status || *verdict.status == corpus::Status::Success;
  return is_accepted && (verdict.outcome == Outcome::Agree || verdict.outcome == Outcome::Disagree);
}

void count(AnswerCount& into, const corpus::Verdict& verdict) {
  ++into.calls;
  if (was_computed(verdict)) ++into.computed;
  if (verdict.outcome == Outcome::Refused) ++into.refused;
}

bool has_failed(const corpus::Verdict& verdict) {
  return verdict.outcome == Outcome::Disagree && verdict.status &&
         *verdict.status != corpus::Status::Success;
}

void add_up(AnswerCount& into, const AnswerCount& from) {
  into.calls += from.calls;
  into.computed += from.computed;
  into.refused += from.refused;
}

}  // namespace

void Answers::add(const cases::Footprint& footprint, const corpus::Verdict& verdict) {
  if (!footprint.is_legal || footprint.is_empty) return;
  count(all, verdict);
  if (has_failed(verdict)) ++failed[*verdict.status];
  if (!footprint.classes) return;
  for (const std::uint8_t at : *footprint.classes) count(classes.at(at), verdict);
}

void Answers::merge(const Answers& other) {
  add_up(all, other.all);
  for (const auto& [status, calls] : other.failed) failed[status] += calls;
  for (std::size_t i = 0; i < classes.size(); ++i) add_up(classes.at(i), other.classes.at(i));
}

std::optional<std::string> broken_environment(const Answers& answers) {
  constexpr std::uint64_t enough = 200;
  if (answers.all.calls < enough || answers.failed.size() != 1) return std::nullopt;
  const auto& [status, calls] = *answers.failed.begin();
  if (calls != answers.all.calls) return std::nullopt;
  return fmt::format(
      "each of {} legal calls ended with {} before anything was computed. Look at the target's "
      "environment: LD_LIBRARY_PATH, set_env.sh of its toolkit, whether it finds its device "
      "(npu-smi info); the findings have what aclGetRecentErrMsg said",
      calls, corpus::words(status));
}

}  // namespace gradproof::findings
