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

constexpr ComputeType half{Format::Half}, brain{Format::BFloat16}, single{Format::Binary32};
constexpr ByMathType float_on_half_cube = {refused, half, half, refused};
constexpr ByMathType float_on_wide_cube = {single, hf32_type, half, hf32_type};
// USE_FP16 with BFLOAT16 is refused by the documented profile; the released library casts to
// FLOAT16.
constexpr ByMathType bfloat16_on_wide_cube = {brain, brain, half, brain};

constexpr ComputeRow compute_rows[] = {
    {Generation::HalfOnly, Format::Half, all(half)},
    {Generation::HalfOnly, Format::Binary32, float_on_half_cube},
    {Generation::Wide, Format::Half, all(half)},
    {Generation::Wide, Format::Binary32, float_on_wide_cube},
    {Generation::Wide, Format::BFloat16, bfloat16_on_wide_cube},
    {Generation::EightBit, Format::Half, all(half)},
    {Generation::EightBit, Format::Binary32, float_on_wide_cube},
    {Generation::EightBit, Format::BFloat16, bfloat16_on_wide_cube},
};

/// Multiplies a format of at most a byte as it is, if the cube has such products.
ByMathType by_math_type(Generation cube, Format promoted) {
  if (numeric::size_of(promoted) == 1) {
    return cube == Generation::EightBit ? all({promoted}) : ByMathType{};
  }
  for (const ComputeRow& row : compute_rows) {
    if (row.cube == cube && row.promoted == promoted) return row.compute;
  }
  return {};
}

}  // namespace

std::optional<ComputeType> compute_type(Product product, Format promoted, int cube_math_type) {
  const ByMathType compute = by_math_type(device::limits_of(product).generation, promoted);
  const auto column = static_cast<std::size_t>(cube_math_type);
  return column < compute.size() ? compute[column] : refused;
}

std::int64_t Arithmetic::channel_block() const {
  return 32 / static_cast<std::int64_t>(numeric::size_of(compute.storage));
}

void Arithmetic::convert_operands(std::span<float> values) const {
  if (compute.is_hf32) {
    // Copies, which no store to the values can change: the loop vectorises.
    const numeric::Hf32 rounding = hf32;
    const numeric::OverflowMode mode = overflow;
    for (float& value : values) value = rounding.rounded(value, mode);
    return;
  }
  numeric::with_codec(compute.storage, [&](auto codec) {
    using Codec = decltype(codec);
    for (float& value : values) value = Codec::decode(Codec::encode(value, overflow));
  });
}

float Arithmetic::grad_input_result(float sum) const {
  return numeric::rounded(sum, compute.storage, overflow);
}

Arithmetic arithmetic_on(Product product, ComputeType compute, const Roundings& roundings) {
  const bool segments = device::limits_of(product).generation == Generation::EightBit;
  Arithmetic arithmetic;
  arithmetic.compute = compute;
  arithmetic.hf32 = {.mantissa_bits = segments ? 10 : 11, .rounding = roundings.hf32};
  arithmetic.overflow = roundings.overflow;
  arithmetic.fuses_products = roundings.fuses_products;
  if (segments) {
    arithmetic.longest_segment = compute.storage == Format::Binary32 ? 2048 : 32768;
  }
  return arithmetic;
}

}  // namespace gradproof::kernel::operators
