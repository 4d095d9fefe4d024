#include "kernel/operators/vector/dense_operands.h"

#include <algorithm>
#include <cstdint>

#include "kernel/operators/call/global_tensor.h"

namespace gradproof::kernel::operators::vector_path {
namespace {

bool is_row_major(const TensorView& view) {
  std::int64_t step = 1;
  for (std::size_t axis = view.shape.size(); axis-- > 0;) {
    if (view.shape[axis] != 1 && view.strides[axis] != step) return false;
    step *= view.shape[axis];
  }
  return true;
}

std::int64_t elements_of(const TensorView& view) {
  std::int64_t count = 1;
  for (const std::int64_t length : view.shape) count *= length;
  return count;
}

/// Bytes from one address to another.
struct Bytes {
  const std::byte* first = nullptr;
  const std::byte* last = nullptr;

  bool meets(const Bytes& other) const { return first < other.last && other.first < last; }
};

Bytes bytes_of(const TensorView& view, const std::byte* first) {
  const auto size = static_cast<std::int64_t>(numeric::size_of(view.format));
  std::int64_t lowest = 0, highest = 0;
  for (std::size_t axis = 0; axis < view.shape.size(); ++axis) {
    const std::int64_t reach = (view.shape[axis] - 1) * view.strides[axis];
    (reach < 0 ? lowest : highest) += reach;
  }
  return {first + lowest * size, first + (highest + 1) * size};
}

/// True if a result will be written over an operand.
bool overwrites(const ConvolutionBackward& call, const Memory& memory) {
  const auto meets = [&](const TensorView& operand, const std::byte* first) {
    const Bytes read = bytes_of(operand, first);
    return (call.grad_input && read.meets(bytes_of(*call.grad_input, memory.grad_input))) ||
           (call.grad_weight && read.meets(bytes_of(*call.grad_weight, memory.grad_weight)));
  };
  return meets(call.grad_output, memory.grad_output) ||
         (call.grad_weight && meets(call.input, memory.input)) ||
         (call.grad_input && meets(call.weight, memory.weight));
}

bool is_aligned(const std::byte* first) {
  return reinterpret_cast<std::uintptr_t>(first) % alignof(float) == 0;
}

std::int64_t size_of(std::span<float> values) { return static_cast<std::int64_t>(values.size()); }

}  // namespace

DenseOperands::DenseOperands(const ConvolutionBackward& call, const Memory& memory)
    : call_(call),
      conversions_(conversions_of(kernels_of(call.launch))),
      is_overwritten_(overwrites(call, memory)),
      workspace_(memory.workspace) {}

DenseOperand DenseOperands::operand(const Source& source) {
  DenseOperand dense{.values = nullptr, .shape = source.view.shape};
  if (serves_where_it_lies(source)) {
    dense.values = reinterpret_cast<const float*>(source.first);
  } else {
    const auto values = workspace_.take(elements_of(source.view));
    convert_all(source, values);
    dense.values = values.data();
  }
  return dense;
}

bool DenseOperands::serves_where_it_lies(const Source& source) const {
  return !is_overwritten_ && call_.arithmetic.compute == ComputeType{} &&
         is_aligned(source.first) && source.view.format == numeric::Format::Binary32 &&
         is_row_major(source.view);
}

void DenseOperands::convert_all(const Source& source, std::span<float> values) const {
  if (!is_row_major(source.view)) {
    GlobalFeatureMap(GlobalLayout::Dense, source.view.shape, 1).arrange(source, values);
    round(source.view.format, values);
    return;
  }
  // Piece by piece, so that each is still in the cache when it is rounded.
  constexpr std::size_t piece = 4096;
  for (std::size_t first = 0; first < values.size(); first += piece) {
    convert(source.view.format, source.first + first * numeric::size_of(source.view.format),
            values.subspan(first, std::min(piece, values.size() - first)));
  }
}

void DenseOperands::convert(numeric::Format format, const std::byte* first,
                            std::span<float> values) const {
  if (format == numeric::Format::Binary32 && is_aligned(first) && cuts()) {
    cut(reinterpret_cast<const float*>(first), values);
    return;
  }
  if (format == numeric::Format::Half) {
    conversions_.widen_half(first, values.data(), size_of(values));
  } else if (format == numeric::Format::BFloat16) {
    conversions_.widen_bfloat16(first, values.data(), size_of(values));
  } else {
    numeric::with_codec(format, [&](auto codec) {
      for (std::size_t i = 0; i < values.size(); ++i) {
        values[i] = numeric::load<decltype(codec)>(first, static_cast<std::int64_t>(i));
      }
    });
  }
  round(format, values);
}

void DenseOperands::round(numeric::Format stored, std::span<float> values) const {
  const Arithmetic& arithmetic = call_.arithmetic;
  const bool is_stored_so = !arithmetic.compute.is_hf32 && arithmetic.compute.storage == stored;
  if (is_stored_so && !arithmetic.saturating()) return;
  if (cuts()) {
    cut(values.data(), values);
  } else {
    arithmetic.convert_operands(values);
  }
}

bool DenseOperands::cuts() const {
  const Arithmetic& arithmetic = call_.arithmetic;
  return arithmetic.compute.is_hf32 && !arithmetic.saturating() &&
         arithmetic.hf32.rounding != numeric::Hf32Rounding::TowardZero;
}

void DenseOperands::cut(const float* from, std::span<float> values) const {
  const numeric::Hf32& hf32 = call_.arithmetic.hf32;
  conversions_.cut(from, values.data(), size_of(values),
                   {.dropped_bits = 23 - hf32.mantissa_bits,
                    .to_even = hf32.rounding == numeric::Hf32Rounding::NearestEven});
}

}  // namespace gradproof::kernel::operators::vector_path
