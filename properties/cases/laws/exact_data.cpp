#include "properties/cases/laws/exact_data.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <utility>

#include "corpus/element_values.h"
#include "oracle/arithmetic/algorithm_scope.h"
#include "oracle/arithmetic/arithmetic_model.h"
#include "oracle/geometry/geometry.h"
#include "oracle/numbers/number_format.h"
#include "oracle/operands/operands.h"
#include "oracle/recipes/recipe_plan.h"
#include "properties/cases/calls/operator_convolution.h"

namespace gradproof::cases {
namespace {

using corpus::Case;
using corpus::InputRole;
using corpus::OutputRole;
using oracle::Extent;
using oracle::NumberFormat;

/// Bits of FLOAT's significand; every partial sum is added up in FLOAT.
constexpr int accumulator_bits = 24;
constexpr int float_smallest_normal = -126;

int binary_digits_of(std::uint64_t value) { return static_cast<int>(std::bit_width(value)); }

/// An extent of the data without drawing them, where a recipe states it.
std::optional<Extent> planned_extent(const Case& test_case, InputRole role) {
  const corpus::DataRecipe& data = *test_case.data;
  if (data.distribution != corpus::Distribution::ExactGrid || !data.fills) return std::nullopt;
  const corpus::TensorFill& fill = (*data.fills)[role];
  Extent extent;
  extent.non_zeros = std::numeric_limits<std::size_t>::max();
  extent.unit = fill.exponent;
  extent.top = fill.exponent + binary_digits_of(static_cast<std::uint64_t>(fill.magnitude));
  extent.lowest_leading = fill.exponent;
  return extent;
}

std::optional<Extent> extent_of(const Case& test_case, InputRole role,
                                const oracle::GivenOperands* given) {
  const auto& tensor = corpus::tensor(test_case, role);
  const auto format = tensor ? oracle::format_of(tensor->dtype) : std::nullopt;
  if (!format) return std::nullopt;
  if (given == nullptr) {
    if (auto planned = planned_extent(test_case, role)) return planned;
  }
  const auto count = corpus::element_count(tensor->shape);
  if (!count) return std::nullopt;
  const oracle::Shape line{1, 1, 1, 1, *count};
  const auto numbers =
      given != nullptr ? oracle::decoded(*format, (*given)[role], line)
                       : oracle::decoded(*format, corpus::element_values(test_case, role), line);
  Extent extent = oracle::extent_of(numbers);
  return extent.non_finite > 0 ? std::nullopt : std::optional(extent);
}

/// True if every number of this extent is one of the format. HIFLOAT8's precision falls with the
/// magnitude, so that nothing is promised for it.
bool holds(NumberFormat format, const Extent& extent) {
  return format != NumberFormat::HiFloat8 && extent.window_bits() <= oracle::precision(format) &&
         extent.unit >= oracle::smallest_exponent(format) &&
         std::ldexp(1.0, extent.top) <= oracle::largest_finite(format);
}

/// gradOutput is multiplied with ones in gradBias, as many as it takes.
Extent ones() {
  Extent extent = oracle::extent_of_one();
  extent.non_zeros = std::numeric_limits<std::size_t>::max();
  return extent;
}

/// Extent of the elements of a gradient: integers times 2^unit, below 2^top. In one element no
/// element of either factor is met twice.
Extent extent_of_sums(const Extent& left, const Extent& right, std::int64_t length) {
  const std::size_t most =
      std::min({left.non_zeros, right.non_zeros, to_size(std::max<std::int64_t>(length, 1))});
  Extent sums;
  sums.unit = left.unit + right.unit;
  sums.top = left.top + right.top + binary_digits_of(most > 0 ? most - 1 : 0);
  return sums;
}

/// Extent of sums that a bias is one more term of.
Extent extent_with(const Extent& sums, const Extent& bias) {
  Extent all = sums;
  if (bias.non_zeros == 0) return all;
  all.unit = std::min(sums.unit, bias.unit);
  all.top = std::max(sums.top, bias.top) + 1;
  return all;
}

bool are_operands(const oracle::Arithmetic& way, NumberFormat own, const Extent& extent) {
  return way.operands == own || holds(way.operands, extent);
}

/// A device may read subnormal operands as zero.
bool are_normal(NumberFormat format, const Extent& extent) {
  return extent.non_zeros == 0 || extent.lowest_leading >= oracle::smallest_normal_exponent(format);
}

/// Rounding to HF32 in an unspecified direction changes no number that HF32 holds.
bool survives_any_hf32(const Extent& extent) { return holds(NumberFormat::Hf32Narrow, extent); }

class Study {
 public:
  Study(const Case& test_case, const oracle::GivenOperands* given)
      : problem_(test_case), given_(given) {}

  corpus::PerOutput<Exactness> result() {
    corpus::PerOutput<Exactness> result;
    if ((!problem_.data && given_ == nullptr) || !prepare()) return result;
    for (const OutputRole role : corpus::output_roles) {
      if (corpus::tensor(problem_, role)) result[role] = study(role);
    }
    return result;
  }

 private:
  bool prepare() {
    const auto geometry = oracle::geometry_of(problem_);
    if (!geometry) return false;
    geometry_ = *geometry;
    for (const InputRole role : corpus::input_roles) {
      if (is_forward() && role == InputRole::Input && !has_bias()) continue;
      const auto extent = extent_of(problem_, role, given_);
      if (!extent) return false;
      extents_[role] = *extent;
    }
    return true;
  }

  bool is_forward() const { return corpus::is_forward(problem_.api); }
  bool has_bias() const { return is_forward() && problem_.input; }
  const Extent& extent(InputRole role) const { return extents_[role]; }

  Exactness study(OutputRole role) const {
    oracle::JudgeSettings any_target;
    any_target.profile = oracle::Profile::Tolerant;
    any_target.hf32_rounding = oracle::Hf32Rounding::Unknown;
    const auto ways = oracle::arithmetics(problem_, role, any_target);
    const auto partner = partner_of(role);
    Extent sums = extent_of_sums(extent(InputRole::GradOutput), partner ? extent(*partner) : ones(),
                                 geometry_.longest_reduction(role));
    if (has_bias()) sums = extent_with(sums, extent(InputRole::Input));
    Exactness known;
    known.settled = !ways.empty() && sums.window_bits() <= accumulator_bits &&
                    sums.unit >= float_smallest_normal && sums.top <= 127 &&
                    std::ranges::all_of(ways, [&](const oracle::Arithmetic& way) {
                      return keeps_operands(way, partner) && stays_finite(way, sums);
                    });
    if (!known.settled) return known;
    known.exact = std::ranges::all_of(
        ways, [&](const oracle::Arithmetic& way) { return keeps_sums(way, sums); });
    // Two ways of one library may differ by the shapes of the call.
    known.settled = known.exact || std::ranges::all_of(ways, [&](const oracle::Arithmetic& way) {
                      return way.roundings == ways.front().roundings;
                    });
    known.scalable = known.exact || (known.settled && scales(ways.front(), sums));
    return known;
  }

  static std::optional<InputRole> partner_of(OutputRole role) {
    if (role == OutputRole::GradBias) return std::nullopt;
    return role == OutputRole::GradInput ? InputRole::Weight : InputRole::Input;
  }

  bool keeps_operands(const oracle::Arithmetic& way, std::optional<InputRole> partner) const {
    for (const InputRole role : corpus::input_roles) {
      const bool is_bias = has_bias() && role == InputRole::Input;
      if (role != InputRole::GradOutput && role != partner && !is_bias) continue;
      const NumberFormat own = *oracle::format_of(corpus::tensor(problem_, role)->dtype);
      if (!are_operands(way, own, extent(role))) return false;
      if (!are_normal(own, extent(role)) || !are_normal(way.operands, extent(role))) return false;
      if (way.operand_slack > 0 && !survives_any_hf32(extent(role))) return false;
    }
    return true;
  }

  static bool stays_finite(const oracle::Arithmetic& way, const Extent& sums) {
    return std::ranges::all_of(way.roundings, [&](NumberFormat format) {
      return std::ldexp(1.0, sums.top) <= oracle::largest_finite(format);
    });
  }

  static bool keeps_sums(const oracle::Arithmetic& way, const Extent& sums) {
    return std::ranges::all_of(way.roundings,
                               [&](NumberFormat format) { return holds(format, sums); });
  }

  static bool scales(const oracle::Arithmetic& way, const Extent& sums) {
    return std::ranges::all_of(way.roundings, [&](NumberFormat format) {
      return format != NumberFormat::HiFloat8 &&
             sums.unit >= oracle::smallest_normal_exponent(format);
    });
  }

  const Case& problem_;
  const oracle::GivenOperands* given_;
  oracle::Geometry geometry_;
  corpus::PerInput<Extent> extents_;
};

bool is_exact_forward(Case test_case) {
  test_case.bias_sizes.reset();
  const Case call = forward_call(std::move(test_case), corpus::Api::Convolution);
  return exactness_of(call)[OutputRole::GradInput].exact;
}

bool all_fulfil(Demand demand, const Case& test_case) {
  if (demand == Demand::ExactBothWays && !is_exact_forward(test_case)) return false;
  const auto known = exactness_of(test_case);
  return std::ranges::all_of(corpus::output_roles, [&](OutputRole role) {
    return !corpus::is_requested(test_case, role) || fulfils(known[role], demand);
  });
}

/// Takes one bit from the factor that has most; false where all have none to give.
bool lower(corpus::PerInput<corpus::TensorFill>& fills) {
  auto* largest = std::ranges::max_element(fills, {}, &corpus::TensorFill::magnitude);
  if (largest->magnitude <= 1) return false;
  const int bits = binary_digits_of(static_cast<std::uint64_t>(largest->magnitude));
  largest->magnitude = (std::int64_t{1} << (bits - 1)) - 1;
  return true;
}

}  // namespace

corpus::PerOutput<Exactness> exactness_of(const Case& test_case, const oracle::JudgeSettings& judge,
                                          const oracle::GivenOperands* given) {
  auto known = Study(test_case, given).result();
  for (const OutputRole role : corpus::output_roles) {
    auto& of_role = known[role];
    if (of_role.settled && oracle::may_be_in_tiles(judge, test_case, role)) of_role = {};
  }
  return known;
}

bool fulfils(const Exactness& known, Demand demand) {
  if (demand == Demand::Nothing) return true;
  if (demand == Demand::Settled) return known.settled;
  return demand == Demand::Scalable ? known.scalable : known.exact;
}

std::optional<Case> on_grid_for(Demand demand, const Case& test_case, std::uint64_t seed) {
  auto planned = oracle::with_recipe(test_case, corpus::Distribution::ExactGrid, seed);
  if (!planned || !planned->data->fills) return std::nullopt;
  while (!all_fulfil(demand, *planned)) {
    if (!lower(*planned->data->fills)) return std::nullopt;
  }
  return std::move(*planned);
}

}  // namespace gradproof::cases
