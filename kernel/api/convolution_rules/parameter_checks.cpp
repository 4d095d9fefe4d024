#include "kernel/api/convolution_rules/parameter_checks.h"

#include <array>

#include "kernel/api/convolution_rules/rule.h"

namespace gradproof::kernel::api {
namespace {

using parameter_checks::Call;

/// Rules, and a question that tells calls which can break none of them: it is asked once, instead
/// of a similar one by each rule.
struct Group {
  parameter_checks::Rules rules;
  bool (*concerns)(const Call& call);
};

bool always(const Call&) { return true; }

/// True if the device has 8-bit types, which their rules require first.
bool may_have_eight_bits(const Call& call) { return call.on_a5(); }

/// True if an input is empty: the rules of empty tensors concern such calls.
bool any_input_is_empty(const Call& call) {
  return is_empty(call.grad_output) || is_empty(call.input) || is_empty(call.weight);
}

using Groups = std::array<Group, 14>;

const Groups& groups() {
  using namespace parameter_checks;
  static const Groups all = {{{null_rules(), always},
                              {product_rules(), always},
                              {dtype_rules(), always},
                              {float8_rules(), may_have_eight_bits},
                              {format_rules(), always},
                              {length_rules(), always},
                              {bound_rules(), always},
                              {math_mode_rules(), always},
                              {channel_rules(), always},
                              {shape_rules(), always},
                              {bias_rules(), always},
                              {empty_rules(), any_input_is_empty},
                              {memory_rules(), always},
                              {range_rules(), always}}};
  return all;
}

/// Groups of checks that apply: on an unsupported product only those of null and the product.
std::span<const Group> applicable_groups(const Call& call) {
  const bool supported = call.set() != parameter_checks::ProductSet::X;
  return std::span(groups()).first(supported ? groups().size() : 2);
}

/// True if the call's profile permits the rule's breach, whatever the call.
bool never_fails(const parameter_checks::Rule& rule, const Call& call) {
  return (call.released() ? rule.released : rule.documented) == success<parameter_checks::Call>;
}

std::vector<Breach> breaches(const Call& call, bool with_permissions) {
  std::vector<Breach> found;
  for (const Group& group : applicable_groups(call)) {
    if (!with_permissions && !group.concerns(call)) continue;
    for (const auto& rule : group.rules) {
      if (!with_permissions && never_fails(rule, call)) continue;
      const auto finding = rule.find(call);
      if (!finding) continue;
      const auto status = call.released() ? rule.released(call) : rule.documented(call);
      found.push_back({rule.id, rule.source, status, *finding});
    }
  }
  return found;
}

}  // namespace

std::vector<Breach> breaches(const Call& call) { return breaches(call, true); }

Verdict check_parameters(const Call& call) {
  std::vector<Breach> found = breaches(call, false);
  Verdict verdict{.status = status_of(found), .error_lines = {}};
  if (verdict.status != ACLNN_SUCCESS)
    verdict.error_lines = error_lines(std::move(found), "aclnnConvolutionBackward");
  return verdict;
}

}  // namespace gradproof::kernel::api
