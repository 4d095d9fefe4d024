// Each rule of the forward operators' pages: a call that breaks it and no other, and its codes in
// both profiles; and calls at the edge of what is legal.

#include <gtest/gtest.h>

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "kernel/api/forward/rule.h"
#include "tests/support/parameter_call.h"

namespace gradproof::kernel::api::forward {
namespace {

using device::Product;
using device::Profile;

void give(Argument<Tensor>& to, const Ints& shape, aclDataType type = ACL_FLOAT16,
          aclFormat format = ACL_FORMAT_UNDEFINED) {
  const aclFormat by_rank[] = {ACL_FORMAT_ND,  ACL_FORMAT_ND,   ACL_FORMAT_ND,
                               ACL_FORMAT_NCL, ACL_FORMAT_NCHW, ACL_FORMAT_NCDHW};
  to.given = true;
  to.value = Tensor{.view_shape = shape,
                    .strides = Ints(shape.size(), 1),
                    .storage_shape = shape,
                    .data_type = type,
                    .format = format == ACL_FORMAT_UNDEFINED ? by_rank[shape.size()] : format};
}

void give(Argument<Ints>& to, const Ints& values) {
  to.given = true;
  to.value = values;
}

/// A legal call with every tensor's dtype and shapes of that many spatial axes.
ForwardCall convolution(std::size_t axes, bool transposed = false, aclDataType type = ACL_FLOAT16) {
  ForwardCall call = call_of(Function::Convolution);
  Ints x{2, 4}, w{4, 2}, y{2, 4};
  call.groups = 2;
  for (std::size_t i = 0; i < axes; ++i) {
    x.push_back(8);
    w.push_back(3);
    y.push_back(transposed ? 10 : 6);
  }
  give(call.input, x, type);
  give(call.weight, w, type);
  give(call.output, y, type);
  give(call.bias, {4}, type);
  give(call.stride, Ints(axes, 1));
  give(call.padding, Ints(axes, 0));
  give(call.dilation, Ints(axes, 1));
  call.transposed = transposed;
  if (transposed) give(call.output_padding, Ints(axes, 0));
  return call;
}

ForwardCall tbc() {
  ForwardCall call = call_of(Function::ConvTbc);
  give(call.input, {5, 2, 3});
  give(call.weight, {2, 3, 4});
  give(call.bias, {4});
  give(call.padding, {0});
  give(call.output, {4, 2, 4});
  return call;
}

ForwardCall depthwise() {
  ForwardCall call = call_of(Function::ConvDepthwise2d);
  give(call.input, {2, 3, 8, 8});
  give(call.weight, {6, 1, 3, 2});
  give(call.kernel_size, {3, 2});
  give(call.bias, {6});
  give(call.stride, {1, 1});
  give(call.padding, {0, 0});
  give(call.dilation, {1, 1});
  give(call.output, {2, 6, 6, 7});
  return call;
}

/// One axis: lengths of x and y, taps; stride, dilation and padding.
ForwardCall one_axis(std::int64_t x, std::int64_t taps, std::int64_t y, const Ints& steps,
                     bool transposed = false) {
  ForwardCall call = convolution(1, transposed);
  give(call.input, {2, 4, x});
  give(call.weight, {4, 2, taps});
  give(call.output, {2, 4, y});
  give(call.stride, {steps[0]});
  give(call.dilation, {steps[1]});
  give(call.padding, {steps[2]});
  return call;
}

ForwardCall on(Product product, ForwardCall call) {
  call.product = product;
  return call;
}

template <typename Change>
ForwardCall with(ForwardCall call, Change change) {
  change(call);
  return call;
}

constexpr int null_code = ACLNN_ERR_PARAM_NULLPTR, invalid_code = ACLNN_ERR_PARAM_INVALID,
              refused_code = ACLNN_ERR_INNER_NULLPTR, runtime_code = ACLNN_ERR_RUNTIME_ERROR;

struct Broken {
  const char* rule;
  int documented, released;
  ForwardCall call;
};

std::vector<Broken> broken_calls() {
  const auto set_dtype = [](aclDataType type, auto member) {
    return [=](ForwardCall& call) { (call.*member).value->data_type = type; };
  };
  const auto x = &ForwardCall::input, w = &ForwardCall::weight, b = &ForwardCall::bias,
             y = &ForwardCall::output;
  return {
      {"FW-NULL-01", null_code, null_code, with(tbc(), [](auto& c) { c.output = {}; })},
      {"FW-NULL-02", null_code, null_code,
       with(convolution(2), [](auto& c) { c.dilation = {.name = "dilation"}; })},
      {"FW-NULL-03", null_code, null_code,
       with(convolution(2, true), [](auto& c) { c.output_padding = {.name = "outputPadding"}; })},
      {"FW-NULL-06", null_code, null_code, with(tbc(), [](auto& c) { c.bias = {}; })},
      {"FW-NULL-07", null_code, null_code, with(depthwise(), [](auto& c) { c.kernel_size = {}; })},
      {"FW-NULL-08", null_code, null_code,
       with(convolution(1), [](auto& c) { c.has_executor = false; })},
      {"LIVE-01", invalid_code, invalid_code,
       with(convolution(1), [](auto& c) { c.bias.value.reset(); })},
      {"FW-PROD-01", invalid_code, 0, on(Product::Ascend910, convolution(2))},
      {"FW-PROD-01", invalid_code, invalid_code, on(Product::Ascend310, convolution(2))},
      {"FW-PROD-01", invalid_code, invalid_code, on(Product::Ascend310B, tbc())},
      {"FW-PROD-01", invalid_code, 0, on(Product::Ascend310B, depthwise())},
      {"FW-PROD-02", invalid_code, invalid_code, on(Product::Ascend310B, convolution(1))},
      {"FW-PROD-02", invalid_code, invalid_code, on(Product::Ascend310B, convolution(2, true))},
      {"FW-PROD-03", invalid_code, 0, on(Product::Ascend310P, convolution(3, true))},
      {"FW-PROD-04", invalid_code, 0,
       with(on(Product::Ascend310P, convolution(3)), set_dtype(ACL_FLOAT, b))},
      {"FW-DTYPE-01", invalid_code, invalid_code, with(convolution(2), set_dtype(ACL_INT8, x))},
      {"FW-DTYPE-01", invalid_code, invalid_code,
       with(on(Product::Ascend310P, convolution(2)), set_dtype(ACL_BF16, y))},
      {"FW-DTYPE-01", invalid_code, invalid_code,
       on(Product::Ascend950, with(convolution(2, false, ACL_FLOAT8_E4M3FN),
                                   [](auto& c) { c.bias = {.name = "bias"}; }))},
      {"FW-DTYPE-02", invalid_code, invalid_code, with(convolution(2), set_dtype(ACL_DOUBLE, b))},
      {"FW-DTYPE-02", invalid_code, 0,
       with(on(Product::Ascend310P, convolution(2)), set_dtype(ACL_BF16, b))},
      {"FW-DTYPE-04", invalid_code, runtime_code,
       with(convolution(2, true), set_dtype(ACL_FLOAT, y))},
      {"FW-DTYPE-04", invalid_code, 0,
       with(convolution(2, true), [](auto& c) { c.output.value->data_type = ACL_BF16; })},
      {"FW-DTYPE-05", invalid_code, invalid_code, with(tbc(), set_dtype(ACL_FLOAT, w))},
      {"FW-DTYPE-06", invalid_code, invalid_code, with(depthwise(), set_dtype(ACL_FLOAT, b))},
      {"FW-F8-01", invalid_code, refused_code,
       with(on(Product::Ascend950, convolution(2)), set_dtype(ACL_HIFLOAT8, x))},
      {"FW-F8-02", invalid_code, 0,
       with(on(Product::Ascend950, convolution(2, true)),
            [](auto& c) {
              c.bias = {.name = "bias"};
              c.input.value->data_type = ACL_HIFLOAT8;
            })},
      {"FW-F8-03", invalid_code, invalid_code,
       on(Product::Ascend950, convolution(2, true, ACL_HIFLOAT8))},
      {"FW-CUBE-01", invalid_code, 0, with(convolution(2), [](auto& c) { c.cube_math_type = 4; })},
      {"FW-CUBE-01", invalid_code, invalid_code,
       with(convolution(2), [](auto& c) { c.cube_math_type = -1; })},
      {"FW-CUBE-02", invalid_code, invalid_code,
       on(Product::Ascend310P, convolution(2, false, ACL_FLOAT))},
      {"FW-CUBE-04", invalid_code, 0,
       with(convolution(2, false, ACL_BF16), [](auto& c) { c.cube_math_type = 2; })},
      {"FW-RANK-01", invalid_code, invalid_code,
       with(convolution(2),
            [](auto& c) {
              give(c.weight, {4, 2, 3}, ACL_FLOAT16, ACL_FORMAT_NCHW);
            })},
      {"FW-FMT-01", invalid_code, invalid_code,
       with(convolution(1), [](auto& c) { c.input.value->format = ACL_FORMAT_ND; })},
      {"FW-FMT-02", invalid_code, invalid_code,
       with(tbc(), [](auto& c) { c.weight.value->format = ACL_FORMAT_NCHW; })},
      {"FW-FMT-03", invalid_code, invalid_code,
       with(convolution(2), [](auto& c) { c.bias.value->format = ACL_FORMAT_NHWC; })},
      {"FW-FMT-04", invalid_code, invalid_code,
       with(on(Product::Ascend950, tbc()), [](auto& c) { c.bias.value->format = ACL_FORMAT_NCL; })},
      {"FW-FMT-04", invalid_code, 0,
       with(tbc(), [](auto& c) { c.bias.value->format = ACL_FORMAT_NCHW; })},
      {"FW-BIAS-01", invalid_code, invalid_code,
       with(convolution(2),
            [](auto& c) {
              give(c.bias, {1, 4});
            })},
      {"FW-BIAS-02", invalid_code, invalid_code,
       with(convolution(2, true), [](auto& c) { give(c.bias, {2}); })},
      {"FW-LEN-01", invalid_code, invalid_code,
       with(convolution(2), [](auto& c) { give(c.dilation, {1}); })},
      {"FW-LEN-02", invalid_code, invalid_code,
       with(convolution(3), [](auto& c) { give(c.padding, Ints(6, 0)); })},
      {"FW-LEN-02", invalid_code, invalid_code,
       with(convolution(1, true),
            [](auto& c) {
              give(c.padding, {0, 0});
            })},
      {"FW-LEN-02", invalid_code, invalid_code,
       with(depthwise(), [](auto& c) { give(c.padding, Ints(4, 0)); })},
      {"FW-LEN-03", invalid_code, invalid_code,
       with(convolution(2, true), [](auto& c) { give(c.output_padding, Ints(4, 0)); })},
      {"FW-LEN-04", invalid_code, 0,
       with(depthwise(),
            [](auto& c) {
              give(c.kernel_size, {3, 2, 1});
            })},
      {"FW-LEN-04", invalid_code, invalid_code,
       with(depthwise(), [](auto& c) { give(c.kernel_size, {3}); })},
      {"FW-STRIDE-01", invalid_code, invalid_code,
       with(convolution(1), [](auto& c) { give(c.stride, {0}); })},
      {"FW-DIL-01", invalid_code, invalid_code, one_axis(8, 3, 8, {1, 0, 0})},
      {"FW-PAD-01", invalid_code, 0, one_axis(8, 3, 4, {1, 1, -1})},
      {"FW-OPAD-01", invalid_code, invalid_code,
       with(convolution(1, true),
            [](auto& c) {
              give(c.output_padding, {1});
              give(c.output, {2, 4, 11});
            })},
      {"FW-GRP-01", invalid_code, invalid_code,
       with(convolution(1),
            [](auto& c) {
              c.groups = 0;
              give(c.input, {2, 0, 8});
              give(c.output, {2, 4, 0});
              give(c.input, {2, 0, 2});
            })},
      {"FW-CH-01", invalid_code, invalid_code,
       with(convolution(1),
            [](auto& c) {
              give(c.input, {2, 6, 8});
            })},
      {"FW-CH-02", invalid_code, invalid_code,
       with(convolution(1, true),
            [](auto& c) {
              give(c.input, {2, 6, 8});
            })},
      {"FW-CH-03", invalid_code, invalid_code,
       with(convolution(1),
            [](auto& c) {
              give(c.weight, {5, 2, 3});
              give(c.bias, {5});
              give(c.output, {2, 5, 6});
            })},
      {"FW-CH-04", invalid_code, invalid_code,
       with(depthwise(),
            [](auto& c) {
              give(c.input, {2, 4, 8, 8});
            })},
      {"FW-CH-05", invalid_code, invalid_code,
       with(depthwise(),
            [](auto& c) {
              give(c.kernel_size, {2, 3});
            })},
      {"FW-CH-06", invalid_code, invalid_code,
       with(tbc(),
            [](auto& c) {
              give(c.input, {5, 2, 4});
            })},
      {"FW-SHAPE-01", invalid_code, invalid_code, one_axis(4, 5, 0, {1, 1, 0})},
      {"FW-SHAPE-02", invalid_code, invalid_code,
       with(tbc(),
            [](auto& c) {
              give(c.weight, {6, 3, 4});
              give(c.output, {0, 2, 4});
            })},
      {"FW-SHAPE-02", 0, invalid_code,
       with(tbc(),
            [](auto& c) {
              give(c.weight, {7, 3, 4});
              give(c.padding, {1});
              give(c.output, {1, 2, 4});
            })},
      {"FW-SHAPE-03", invalid_code, invalid_code,
       with(convolution(3),
            [](auto& c) {
              give(c.output, {2, 4, 6, 6, 7});
            })},
      {"FW-SHAPE-03", invalid_code, invalid_code,
       with(convolution(2, true),
            [](auto& c) {
              give(c.output, {1, 4, 10, 10});
            })},
      {"FW-SHAPE-04", invalid_code, invalid_code,
       with(convolution(1), [](auto& c) { c.bias.value->storage_shape = {-4}; })},
      {"FW-SHAPE-05", 0, invalid_code, one_axis(1, 3, 401, {1, 200, 0}, true)},
      {"FW-EMPTY-01", invalid_code, invalid_code,
       with(depthwise(),
            [](auto& c) {
              give(c.input, {2, 3, 0, 8});
              give(c.padding, {3, 0});
              give(c.output, {2, 6, 4, 7});
            })},
      {"FW-EMPTY-02", invalid_code, invalid_code,
       with(convolution(1, true),
            [](auto& c) {
              give(c.input, {0, 0, 8});
              give(c.weight, {0, 2, 3});
              give(c.output, {0, 4, 10});
            })},
      {"FW-EMPTY-03", invalid_code, invalid_code,
       with(on(Product::Ascend950, convolution(1, true)),
            [](auto& c) {
              give(c.input, {0, 4, 0});
              give(c.output, {0, 4, 2});
            })},
      {"HW-01", refused_code, refused_code,
       with(one_axis(8, 3, 1, {1, 1, 0}),
            [](auto& c) {
              give(c.padding, {0x7FFFFFFFFFFFFFFF});
              c.product = Product::Ascend950;
            })},
      {"FW-RANGE-01", refused_code, 0, one_axis(1, 256, 256, {1, 1, 0}, true)},
      {"FW-RANGE-02", refused_code, 0,
       with(convolution(3),
            [](auto& c) {
              give(c.input, {2, 4, 8, 8, 600});
              give(c.weight, {4, 2, 3, 3, 512});
              give(c.output, {2, 4, 6, 6, 89});
            })},
      {"FW-RANGE-03", refused_code, 0, on(Product::Ascend950, one_axis(600, 512, 89, {1, 1, 0}))},
      {"FW-RANGE-04", refused_code, 0,
       with(on(Product::Ascend310P, convolution(2)),
            [](auto& c) {
              give(c.input, {2, 4, 8, 4097});
              give(c.output, {2, 4, 6, 4095});
            })},
      {"FW-RANGE-04", refused_code, 0,
       with(on(Product::Ascend310P, convolution(3)),
            [](auto& c) {
              give(c.input, {2, 4, 256, 8, 8});
              give(c.weight, {4, 2, 256, 3, 3});
              give(c.output, {2, 4, 1, 6, 6});
            })},
      {"FW-RANGE-05", refused_code, 0,
       with(convolution(3),
            [](auto& c) {
              give(c.stride, {64, 1, 64});
              give(c.output, {2, 4, 1, 6, 1});
            })},
      {"FW-RANGE-06", refused_code, 0,
       with(on(Product::Ascend950, convolution(3)),
            [](auto& c) {
              give(c.stride, {1000001, 63, 1});
              give(c.output, {2, 4, 1, 1, 6});
            })},
      {"FW-RANGE-07", refused_code, 0,
       with(convolution(3),
            [](auto& c) {
              give(c.padding, {256, 256, 0});
              give(c.output, {2, 4, 518, 518, 6});
            })},
      {"FW-RANGE-08", refused_code, 0,
       with(convolution(1),
            [](auto& c) {
              give(c.padding, {0, 256});
              give(c.output, {2, 4, 262});
            })},
      {"FW-RANGE-09", refused_code, 0,
       with(on(Product::Ascend950, convolution(3)),
            [](auto& c) {
              give(c.padding, {0, 0, 256});
              give(c.output, {2, 4, 6, 6, 518});
            })},
      {"FW-RANGE-10", refused_code, 0, one_axis(1, 1, 1, {1, 256, 0}, true)},
      {"FW-RANGE-11", refused_code, 0,
       with(convolution(3),
            [](auto& c) {
              give(c.dilation, {1, 1, 256});
              give(c.input, {2, 4, 8, 8, 513});
              give(c.output, {2, 4, 6, 6, 1});
            })},
      {"FW-RANGE-12", refused_code, 0,
       with(on(Product::Ascend950, convolution(3)),
            [](auto& c) {
              give(c.dilation, {1, 256, 1});
              give(c.input, {2, 4, 8, 513, 8});
              give(c.output, {2, 4, 6, 1, 6});
            })},
      {"FW-RANGE-13", refused_code, 0,
       with(convolution(1),
            [](auto& c) {
              c.groups = 65536;
              give(c.input, {1, 65536, 3});
              give(c.weight, {65536, 1, 3});
              give(c.bias, {65536});
              give(c.output, {1, 65536, 1});
            })},
      {"FW-RANGE-14", refused_code, 0, one_axis(1000001, 3, 999999, {1, 1, 0})},
      {"FW-RANGE-15", refused_code, 0,
       with(depthwise(),
            [](auto& c) {
              give(c.stride, {64, 1});
              give(c.output, {2, 6, 1, 7});
            })},
      {"FW-RANGE-16", refused_code, 0,
       with(depthwise(),
            [](auto& c) {
              give(c.input, {1, 65536, 8, 8});
              give(c.weight, {65536, 1, 3, 2});
              give(c.bias, {65536});
              give(c.output, {1, 65536, 6, 7});
            })},
      {"FW-RANGE-17", refused_code, 0,
       with(tbc(),
            [](auto& c) {
              give(c.padding, {256});
              give(c.output, {516, 2, 4});
            })},
  };
}

std::set<std::string> ids_of(const std::vector<Breach>& breaches) {
  std::set<std::string> ids;
  for (const Breach& breach : breaches) {
    EXPECT_GT(breach.text.size(), 15U) << breach.rule;
    ids.emplace(breach.rule);
  }
  return ids;
}

TEST(ForwardRules, AreBrokenOneByOne) {
  for (Broken broken : broken_calls()) {
    for (const Profile profile : {Profile::Documented, Profile::Released}) {
      const int due = profile == Profile::Documented ? broken.documented : broken.released;
      broken.call.profile = profile;
      const auto found = breaches(broken.call);
      SCOPED_TRACE(std::string(broken.rule) + "\n" + words_of(found));
      EXPECT_EQ(status_of(found), due);
      if (due == 0) continue;
      EXPECT_TRUE(ids_of(found).contains(broken.rule));
      for (const Breach& breach : found) {
        EXPECT_EQ(breach.status, breach.rule == broken.rule ? due : breach.status);
      }
    }
  }
}

TEST(ForwardRules, EachHaveACallThatBreaksThem) {
  std::set<std::string> ids, broken;
  for (const Rules& rules :
       {presence_rules(), dtype_rules(), form_rules(), size_rules(), range_rules()}) {
    for (const ForwardRule& rule : rules) ids.emplace(rule.id);
  }
  for (const Broken& call : broken_calls()) broken.emplace(call.rule);
  EXPECT_EQ(ids, broken);
}

/// Calls that the pages permit, though their neighbours or the backward call would be refused.
std::vector<ForwardCall> legal_calls() {
  std::vector<ForwardCall> calls{convolution(1),       convolution(2),       convolution(3), tbc(),
                                 convolution(1, true), convolution(3, true), depthwise()};
  calls.push_back(with(convolution(2), [](auto& c) { give(c.output_padding, {7, 8, 9}); }));
  calls.push_back(with(convolution(2), [](auto& c) { c.bias = {.name = "bias"}; }));
  calls.push_back(with(convolution(2), [](auto& c) { c.output.value->data_type = ACL_FLOAT; }));
  calls.push_back(with(convolution(2), [](auto& c) { c.bias.value->data_type = ACL_BF16; }));
  calls.push_back(convolution(2, false, ACL_FLOAT));
  calls.push_back(with(convolution(1), [](auto& c) {
    give(c.padding, {1, 2});
    give(c.output, {2, 4, 9});
  }));
  calls.push_back(with(convolution(2), [](auto& c) {
    give(c.padding, {1, 2, 0, 3});
    give(c.output, {2, 4, 9, 9});
  }));
  calls.push_back(with(convolution(1, true), [](auto& c) {
    give(c.dilation, {3});
    give(c.output_padding, {2});
    give(c.output, {2, 4, 16});
  }));
  calls.push_back(on(Product::Ascend310B, convolution(2)));
  calls.push_back(on(Product::Ascend310P, convolution(3)));
  calls.push_back(on(Product::Ascend950, with(convolution(2, false, ACL_HIFLOAT8), [](auto& c) {
                       c.bias.value->data_type = ACL_FLOAT;
                     })));
  calls.push_back(on(Product::Ascend950, with(convolution(2, true, ACL_FLOAT8_E4M3FN),
                                              [](auto& c) { c.bias = {.name = "bias"}; })));
  calls.push_back(with(tbc(), [](auto& c) {
    give(c.input, {5, 2, 0});
    give(c.weight, {2, 0, 4});
  }));
  calls.push_back(with(convolution(2), [](auto& c) {
    give(c.input, {0, 4, 8, 8});
    give(c.output, {0, 4, 6, 6});
  }));
  return calls;
}

TEST(ForwardRules, LetLegalCallsPass) {
  for (ForwardCall call : legal_calls()) {
    for (const Profile profile : {Profile::Documented, Profile::Released}) {
      call.profile = profile;
      const auto found = breaches(call);
      EXPECT_TRUE(found.empty()) << name_of(call.function) << "\n" << words_of(found);
    }
  }
}

}  // namespace
}  // namespace gradproof::kernel::api::forward
