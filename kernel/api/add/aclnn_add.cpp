#include "kernel/include/aclnnop/aclnn_add.h"

#include <algorithm>
#include <array>

#include "kernel/api/add/add_call.h"
#include "kernel/api/add/add_elements.h"
#include "kernel/api/convolution_rules/words.h"
#include "kernel/api/objects/executor.h"
#include "kernel/api/operators/operator_entry.h"
#include "kernel/api/runtime/data_type_row.h"
#include "kernel/api/runtime/error_message.h"
#include "kernel/device/memory/memory.h"

namespace gradproof::kernel::api::add {
namespace {

using parameter_checks::text;

constexpr std::string_view function = "aclnnAdd";

/// A tensor read by the positions of out: axes that it lacks or repeats have stride 0.
struct View {
  aclDataType type = ACL_FLOAT;
  std::int64_t bytes = 4, offset = 0;
  Ints strides;
};

/// Everything that phase two needs but addresses.
struct AddPlan {
  aclDataType common = ACL_FLOAT;
  Scalar alpha;
  Ints shape;
  std::array<View, 3> views;  ///< self, other, out
};

View view_of(const Tensor& tensor, const Ints& shape) {
  View view{.type = tensor.data_type,
            .bytes = static_cast<std::int64_t>(row_of(tensor.data_type)->bytes),
            .offset = tensor.offset,
            .strides = Ints(shape.size(), 0)};
  const std::size_t missing = shape.size() - tensor.view_shape.size();
  for (std::size_t i = 0; i < tensor.view_shape.size(); ++i) {
    if (tensor.view_shape[i] != 1) view.strides[i + missing] = tensor.strides[i];
  }
  return view;
}

/// Address on the host of the element at position 0; nullptr unless all of it lies in one live
/// allocation.
std::byte* host_address(const View& view, const Ints& shape, void* data) {
  std::int64_t first = view.offset, last = view.offset;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    (view.strides[i] < 0 ? first : last) += (shape[i] - 1) * view.strides[i];
  }
  const auto start =
      reinterpret_cast<std::uintptr_t>(data) + static_cast<std::uintptr_t>(first * view.bytes);
  // NOLINTNEXTLINE(performance-no-int-to-ptr): a device address
  const auto* const address = reinterpret_cast<const void*>(start);
  std::byte* const host =
      device::host_view(address, static_cast<std::size_t>((last - first + 1) * view.bytes));
  return host == nullptr ? nullptr : host + (view.offset - first) * view.bytes;
}

bool is_empty(const Ints& shape) { return std::ranges::find(shape, 0) != shape.end(); }

/// Phase two's work on the stream.
aclError run_on_device(const AddPlan& plan, const std::array<void*, 3>& data) {
  if (is_empty(plan.shape)) return 0;
  std::array<std::byte*, 3> at{};
  for (std::size_t i = 0; i < at.size(); ++i) {
    at[i] = host_address(plan.views[i], plan.shape, data[i]);
    if (at[i] != nullptr) continue;
    report_error(text("EZ9999 aclnnAdd: a tensor at ", static_cast<const void*>(data[i]),
                      " does not lie in one live allocation; nothing was computed"));
    return i == 2 ? ACL_ERROR_RT_AICORE_TRAP_WRITE_OVERFLOW
                  : ACL_ERROR_RT_AICORE_TRAP_READ_OVERFLOW;
  }
  const ConstElement alpha{plan.alpha.data_type, plan.alpha.bytes.data()};
  Ints position(plan.shape.size(), 0);
  for (std::size_t axis = 1; axis != 0;) {
    std::array<std::int64_t, 3> places{};
    for (std::size_t i = 0; i < places.size(); ++i) {
      const View& view = plan.views[i];
      for (std::size_t a = 0; a < position.size(); ++a) places[i] += position[a] * view.strides[a];
      places[i] *= view.bytes;
    }
    store_sum(plan.common, {plan.views[0].type, at[0] + places[0]},
              {plan.views[1].type, at[1] + places[1]}, alpha, plan.views[2].type,
              at[2] + places[2]);
    for (axis = position.size(); axis != 0 && ++position[axis - 1] == plan.shape[axis - 1];
         --axis) {
      position[axis - 1] = 0;
    }
  }
  return 0;
}

/// Inputs: self, other. Output: out.
class AddExecutor final : public Executor {
 public:
  explicit AddExecutor(const AddCall& call) {
    for (const auto* tensor : {&call.self, &call.other})
      inputs.push_back(operand_of(tensor->value));
    outputs.push_back(operand_of(call.out.value));
    plan_.common = *promoted(call.self.value->data_type, call.other.value->data_type);
    plan_.alpha = *call.alpha.value;
    plan_.shape = call.out.value->view_shape;
    plan_.views = {view_of(*call.self.value, plan_.shape), view_of(*call.other.value, plan_.shape),
                   view_of(*call.out.value, plan_.shape)};
  }

  device::Task make_task(void*) override {
    return [plan = plan_, data = std::array{inputs[0]->data, inputs[1]->data, outputs[0]->data}] {
      return run_on_device(plan, data);
    };
  }
  bool uses_input(std::size_t) const override { return !is_empty(plan_.shape); }
  bool uses_output(std::size_t) const override { return !is_empty(plan_.shape); }

 private:
  AddPlan plan_;
};

void read(Argument<Scalar>& argument, const aclScalar* scalar) {
  argument.given = scalar != nullptr;
  if (auto found = scalars().find(scalar)) argument.value = *found;
}

}  // namespace
}  // namespace gradproof::kernel::api::add

namespace api = gradproof::kernel::api;
namespace add = gradproof::kernel::api::add;

aclnnStatus aclnnAddGetWorkspaceSize(const aclTensor* self, const aclTensor* other,
                                     const aclScalar* alpha, aclTensor* out,
                                     uint64_t* workspaceSize, aclOpExecutor** executor) {
  return api::guarded([&]() -> aclnnStatus {
    const auto device = api::device_of_call(add::function);
    if (!device) return ACLNN_ERR_RUNTIME_ERROR;
    add::AddCall call;
    call.product = device->product;
    api::read(call.self, self);
    api::read(call.other, other);
    add::read(call.alpha, alpha);
    api::read(call.out, out);
    call.has_workspace_size = workspaceSize != nullptr;
    call.has_executor = executor != nullptr;
    const add::AddVerdict verdict = add::check(call);
    if (verdict.status != ACLNN_SUCCESS) {
      api::report_error(api::parameter_checks::text("EZ1001 ", verdict.text, " (aclnnAdd)"));
      return verdict.status;
    }
    return api::hand_out(add::function, std::make_unique<add::AddExecutor>(call), workspaceSize,
                         executor);
  });
}

aclnnStatus aclnnAdd(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                     aclrtStream stream) {
  return api::guarded(
      [&] { return api::run_executor(workspace, workspaceSize, executor, stream); });
}
