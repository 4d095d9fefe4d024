#include "kernel/api/forward/executor.h"

#include <array>

#include "kernel/api/operators/address_resolution.h"
#include "kernel/api/operators/numeric_terms.h"
#include "kernel/api/operators/run_operation.h"

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

struct ForwardRoom {
  void* data = nullptr;
  std::uint64_t bytes = 0;
};

using ForwardAddresses = std::array<void*, 4>;  ///< of x, w, bias, y

/// Phase two's work on the stream.
aclError run_on_device(Function function, const ForwardConvolution& plan,
                       const ForwardAddresses& addresses, const ForwardRoom& room) {
  const ForwardCall named = call_of(function);
  AddressResolution resolution(name_of(function));
  const bool reads = plan.reads_operands();
  const operators::ForwardMemory memory{
      .input = resolution.input(named.input.name, plan.sums.grad_output, addresses[0], reads),
      .weight = resolution.input(named.weight.name, plan.sums.weight, addresses[1], reads),
      .bias = resolution.input(named.bias.name, plan.bias.value_or(TensorView{}), addresses[2],
                               plan.reads_bias()),
      .output = resolution.output(named.output.name, plan.sums.grad_input, addresses[3], true),
      .workspace = resolution.workspace(room.data, room.bytes)};
  if (resolution.error() != 0) return resolution.error();
  return run_operation(name_of(function), plan, memory);
}

}  // namespace

std::unique_ptr<ForwardExecutor> ForwardExecutor::planned(const ForwardCall& call,
                                                          const device::DeviceState& device) {
  const auto plan = plan_of(call, device);
  if (!plan) return nullptr;
  const auto bytes = plan->reads_operands() ? operators::workspace_bytes(plan->sums)
                                            : std::optional<std::uint64_t>{0};
  if (!bytes) return nullptr;
  auto executor = std::make_unique<ForwardExecutor>();
  for (const auto* tensor : {&call.input, &call.weight, &call.bias}) {
    executor->inputs.push_back(operand_of(tensor->value));
  }
  executor->outputs.push_back(operand_of(call.output.value));
  executor->workspace_size = *bytes;
  executor->function_ = call.function;
  executor->plan_ = std::make_shared<const operators::ForwardConvolution>(*plan);
  return executor;
}

device::Task ForwardExecutor::make_task(void* workspace) {
  const ForwardAddresses addresses{inputs[0]->data, inputs[1]->data,
                                   inputs[2] ? inputs[2]->data : nullptr, outputs[0]->data};
  return [function = function_, plan = plan_, addresses,
          room = ForwardRoom{.data = workspace, .bytes = workspace_size}] {
    return run_on_device(function, *plan, addresses, room);
  };
}

bool ForwardExecutor::uses_input(std::size_t index) const {
  return index == 2 ? plan_->reads_bias() : plan_->reads_operands();
}

bool ForwardExecutor::uses_output(std::size_t) const { return plan_->writes_output(); }

}  // namespace gradproof::kernel::api::forward
