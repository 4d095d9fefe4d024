// A call of a graph operator as tests write it down: what it is made of, how it is made, how it is
// called.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "acl/acl.h"
#include "aclnn/opdev/op_errno.h"
#include "gradproof/graph_operators.h"
#include "kernel/api/graph_rules/call.h"
#include "tests/support/device_elements.h"
#include "tests/support/runtime_fixture.h"

namespace gradproof::kernel {

using api::graph_checks::Operator;

constexpr aclnnStatus accepted = ACLNN_SUCCESS, missing = ACLNN_ERR_PARAM_NULLPTR,
                      refused = ACLNN_ERR_INNER_NULLPTR;
constexpr aclFormat ncdhw = ACL_FORMAT_NCDHW, ndhwc = ACL_FORMAT_NDHWC, dhwcn = ACL_FORMAT_DHWCN;
constexpr auto input_v2 = Operator::InputV2, filter_v2 = Operator::FilterV2;

// ---- devices: one of each product, by these numbers

enum Device : std::int32_t { On910B, On910_93, On950, On310P, On910, DeviceCount };
constexpr const char* device_list =
    "Ascend910B1,Ascend910_9392,Ascend950PR_9599,Ascend310P3,Ascend910A";
inline const std::vector<Device> a23 = {On910B, On910_93}, a5 = {On950},
                                 every = {On910B, On910_93, On950}, without = {On310P, On910};

// ---- a call as it is written down

inline std::string_view axes_of(aclFormat format) {
  if (format == ndhwc) return "NDHWC";
  return format == dhwcn ? "DHWCN" : "NCDHW";
}

/// Lengths, or values, along N C D H W in another order of the axes.
inline Ints in_order(const Ints& by_axis, aclFormat format) {
  Ints result;
  for (const char axis : axes_of(format)) {
    result.push_back(by_axis[std::string_view("NCDHW").find(axis)]);
  }
  return result;
}

struct TensorText {
  Ints shape;  ///< in the order of the format
  aclDataType type = ACL_FLOAT16;
  aclFormat format = ncdhw;
  std::optional<Ints> strides = {};
  std::int64_t offset = 0;
  bool is_null = false, is_destroyed = false;
};

/// The arguments of a phase one. Tensors by what they are, not by how the operator calls them.
struct Arguments {
  Operator kind = input_v2;
  std::optional<Ints> size;
  TensorText feature, filter, out_backprop;
  std::optional<Ints> strides, pads, dilations;
  std::int64_t groups = 1;
  std::optional<std::string> data_format = "NCDHW";
  bool enable_hf32 = false, gives_workspace_size = true, gives_executor = true;

  TensorText& result() { return kind == input_v2 ? feature : filter; }
  TensorText& operand() { return kind == input_v2 ? filter : feature; }
};

/// A convolution from which the arguments follow, so that changing one number leaves the rest in
/// agreement. Lengths and attributes by D, H, W.
struct Convolution {
  Operator kind = input_v2;
  aclDataType type = ACL_FLOAT16;
  aclFormat data_format = ncdhw, filter_format = ncdhw;
  std::int64_t batch = 2, groups = 1, feature_channels = 3, output_channels = 4;  ///< per group
  std::array<std::int64_t, 3> kernel{2, 3, 2}, stride{2, 1, 2}, dilation{1, 2, 1}, begin{1, 0, 1},
      end{0, 1, 1}, output{2, 3, 2};
  bool unread_rest = true;  ///< the last stride leaves positions that no window reaches

  Ints feature_lengths() const {
    Ints lengths{batch, groups * feature_channels};
    for (std::size_t i = 0; i < 3; ++i) {
      const std::int64_t rest = unread_rest ? stride[i] - 1 : 0;
      lengths.push_back((output[i] - 1) * stride[i] + (kernel[i] - 1) * dilation[i] + 1 - begin[i] -
                        end[i] + rest);
    }
    return lengths;
  }
  Ints filter_lengths() const {
    return {groups * output_channels, feature_channels, kernel[0], kernel[1], kernel[2]};
  }
  Ints output_lengths() const {
    return {batch, groups * output_channels, output[0], output[1], output[2]};
  }

  Arguments arguments() const {
    Arguments made;
    made.kind = kind;
    made.feature = {in_order(feature_lengths(), data_format), type, data_format};
    made.out_backprop = {in_order(output_lengths(), data_format), type, data_format};
    made.filter = {in_order(filter_lengths(), filter_format), kind == filter_v2 ? ACL_FLOAT : type,
                   filter_format};
    made.size = made.result().shape;
    made.strides = in_order({1, 1, stride[0], stride[1], stride[2]}, data_format);
    made.dilations = in_order({1, 1, dilation[0], dilation[1], dilation[2]}, data_format);
    made.pads = {begin[0], end[0], begin[1], end[1], begin[2], end[2]};
    made.groups = groups;
    made.data_format = std::string(axes_of(data_format));
    return made;
  }
};

/// Changes arguments and gives them back, so that a row of a table is one expression.
inline Arguments with(const Convolution& convolution,
                      const std::function<void(Arguments&)>& change) {
  Arguments arguments = convolution.arguments();
  change(arguments);
  return arguments;
}

// ---- calling

template <typename Handle>
using Owner = std::unique_ptr<const Handle, aclnnStatus (*)(const Handle*)>;

inline Owner<aclTensor> descriptor_of(const TensorText& text, void* data = nullptr) {
  if (text.is_null) return {nullptr, aclDestroyTensor};
  const Ints strides = text.strides.value_or(row_major(text.shape));
  return {aclCreateTensor(text.shape.data(), text.shape.size(), text.type, strides.data(),
                          text.offset, text.format, text.shape.data(), text.shape.size(), data),
          aclDestroyTensor};
}

inline Owner<aclIntArray> array_of(const std::optional<Ints>& values) {
  if (!values) return {nullptr, aclDestroyIntArray};
  return {aclCreateIntArray(values->data(), values->size()), aclDestroyIntArray};
}

struct Handles {
  Owner<aclTensor> feature, filter, out_backprop;
  Owner<aclIntArray> size, strides, pads, dilations;
};

struct PhaseOne {
  aclnnStatus status = 0;
  std::uint64_t workspace_size = 0;
  aclOpExecutor* executor = nullptr;
  std::string text;
};

constexpr std::uint64_t untouched_size = 0x5555;

inline PhaseOne phase_one(const Arguments& arguments, const Handles& handles) {
  PhaseOne result{.workspace_size = untouched_size, .text = {}};
  error_text();
  const char* const data_format = arguments.data_format ? arguments.data_format->c_str() : nullptr;
  std::uint64_t* const size = arguments.gives_workspace_size ? &result.workspace_size : nullptr;
  aclOpExecutor** const executor = arguments.gives_executor ? &result.executor : nullptr;
  const auto dead = [](const TensorText& text, const Owner<aclTensor>& owner) {
    return text.is_destroyed ? garbage_handle<const aclTensor*>() : owner.get();
  };
  const aclTensor* const feature = dead(arguments.feature, handles.feature);
  const aclTensor* const filter = dead(arguments.filter, handles.filter);
  const aclTensor* const out_backprop = dead(arguments.out_backprop, handles.out_backprop);
  result.status =
      arguments.kind == input_v2
          ? gradproofConv3DBackpropInputV2GetWorkspaceSize(
                handles.size.get(), filter, out_backprop, handles.strides.get(), handles.pads.get(),
                handles.dilations.get(), arguments.groups, data_format, arguments.enable_hf32,
                const_cast<aclTensor*>(feature), size, executor)
          : gradproofConv3DBackpropFilterV2GetWorkspaceSize(
                feature, handles.size.get(), out_backprop, handles.strides.get(),
                handles.pads.get(), handles.dilations.get(), arguments.groups, data_format,
                arguments.enable_hf32, const_cast<aclTensor*>(filter), size, executor);
  result.text = error_text();
  return result;
}

inline Handles handles_of(const Arguments& arguments, void* feature = nullptr,
                          void* filter = nullptr, void* out_backprop = nullptr) {
  return {descriptor_of(arguments.feature, feature),
          descriptor_of(arguments.filter, filter),
          descriptor_of(arguments.out_backprop, out_backprop),
          array_of(arguments.size),
          array_of(arguments.strides),
          array_of(arguments.pads),
          array_of(arguments.dilations)};
}

/// Phase one without memory behind the tensors; the executor is thrown away.
inline PhaseOne asked(const Arguments& arguments) {
  PhaseOne result = phase_one(arguments, handles_of(arguments));
  if (result.executor != nullptr) aclDestroyAclOpExecutor(result.executor);
  return result;
}

class GraphOperators : public OnDevice {
 protected:
  void SetUp() override { open({{"GRADPROOF_DEVICES", device_list}}); }

  static void use(Device device) { ASSERT_EQ(aclrtSetDevice(device), ACL_SUCCESS); }
};

}  // namespace gradproof::kernel
