#include "oracle/dense_gradient.h"

#include <algorithm>

#include "oracle/dense_products.h"
#include "oracle/dense_tiers.h"
#include "oracle/lanes.h"

namespace gradproof::oracle {
namespace {

using corpus::OutputRole;

/// The operands of the matrix product, left one first (see DenseProducts).
struct Factors {
  MeasuredOperand left, right;
  ProductSpan span;
};

Factors factors_of(const Geometry& geometry, OutputRole role, const MeasuredOperand& grad_output,
                   const MeasuredOperand& other) {
  const bool is_swapped = role == OutputRole::GradWeight && geometry.transposed;
  const MeasuredOperand& left = is_swapped ? other : grad_output;
  const MeasuredOperand& right = is_swapped ? grad_output : other;
  return {left,
          right,
          {left.extent.window_bits(), right.extent.window_bits(),
           std::max<std::int64_t>(geometry.longest_reduction(role), 1)}};
}

/// Tiles that are added to one element.
std::int64_t additions_of(const Geometry& geometry, OutputRole role) {
  const auto blocks = [](std::int64_t length) { return (length + block_depth - 1) / block_depth; };
  if (role == OutputRole::GradWeight) return blocks(geometry.batch * geometry.small_positions());
  if (geometry.transposed) return blocks(geometry.taps() * geometry.big_channels);
  return blocks(geometry.small_channels) * geometry.taps();
}

template <typename Tier>
ExactTensor product_in(const Tier& tier, const Geometry& geometry, OutputRole role,
                       const Factors& factors) {
  DenseProducts<Tier> products(geometry, tier);
  const typename DenseProducts<Tier>::Operand left{factors.left.numbers, factors.left.extent.unit};
  const typename DenseProducts<Tier>::Operand right{factors.right.numbers,
                                                    factors.right.extent.unit};
  if (role == OutputRole::GradWeight) return products.weight_gradient(left, right);
  return geometry.transposed ? products.small_gradient(left, right)
                             : products.big_gradient(left, right);
}

/// 52-bit multiply-adds come in two halves, each as costly as one of doubles.
bool prefers_integers(const ProductSpan& span, std::int64_t additions, std::size_t planes,
                      InstructionSet instructions) {
  return instructions >= InstructionSet::Avx512Ifma && planes > 2 &&
         BiasedIntegers::holds(span, additions);
}

}  // namespace

bool is_dense_worthwhile(const Geometry& geometry, OutputRole role,
                         const MeasuredOperand& grad_output, const MeasuredOperand& other,
                         InstructionSet instructions) {
  const std::int64_t columns = geometry.taps() * geometry.big_channels;
  const std::int64_t positions = geometry.batch * geometry.small_positions();
  constexpr std::int64_t narrowest = 4;
  if (std::min({columns, positions, geometry.small_channels}) < narrowest) return false;
  const double products = static_cast<double>(columns) * static_cast<double>(positions) *
                          static_cast<double>(geometry.small_channels * geometry.groups);
  constexpr double fewest = 1 << 16;
  if (products < fewest) return false;
  // What element by element would cost: only what the non-zeros of one map meet.
  const auto share = [](const MeasuredOperand& operand) {
    return static_cast<double>(operand.extent.non_zeros) /
           static_cast<double>(std::max<std::size_t>(operand.numbers.size(), 1));
  };
  const bool is_weight = role == OutputRole::GradWeight;
  double met = std::min(share(grad_output), is_weight ? share(other) : 1.0);
  if (geometry.transposed && !is_weight) {
    for (const Axis& axis : geometry.axes) met /= static_cast<double>(axis.stride);
  }
  constexpr double element_by_element_speed[] = {0.5, 0.25, 0.125, 0.125};
  return met > element_by_element_speed[static_cast<std::size_t>(instructions)];
}

bool needs_many_slices(const Geometry& geometry, OutputRole role,
                       const MeasuredOperand& grad_output, const MeasuredOperand& other,
                       InstructionSet instructions) {
  constexpr std::size_t many = 7;  // buckets add about as fast as six
  const ProductSpan span = factors_of(geometry, role, grad_output, other).span;
  if (!holds<Int128Lane>(span.left_bits, span.right_bits, span.terms)) return true;
  const std::size_t planes = SlicedDoubles(span, instructions).planes();
  return planes >= many &&
         !prefers_integers(span, additions_of(geometry, role), planes, instructions);
}

std::optional<ExactTensor> dense_accumulated(const Geometry& geometry, OutputRole role,
                                             const MeasuredOperand& grad_output,
                                             const MeasuredOperand& other,
                                             InstructionSet instructions) {
  const Factors factors = factors_of(geometry, role, grad_output, other);
  const ProductSpan& span = factors.span;
  if (!holds<Int128Lane>(span.left_bits, span.right_bits, span.terms)) return std::nullopt;
  const SlicedDoubles slices(span, instructions);
  const bool in_integers =
      prefers_integers(span, additions_of(geometry, role), slices.planes(), instructions);
  return in_integers ? product_in(BiasedIntegers(instructions), geometry, role, factors)
                     : product_in(slices, geometry, role, factors);
}

}  // namespace gradproof::oracle
