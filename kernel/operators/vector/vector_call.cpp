#include "kernel/operators/vector/vector_call.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "kernel/operators/call/global_tensor.h"
#include "kernel/operators/call/workspace.h"
#include "kernel/operators/vector/vector_conversions.h"

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

/// What phase two reads and writes, and how it becomes dense.
class Preparation {
 public:
  Preparation(const ConvolutionBackward& call, const Memory& memory)
      : call_(call),
        memory_(memory),
        kernels_(kernels_of(call.launch)),
        conversions_(conversions_of(kernels_)),
        workspace_(memory.workspace) {}

  DenseOperand operand(const Source& source, Magnitudes& magnitudes) {
    DenseOperand dense{.values = nullptr, .shape = source.view.shape};
    const std::int64_t count = elements_of(source.view);
    if (serves_where_it_lies(source)) {
      dense.values = reinterpret_cast<const float*>(source.first);
      magnitudes = kernels_.magnitudes(dense.values, count);
    } else {
      const auto values = workspace_.take(count);
      magnitudes = converted(source, values);
      dense.values = values.data();
    }
    return dense;
  }

 private:
  static bool is_aligned(const Source& source) {
    return reinterpret_cast<std::uintptr_t>(source.first) % alignof(float) == 0;
  }

  /// A FLOAT tensor without gaps, unless a result will be written over it.
  bool serves_where_it_lies(const Source& source) const {
    if (call_.arithmetic.compute != ComputeType{} || !is_aligned(source) ||
        source.view.format != numeric::Format::Binary32 || !is_row_major(source.view)) {
      return false;
    }
    const Bytes read = bytes_of(source.view, source.first);
    const auto is_overwritten = [&](const std::optional<TensorView>& view, const std::byte* first) {
      return view && read.meets(bytes_of(*view, first));
    };
    return !is_overwritten(call_.grad_input, memory_.grad_input) &&
           !is_overwritten(call_.grad_weight, memory_.grad_weight);
  }

  /// Converts an operand, and finds its magnitudes: of elements without gaps piece by piece, so
  /// that each piece is still in the cache.
  Magnitudes converted(const Source& source, std::span<float> values) const {
    constexpr std::size_t piece = 4096;
    if (!is_row_major(source.view)) {
      GlobalFeatureMap(GlobalLayout::Dense, source.view.shape, 1).arrange(source, values);
      round(source.view.format, values);
      return kernels_.magnitudes(values.data(), size_of(values));
    }
    Magnitudes found{.largest = 0, .smallest_nonzero = std::numeric_limits<float>::infinity()};
    for (std::size_t first = 0; first < values.size(); first += piece) {
      const auto part = values.subspan(first, std::min(piece, values.size() - first));
      convert(source.view.format, source.first + first * numeric::size_of(source.view.format),
              part);
      const Magnitudes here = kernels_.magnitudes(part.data(), size_of(part));
      found.largest = std::max(found.largest, here.largest);
      found.smallest_nonzero = std::min(found.smallest_nonzero, here.smallest_nonzero);
    }
    return found;
  }

  static std::int64_t size_of(std::span<float> values) {
    return static_cast<std::int64_t>(values.size());
  }

  /// Neighbouring elements, from `first` on.
  void convert(numeric::Format format, const std::byte* first, std::span<float> values) const {
    const bool is_aligned = reinterpret_cast<std::uintptr_t>(first) % alignof(float) == 0;
    if (format == numeric::Format::Binary32 && is_aligned && cuts()) {
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

  /// To the compute type. An element that is stored in it is one already.
  void round(numeric::Format stored, std::span<float> values) const {
    const Arithmetic& arithmetic = call_.arithmetic;
    const bool is_stored_so = !arithmetic.compute.is_hf32 && arithmetic.compute.storage == stored;
    if (is_stored_so && !arithmetic.saturating()) return;
    if (cuts()) {
      cut(values.data(), values);
    } else {
      arithmetic.convert_operands(values);
    }
  }

  /// Whether the compute type is a FLOAT with fewer bits, and no more than that.
  bool cuts() const {
    const Arithmetic& arithmetic = call_.arithmetic;
    return arithmetic.compute.is_hf32 && !arithmetic.saturating() &&
           arithmetic.hf32.rounding != numeric::Hf32Rounding::TowardZero;
  }

  void cut(const float* from, std::span<float> values) const {
    const numeric::Hf32& hf32 = call_.arithmetic.hf32;
    conversions_.cut(from, values.data(), size_of(values),
                     {.dropped_bits = 23 - hf32.mantissa_bits,
                      .to_even = hf32.rounding == numeric::Hf32Rounding::NearestEven});
  }

  const ConvolutionBackward& call_;
  const Memory& memory_;
  const VectorKernels& kernels_;
  const VectorConversions& conversions_;
  Workspace workspace_;
};

/// Significant bits of an operand, the leading one included.
int precision_of(const Arithmetic& arithmetic) {
  if (arithmetic.compute.is_hf32) return arithmetic.hf32.mantissa_bits + 1;
  return numeric::with_codec(arithmetic.compute.storage,
                             [](auto codec) { return decltype(codec)::significant_bits; });
}

/// Whether products are to join sums by the fused instruction: because the device is to fuse them,
/// or because every product of two such operands is a FLOAT, so that both ways give the same bits:
/// its bits fit in the significand, the last of them is no smaller than the least subnormal, and it
/// does not overflow.
bool fuses(const Arithmetic& arithmetic, const Magnitudes& left, const Magnitudes& right) {
  if (arithmetic.fuses_products) return true;
  constexpr double beyond = 0x1p127, least = 0x1p-149;
  const int precision = precision_of(arithmetic);
  if (2 * precision > std::numeric_limits<float>::digits) return false;
  const double last_bit = std::ldexp(double{left.smallest_nonzero} * double{right.smallest_nonzero},
                                     -2 * (precision - 1));
  return double{left.largest} * double{right.largest} < beyond && last_bit >= least;
}

/// Whether vector lanes show what the cores would: no infinities or NaNs, whose products with
/// absent elements the cores leave out, and nothing for saturation to stop.
bool serves(const Arithmetic& arithmetic, double products, const Magnitudes& left,
            const Magnitudes& right) {
  constexpr float infinity = std::numeric_limits<float>::infinity();
  constexpr double least = 0x1p-149;
  // A sum that underflows to -0 would be +0 on the cores.
  if (arithmetic.fuses_products &&
      double{left.smallest_nonzero} * double{right.smallest_nonzero} < least) {
    return false;
  }
  if (left.largest == infinity || right.largest == infinity) return false;
  constexpr double beyond = 0x1p127;
  return !arithmetic.saturating() ||
         products * double{left.largest} * double{right.largest} < beyond;
}

double taps_of(const Problem& problem) {
  return static_cast<double>(problem.depth.kernel) *
         static_cast<double>(problem.height.kernel * problem.width.kernel);
}

double grad_input_products(const Problem& problem) {
  const std::int64_t summed =
      problem.transposed ? problem.feature_channels : problem.output_channels;
  return taps_of(problem) * static_cast<double>(summed);
}

double grad_weight_products(const Problem& problem) {
  return static_cast<double>(problem.batch) * static_cast<double>(problem.depth.output) *
         static_cast<double>(problem.height.output * problem.width.output);
}

}  // namespace

const VectorKernels& kernels_of(const Launch& launch) {
  const VectorKernels* const asked =
      launch.instructions ? vector_kernels(*launch.instructions) : nullptr;
  return asked != nullptr ? *asked : best_vector_kernels();
}

std::optional<Outcome> multiply(const ConvolutionBackward& call, const Memory& memory) {
  if (call.arithmetic.fuses_products && !kernels_of(call.launch).fuses) return {};
  if (call.grad_input && !grad_input_fits(call)) return {};
  if (call.grad_weight && !grad_weight_fits(call)) return {};
  Preparation preparation(call, memory);
  Operands operands;
  operands.kernels = &kernels_of(call.launch);
  Magnitudes grad_output, input, weight;
  operands.grad_output = preparation.operand({call.grad_output, memory.grad_output}, grad_output);
  if (call.grad_weight) {
    operands.input = preparation.operand({call.input, memory.input}, input);
    if (!serves(call.arithmetic, grad_weight_products(call.problem), grad_output, input)) return {};
    operands.fuses_grad_weight = fuses(call.arithmetic, grad_output, input);
  }
  if (call.grad_input) {
    operands.weight = preparation.operand({call.weight, memory.weight}, weight);
    if (!serves(call.arithmetic, grad_input_products(call.problem), grad_output, weight)) return {};
    operands.fuses_grad_input = fuses(call.arithmetic, grad_output, weight);
    auto outcome = grad_input(call, operands, {*call.grad_input, memory.grad_input});
    if (!outcome) return outcome;
  }
  if (!call.grad_weight) return Outcome{};
  return grad_weight(call, operands, {*call.grad_weight, memory.grad_weight});
}

}  // namespace gradproof::kernel::operators::vector_path
