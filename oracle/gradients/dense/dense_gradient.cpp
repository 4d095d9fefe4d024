#include "oracle/gradients/dense/dense_gradient.h"

#include <algorithm>

#include "oracle/gradients/dense/dense_products.h"
#include "oracle/gradients/dense/number_schemes.h"
#include "oracle/gradients/dense/residues.h"
#include "oracle/sums/accumulators.h"

namespace gradproof::oracle {
namespace {

using corpus::OutputRole;

/// The operands of the matrix product, left one first (see DenseProducts).
struct DenseFactors {
  MeasuredOperand left, right;
  ProductSpan span;
};

DenseFactors factors_of(const Geometry& geometry, OutputRole role,
                        const MeasuredOperand& grad_output, const MeasuredOperand& other) {
  // gradWeight: the small map comes first; gradInput: the weight.
  const bool other_is_left = role == OutputRole::GradInput || geometry.transposed;
  const MeasuredOperand& left = other_is_left ? other : grad_output;
  const MeasuredOperand& right = other_is_left ? grad_output : other;
  return {left,
          right,
          {left.extent.window_bits(), right.extent.window_bits(),
           std::max<std::int64_t>(geometry.longest_reduction(role), 1)}};
}

/// Blocks of a summation that are added to one element: what BiasedIntegers and Residues must hold.
/// dx of an ordinary convolution adds one sum for each tap to an element (col2im), hence the taps.
std::int64_t additions_of(const Geometry& geometry, OutputRole role) {
  const auto blocks = [](std::int64_t length) {
    return (length + block_depth(length) - 1) / block_depth(length);
  };
  if (role == OutputRole::GradWeight) return blocks(geometry.batch * geometry.small_positions());
  if (geometry.transposed) return blocks(geometry.taps() * geometry.big_channels);
  return blocks(geometry.small_channels) * geometry.taps();
}

template <typename Result, typename Scheme>
ExactTensor product_in(const Scheme& scheme, const Geometry& geometry, OutputRole role,
                       const DenseFactors& factors, InstructionSet instructions) {
  using Products = DenseProducts<Scheme, Result>;
  Products products(geometry, scheme, instructions);
  const Factor left{factors.left.numbers, factors.left.extent.unit};
  const Factor right{factors.right.numbers, factors.right.extent.unit};
  if (role == OutputRole::GradWeight) return products.weight_gradient(left, right);
  return geometry.transposed ? products.small_gradient(left, right)
                             : products.big_gradient(left, right);
}

bool fits_128_bits(const ProductSpan& span) {
  return holds<Int128Accumulator>(span.left_bits, span.right_bits, span.terms);
}

/// The number schemes, and how many multiply-adds of doubles take as long as one product in each.
struct SchemeChoice {
  enum class Scheme : std::uint8_t { Slices, Whole, Narrow, Residue } scheme = Scheme::Slices;
  double steps = 0;
};

/// Steps for each modulus of residues: measured on tiles, conversions and a plane's other work.
double steps_of_modulus(InstructionSet instructions) {
  constexpr double steps[] = {0.35, 0.35, 0.6, 0.6};
  return steps[to_size(instructions)];
}

/// Scheme that takes the fewest. Steps are multiply-adds for each product, which dominate: packing
/// costs one pass over the operands for each block. BiasedIntegers take two, SlicedDoubles and
/// NarrowIntegers one for each plane, Residues a part of one.
SchemeChoice choice_for(const ProductSpan& span, std::int64_t additions,
                        InstructionSet instructions) {
  using enum SchemeChoice::Scheme;
  const auto steps = [](const auto& scheme) { return static_cast<double>(scheme.planes()); };
  SchemeChoice best{Slices, steps(SlicedDoubles(span, instructions))};
  const auto consider = [&best](SchemeChoice other) {
    if (other.steps < best.steps) best = other;
  };
  if (const auto moduli = Residues::planes_for(span, additions)) {
    consider({Residue, static_cast<double>(*moduli) * steps_of_modulus(instructions)});
  }
  if (instructions < InstructionSet::Avx512Ifma) return best;
  // 52-bit multiply-adds come in two halves, each as costly as one of doubles.
  if (BiasedIntegers::holds(span, additions)) consider({Whole, 2});
  const NarrowIntegers narrow(span, instructions);
  if (narrow.holds()) consider({Narrow, steps(narrow)});
  return best;
}

}  // namespace

/// Decides by measured limits, which decide speed alone. `element_by_element_speed`: the share of
/// products below which going element by element is faster, by instruction set.
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
  // The cost of going element by element: only products of the non-zeros of one map.
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
  return met > element_by_element_speed[to_size(instructions)];
}

bool spans_too_much(const Geometry& geometry, OutputRole role, const MeasuredOperand& grad_output,
                    const MeasuredOperand& other) {
  const ProductSpan span = factors_of(geometry, role, grad_output, other).span;
  return !fits_128_bits(span) && !Residues::planes_for(span, additions_of(geometry, role));
}

std::optional<ExactTensor> dense_accumulated(const Geometry& geometry, OutputRole role,
                                             const MeasuredOperand& grad_output,
                                             const MeasuredOperand& other,
                                             InstructionSet instructions) {
  const DenseFactors factors = factors_of(geometry, role, grad_output, other);
  const ProductSpan& span = factors.span;
  const std::int64_t additions = additions_of(geometry, role);
  const auto product = [&]<typename Result>(Result /*kind*/, const auto& scheme) {
    return product_in<Result>(scheme, geometry, role, factors, instructions);
  };
  if (!fits_128_bits(span)) {
    if (!Residues::planes_for(span, additions)) return std::nullopt;
    return product(WideSum{}, Residues(span, instructions));
  }
  switch (choice_for(span, additions, instructions).scheme) {
    case SchemeChoice::Scheme::Residue:
      return product(Int128{}, Residues(span, instructions));
    case SchemeChoice::Scheme::Whole:
      return product(Int128{}, BiasedIntegers(instructions));
    case SchemeChoice::Scheme::Narrow:
      return product(Int128{}, NarrowIntegers(span, instructions));
    case SchemeChoice::Scheme::Slices:
      break;
  }
  const SlicedDoubles slices(span, instructions);
  return slices.planes() == 1 ? product(double{}, slices) : product(Int128{}, slices);
}

}  // namespace gradproof::oracle
