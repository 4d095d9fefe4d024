#include "kernel/operators/vector/vector_call.h"

#include <cmath>
#include <limits>

#include "kernel/operators/vector/dense_operands.h"

namespace gradproof::kernel::operators::vector_path {
namespace {

/// Significant bits of an operand, the leading one included.
int precision_of(const Arithmetic& arithmetic) {
  if (arithmetic.compute.is_hf32) return arithmetic.hf32.mantissa_bits + 1;
  return numeric::with_codec(arithmetic.compute.storage,
                             [](auto codec) { return decltype(codec)::significant_bits; });
}

/// True if products are to join sums by the fused instruction: because the device is to fuse them,
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

/// True if vector lanes show what the cores would: no infinities or NaNs, whose products with
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

/// The gradients of one call.
class Multiplication {
 public:
  Multiplication(const ConvolutionBackward& call, const Memory& memory)
      : call_(call),
        memory_(memory),
        dense_(call, memory),
        special_results_(dense_.may_write_first() ? &conversions_of(kernels_of(call.launch))
                                                  : nullptr) {}

  std::optional<Outcome> run() {
    const bool writes_first = dense_.may_write_first();
    prepare();
    if (!writes_first) find_magnitudes();
    if (!writes_first && !lanes_serve()) return {};
    auto outcome = multiply();
    if (!special_results_.exists()) return outcome;
    find_magnitudes();
    if (!lanes_serve()) return {};
    return outcome;
  }

 private:
  void prepare() {
    operands_.kernels = &kernels_of(call_.launch);
    operands_.special_results = &special_results_;
    operands_.first_sums = memory_.first_sums;
    operands_.grad_output = dense_.operand({call_.grad_output, memory_.grad_output});
    if (call_.grad_weight) operands_.input = dense_.operand({call_.input, memory_.input});
    if (call_.grad_input) operands_.weight = dense_.operand({call_.weight, memory_.weight});
  }

  void find_magnitudes() {
    grad_output_ = dense_.magnitudes(operands_.grad_output);
    if (call_.grad_weight) input_ = dense_.magnitudes(operands_.input);
    if (call_.grad_input) weight_ = dense_.magnitudes(operands_.weight);
  }

  bool lanes_serve() const {
    const Arithmetic& arithmetic = call_.arithmetic;
    // Where sums start at a large number, products alone do not say whether they saturate.
    if (memory_.first_sums != nullptr && arithmetic.saturating()) return false;
    // Winograd's tiles have all their elements: zeros in the padding, whatever meets them.
    return (!call_.grad_weight || call_.takes_winograd ||
            serves(arithmetic, grad_weight_products(call_.problem), grad_output_, input_)) &&
           (!call_.grad_input ||
            serves(arithmetic, grad_input_products(call_.problem), grad_output_, weight_));
  }

  Outcome multiply() {
    operands_.fuses_grad_weight = fuses(call_.arithmetic, grad_output_, input_);
    operands_.fuses_grad_input = fuses(call_.arithmetic, grad_output_, weight_);
    if (call_.grad_input) {
      auto outcome = grad_input(call_, operands_, {*call_.grad_input, memory_.grad_input});
      if (!outcome) return outcome;
    }
    if (!call_.grad_weight) return Outcome{};
    return grad_weight(call_, operands_, {*call_.grad_weight, memory_.grad_weight});
  }

  const ConvolutionBackward& call_;
  const Memory& memory_;
  DenseOperands dense_;
  SpecialResults special_results_;
  VectorOperands operands_;
  Magnitudes grad_output_, input_, weight_;
};

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
  return Multiplication(call, memory).run();
}

}  // namespace gradproof::kernel::operators::vector_path
