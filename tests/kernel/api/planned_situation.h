#pragma once

// Calls as phase one reads them, and calls that differ from them in one thing.

#include "kernel/api/convolution_rules/parameter_checks.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "aclnnop/aclnn_convolution_backward.h"
#include "tests/support/drawn_call.h"
#include "tests/support/runtime_fixture.h"

namespace gradproof::kernel::api {

using device::DeviceState;
using operators::AxisDraw;
using operators::Random;
using parameter_checks::Argument;
using parameter_checks::Call;
using parameter_checks::Ints;
using TensorOf = Argument<Tensor> Call::*;
using IntsOf = Argument<Ints> Call::*;

inline Ints row_major(const Ints& shape) {
  Ints strides(shape.size(), 1);
  for (std::size_t i = shape.size() - 1; i > 0; --i) strides[i - 1] = strides[i] * shape[i];
  return strides;
}

inline void set(Argument<Tensor>& argument, const Ints& shape) {
  constexpr aclFormat formats[] = {ACL_FORMAT_ND,  ACL_FORMAT_ND,   ACL_FORMAT_ND,
                                   ACL_FORMAT_NCL, ACL_FORMAT_NCHW, ACL_FORMAT_NCDHW};
  argument.given = true;
  argument.value = Tensor{.view_shape = shape,
                          .strides = row_major(shape),
                          .storage_shape = shape,
                          .data_type = ACL_FLOAT,
                          .format = formats[shape.size()]};
}

inline void set(Argument<Ints>& argument, const Ints& values) {
  argument.given = true;
  argument.value = values;
}

inline Ints joined(std::int64_t first, std::int64_t second, const std::vector<AxisDraw>& axes,
                   std::int64_t AxisDraw::*length) {
  Ints shape{first, second};
  for (const AxisDraw& axis : axes) shape.push_back(axis.*length);
  return shape;
}

inline Ints by_axis(const std::vector<AxisDraw>& axes, std::int64_t AxisDraw::*value) {
  Ints values;
  for (const AxisDraw& axis : axes) values.push_back(axis.*value);
  return values;
}

/// A legal call of an ordinary convolution.
inline Call legal_call(Random& random) {
  std::vector<AxisDraw> axes(static_cast<std::size_t>(random.between(1, 3)));
  for (AxisDraw& axis : axes) axis = operators::draw_axis(random, true);
  const std::int64_t batch = random.between(1, 3), groups = random.between(1, 2);
  const std::int64_t inputs = random.between(1, 3), outputs = groups * random.between(1, 3);
  Call call;
  set(call.grad_output, joined(batch, outputs, axes, &AxisDraw::small));
  set(call.input, joined(batch, groups * inputs, axes, &AxisDraw::big));
  set(call.weight, joined(outputs, inputs, axes, &AxisDraw::kernel));
  set(call.bias_sizes, {outputs});
  set(call.stride, by_axis(axes, &AxisDraw::stride));
  set(call.padding, by_axis(axes, &AxisDraw::begin));
  set(call.dilation, by_axis(axes, &AxisDraw::dilation));
  set(call.output_padding, Ints(axes.size(), 0));
  call.groups = static_cast<int>(groups);
  call.output_mask.given = true;
  call.output_mask.value =
      std::vector<bool>{random.chance(80), random.chance(80), random.chance(80)};
  call.cube_math_type = static_cast<int>(random.between(0, 1));
  set(call.grad_input, call.input.value->view_shape);
  set(call.grad_weight, call.weight.value->view_shape);
  set(call.grad_bias, {outputs});
  return call;
}

/// What a decision depends on.
struct Situation {
  Call call;
  DeviceState device;
};

inline Situation legal_situation(Random& random) {
  Situation situation;
  situation.call = legal_call(random);
  situation.device.soc_name = "Ascend910B1";
  situation.device.core_count = 20;
  return situation;
}

struct Change {
  std::string name;
  std::function<void(Situation&)> make;
};

inline void add_changes_of(const std::string& name, TensorOf tensor, std::vector<Change>& changes) {
  const auto add = [&](const char* field, auto change) {
    changes.push_back({name + "." + field,
                       [tensor, change](Situation& situation) { change(situation.call.*tensor); }});
  };
  add("view_shape", [](auto& argument) { ++argument.value->view_shape.back(); });
  add("rank", [](auto& argument) {
    argument.value->view_shape.push_back(1);
    argument.value->strides.push_back(1);
  });
  add("strides", [](auto& argument) { ++argument.value->strides.front(); });
  add("storage_shape", [](auto& argument) { argument.value->storage_shape.front() = -1; });
  add("is_row_major", [](auto& argument) { argument.value->is_row_major ^= true; });
  add("offset", [](auto& argument) { ++argument.value->offset; });
  add("empty", [](auto& argument) { argument.value->view_shape.front() = 0; });
  add("eight bits", [](auto& argument) { argument.value->data_type = ACL_FLOAT8_E4M3FN; });
  add("data_type", [](auto& argument) { argument.value->data_type = ACL_FLOAT16; });
  add("format", [](auto& argument) { argument.value->format = ACL_FORMAT_NHWC; });
  add("given", [](auto& argument) { argument.given = false; });
  add("value", [](auto& argument) { argument.value.reset(); });
}

inline void add_changes_of(const std::string& name, IntsOf ints, std::vector<Change>& changes) {
  const auto add = [&](const char* field, auto change) {
    changes.push_back({name + "." + field,
                       [ints, change](Situation& situation) { change(situation.call.*ints); }});
  };
  add("last", [](auto& argument) { ++argument.value->back(); });
  add("length", [](auto& argument) { argument.value->push_back(0); });
  add("given", [](auto& argument) { argument.given = false; });
  add("value", [](auto& argument) { argument.value.reset(); });
}

inline std::vector<Change> changes_of_arguments() {
  std::vector<Change> changes;
  add_changes_of("gradOutput", &Call::grad_output, changes);
  add_changes_of("input", &Call::input, changes);
  add_changes_of("weight", &Call::weight, changes);
  add_changes_of("gradInput", &Call::grad_input, changes);
  add_changes_of("gradWeight", &Call::grad_weight, changes);
  add_changes_of("gradBias", &Call::grad_bias, changes);
  add_changes_of("biasSizes", &Call::bias_sizes, changes);
  add_changes_of("stride", &Call::stride, changes);
  add_changes_of("padding", &Call::padding, changes);
  add_changes_of("dilation", &Call::dilation, changes);
  add_changes_of("outputPadding", &Call::output_padding, changes);
  const auto add = [&](const char* name, auto change) {
    changes.push_back({name, [change](Situation& situation) { change(situation.call); }});
  };
  add("transposed", [](Call& call) { call.transposed ^= true; });
  add("groups", [](Call& call) { ++call.groups; });
  add("outputMask.dx", [](Call& call) { call.output_mask.value->at(0).flip(); });
  add("outputMask.dw", [](Call& call) { call.output_mask.value->at(1).flip(); });
  add("outputMask.db", [](Call& call) { call.output_mask.value->at(2).flip(); });
  add("outputMask.length", [](Call& call) { call.output_mask.value->push_back(false); });
  add("outputMask.given", [](Call& call) { call.output_mask.given = false; });
  add("outputMask.value", [](Call& call) { call.output_mask.value.reset(); });
  add("cubeMathType", [](Call& call) { call.cube_math_type += 2; });
  add("product", [](Call& call) { call.product = device::Product::Ascend950; });
  add("profile", [](Call& call) { call.profile = device::Profile::Released; });
  add("workspaceSize", [](Call& call) { call.has_workspace_size = false; });
  add("executor", [](Call& call) { call.has_executor = false; });
  return changes;
}

}  // namespace gradproof::kernel::api
