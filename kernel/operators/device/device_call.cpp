#include "kernel/operators/device/device_call.h"

#include <algorithm>
#include <array>
#include <limits>

#include "kernel/operators/call/workspace.h"
#include "kernel/operators/device/device.h"
#include "kernel/operators/plain/plain_winograd.h"
#include "kernel/operators/vector/vector_call.h"

namespace gradproof::kernel::operators::device_path {
namespace {

Checked elements_of(const TensorView& view) {
  Checked count = 1;
  for (const std::int64_t length : view.shape) count = count * length;
  return count;
}

/// The largest that padding to whole fractals can make a tensor of one element.
constexpr std::int64_t longest_padding = std::int64_t{16} * 32;

/// True if int64 counts the padded elements of the call's tensors: below that nothing in the
/// layouts overflows.
bool is_countable(const ConvolutionBackward& call) {
  return std::ranges::all_of(std::array{&call.grad_output, &call.input, &call.weight},
                             [](const TensorView* view) {
                               return (elements_of(*view) * longest_padding).value().has_value();
                             });
}

/// The layouts that a call's tensors take in the workspace, and where they lie in it, in FLOATs.
struct WorkspacePlan {
  GlobalFeatureMap grad_output, input;
  GlobalWeightMap weight;

  explicit WorkspacePlan(const ConvolutionBackward& call)
      : WorkspacePlan(call, global_layout_on(call.launch.product),
                      call.arithmetic.channel_block()) {}

  static Checked count(bool used, const auto& map) { return used ? map.elements() : Checked(0); }

  /// dx leaves the cube in fewer bytes than a FLOAT; still counted as FLOATs, rounded up.
  Checked grad_input_floats(const ConvolutionBackward& call) const {
    if (!call.grad_input) return 0;
    const auto bytes = numeric::size_of(grad_input_format(call.arithmetic));
    const auto total = (input.elements() * static_cast<std::int64_t>(bytes) + 3).value();
    return total ? Checked(*total / 4)
                 : input.elements() * std::numeric_limits<std::int64_t>::max();
  }

 private:
  WorkspacePlan(const ConvolutionBackward& call, GlobalLayout layout, std::int64_t c0)
      : grad_output(layout, call.grad_output.shape, c0),
        input(layout, call.input.shape, c0),
        weight(layout, call.weight.shape, call.problem.groups, c0) {}
};

/// Bits of the least value that counts as infinite: HFLOAT32 may round such values up to infinity.
std::uint32_t least_infinite(const Arithmetic& arithmetic) {
  return arithmetic.compute.is_hf32 ? 0x7F7FE000U : numeric::infinity_bits;
}

/// An operand converted to the compute type, in its layout.
template <typename Map>
std::span<const float> prepared(const Map& map, const Source& source, const Arithmetic& arithmetic,
                                std::span<float> values, bool& are_finite) {
  if (values.empty()) return values;
  map.arrange(source, values);
  // HFLOAT32 is stored as FLOAT; the cube rounds it.
  Arithmetic storage = arithmetic;
  storage.compute.is_hf32 = false;
  storage.convert_operands(values);
  std::uint32_t largest = 0;
  for (const float value : values) largest = std::max(largest, numeric::magnitude_bits(value));
  if (largest < least_infinite(arithmetic)) return values;
  are_finite = false;
  // The marks of cube/marks.h are NaNs that no tensor holds.
  for (float& value : values) {
    if (numeric::is_nan(value)) value = std::numeric_limits<float>::quiet_NaN();
  }
  return values;
}

}  // namespace

bool runs(const ConvolutionBackward& call) {
  if (call.launch.path == device::OperatorPath::Plain) return false;
  return fits(call.problem, call.arithmetic, call.launch.product, call.grad_input.has_value(),
              call.grad_weight.has_value());
}

Checked workspace_floats(const ConvolutionBackward& call) {
  if (!call.reads_input() && !call.reads_weight()) return 0;
  if (!is_countable(call)) return Checked(std::numeric_limits<std::int64_t>::max()) * 2;
  const WorkspacePlan plan(call);
  return WorkspacePlan::count(true, plan.grad_output) +
         WorkspacePlan::count(call.reads_input(), plan.input) +
         WorkspacePlan::count(call.reads_weight(), plan.weight) + plan.grad_input_floats(call) +
         WorkspacePlan::count(call.grad_weight.has_value(), plan.weight);
}

Outcome multiply(const ConvolutionBackward& call, const Memory& memory) {
  if (call.launch.path == device::OperatorPath::Device) {
    if (auto outcome = vector_path::multiply(call, memory)) return *std::move(outcome);
  }
  const WorkspacePlan plan(call);
  const Arithmetic& arithmetic = call.arithmetic;
  WorkspaceParts workspace(memory.workspace);
  bool are_finite = true;
  const auto operand = [&](const auto& map, const Source& source, bool used) {
    return prepared(map, source, arithmetic, workspace.take(WorkspacePlan::count(used, map)),
                    are_finite);
  };
  const auto grad_output = operand(plan.grad_output, {call.grad_output, memory.grad_output}, true);
  const auto input = operand(plan.input, {call.input, memory.input}, call.reads_input());
  const auto weight = operand(plan.weight, {call.weight, memory.weight}, call.reads_weight());
  const DeviceOperands operands{plan.grad_output,  plan.input, plan.weight,
                                grad_output,       input,      weight,
                                memory.first_sums, are_finite};
  if (call.grad_input) {
    auto* const values =
        reinterpret_cast<std::byte*>(workspace.take(plan.grad_input_floats(call)).data());
    auto outcome = grad_input(call.problem, arithmetic, call.launch, operands, plan.input, values);
    if (!outcome) return outcome;
    plan.input.store(values, grad_input_format(arithmetic), arithmetic.overflow,
                     {*call.grad_input, memory.grad_input});
  }
  if (call.takes_winograd) {
    // On Ascend950, and so as N C D H W.
    plain::winograd_grad_weight(call.problem, arithmetic, call.launch.cores,
                                plain::Map::channels_first(input, call.input.shape),
                                plain::Map::channels_first(grad_output, call.grad_output.shape),
                                {*call.grad_weight, memory.grad_weight});
  } else if (call.grad_weight) {
    const auto values = workspace.take(plan.weight.elements());
    auto outcome = grad_weight(call.problem, arithmetic, call.launch, operands, values);
    if (!outcome) return outcome;
    plan.weight.store(values, arithmetic.overflow, {*call.grad_weight, memory.grad_weight});
  }
  return {};
}

}  // namespace gradproof::kernel::operators::device_path
