#pragma once

#include <atomic>
#include <optional>

#include "kernel/operators/call/cores.h"
#include "kernel/operators/call/operation.h"
#include "kernel/operators/vector/vector_conversions.h"
#include "kernel/operators/vector/vector_kernels.h"

// dx and dw as the simulated cores compute them, by the vector instructions of the host: the same
// sums in the same order, one output element in each lane, without the copies through the local
// memories. Only used where that gives the same bits: operands are finite, and no sum can reach the
// largest FLOAT where that would saturate.
namespace gradproof::kernel::operators::vector_path {

/// An operand as FLOATs that the compute type can represent, row by row in the order N C D H W.
struct DenseOperand {
  const float* values = nullptr;
  Index shape{1, 1, 1, 1, 1};

  /// Elements from one channel to the next, and from one n to the next.
  std::int64_t channel_step() const { return shape[2] * shape[3] * shape[4]; }
  std::int64_t batch_step() const { return shape[1] * channel_step(); }
};

/// Notes whether results leave it open that the cores have the same. They have it where no result
/// is 0 or not finite: an infinity or a NaN among the operands would show in each result that it
/// meets, and a sum that underflows to -0, where the cores have +0, would be a result of 0.
class SpecialResults {
 public:
  /// Takes the conversions; null: nothing is looked at.
  explicit SpecialResults(const VectorConversions* conversions) : conversions_(conversions) {}

  /// Looks at sums that become results.
  void look_at(const float* sums, std::int64_t count) {
    if (conversions_ == nullptr || exists() || !conversions_->has_special(sums, count)) return;
    exists_.store(true, std::memory_order_relaxed);
  }

  bool exists() const { return exists_.load(std::memory_order_relaxed); }

 private:
  const VectorConversions* conversions_;
  std::atomic<bool> exists_ = false;
};

/// Operands of both gradients, and the kernels that serve them.
struct VectorOperands {
  DenseOperand grad_output, input, weight;
  const VectorKernels* kernels = nullptr;
  /// True if every product of the gradient is a FLOAT, so that product and sum may be rounded
  /// together.
  bool fuses_grad_input = false, fuses_grad_weight = false;
  SpecialResults* special_results = nullptr;
  const float* first_sums = nullptr;  ///< of dx, one a channel; null: 0
};

/// dx and dw, where requested; nullopt where only the cores' scalar reference serves, which then
/// writes every element of them, and finds the operands as they were. The workspace is the call's.
std::optional<Outcome> multiply(const ConvolutionBackward& call, const Memory& memory);

/// True if a task's copies stay small: else windows lie so far apart that most of them is padding.
bool grad_input_fits(const ConvolutionBackward& call);
bool grad_weight_fits(const ConvolutionBackward& call);
inline constexpr double most_copied_floats = 1 << 23;  ///< 32 MiB a thread

Outcome grad_input(const ConvolutionBackward& call, const VectorOperands& operands,
                   const Destination& destination);
Outcome grad_weight(const ConvolutionBackward& call, const VectorOperands& operands,
                    const Destination& destination);

/// Computes dw by F(3x3, 2x2), with the bits of plain::winograd_grad_weight.
Outcome winograd_grad_weight(const ConvolutionBackward& call, const VectorOperands& operands,
                             const Destination& destination);

/// True if dw is of groups with one output channel each, where no sum is shared by cores.
bool is_depthwise(const ConvolutionBackward& call);
Outcome depthwise_grad_weight(const ConvolutionBackward& call, const VectorOperands& operands,
                              const Destination& destination);

/// db where nothing saturates: gradOutput as it is stored, whatever the compute type.
Outcome grad_bias(const Source& grad_output, const Launch& launch, const Destination& destination);

/// The kernels that a launch asks for: the best ones unless it says.
const VectorKernels& kernels_of(const Launch& launch);

}  // namespace gradproof::kernel::operators::vector_path
