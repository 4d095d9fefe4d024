#include "kernel/api/operators/convolution_backward_plan.h"

#include <limits>
#include <optional>
#include <utility>

#include "kernel/api/convolution_rules/parameter_checks.h"
#include "kernel/api/operators/run_operation.h"
#include "kernel/include/aclnn/opdev/op_errno.h"
#include "kernel/operators/winograd/admission.h"

namespace gradproof::kernel::api {
namespace {

using operators::ConvolutionBackward;
using operators::TensorView;
using parameter_checks::Call;

/// Rank 1 becomes the channel axis.
std::optional<TensorView> view_of(const Tensor& tensor) {
  const auto format = format_of(tensor.data_type);
  const std::size_t rank = tensor.view_shape.size();
  if (!format || rank == 0 || rank > 5) return std::nullopt;
  if (rank == 1) {
    return operators::lifted_channels(*format, tensor.view_shape[0], tensor.strides[0],
                                      tensor.offset);
  }
  return operators::lifted(*format, tensor.view_shape, tensor.strides, tensor.offset);
}

/// Takes the view of an output if the mask requests it; false: it has none.
bool take_output(const parameter_checks::Argument<Tensor>& argument, bool requested,
                 std::optional<TensorView>& view) {
  if (requested) view = view_of(*argument.value);
  return !requested || view;
}

bool take_views(const Call& call, ConvolutionBackward& operation) {
  const auto grad_output = view_of(*call.grad_output.value);
  const auto input = view_of(*call.input.value);
  const auto weight = view_of(*call.weight.value);
  if (!grad_output || !input || !weight) return false;
  operation.grad_output = *grad_output;
  operation.input = *input;
  operation.weight = *weight;
  const parameter_checks::Mask mask = call.mask();
  return take_output(call.grad_input, mask.grad_input, operation.grad_input) &&
         take_output(call.grad_weight, mask.grad_weight, operation.grad_weight) &&
         take_output(call.grad_bias, mask.grad_bias, operation.grad_bias);
}

/// True if A1 in profile released returns success for input alone empty before it has looked at any
/// tensor (EMPTY-15): nothing is run, nothing written.
bool passes_unseen(const Call& call) {
  return call.set() == parameter_checks::ProductSet::A1 && is_empty(call.input);
}

/// The arithmetic of dx and dw, or nullopt where the device has none; where neither is computed,
/// that of FLOAT.
std::optional<operators::Arithmetic> arithmetic_of(const Call& call,
                                                   const device::DeviceState& device) {
  std::optional<operators::ComputeType> compute = operators::ComputeType{};
  if (call.mask().grad_input || call.mask().grad_weight) {
    const auto promoted = parameter_checks::promoted(call);
    const auto format = promoted ? format_of(*promoted) : std::nullopt;
    compute =
        format ? operators::compute_type(call.product, *format, call.cube_math_type) : std::nullopt;
  }
  if (!compute) return std::nullopt;
  return operators::arithmetic_on(call.product, *compute, roundings_of(device));
}

/// Completes an operation whose tensors are known; false as for `planned`.
bool plan_computation(const Call& call, const device::DeviceState& device,
                      ConvolutionBackward& operation) {
  const auto arithmetic = arithmetic_of(call, device);
  if (!arithmetic) return false;
  operation.arithmetic = *arithmetic;
  operation.launch = launch_on(device);
  operation.problem =
      operators::normalised(operation.grad_output, operation.input, operation.weight,
                            {.stride = *call.stride.value,
                             .padding = *call.padding.value,
                             .dilation = *call.dilation.value,
                             .groups = call.groups,
                             .transposed = call.transposed});
  operation.takes_winograd =
      operation.launch.has_winograd && operators::winograd::admits(operation);
  return true;
}

/// The device refuses no call for its size, and a workspace that int64 cannot count is larger than
/// any memory: the program learns so when it asks for that much.
std::uint64_t workspace_size_of(const ConvolutionBackward& operation) {
  return operators::workspace_bytes(operation).value_or(std::numeric_limits<std::uint64_t>::max());
}

/// Plans the call; nullopt: the device has no arithmetic for the call.
std::optional<ConvolutionBackward> planned(const Call& call, const device::DeviceState& device) {
  ConvolutionBackward operation;
  operation.zero_fill = is_empty(call.grad_output) || is_empty(call.input) || is_empty(call.weight);
  if (!passes_unseen(call) && !take_views(call, operation)) return std::nullopt;
  if (!operation.zero_fill && !plan_computation(call, device, operation)) return std::nullopt;
  return operation;
}

}  // namespace

Decision decided(const Call& call, const device::DeviceState& device) {
  Verdict verdict = check_parameters(call);
  Decision decision{.status = verdict.status,
                    .error_lines = std::move(verdict.error_lines),
                    .operation = nullptr};
  if (decision.status != ACLNN_SUCCESS) return decision;
  auto operation = planned(call, device);
  if (!operation) {
    decision.status = ACLNN_ERR_INNER_NULLPTR;
    decision.error_lines = {
        "EZ9999 [HW-01] the device has no kernel for this call, or cannot count its workspace in "
        "64 bits (aclnnConvolutionBackward, limits of the device)"};
    return decision;
  }
  decision.workspace_size = workspace_size_of(*operation);
  decision.operation = std::make_shared<const ConvolutionBackward>(*operation);
  return decision;
}

}  // namespace gradproof::kernel::api
