#pragma once

// The specification as test data: rules.jsonl and decisions.jsonl of this folder over the calls of
// corpus/cases/rules (README.md says what each key means). The tests of kernel, oracle and explain
// read the same examples; what they expect is written here and derived from none of them.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "corpus/case.h"

namespace gradproof::spec {

using Names = std::vector<std::string>;
using Codes = std::vector<std::int32_t>;

/// The codes by profile, as far as the specification states them.
struct StatedCodes {
  std::optional<std::int32_t> documented;
  std::optional<std::int32_t> library;  ///< what the released library returns
  std::optional<Codes> released;        ///< all that profile `released` admits
  std::optional<Codes> tolerant;        ///< all that profile `tolerant` admits
  bool is_ill_defined = false;          ///< a success in profile `tolerant` has no defined values

  /// Whether the kernel may return `code` under profile `released`.
  bool allows_in_released(std::int32_t code) const;
};

/// A call that breaks a rule (or makes use of what it permits) and one that just meets it, on each
/// of the products.
struct RuleExample {
  std::string rule;
  Names products;
  std::optional<corpus::Case> breaks, meets;
  StatedCodes codes;  ///< of `breaks`
  StatedCodes alone;  ///< what the rule by itself leads to, where other rules decide with it
  std::string alias;  ///< the kernel's id, where it says this by another
  std::optional<Names> with;  ///< all other rules in play, where they are stated
  Names unsaid;               ///< those of `with` that the kernel does not name
  Names may;                  ///< rules that may refuse the call, too
  std::string note;
};

struct WorkedDecision {
  int number = 0;
  corpus::Case call;
  StatedCodes codes;
  std::string note;
};

/// The rule as the kernel calls it.
const std::string& kernel_id(const RuleExample& example);

corpus::Api api_of(const RuleExample& example);

/// All examples, in the order of the specification. Errors in the files end the program.
const std::vector<RuleExample>& rule_examples();
const std::vector<WorkedDecision>& worked_decisions();

/// Ids that have examples, in that order.
const Names& rules_with_examples();

/// Those whose examples call `api`.
Names rules_of(corpus::Api api);

std::vector<const RuleExample*> examples_of(std::string_view rule);

/// One of the calls in corpus/cases/rules.
const corpus::Case& stored_call(std::string_view id);

/// Ids of all of them.
Names stored_calls();

/// The same call on a product.
corpus::Case on(corpus::Case call, const std::string& soc);

/// "STRIDE-01 breaks-STRIDE-01-2 on Ascend910B": what a failure says first.
std::string title(const RuleExample& example, const corpus::Case& call);

/// An id as a part of a test's name.
std::string test_name(std::string id);

}  // namespace gradproof::spec
