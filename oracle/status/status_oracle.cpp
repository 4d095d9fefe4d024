#include "oracle/status/status_oracle.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>

#include "corpus/operators/operator_row.h"

namespace gradproof::oracle {
namespace {

using corpus::Case;
using corpus::Status;

bool has_negative(const std::vector<std::int64_t>& values) {
  return std::ranges::any_of(values, [](std::int64_t value) { return value < 0; });
}

/// Describes the flaw that makes a tensor one that no caller can describe, or an empty view.
std::string_view flaw_of(const corpus::TensorCase& tensor) {
  if (has_negative(tensor.shape)) return "a negative length";
  if (tensor.offset < 0) return "a negative offset";
  if (tensor.storage_shape && has_negative(*tensor.storage_shape)) {
    return "a negative length of its storage";
  }
  if (!tensor.strides) return {};
  if (tensor.strides->size() != tensor.shape.size()) return "strides of another rank";
  return has_negative(*tensor.strides) ? "a negative stride" : std::string_view{};
}

template <typename Role>
std::optional<std::string> flaw_among(const Case& test_case, std::span<const Role> roles) {
  for (const Role role : roles) {
    const auto& described = corpus::tensor(test_case, role);
    const auto flaw = described ? flaw_of(*described) : std::string_view{};
    if (!flaw.empty()) {
      return fmt::format("{} has {}, of which no rule speaks", corpus::name_of(test_case, role),
                         flaw);
    }
  }
  return std::nullopt;
}

/// Most documents speak of whole tensors only.
template <typename Role>
std::optional<std::string> view_among(const Case& test_case, std::span<const Role> roles) {
  for (const Role role : roles) {
    const auto& described = corpus::tensor(test_case, role);
    const bool is_view =
        described && (described->strides || described->offset != 0 || described->storage_shape);
    if (!is_view) continue;
    return fmt::format("{} is a view, of which no rule of {} speaks",
                       corpus::name_of(test_case, role), corpus::name_of(test_case.api));
  }
  return std::nullopt;
}

/// The rules speak about tensors that can exist. A negative length, stride or offset cannot be
/// passed by a correct program.
std::optional<std::string> why_not_judged(const Case& test_case) {
  if (!corpus::has_attributes(test_case.api) && !corpus::product_of(test_case)) {
    return fmt::format("no product is called \"{}\"", test_case.soc);
  }
  if (auto flaw = flaw_among<corpus::InputRole>(test_case, corpus::input_roles)) return flaw;
  if (auto flaw = flaw_among<corpus::OutputRole>(test_case, corpus::output_roles)) return flaw;
  if (test_case.bias && !flaw_of(*test_case.bias).empty()) {
    return fmt::format("bias has {}, of which no rule speaks", flaw_of(*test_case.bias));
  }
  if (corpus::row_of(test_case.api).documents_views) return std::nullopt;
  if (auto view = view_among<corpus::InputRole>(test_case, corpus::input_roles)) return view;
  return view_among<corpus::OutputRole>(test_case, corpus::output_roles);
}

/// A graph operator and a tiling class also answer for an unknown chip: they refuse it.
corpus::Product judged_product(const Case& test_case) {
  return corpus::product_of(test_case).value_or(corpus::Product::Ascend310);
}

/// Among several broken rules the call answers with the first of these that any of them demands.
constexpr std::array precedence{Status::ParamNullptr, Status::ParamInvalid,  Status::InnerNullptr,
                                Status::RuntimeError, Status::TilingRefused, Status::Success};

/// Associative and commutative, so the order of the rules does not matter: it is the minimum by
/// `precedence`.
Status first_of(Status left, Status right) {
  for (const Status status : precedence) {
    if (left == status || right == status) return status;
  }
  return Status::Success;
}

/// Every answer that is the first of one element of each set.
StatusSet firsts_of(StatusSet left, StatusSet right) {
  StatusSet answers;
  for (const Status one : precedence) {
    for (const Status other : precedence) {
      if (left.contains(one) && right.contains(other)) {
        answers = answers.united_with(first_of(one, other));
      }
    }
  }
  return answers;
}

/// Codes that the rules seen so far together admit, per profile. Documented: the minimum by
/// precedence of the codes of all rules. Released: the same of every choice of one code from each
/// rule's set, so a set. Tolerant: any code that a single rule accepts, since the order of a
/// foreign library's checks is unknown.
struct Combination {
  Status documented = Status::Success;
  StatusSet released = Status::Success;
  StatusSet refusals;  ///< tolerant: every code that any rule accepts
  bool all_accept_success = true;
  bool values_undefined = false;

  void add(const Consequence& consequence) {
    documented = first_of(documented, consequence.documented);
    released = firsts_of(released, consequence.released);
    refusals = refusals.united_with(consequence.accepted.without_success());
    all_accept_success &= consequence.accepted.contains(Status::Success);
    values_undefined |= consequence.accepted.leaves_values_undefined();
  }

  /// A tolerant verifier admits success only where no broken rule rules it out.
  StatusSet admitted(Profile profile) const {
    switch (profile) {
      case Profile::Documented:
        return documented;
      case Profile::Released:
        return released;
      case Profile::Unruled:
        return Status::Success;
      case Profile::Tolerant:
        break;
    }
    return all_accept_success ? refusals.united_with(Status::Success) : refusals;
  }
};

RuleFinding finding_of(const StatusRule& rule, const Facts& facts) {
  const Consequence alone = rule.consequence(facts);
  return {.id = rule.id,
          .source = rule.source,
          .words = rule.words(facts),
          .documented = alone.documented,
          .released = alone.released.sorted(),
          .tolerant = alone.accepted.sorted()};
}

std::vector<RuleFinding> findings(const Case& test_case, Standing wanted) {
  if (why_not_judged(test_case)) return {};
  const Facts facts = facts_of(test_case, judged_product(test_case));
  std::vector<RuleFinding> found;
  for (const StatusRule& rule : all_status_rules()) {
    if (standing_of(rule, facts) == wanted) found.push_back(finding_of(rule, facts));
  }
  return found;
}

}  // namespace

/// Cost: each of the rules once; their sentences are made only where a person reads them.
Ruling ruling_on(const Case& test_case, Profile profile) {
  Ruling ruling;
  AdmissibleStatuses& result = ruling.admissible;
  result.not_judged = why_not_judged(test_case);
  if (result.not_judged) return ruling;

  const Facts facts = facts_of(test_case, judged_product(test_case));
  Combination combination;
  const auto rows = all_status_rules();
  ruling.standings.reserve(rows.size());
  for (const StatusRule& rule : rows) {
    const Standing standing = ruling.standings.emplace_back(standing_of(rule, facts));
    if (standing == Standing::Undefined || standing == Standing::Met) continue;
    combination.add(rule.consequence(facts));
    auto& ids = standing == Standing::Broken ? result.broken_rules : result.permissions;
    ids.emplace_back(rule.id);
  }
  const StatusSet admitted = combination.admitted(profile);
  result.statuses = admitted.sorted();
  if (profile == Profile::Unruled) {
    result.broken_rules.clear();
    return ruling;
  }
  result.values_ill_defined = combination.values_undefined && admitted.contains(Status::Success);
  const bool resources_may_lack =
      profile == Profile::Tolerant || corpus::is_tiling_class(test_case.api);
  result.may_be_refused = resources_may_lack && combination.documented == Status::Success;
  return ruling;
}

AdmissibleStatuses admissible_statuses(const Case& test_case, Profile profile) {
  return ruling_on(test_case, profile).admissible;
}

std::vector<BrokenRule> broken_rules(const Case& test_case) {
  return findings(test_case, Standing::Broken);
}

std::vector<RuleFinding> used_permissions(const Case& test_case) {
  return findings(test_case, Standing::Permitted);
}

}  // namespace gradproof::oracle
