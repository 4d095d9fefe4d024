#include <vector>

#include "corpus/element_encoding.h"
#include "oracle/arithmetic/arithmetic_model.h"
#include "properties/cases/laws/derived_call.h"
#include "properties/cases/laws/exact_data.h"
#include "properties/cases/laws/law_rows.h"
#include "properties/cases/laws/observed.h"

namespace gradproof::cases::laws_detail {
namespace {

using corpus::Case;
using corpus::InputRole;
using corpus::OutputRole;

/// The other values of cubeMathType with which the documents admit the call.
std::vector<Case> in_other_modes(const Case& test_case) {
  std::vector<Case> calls;
  for (std::int8_t mode = 0; mode <= 3; ++mode) {
    if (mode == test_case.cube_math_type) continue;
    Case other = test_case;
    other.cube_math_type = mode;
    if (is_legal(other, oracle::Profile::Documented)) calls.push_back(std::move(other));
  }
  return calls;
}

/// True if both modes round the sum in the same way, or not at all.
bool has_one_rounding(const Case& one, const Case& other, OutputRole role) {
  if (exactness_of(one)[role].exact && exactness_of(other)[role].exact) return true;
  const auto ways = oracle::arithmetics(one, role, {}),
             others = oracle::arithmetics(other, role, {});
  return !ways.empty() && !others.empty() && ways.front().roundings == others.front().roundings;
}

/// 2^12 + 1: neither HF32 nor FLOAT16 nor BF16 has it, so that a gradOutput that was converted
/// shows.
constexpr double wide = 4097;
/// Largest number of these values that sum to a FLOAT without rounding.
constexpr std::size_t most_wide = 1U << 11U;

void widen(Case& listed) {
  if (listed.grad_output->dtype != corpus::DataType::Float) return;
  auto& elements = listed.data->listed[InputRole::GradOutput];
  if (elements.size() > most_wide) elements.resize(most_wide);
  for (auto& element : elements) {
    const double sign = *corpus::decode(corpus::DataType::Float, element.bits) < 0 ? -1 : 1;
    element.bits = *corpus::encode_exactly(corpus::DataType::Float, sign * wide);
  }
}

}  // namespace

bool has_grad_bias(const Case& test_case) {
  return corpus::is_requested(test_case, OutputRole::GradBias);
}

bool has_another_mode(const Case& test_case) { return !in_other_modes(test_case).empty(); }

Related mode_independence(const Case& test_case) {
  if (!whole_convolution(test_case)) return no_whole_convolution();
  auto others = in_other_modes(test_case);
  if (others.empty()) return tl::unexpected(std::string("no other cubeMathType is admitted"));
  Case& other = others[choice_of(test_case, 20) % others.size()];
  Relation relation = same_elements(test_case, other);
  for (const OutputRole role : corpus::output_roles) {
    relation.looked_at[role] =
        corpus::is_requested(test_case, role) && has_one_rounding(test_case, other, role);
  }
  return relation;
}

Related bias_mode_independence(const Case& test_case) {
  if (!whole_convolution(test_case)) return no_whole_convolution();
  Case listed = with_listed_data(test_case);
  widen(listed);
  auto others = in_other_modes(listed);
  if (others.empty()) return tl::unexpected(std::string("no other cubeMathType is admitted"));
  Case& other = others[choice_of(test_case, 21) % others.size()];
  Relation relation = same_elements(listed, other);
  relation.looked_at = {false, false, true};
  return relation;
}

}  // namespace gradproof::cases::laws_detail
