#include "properties/cases/generators/selection.h"

#include <fmt/format.h>

#include <cmath>
#include <cstddef>
#include <functional>
#include <iterator>

#include "corpus/element_encoding.h"
#include "corpus/operators/operator_row.h"
#include "oracle/geometry/workload.h"
#include "oracle/status/status_oracle.h"

namespace gradproof::cases {
namespace {

using corpus::Case;
using corpus::InputRole;

bool any_operand(const Case& test_case, auto&& holds) {
  return std::ranges::any_of(corpus::input_roles, [&](InputRole role) {
    const auto& tensor = corpus::tensor(test_case, role);
    return tensor && holds(role, *tensor);
  });
}

bool has_operand_view(const Case& test_case) {
  return any_operand(test_case, [](InputRole, const corpus::TensorCase& tensor) {
    return tensor.strides || tensor.offset != 0;
  });
}

bool has_specials(const Case& test_case) {
  if (!test_case.data) return false;
  if (test_case.data->distribution == corpus::Distribution::Specials) return true;
  return any_operand(test_case, [&](InputRole role, const corpus::TensorCase& tensor) {
    const auto& listed = test_case.data->listed[role];
    return std::ranges::any_of(listed, [&](const corpus::ListedElement& element) {
      const auto value = corpus::decode(tensor.dtype, element.bits);
      return value && !std::isfinite(*value);
    });
  });
}

/// True if the case is in the domain by its paddings: products' ranges do not limit a function.
bool is_in_domain(const Case& test_case, Domain domain) {
  const auto at = [](const auto& values, std::size_t axis, std::int64_t otherwise) {
    return values && axis < values->size() ? (*values)[axis] : otherwise;
  };
  const std::size_t count = test_case.padding ? test_case.padding->size() : 0;
  for (std::size_t axis = 0; axis < count; ++axis) {
    if (domain != Domain::Any && at(test_case.padding, axis, 0) < 0) return false;
    const std::int64_t stride = at(test_case.stride, axis, 1);
    const std::int64_t dilation = domain == Domain::Cann ? 0 : at(test_case.dilation, axis, 1);
    const std::int64_t output_padding = at(test_case.output_padding, axis, 0);
    if (test_case.transposed && output_padding >= std::max(stride, dilation)) return false;
  }
  return true;
}

/// True if a stride, padding or dilation is so long that a function which pads what it is given
/// takes gigabytes for a call of few products.
bool has_long_step(const Case& test_case) {
  constexpr std::int64_t longest = 65'535;
  return std::ranges::any_of(std::array{&test_case.stride, &test_case.padding, &test_case.dilation},
                             [](const auto* steps) {
                               return *steps && std::ranges::any_of(**steps, [](std::int64_t step) {
                                 return step > longest;
                               });
                             });
}

/// Describes why a function of tensors is not asked this: a view, special values or a call beyond
/// the domain, which the selection leaves out. Null: it may be asked, or no function of tensors is.
const char* why_not_of_tensors(const Selection& selection, const Case& test_case) {
  if (!selection.of_tensors) return nullptr;
  if (!selection.views && has_operand_view(test_case)) return "outside of the options: a view";
  if (!selection.specials && has_specials(test_case)) {
    return "outside of the options: special values";
  }
  if (!is_in_domain(test_case, selection.domain)) return "outside of the options: another domain";
  if (has_long_step(test_case)) return "a step beyond 65535";
  return nullptr;
}

bool admits_types(const Selection& selection, const Case& test_case) {
  return std::ranges::all_of(corpus::input_roles, [&](corpus::InputRole role) {
    const auto& tensor = corpus::tensor(test_case, role);
    const bool is_bias = corpus::is_forward(test_case.api) && role == corpus::InputRole::Input;
    if (!corpus::is_operand(test_case, role) || is_bias) return true;
    return !tensor || admits(selection.dtypes, tensor->dtype);
  });
}

bool admits_product(const Selection& selection, const Case& test_case) {
  if (selection.products.empty()) return true;
  const auto product = corpus::product_of(test_case);
  return product && admits(selection.products, *product);
}

bool admits_rank(const Selection& selection, const Case& test_case) {
  const bool is_aclnn = test_case.api == corpus::Api::ConvolutionBackward;
  const auto& ranked = is_aclnn ? test_case.input : test_case.grad_output;
  return !ranked || admits(selection.ranks, static_cast<int>(ranked->shape.size()));
}

/// A call may be valid that breaks a rule without a status, or lacks resources (HW-01). One whose
/// case states a refusal is not, although some refusals are no rule's.
bool admits_kind(const Selection& selection, const Case& test_case) {
  if (selection.kind == Kind::All && selection.rules.empty()) return true;
  const auto profile =
      selection.of_tensors ? oracle::Profile::Unruled : oracle::Profile::Documented;
  const auto by_rules = oracle::admissible_statuses(test_case, profile);
  if (!selection.rules.empty()) {
    return std::ranges::any_of(by_rules.broken_rules, [&](const std::string& rule) {
      return admits(selection.rules, rule);
    });
  }
  if (selection.kind == Kind::Invalid) return !by_rules.broken_rules.empty();
  const bool is_refused = test_case.expect && test_case.expect->status != corpus::Status::Success;
  return !is_refused && admits(by_rules.statuses, corpus::Status::Success) && !by_rules.not_judged;
}

bool admits_macs(const Selection& selection, const Case& test_case) {
  if (!selection.max_macs_binds) return true;
  return oracle::mac_count(test_case).value_or(0) <= static_cast<std::uint64_t>(selection.max_macs);
}

template <typename Does>
bool any_tensor(const Case& test_case, Does does) {
  const auto any_of = [&](const auto& roles) {
    return std::ranges::any_of(roles, [&](const auto role) {
      const auto& tensor = corpus::tensor(test_case, role);
      return tensor && does(*tensor);
    });
  };
  return any_of(corpus::input_roles) || any_of(corpus::output_roles);
}

bool admits_mixed(const Selection& selection, const Case& test_case) {
  if (selection.mixed || !test_case.grad_output) return true;
  return !any_tensor(test_case, [&](const corpus::TensorCase& tensor) {
    return tensor.dtype != test_case.grad_output->dtype;
  });
}

/// Outputs follow from the operands.
bool admits_empty(const Selection& selection, const Case& test_case) {
  if (selection.empty) return true;
  return std::ranges::none_of(corpus::input_roles, [&](corpus::InputRole role) {
    const auto& tensor = corpus::tensor(test_case, role);
    return tensor && corpus::element_count(tensor->shape).value_or(0) == 0;
  });
}

bool admits_api(const Selection& selection, const Case& test_case) {
  return std::ranges::find(selection.apis, test_case.api) != selection.apis.end();
}

bool admits_direction(const Selection& selection, const Case& test_case) {
  return selection.transposed.value_or(test_case.transposed) == test_case.transposed;
}

bool admits_cube_math_type(const Selection& selection, const Case& test_case) {
  return selection.cube_math_type.value_or(test_case.cube_math_type) == test_case.cube_math_type;
}

/// One option, and what is said of a call that it leaves out. The cheap ones come first.
struct Limit {
  bool (*admits)(const Selection&, const Case&);
  const char* otherwise;
};
constexpr Limit limits[] = {
    {admits_api, "outside of the options: another call"},
    {admits_product, "outside of the options: another product"},
    {admits_direction, "outside of the options: the other direction"},
    {admits_rank, "outside of the options: another rank"},
    {admits_types, "outside of the options: another dtype"},
    {admits_cube_math_type, "another cubeMathType"},
    {admits_mixed, "dtypes are mixed"},
    {admits_empty, "tensors without elements"},
    {admits_macs, "outside of the options: more multiply-accumulates"},
    {admits_kind, "outside of the options: another kind of call"},
};

template <typename T, typename Name>
std::string option(std::string_view name, const std::vector<T>& values, Name&& name_of_value) {
  if (values.empty()) return {};
  std::vector<std::string> names;
  std::ranges::transform(values, std::back_inserter(names), [&](const T& value) {
    return fmt::format("{}", std::invoke(name_of_value, value));
  });
  return fmt::format(" --{} {}", name, fmt::join(names, ","));
}

/// Domains by their names on a command line.
struct DomainRow {
  Domain domain;
  std::string_view name;
};
constexpr DomainRow domains[] = {
    {Domain::Cann, "cann"}, {Domain::PyTorch, "pytorch"}, {Domain::Any, "any"}};

}  // namespace

const std::vector<corpus::Api> generated_apis = [] {
  std::vector<corpus::Api> all;
  for (const corpus::OperatorRow& row : corpus::operator_rows()) {
    if (!row.only_when_asked) all.push_back(row.api);
  }
  return all;
}();

std::vector<corpus::Api> every_api() {
  std::vector<corpus::Api> all;
  for (const corpus::OperatorRow& row : corpus::operator_rows()) all.push_back(row.api);
  return all;
}

std::string_view name_of(Domain domain) {
  return std::ranges::find(domains, domain, &DomainRow::domain)->name;
}

corpus::Meaning<Domain> domain_from_words(std::string_view words) {
  const auto* row = std::ranges::find(domains, words, &DomainRow::name);
  if (row != std::end(domains)) return row->domain;
  return tl::unexpected(fmt::format("\"{}\" is no domain; there are cann, pytorch and any", words));
}

corpus::Meaning<int> rank_from_words(std::string_view words) {
  if (words == "3" || words == "4" || words == "5") return words[0] - '0';
  return tl::unexpected(fmt::format("\"{}\" is no rank; ranks are 3, 4 and 5", words));
}

std::vector<std::string> not_asked(const Selection& selection, bool repeats) {
  std::vector<std::string> left_out;
  if (!selection.views) left_out.emplace_back("views");
  if (!repeats) left_out.emplace_back("repetition");
  if (!selection.specials) left_out.emplace_back("special values");
  if (selection.domain == Domain::Cann) left_out.emplace_back("calls beyond CANN's domain");
  return left_out;
}

const char* why_outside(const Selection& selection, const Case& test_case) {
  if (const char* why = why_not_of_tensors(selection, test_case)) return why;
  const auto* limit = std::ranges::find_if(
      limits, [&](const Limit& one) { return !one.admits(selection, test_case); });
  return limit == std::end(limits) ? nullptr : limit->otherwise;
}

std::string options_of(const Selection& selection) {
  const Selection standard;
  std::string text;
  if (!std::ranges::is_permutation(selection.apis, generated_apis)) {
    text += option("api", selection.apis, [](auto api) { return corpus::name_of(api); });
  }
  text += option("soc", selection.products, [](auto product) { return corpus::name_of(product); });
  text += option("dtype", selection.dtypes, [](auto type) { return corpus::name_of(type); });
  text += option("rank", selection.ranks, std::identity{});
  if (selection.transposed)
    text += *selection.transposed ? " --transposed yes" : " --transposed no";
  if (selection.kind == Kind::Valid) text += " --kind valid";
  if (selection.kind == Kind::Invalid) text += " --kind invalid";
  text += option("rule", selection.rules, std::identity{});
  text += option("law", selection.laws, std::identity{});
  text += option("claim", selection.claims, std::identity{});
  text += option("recipe", selection.recipes, [](auto recipe) { return corpus::name_of(recipe); });
  if (selection.max_macs != standard.max_macs || selection.max_macs_binds) {
    text += fmt::format(" --max-macs {}", selection.max_macs);
  }
  if (selection.domain != standard.domain) {
    text += fmt::format(" --set domain={}", name_of(selection.domain));
  }
  if (selection.tile_layers != standard.tile_layers) {
    text += fmt::format(" --set tiles={}", name_of(selection.tile_layers));
  }
  if (selection.call) text += " " + selection.call->word;
  return text;
}

std::string narrowing_of(const Selection& selection) {
  Selection calls = selection;
  calls.laws.clear();
  calls.claims.clear();
  calls.recipes.clear();
  calls.tile_layers = TileLayers::None;
  calls.call.reset();
  return options_of(calls);
}

}  // namespace gradproof::cases
