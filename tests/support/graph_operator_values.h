// Graph operators computing: the formula, tensors in device memory, and both phases.
#pragma once

#include "tests/support/graph_operator_call.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <iterator>
#include <random>
#include <string_view>
#include <vector>

#include "kernel/api/operators/run_operation.h"
#include "kernel/numeric/format.h"

namespace gradproof::kernel {

using Values = std::vector<float>;  ///< in the order N C D H W, whatever the format

inline numeric::Format numeric_format(aclDataType type) { return *api::format_of(type); }

// ---- the formula

/// Position (n, c, d, h, w) in lengths (N, C, D, H, W).
inline std::size_t index_of(const Ints& lengths, std::initializer_list<std::int64_t> position) {
  std::int64_t index = 0;
  std::size_t axis = 0;
  for (const std::int64_t i : position) index = index * lengths[axis++] + i;
  return static_cast<std::size_t>(index);
}

/// Calls `visit(feature index, filter index, output index)` for each product of the convolution.
template <typename Visit>
void for_each_product(const Convolution& c, const Visit& visit) {
  const Ints feature = c.feature_lengths(), filter = c.filter_lengths(), out = c.output_lengths();
  const auto position = [&](std::size_t axis, std::int64_t o, std::int64_t k) {
    return o * c.stride[axis] + k * c.dilation[axis] - c.begin[axis];
  };
  const auto is_inside = [&](std::size_t axis, std::int64_t i) {
    return i >= 0 && i < feature[axis + 2];
  };
  for (std::int64_t n = 0; n < out[0]; ++n)
    for (std::int64_t co = 0; co < out[1]; ++co)
      for (std::int64_t ci = 0; ci < c.feature_channels; ++ci)
        for (std::int64_t od = 0; od < out[2]; ++od)
          for (std::int64_t oh = 0; oh < out[3]; ++oh)
            for (std::int64_t ow = 0; ow < out[4]; ++ow)
              for (std::int64_t kd = 0; kd < c.kernel[0]; ++kd)
                for (std::int64_t kh = 0; kh < c.kernel[1]; ++kh)
                  for (std::int64_t kw = 0; kw < c.kernel[2]; ++kw) {
                    const std::int64_t d = position(0, od, kd), h = position(1, oh, kh),
                                       w = position(2, ow, kw);
                    if (!is_inside(0, d) || !is_inside(1, h) || !is_inside(2, w)) continue;
                    const std::int64_t group = co / c.output_channels;
                    visit(index_of(feature, {n, group * c.feature_channels + ci, d, h, w}),
                          index_of(filter, {co, ci, kd, kh, kw}),
                          index_of(out, {n, co, od, oh, ow}));
                  }
}

/// y for an operand (filter, or x) and outBackprop. Small integers: double holds every sum.
inline Values formula(const Convolution& c, const Values& operand, const Values& out_backprop) {
  const bool is_input = c.kind == input_v2;
  std::vector<double> sums(
      static_cast<std::size_t>(count_of(is_input ? c.feature_lengths() : c.filter_lengths())));
  for_each_product(c, [&](std::size_t feature, std::size_t filter, std::size_t out) {
    sums[is_input ? feature : filter] +=
        double{operand[is_input ? filter : feature]} * double{out_backprop[out]};
  });
  return {sums.begin(), sums.end()};
}

// ---- tensors in device memory

/// A tensor, whose values are in the order N C D H W.
class DeviceTensor : public DeviceElements {
 public:
  explicit DeviceTensor(const TensorText& text)
      : DeviceElements(text.type, text.shape, text.strides.value_or(row_major(text.shape)),
                       text.offset, order_of(text.format), 0) {}

 private:
  static std::vector<std::size_t> order_of(aclFormat format) {
    std::vector<std::size_t> order;
    for (const char axis : std::string_view("NCDHW")) order.push_back(axes_of(format).find(axis));
    return order;
  }
};

// ---- calls with data

/// The tensors of a call in device memory.
struct Tensors {
  explicit Tensors(const Arguments& arguments)
      : feature(arguments.feature),
        filter(arguments.filter),
        out_backprop(arguments.out_backprop),
        is_input(arguments.kind == input_v2) {}

  DeviceTensor& operand() { return is_input ? filter : feature; }
  DeviceTensor& result() { return is_input ? feature : filter; }
  Handles handles(const Arguments& arguments) const {
    return handles_of(arguments, feature.memory(), filter.memory(), out_backprop.memory());
  }

  DeviceTensor feature, filter, out_backprop;
  bool is_input;
};

/// Phase two in a workspace of exactly the size asked for; freeing it checks its guard zones.
inline void launch(Operator kind, const PhaseOne& planned, aclrtStream stream = nullptr) {
  void* workspace = nullptr;
  if (planned.workspace_size > 0) {
    ASSERT_EQ(aclrtMalloc(&workspace, planned.workspace_size, ACL_MEM_MALLOC_HUGE_FIRST),
              ACL_SUCCESS);
  }
  const auto phase_two =
      kind == input_v2 ? gradproofConv3DBackpropInputV2 : gradproofConv3DBackpropFilterV2;
  EXPECT_EQ(phase_two(workspace, planned.workspace_size, planned.executor, stream), accepted);
  EXPECT_EQ(aclrtSynchronizeStream(stream), ACL_SUCCESS) << error_text();
  if (workspace != nullptr) {
    EXPECT_EQ(aclrtFree(workspace), ACL_SUCCESS);
  }
}

/// Both phases: y. What the operands hold and what lies between elements must be as before.
inline Values computed(const Arguments& arguments, const Values& operand,
                       const Values& out_backprop) {
  Tensors tensors(arguments);
  tensors.operand().write(operand);
  tensors.out_backprop.write(out_backprop);
  const auto operand_before = tensors.operand().download();
  const auto out_backprop_before = tensors.out_backprop.download();
  const PhaseOne planned = phase_one(arguments, tensors.handles(arguments));
  EXPECT_EQ(planned.status, accepted) << planned.text;
  if (planned.status != accepted) return {};
  launch(arguments.kind, planned);
  EXPECT_EQ(tensors.operand().download(), operand_before);
  EXPECT_EQ(tensors.out_backprop.download(), out_backprop_before);
  EXPECT_TRUE(tensors.result().gaps_untouched());
  return tensors.result().read();
}

/// Integers that stay exact in `type` once multiplied and summed.
inline Values integers(const Ints& lengths, aclDataType type, std::mt19937& random) {
  const bool is_narrow = numeric::size_of(numeric_format(type)) == 1;
  Values values(static_cast<std::size_t>(count_of(lengths)));
  for (float& value : values) {
    const auto drawn = static_cast<int>(random() % 7) - 3;
    value = static_cast<float>(is_narrow ? drawn / 2 : drawn);
  }
  return values;
}

/// What both operands hold.
struct Operands {
  Values operand, out_backprop;
};

inline Operands drawn_for(const Convolution& c, std::mt19937& random) {
  return {integers(c.kind == input_v2 ? c.filter_lengths() : c.feature_lengths(), c.type, random),
          integers(c.output_lengths(), c.type, random)};
}

/// The operator's y is the formula's, bit for bit; nothing of that is rounded.
inline void expect_formula(const Convolution& c, const Arguments& arguments, std::mt19937& random) {
  const auto [operand, out_backprop] = drawn_for(c, random);
  const Values expected = formula(c, operand, out_backprop);
  const aclDataType result_type = c.kind == input_v2 ? c.type : ACL_FLOAT;
  for (const float value : expected) {
    ASSERT_EQ(numeric::rounded(value, numeric_format(result_type), numeric::OverflowMode::InfNan),
              value)
        << "the data are too large for this test";
  }
  EXPECT_THAT(expected, testing::Contains(testing::Ne(0.0F)));
  EXPECT_EQ(computed(arguments, operand, out_backprop), expected);
}

/// A row of an operator's table: which types and formats go together.
struct Combination {
  std::vector<Device> devices;
  std::int64_t groups;
  std::vector<aclDataType> types;
  aclFormat data_format;
  std::vector<aclFormat> filter_formats;
};

/// By each way of computing that the simulated machine has.
class GraphOperatorValues : public GraphOperators, public testing::WithParamInterface<const char*> {
 protected:
  void SetUp() override {
    open({{"GRADPROOF_DEVICES", device_list}, {"GRADPROOF_PATH", GetParam()}});
  }

  /// Calls `visit` with each row of a table, on each device, written out.
  template <typename Visit>
  static void for_each_combination(Operator kind, const std::vector<Combination>& table,
                                   const Visit& visit) {
    for (const Combination& row : table) {
      for (const aclDataType type : row.types) {
        for (const aclFormat filter_format : row.filter_formats) {
          for (const Device device : row.devices) {
            SCOPED_TRACE(testing::Message()
                         << "device " << device << ", groups " << row.groups << ", type " << type
                         << ", " << axes_of(row.data_format) << ", " << axes_of(filter_format));
            use(device);
            visit(Convolution{.kind = kind,
                              .type = type,
                              .data_format = row.data_format,
                              .filter_format = filter_format,
                              .groups = row.groups});
          }
        }
      }
    }
  }

  std::mt19937 random_{1};
};

}  // namespace gradproof::kernel
