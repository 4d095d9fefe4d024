#include "kernel/include/aclnnop/aclnn_convolution.h"

#include <array>
#include <memory>

#include "kernel/api/forward/call.h"
#include "kernel/api/objects/executor.h"
#include "kernel/api/operators/address_resolution.h"
#include "kernel/api/operators/operator_entry.h"
#include "kernel/api/operators/run_operation.h"
#include "kernel/operators/convolution.h"

namespace gradproof::kernel::api::forward {
namespace {

using operators::ForwardConvolution;
using operators::TensorView;

std::optional<TensorView> view_of(const ForwardCall& call, const Argument<Tensor>& argument) {
  const Tensor& tensor = *argument.value;
  const auto format = format_of(tensor.data_type);
  if (!format) return std::nullopt;
  if (!call.is_tbc()) {
    return operators::lifted(*format, tensor.view_shape, tensor.strides, tensor.offset);
  }
  const MapAxes& axes = &argument == &call.weight ? tbc_weight : tbc_map;
  std::array<std::int64_t, 3> shape{}, strides{};
  for (std::size_t i = 0; i < axes.size(); ++i) {
    shape[i] = tensor.view_shape[axes[i]];
    strides[i] = tensor.strides[axes[i]];
  }
  return operators::lifted(*format, shape, strides, tensor.offset);
}

std::optional<TensorView> bias_view_of(const Tensor& bias) {
  const auto format = format_of(bias.data_type);
  if (!format) return std::nullopt;
  return operators::lifted_channels(*format, bias.view_shape[0], bias.strides[0], bias.offset);
}

bool take_views(const ForwardCall& call, ForwardConvolution& plan) {
  const auto input = view_of(call, call.input), weight = view_of(call, call.weight),
             output = view_of(call, call.output);
  if (call.bias.value) plan.bias = bias_view_of(*call.bias.value);
  if (!input || !weight || !output || plan.bias.has_value() != call.bias.given) return false;
  plan.sums.grad_output = *input;
  plan.sums.weight = *weight;
  plan.sums.input = *output;
  plan.sums.grad_input = output;
  return true;
}

/// Ascend310B multiplies as Ascend910B does.
device::Product cube_of(const ForwardCall& call) {
  return call.on_310b() ? device::Product::Ascend910B : call.product;
}

std::optional<operators::Arithmetic> arithmetic_of(const ForwardCall& call,
                                                   const device::DeviceState& device) {
  constexpr int keep_dtype = 0, one_more = 4;
  // The released library takes a fourth type, as KEEP_DTYPE.
  const int mode = call.cube_math_type == one_more ? keep_dtype : call.cube_math_type;
  const auto common = promoted(call);
  const auto format = common ? format_of(*common) : std::nullopt;
  if (!format) return std::nullopt;
  const auto compute = operators::compute_type(cube_of(call), *format, mode);
  if (!compute) return std::nullopt;
  return operators::arithmetic_on(cube_of(call), *compute, roundings_of(device));
}

/// Format in which the bias joins sums that have left the cores: transposed 3D calls of A23.
std::optional<numeric::Format> bias_added_in(const ForwardCall& call,
                                             const ForwardConvolution& plan) {
  const bool is_added_later =
      call.transposed && call.on_a23() && plan.bias && call.input.value->view_shape.size() == 5;
  if (!is_added_later) return std::nullopt;
  const numeric::Format of_sums = plan.sums.arithmetic.compute.storage;
  return of_sums == plan.bias->format ? of_sums : numeric::Format::Binary32;
}

bool plan_sums(const ForwardCall& call, const device::DeviceState& device,
               ForwardConvolution& plan) {
  const auto arithmetic = arithmetic_of(call, device);
  if (!arithmetic) return false;
  auto& sums = plan.sums;
  sums.arithmetic = *arithmetic;
  sums.launch = launch_on(device);
  sums.problem = operators::normalised(
      sums.grad_output, sums.input, sums.weight,
      {.stride = *call.stride.value,
       .padding = *call.padding.value,
       .dilation = *call.dilation.value,
       .groups = call.is_depthwise() ? sums.grad_output.shape[1] : call.groups,
       .transposed = !call.transposed});
  plan.bias_added_in = bias_added_in(call, plan);
  return true;
}

/// Plans the call; nullopt: the device has no arithmetic for it.
std::optional<ForwardConvolution> plan_of(const ForwardCall& call,
                                          const device::DeviceState& device) {
  ForwardConvolution plan;
  if (!take_views(call, plan)) return std::nullopt;
  plan.is_bias_alone = call.any_input_is_empty();
  plan.sums.arithmetic.overflow = roundings_of(device).overflow;
  if (plan.reads_operands() && !plan_sums(call, device, plan)) return std::nullopt;
  return plan;
}

/// Phase one's decision, and what the function is called.
struct ForwardPlan : ForwardConvolution {
  Function function = Function::Convolution;
};

/// Phase two's work on the stream.
aclError run_on_device(const ForwardPlan& plan, const Addresses& at) {
  const ForwardCall named = call_of(plan.function);
  AddressResolution resolution(name_of(plan.function));
  const bool reads = plan.reads_operands();
  const operators::ForwardMemory memory{
      .input = resolution.input(named.input.name, plan.sums.grad_output, at.inputs[0], reads),
      .weight = resolution.input(named.weight.name, plan.sums.weight, at.inputs[1], reads),
      .bias = resolution.input(named.bias.name, plan.bias.value_or(TensorView{}), at.inputs[2],
                               plan.reads_bias()),
      .output = resolution.output(named.output.name, plan.sums.grad_input, at.outputs[0], true),
      .workspace = resolution.workspace(at.workspace, at.workspace_size)};
  if (resolution.error() != 0) return resolution.error();
  return run_operation(name_of(plan.function), plan, memory);
}

/// Plans a call that passed its checks; null: the device has no arithmetic for it or cannot count
/// its workspace. Inputs: x, w, bias, which may be none. Output: y.
std::unique_ptr<Executor> planned(const ForwardCall& call, const device::DeviceState& device) {
  const auto plan = plan_of(call, device);
  if (!plan) return nullptr;
  const bool reads = plan->reads_operands();
  const auto bytes =
      reads ? operators::workspace_bytes(plan->sums) : std::optional<std::uint64_t>{0};
  if (!bytes) return nullptr;
  auto executor = std::make_unique<PlannedExecutor<ForwardPlan>>(
      std::make_shared<const ForwardPlan>(ForwardPlan{*plan, call.function}), run_on_device);
  executor->inputs = {operand_of(call.input.value, reads), operand_of(call.weight.value, reads),
                      operand_of(call.bias.value, plan->reads_bias())};
  executor->outputs = {operand_of(call.output.value, plan->writes_output())};
  executor->workspace_size = *bytes;
  return executor;
}

/// Phase one of a function; `read` takes the parameters that it has.
template <typename Read>
aclnnStatus phase_one(Function function, const PhaseOneResults& results, Read read_parameters) {
  return api::phase_one(name_of(function), results, call_of(function), read_parameters, check,
                        planned);
}

}  // namespace
}  // namespace gradproof::kernel::api::forward

namespace api = gradproof::kernel::api;
namespace forward = gradproof::kernel::api::forward;

aclnnStatus aclnnConvolutionGetWorkspaceSize(const aclTensor* input, const aclTensor* weight,
                                             const aclTensor* bias, const aclIntArray* stride,
                                             const aclIntArray* padding,
                                             const aclIntArray* dilation, bool transposed,
                                             const aclIntArray* outputPadding, const int64_t groups,
                                             aclTensor* output, int8_t cubeMathType,
                                             uint64_t* workspaceSize, aclOpExecutor** executor) {
  const auto read_parameters = [&](forward::ForwardCall& call) {
    api::read(call.input, input);
    api::read(call.weight, weight);
    api::read(call.bias, bias);
    api::read(call.stride, stride);
    api::read(call.padding, padding);
    api::read(call.dilation, dilation);
    call.transposed = transposed;
    api::read(call.output_padding, outputPadding);
    call.groups = groups;
    api::read(call.output, output);
    call.cube_math_type = int{cubeMathType};
  };
  return forward::phase_one(forward::Function::Convolution, {workspaceSize, executor},
                            read_parameters);
}

aclnnStatus aclnnConvTbcGetWorkspaceSize(const aclTensor* self, const aclTensor* weight,
                                         const aclTensor* bias, const int64_t pad,
                                         aclTensor* output, int8_t cubeMathType,
                                         uint64_t* workspaceSize, aclOpExecutor** executor) {
  const auto read_parameters = [&](forward::ForwardCall& call) {
    api::read(call.input, self);
    api::read(call.weight, weight);
    api::read(call.bias, bias);
    call.padding.given = true;
    call.padding.value = api::parameter_checks::Ints{pad};
    api::read(call.output, output);
    call.cube_math_type = int{cubeMathType};
  };
  return forward::phase_one(forward::Function::ConvTbc, {workspaceSize, executor}, read_parameters);
}

aclnnStatus aclnnConvDepthwise2dGetWorkspaceSize(const aclTensor* self, const aclTensor* weight,
                                                 const aclIntArray* kernelSize,
                                                 const aclTensor* bias, const aclIntArray* stride,
                                                 const aclIntArray* padding,
                                                 const aclIntArray* dilation, aclTensor* out,
                                                 int8_t cubeMathType, uint64_t* workspaceSize,
                                                 aclOpExecutor** executor) {
  const auto read_parameters = [&](forward::ForwardCall& call) {
    api::read(call.input, self);
    api::read(call.weight, weight);
    api::read(call.kernel_size, kernelSize);
    api::read(call.bias, bias);
    api::read(call.stride, stride);
    api::read(call.padding, padding);
    api::read(call.dilation, dilation);
    api::read(call.output, out);
    call.cube_math_type = int{cubeMathType};
  };
  return forward::phase_one(forward::Function::ConvDepthwise2d, {workspaceSize, executor},
                            read_parameters);
}

aclnnStatus aclnnConvolution(void* workspace, const uint64_t workspaceSize, aclOpExecutor* executor,
                             aclrtStream stream) {
  return api::phase_two(workspace, workspaceSize, executor, stream);
}

aclnnStatus aclnnConvTbc(void* workspace, const uint64_t workspaceSize, aclOpExecutor* executor,
                         aclrtStream stream) {
  return api::phase_two(workspace, workspaceSize, executor, stream);
}

aclnnStatus aclnnConvDepthwise2d(void* workspace, const uint64_t workspaceSize,
                                 aclOpExecutor* executor, aclrtStream stream) {
  return api::phase_two(workspace, workspaceSize, executor, stream);
}
