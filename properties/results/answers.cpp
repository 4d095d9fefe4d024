#include "properties/results/answers.h"

namespace gradproof::properties {
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

void add_up(AnswerCount& into, const AnswerCount& from) {
  into.calls += from.calls;
  into.computed += from.computed;
  into.refused += from.refused;
}

}  // namespace

void Answers::add(const Footprint& footprint, const corpus::Verdict& verdict) {
  if (!footprint.is_legal || footprint.is_empty) return;
  count(all, verdict);
  if (!footprint.classes) return;
  for (const std::uint8_t at : *footprint.classes) count(classes.at(at), verdict);
}

void Answers::merge(const Answers& other) {
  add_up(all, other.all);
  for (std::size_t i = 0; i < classes.size(); ++i) add_up(classes.at(i), other.classes.at(i));
}

}  // namespace gradproof::properties
