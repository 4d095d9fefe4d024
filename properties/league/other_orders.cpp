#include "properties/league/other_orders.h"

#include <bit>
#include <cmath>
#include <cstring>
#include <utility>
#include <vector>

#include "oracle/arithmetic/arithmetic_model.h"
#include "oracle/geometry/geometry.h"
#include "oracle/judge/empty_problem.h"
#include "oracle/judge/operand_store.h"
#include "oracle/numbers/dense.h"

namespace gradproof::properties {
namespace {

using corpus::InputRole;
using corpus::OutputRole;
using oracle::Dense;
using oracle::Geometry;
using oracle::Number;
using oracle::NumberFormat;
using oracle::Shape;

constexpr SummationOrder orders[] = {SummationOrder::Sequential, SummationOrder::Fused,
                                     SummationOrder::Reversed, SummationOrder::Pairwise,
                                     SummationOrder::Blocks};

struct Product {
  float a = 0, b = 0;
  float value() const { return a * b; }
};
using Products = std::vector<Product>;

float float_of(const Number& number) { return static_cast<float>(oracle::to_double(number)); }

/// Calls visit(coordinate) for every coordinate below `lengths`.
template <typename Visit>
void for_each(const Shape& lengths, Visit visit) {
  Shape at{};
  for (at[0] = 0; at[0] < lengths[0]; ++at[0])
    for (at[1] = 0; at[1] < lengths[1]; ++at[1])
      for (at[2] = 0; at[2] < lengths[2]; ++at[2])
        for (at[3] = 0; at[3] < lengths[3]; ++at[3])
          for (at[4] = 0; at[4] < lengths[4]; ++at[4]) visit(at);
}

/// The position of the big map that one of the small map meets through a tap; nullopt: padding.
std::optional<Shape> met(const Geometry& geometry, const Shape& small, const Shape& tap) {
  Shape big = small;
  for (std::size_t axis = 0; axis < geometry.axes.size(); ++axis) {
    const auto position = geometry.axes.at(axis).big_at(small.at(axis + 2), tap.at(axis + 2));
    if (!position) return std::nullopt;
    big.at(axis + 2) = *position;
  }
  return big;
}

/// Calls visit(small, big, weight) with the coordinates of every product of the convolution.
template <typename Visit>
void for_each_product(const Geometry& geometry, Visit visit) {
  const Shape kernel = geometry.weight_shape();
  for_each(geometry.small_shape(), [&](const Shape& small) {
    const std::int64_t group = small[1] / geometry.small_channels;
    for_each({1, geometry.big_channels, kernel[2], kernel[3], kernel[4]}, [&](const Shape& tap) {
      auto big = met(geometry, small, tap);
      if (!big) return;
      (*big)[1] = group * geometry.big_channels + tap[1];
      visit(small, *big, Shape{small[1], tap[1], tap[2], tap[3], tap[4]});
    });
  });
}

/// The tensors of one gradient.
struct Factors {
  const Dense<Number>& grad_output;
  const Dense<Number>& other;  ///< weight or input; unread for gradBias
};

/// What is added up in each element of the gradient.
std::vector<Products> products_of(const Geometry& geometry, OutputRole role,
                                  const Factors& factors) {
  const Shape shape = geometry.shape(role);
  std::vector<Products> products(static_cast<std::size_t>(oracle::element_count(shape)));
  const auto add = [&](const Shape& target, const Shape& of_grad_output, const Shape& of_other) {
    products[oracle::offset_of(shape, target)].push_back(
        {float_of(factors.grad_output.at(of_grad_output)), float_of(factors.other.at(of_other))});
  };
  if (role == OutputRole::GradBias) {
    for_each(factors.grad_output.shape(), [&](const Shape& at) {
      products[static_cast<std::size_t>(at[1])].push_back(
          {float_of(factors.grad_output.at(at)), 1});
    });
    return products;
  }
  for_each_product(geometry, [&](const Shape& small, const Shape& big, const Shape& weight) {
    const Shape& of_grad_output = geometry.transposed ? big : small;
    const Shape& of_input = geometry.transposed ? small : big;
    if (role == OutputRole::GradInput) {
      add(of_input, of_grad_output, weight);
    } else {
      add(weight, of_grad_output, of_input);
    }
  });
  return products;
}

float pairwise(std::span<const Product> products) {
  if (products.empty()) return 0;
  if (products.size() == 1) return products.front().value();
  const std::size_t half = products.size() / 2;
  return pairwise(products.first(half)) + pairwise(products.subspan(half));
}

float sequential(std::span<const Product> products) {
  float sum = 0;
  for (const Product& product : products) sum += product.value();
  return sum;
}

float fused(std::span<const Product> products) {
  float sum = 0;
  for (const Product& product : products) sum = std::fmaf(product.a, product.b, sum);
  return sum;
}

float in_blocks(std::span<const Product> products) {
  constexpr std::size_t block = 16;  // as a cube unit takes them
  float sum = 0;
  for (; products.size() > block; products = products.subspan(block)) {
    sum += sequential(products.first(block));
  }
  return sum + sequential(products);
}

float sum_of(Products products, SummationOrder order) {
  switch (order) {
    case SummationOrder::Sequential:
      return sequential(products);
    case SummationOrder::Fused:
      return fused(products);
    case SummationOrder::Reversed:
      return sequential(Products(products.rbegin(), products.rend()));
    case SummationOrder::Pairwise:
      return pairwise(products);
    case SummationOrder::Blocks:
      return in_blocks(products);
  }
  return 0;
}

/// The output's bytes; nullopt where a sum is not finite.
std::optional<std::vector<std::byte>> bytes_of(const std::vector<Products>& products,
                                               const oracle::Arithmetic& way, std::size_t size,
                                               SummationOrder order) {
  std::vector<std::byte> bytes(products.size() * size);
  for (std::size_t i = 0; i < products.size(); ++i) {
    const float sum = sum_of(products[i], order);
    if (!std::isfinite(sum)) return std::nullopt;
    const Number number = oracle::decode(NumberFormat::Float, std::bit_cast<std::uint32_t>(sum));
    const std::uint32_t bits =
        oracle::encode(way.output, oracle::rounded_through(way, oracle::truncated(number)));
    std::memcpy(bytes.data() + i * size, &bits, size);
  }
  return bytes;
}

}  // namespace

std::string_view name_of(SummationOrder order) {
  constexpr std::string_view names[] = {"sequential", "fused", "reversed", "pairwise",
                                        "blocks of 16"};
  return names[static_cast<std::size_t>(order)];
}

std::span<const SummationOrder> summation_orders() { return orders; }

std::optional<corpus::Observation> in_other_order(const corpus::Case& problem,
                                                  const corpus::Observation& seen,
                                                  SummationOrder order) {
  const auto geometry = oracle::geometry_of(problem);
  if (!geometry || !problem.data || oracle::is_empty_problem(problem)) return std::nullopt;
  oracle::OperandStore operands(problem, *geometry);
  corpus::Observation other = seen;
  for (const OutputRole role : corpus::output_roles) {
    auto& bits = other.outputs.at(static_cast<std::size_t>(role)).bits;
    if (!corpus::is_requested(problem, role) || bits.empty()) continue;
    const auto ways = oracle::arithmetics(problem, role, {});
    if (ways.empty()) return std::nullopt;
    const oracle::Arithmetic& way = ways.front();
    const auto& grad_output = operands.of(InputRole::GradOutput, way);
    const auto& partner = role == OutputRole::GradBias    ? grad_output
                          : role == OutputRole::GradInput ? operands.of(InputRole::Weight, way)
                                                          : operands.of(InputRole::Input, way);
    const std::size_t size = corpus::size_bytes(corpus::tensor(problem, role)->dtype);
    auto bytes = bytes_of(products_of(*geometry, role, {grad_output, partner}), way, size, order);
    if (!bytes || bytes->size() != bits.size()) return std::nullopt;
    bits = std::move(*bytes);
  }
  return other;
}

}  // namespace gradproof::properties
