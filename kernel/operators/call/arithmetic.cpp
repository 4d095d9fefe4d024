#include "kernel/operators/call/arithmetic.h"

#include <array>
#include <cstddef>

namespace gradproof::kernel::operators {
namespace {

using device::Generation;
using device::Product;
using numeric::Format;

using ByMathType = std::array<std::optional<ComputeType>, 4>;

constexpr std::optional<ComputeType> refused = std::nullopt;

constexpr ByMathType all(ComputeType type) { return {type, type, type, type}; }

struct ComputeRow {
  Generation cube;
  Format promoted;
  ByMathType compute;  ///< by cubeMathType 0 to 3
};

constexpr ByMathType float_on_half_cube = {refused, ComputeType::Half, ComputeType::Half, refused};
constexpr ByMathType float_on_wide_cube = {ComputeType::Float, ComputeType::Hf32, ComputeType::Half,
                                           ComputeType::Hf32};
// USE_FP16 with BFLOAT16 is refused by the documented profile; the released library casts to
// FLOAT16.
constexpr ByMathType bfloat16_on_wide_cube = {ComputeType::BFloat16, ComputeType::BFloat16,
                                              ComputeType::Half, ComputeType::BFloat16};

constexpr ComputeRow compute_rows[] = {
    {Generation::HalfOnly, Format::Half, all(ComputeType::Half)},
    {Generation::HalfOnly, Format::Binary32, float_on_half_cube},
    {Generation::Wide, Format::Half, all(ComputeType::Half)},
    {Generation::Wide, Format::Binary32, float_on_wide_cube},
    {Generation::Wide, Format::BFloat16, bfloat16_on_wide_cube},
    {Generation::EightBit, Format::Half, all(ComputeType::Half)},
    {Generation::EightBit, Format::Binary32, float_on_wide_cube},
    {Generation::EightBit, Format::BFloat16, bfloat16_on_wide_cube},
    {Generation::EightBit, Format::HiFloat8, all(ComputeType::HiFloat8)},
    {Generation::EightBit, Format::Float8E4M3, all(ComputeType::Float8E4M3)},
};

}  // namespace

Format storage_format(ComputeType compute) {
  switch (compute) {
    case ComputeType::Half:
      return Format::Half;
    case ComputeType::BFloat16:
      return Format::BFloat16;
    case ComputeType::Float8E4M3:
      return Format::Float8E4M3;
    case ComputeType::HiFloat8:
      return Format::HiFloat8;
    case ComputeType::Float:
    case ComputeType::Hf32:
      break;
  }
  return Format::Binary32;
}

std::optional<ComputeType> compute_type(Product product, Format promoted, int cube_math_type) {
  const Generation cube = device::limits_of(product).generation;
  for (const ComputeRow& row : compute_rows) {
    if (row.cube != cube || row.promoted != promoted) continue;
    const auto column = static_cast<std::size_t>(cube_math_type);
    return column < row.compute.size() ? row.compute[column] : refused;
  }
  return refused;
}

std::int64_t Arithmetic::channel_block() const {
  return 32 / static_cast<std::int64_t>(numeric::size_of(storage_format(compute)));
}

void Arithmetic::convert_operands(std::span<float> values) const {
  if (compute == ComputeType::Hf32) {
    // Copies, which no store to the values can change: the loop vectorises.
    const numeric::Hf32 rounding = hf32;
    const numeric::OverflowMode mode = overflow;
    for (float& value : values) value = rounding.rounded(value, mode);
    return;
  }
  numeric::with_codec(storage_format(compute), [&](auto codec) {
    using Codec = decltype(codec);
    for (float& value : values) value = Codec::decode(Codec::encode(value, overflow));
  });
}

float Arithmetic::grad_input_result(float sum) const {
  return numeric::rounded(sum, storage_format(compute), overflow);
}

Arithmetic arithmetic_on(Product product, ComputeType compute, const Roundings& roundings) {
  const bool segments = device::limits_of(product).generation == Generation::EightBit;
  Arithmetic arithmetic;
  arithmetic.compute = compute;
  arithmetic.hf32 = {.mantissa_bits = segments ? 10 : 11, .rounding = roundings.hf32};
  arithmetic.overflow = roundings.overflow;
  arithmetic.fuses_products = roundings.fuses_products;
  if (segments) {
    arithmetic.longest_segment = storage_format(compute) == Format::Binary32 ? 2048 : 32768;
  }
  return arithmetic;
}

}  // namespace gradproof::kernel::operators
