#include "kernel/include/aclnnop/aclnn_add.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>

#include "kernel/api/add/add_elements.h"
#include "kernel/api/convolution_rules/call.h"
#include "kernel/api/convolution_rules/words.h"
#include "kernel/api/objects/executor.h"
#include "kernel/api/operators/operator_entry.h"
#include "kernel/api/runtime/data_type_row.h"
#include "kernel/api/runtime/error_message.h"
#include "kernel/device/memory/memory.h"
#include "kernel/include/aclnn/opdev/op_errno.h"

namespace gradproof::kernel::api::add {
namespace {

using parameter_checks::Argument;
using parameter_checks::Ints;
using parameter_checks::text;
using parameter_checks::words;

/// One call of aclnnAddGetWorkspaceSize, or of aclnnInplaceAddGetWorkspaceSize: its selfRef is self
/// and out.
struct AddCall : parameter_checks::AnyCall {
  std::string_view function = "aclnnAdd";
  Argument<Tensor> self{.name = "self"}, other{.name = "other"}, out{.name = "out"};
  Argument<Scalar> alpha{.name = "alpha"};
};

/// Returns 0, or the code of phase one with a sentence that says why.
struct AddVerdict {
  aclnnStatus status = 0;
  std::string text;
};

/// Kinds of numbers: a sum has the larger one of its parts.
enum class Kind : std::uint8_t { Bool, Integer, Real, Complex };

/// In the order in which the larger one of a kind stands further behind.
struct SummedType {
  aclDataType type;
  Kind kind;
};
constexpr SummedType summed_types[] = {
    {ACL_BOOL, Kind::Bool},     {ACL_UINT8, Kind::Integer},     {ACL_INT8, Kind::Integer},
    {ACL_INT16, Kind::Integer}, {ACL_INT32, Kind::Integer},     {ACL_INT64, Kind::Integer},
    {ACL_FLOAT16, Kind::Real},  {ACL_BF16, Kind::Real},         {ACL_FLOAT, Kind::Real},
    {ACL_DOUBLE, Kind::Real},   {ACL_COMPLEX64, Kind::Complex}, {ACL_COMPLEX128, Kind::Complex},
};

const SummedType* summed(aclDataType type) {
  const auto* const found = std::ranges::find(summed_types, type, &SummedType::type);
  return found == std::end(summed_types) ? nullptr : found;
}

bool are(aclDataType one, aclDataType other, aclDataType left, aclDataType right) {
  return (one == left && other == right) || (one == right && other == left);
}

/// True if a number of the first kind can be stored as the second.
bool fits(aclDataType from, aclDataType to) {
  return summed(from) != nullptr && summed(to) != nullptr && summed(from)->kind <= summed(to)->kind;
}

/// The dtype that two become in a sum, as PyTorch promotes them; nullopt where one of them has no
/// sum.
std::optional<aclDataType> promoted(aclDataType left, aclDataType right) {
  const SummedType* one = summed(left);
  const SummedType* other = summed(right);
  if (one == nullptr || other == nullptr) return std::nullopt;
  if (are(left, right, ACL_UINT8, ACL_INT8)) return ACL_INT16;
  if (are(left, right, ACL_FLOAT16, ACL_BF16)) return ACL_FLOAT;
  if (are(left, right, ACL_DOUBLE, ACL_COMPLEX64)) return ACL_COMPLEX128;
  return one < other ? right : left;
}

/// The shape that both broadcast to, or nullopt.
std::optional<Ints> broadcast(const Ints& left, const Ints& right) {
  Ints result(std::max(left.size(), right.size()));
  for (std::size_t i = 0; i < result.size(); ++i) {
    const std::int64_t one = i < left.size() ? left[left.size() - 1 - i] : 1;
    const std::int64_t other = i < right.size() ? right[right.size() - 1 - i] : 1;
    if (one != other && one != 1 && other != 1) return std::nullopt;
    result[result.size() - 1 - i] = one == 1 ? other : one;
  }
  return result;
}

AddVerdict invalid(std::string why) { return {ACLNN_ERR_PARAM_INVALID, std::move(why)}; }

AddVerdict check_presence(const AddCall& call) {
  for (const auto& [name, is_given] : {std::pair(call.self.name, call.self.given),
                                       {call.other.name, call.other.given},
                                       {call.out.name, call.out.given},
                                       {call.alpha.name, call.alpha.given},
                                       {"workspaceSize", call.has_workspace_size},
                                       {"executor", call.has_executor}}) {
    if (!is_given) return {ACLNN_ERR_PARAM_NULLPTR, text(name, " is null")};
  }
  for (const auto* tensor : {&call.self, &call.other, &call.out}) {
    if (!tensor->value) return invalid(text(tensor->name, " is no live descriptor"));
  }
  if (!call.alpha.value) return invalid("alpha is no live descriptor");
  return {};
}

AddVerdict check_dtypes(const AddCall& call) {
  const bool has_bfloat16 = device::limits_of(call.product).has_bfloat16;
  for (const auto* tensor : {&call.self, &call.other, &call.out}) {
    const aclDataType type = tensor->value->data_type;
    if (summed(type) != nullptr && (type != ACL_BF16 || has_bfloat16)) continue;
    return invalid(text(tensor->name, " has dtype ", words(type), ", which has no sum on ",
                        device::name_of(call.product)));
  }
  const aclDataType common = *promoted(call.self.value->data_type, call.other.value->data_type);
  if (!fits(common, call.out.value->data_type)) {
    return invalid(text(call.out.name, " has dtype ", words(call.out.value->data_type),
                        "; the sum has dtype ", words(common), ", which does not fit in it"));
  }
  if (fits(call.alpha.value->data_type, common)) return {};
  return invalid(text("alpha has dtype ", words(call.alpha.value->data_type),
                      "; the sum has dtype ", words(common), ", in which it does not fit"));
}

AddVerdict check_shapes(const AddCall& call) {
  constexpr std::size_t most_axes = 8;
  for (const auto* tensor : {&call.self, &call.other, &call.out}) {
    const Ints& shape = tensor->value->view_shape;
    const bool is_legal = shape.size() <= most_axes &&
                          std::ranges::none_of(shape, [](auto length) { return length < 0; });
    if (is_legal) continue;
    return invalid(
        text(tensor->name, " has shape ", words(shape), "; at most 8 axes, none negative"));
  }
  const auto due = broadcast(call.self.value->view_shape, call.other.value->view_shape);
  if (due == call.out.value->view_shape) return {};
  return invalid(text(call.self.name, " has shape ", words(call.self.value->view_shape), ", other ",
                      words(call.other.value->view_shape), " and ", call.out.name, " ",
                      words(call.out.value->view_shape), ", which must be what they broadcast to"));
}

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
aclError run_on_device(const AddPlan& plan, const Addresses& addresses) {
  if (is_empty(plan.shape)) return 0;
  const std::array data{addresses.inputs[0], addresses.inputs[1], addresses.outputs[0]};
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
std::unique_ptr<Executor> planned(const AddCall& call, const device::DeviceState&) {
  const Tensor &self = *call.self.value, &other = *call.other.value, &out = *call.out.value;
  const Ints& shape = out.view_shape;
  auto executor = std::make_unique<PlannedExecutor<AddPlan>>(
      std::make_shared<const AddPlan>(
          AddPlan{.common = *promoted(self.data_type, other.data_type),
                  .alpha = *call.alpha.value,
                  .shape = shape,
                  .views = {view_of(self, shape), view_of(other, shape), view_of(out, shape)}}),
      run_on_device);
  for (const auto* tensor : {&call.self, &call.other}) {
    executor->inputs.push_back(operand_of(tensor->value, !is_empty(shape)));
  }
  executor->outputs.push_back(operand_of(call.out.value));
  return executor;
}

/// Returns 0, or the code of phase one after reporting why.
aclnnStatus status_of(const AddCall& call) {
  AddVerdict verdict = check_presence(call);
  if (verdict.status == 0) verdict = check_dtypes(call);
  if (verdict.status == 0) verdict = check_shapes(call);
  if (verdict.status != ACLNN_SUCCESS)
    report_error(text("EZ1001 ", verdict.text, " (", call.function, ")"));
  return verdict.status;
}

void read(Argument<Scalar>& argument, const aclScalar* scalar) {
  argument.given = scalar != nullptr;
  if (auto found = scalars().find(scalar)) argument.value = *found;
}

/// Phase one of both functions.
aclnnStatus plan(const AddCall& named, const aclTensor* self, const aclTensor* other,
                 const aclScalar* alpha, const aclTensor* out, const PhaseOneResults& results) {
  const auto read_parameters = [&](AddCall& call) {
    api::read(call.self, self);
    api::read(call.other, other);
    add::read(call.alpha, alpha);
    api::read(call.out, out);
  };
  return phase_one(named.function, results, named, read_parameters, status_of, planned);
}

}  // namespace
}  // namespace gradproof::kernel::api::add

namespace api = gradproof::kernel::api;
namespace add = gradproof::kernel::api::add;

aclnnStatus aclnnAddGetWorkspaceSize(const aclTensor* self, const aclTensor* other,
                                     const aclScalar* alpha, aclTensor* out,
                                     uint64_t* workspaceSize, aclOpExecutor** executor) {
  return add::plan({}, self, other, alpha, out, {workspaceSize, executor});
}

aclnnStatus aclnnAdd(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                     aclrtStream stream) {
  return api::phase_two(workspace, workspaceSize, executor, stream);
}

aclnnStatus aclnnInplaceAddGetWorkspaceSize(const aclTensor* selfRef, const aclTensor* other,
                                            const aclScalar* alpha, uint64_t* workspaceSize,
                                            aclOpExecutor** executor) {
  add::AddCall call;
  call.function = "aclnnInplaceAdd";
  call.self.name = call.out.name = "selfRef";
  return add::plan(call, selfRef, other, alpha, selfRef, {workspaceSize, executor});
}

aclnnStatus aclnnInplaceAdd(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                            aclrtStream stream) {
  return api::phase_two(workspace, workspaceSize, executor, stream);
}
