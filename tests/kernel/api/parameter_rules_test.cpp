// Every rule of the specification, by id: a call that breaks it and nothing else, one that just
// meets it, on each product it is for and in both profiles; and the worked decisions.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <iostream>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "kernel/api/convolution_rules/parameter_checks.h"
#include "kernel/include/aclnn/opdev/op_errno.h"

namespace gradproof::kernel::api {
namespace {

using device::Product;
using device::Profile;
using parameter_checks::Argument;
using parameter_checks::Call;
using parameter_checks::Ints;

constexpr aclnnStatus ok = ACLNN_SUCCESS, null_status = ACLNN_ERR_PARAM_NULLPTR,
                      invalid = ACLNN_ERR_PARAM_INVALID, refused = ACLNN_ERR_INNER_NULLPTR;

// ---- calls
// -----------------------------------------------------------------------------------------------------------

std::vector<std::int64_t> contiguous_strides(const Ints& shape) {
  Ints strides(shape.size());
  std::uint64_t step = 1;  // wraps where no tensor could be
  for (std::size_t axis = shape.size(); axis-- > 0;) {
    strides[axis] = static_cast<std::int64_t>(step);
    step *= static_cast<std::uint64_t>(shape[axis]);
  }
  return strides;
}

void set(Argument<Tensor>& argument, const Ints& shape) {
  argument.given = true;
  if (!argument.value) argument.value.emplace();
  argument.value->view_shape = argument.value->storage_shape = shape;
  argument.value->strides = contiguous_strides(shape);
}

void set(Argument<Ints>& argument, const Ints& values) {
  argument.given = true;
  argument.value = values;
}

void set_mask(Call& call, const std::vector<bool>& bits) {
  call.output_mask.given = true;
  call.output_mask.value = bits;
}

template <typename Value>
void clear(Argument<Value>& argument) {
  argument.given = false;
  argument.value.reset();
}

aclFormat format_of_rank(std::size_t rank) {
  if (rank == 1) return ACL_FORMAT_ND;
  if (rank == 3) return ACL_FORMAT_NCL;
  return rank == 4 ? ACL_FORMAT_NCHW : ACL_FORMAT_NCDHW;
}

std::vector<Argument<Tensor>*> tensors_of(Call& call) {
  return {&call.grad_output, &call.input,       &call.weight,
          &call.grad_input,  &call.grad_weight, &call.grad_bias};
}

void set_types(Call& call, aclDataType type) {
  for (auto* tensor : tensors_of(call)) {
    if (tensor->value) tensor->value->data_type = type;
  }
}

/// Gives the outputs the shapes that the inputs ask for, and every tensor the format of its rank.
void match_outputs(Call& call) {
  if (call.grad_input.given) set(call.grad_input, call.input.value->view_shape);
  if (call.grad_weight.given) set(call.grad_weight, call.weight.value->view_shape);
  if (call.grad_bias.given) set(call.grad_bias, {call.grad_output.value->view_shape[1]});
  for (auto* tensor : tensors_of(call)) {
    if (tensor->value) tensor->value->format = format_of_rank(tensor->value->view_shape.size());
  }
}

struct Kind {
  std::size_t rank = 4;
  bool transposed = false;
  int groups = 1;
};

/// A valid call: 3 feature and 4 output channels a group, kernel 3, stride 2, padding 1; 8 feature
/// positions, 4 outputs.
Call valid(Product product, Kind kind = {}) {
  Call call;
  call.product = product;
  call.transposed = kind.transposed;
  call.groups = kind.groups;
  call.cube_math_type = 1;
  const std::size_t axes = kind.rank - 2;
  const auto shape = [&](std::int64_t n, std::int64_t c, std::int64_t length) {
    Ints result{n, c};
    result.resize(kind.rank, length);
    return result;
  };
  const Ints big = shape(2, 3 * kind.groups, 8), small = shape(2, 4 * kind.groups, 4);
  set(call.grad_output, kind.transposed ? big : small);
  set(call.input, kind.transposed ? small : big);
  set(call.weight, shape(4 * kind.groups, 3, 3));
  set(call.grad_input, {});
  set(call.grad_weight, {});
  set(call.grad_bias, {});
  match_outputs(call);
  set_types(call, ACL_FLOAT16);
  set(call.bias_sizes, {(kind.transposed ? 3 : 4) * kind.groups});
  set(call.stride, Ints(axes, 2));
  set(call.padding, Ints(axes, 1));
  set(call.dilation, Ints(axes, 1));
  set(call.output_padding, Ints(axes, kind.transposed ? 1 : 0));
  set_mask(call, {true, true, true});
  return call;
}

/// A transposed call in an 8-bit type that asks for gradInput alone.
Call eight_bit(Product product, aclDataType type = ACL_HIFLOAT8) {
  Call call = valid(product, {.transposed = true});
  set_types(call, type);
  set_mask(call, {true, false, false});
  clear(call.grad_weight);
  clear(call.grad_bias);
  return call;
}

/// The same with gradWeight, as FLOAT.
Call eight_bit_with_weight(Product product) {
  Call call = eight_bit(product);
  set(call.grad_weight, call.weight.value->view_shape);
  call.grad_weight.value->data_type = ACL_FLOAT;
  call.grad_weight.value->format = ACL_FORMAT_NCHW;
  set_mask(call, {true, true, false});
  set(call.stride, {2, 2});
  set(call.output_padding, {0, 0});
  set(call.grad_output, {2, 3, 7, 7});
  call.grad_output.value->format = ACL_FORMAT_NCHW;
  return call;
}

/// An empty problem: no samples.
Call empty_batch(Product product, bool transposed = false) {
  Call call = valid(product, {.transposed = transposed});
  call.grad_output.value->view_shape[0] = call.input.value->view_shape[0] = 0;
  match_outputs(call);
  return call;
}

/// An empty problem: no input channels.
Call empty_channels(Product product) {
  Call call = valid(product);
  call.input.value->view_shape[1] = call.weight.value->view_shape[1] = 0;
  match_outputs(call);
  return call;
}

/// Sets the lengths of spatial axis `axis` so that the call is valid with the kernel and attributes
/// it has.
void refit(Call& call, std::size_t axis, std::int64_t outputs) {
  const bool four = call.rank() == 4 && call.padding.value->size() == 4;
  const Ints& p = *call.padding.value;
  const std::int64_t padding = four ? p[2 * axis] + p[2 * axis + 1] : 2 * p[axis];
  const std::int64_t stride = (*call.stride.value)[axis];
  const std::int64_t extra = call.transposed ? (*call.output_padding.value)[axis] : 0;
  const std::int64_t window =
      (call.weight.value->view_shape[axis + 2] - 1) * (*call.dilation.value)[axis] + 1;
  std::int64_t feature = (outputs - 1) * stride + window - padding + extra;
  while (feature < 1) {
    feature += stride;
    ++outputs;
  }
  Ints big = (call.transposed ? call.grad_output : call.input).value->view_shape;
  Ints small = (call.transposed ? call.input : call.grad_output).value->view_shape;
  big[axis + 2] = feature;
  small[axis + 2] = outputs;
  set(call.transposed ? call.grad_output : call.input, big);
  set(call.transposed ? call.input : call.grad_output, small);
  match_outputs(call);
}

// ---- the table
// -------------------------------------------------------------------------------------------------------

enum Sets : unsigned { A1 = 1, A23 = 2, A5 = 4, X = 8, Supported = A1 | A23 | A5, Everywhere = 15 };

std::vector<Product> products(unsigned sets) {
  std::vector<Product> result;
  const auto add = [&](unsigned set, std::initializer_list<Product> members) {
    if ((sets & set) != 0) result.insert(result.end(), members);
  };
  add(A1, {Product::Ascend310P, Product::Ascend910});
  add(A23, {Product::Ascend910B, Product::Ascend910_93});
  add(A5, {Product::Ascend950});
  add(X, {Product::Ascend310, Product::Ascend310B});
  return result;
}

using MakeCall = std::function<Call(Product)>;
using Change = std::function<void(Call&)>;

struct Row {
  std::string id;
  unsigned sets;  ///< products the rule is for
  MakeCall start;
  Change breaks;
  aclnnStatus documented, released;
  std::vector<std::string> also;  ///< ids that say the same of this call
  Change meets;                   ///< from `start`: at the rule's edge, still valid
};

const Change unchanged = [](Call&) {};

MakeCall kind(Kind kind) {
  return [kind](Product product) { return valid(product, kind); };
}

const MakeCall plain = kind({});
const MakeCall ordinary3d = kind({.rank = 5});
const MakeCall transposed2d = kind({.transposed = true});
const MakeCall transposed3d = kind({.rank = 5, .transposed = true});

/// Changes one value of an array, by index.
Change put(Argument<Ints> Call::*array, std::size_t index, std::int64_t value) {
  return [=](Call& call) { (*(call.*array).value)[index] = value; };
}

/// The same, and the sizes of that axis follow, so that only the value itself can be wrong.
Change put_and_refit(Argument<Ints> Call::*array, std::size_t index, std::int64_t value) {
  return [=](Call& call) {
    (*(call.*array).value)[index] = value;
    refit(call, index, 4);
  };
}

Change kernel_length(std::size_t axis, std::int64_t length) {
  return [=](Call& call) {
    Ints shape = call.weight.value->view_shape;
    shape[axis + 2] = length;
    set(call.weight, shape);
    refit(call, axis, 4);
  };
}

Change lengths(Argument<Ints> Call::*array, const Ints& values) {
  return [=](Call& call) { set(call.*array, values); };
}

template <typename Value>
Change null(Argument<Value> Call::*argument) {
  return [=](Call& call) { clear(call.*argument); };
}

Change type(Argument<Tensor> Call::*tensor, aclDataType type) {
  return [=](Call& call) { (call.*tensor).value->data_type = type; };
}

Change format(Argument<Tensor> Call::*tensor, aclFormat format) {
  return [=](Call& call) { (call.*tensor).value->format = format; };
}

Change mask(const std::vector<bool>& bits) {
  return [=](Call& call) { set_mask(call, bits); };
}

Change both(const Change& first, const Change& second) {
  return [=](Call& call) {
    first(call);
    second(call);
  };
}

Change axis_length(Argument<Tensor> Call::*tensor, std::size_t axis, std::int64_t length) {
  return [=](Call& call) {
    Ints shape = (call.*tensor).value->view_shape;
    shape[axis] = length;
    set(call.*tensor, shape);
  };
}

/// The same, and outputs follow the inputs.
Change axis_length_and_outputs(Argument<Tensor> Call::*tensor, std::size_t axis,
                               std::int64_t length) {
  return both(axis_length(tensor, axis, length), [](Call& call) { match_outputs(call); });
}

std::vector<Row> null_rows() {
  std::vector<Row> rows;
  const auto required = [&](const std::string& id, const Change& breaks) {
    rows.push_back({id, Everywhere, plain, breaks, null_status, null_status, {}, unchanged});
  };
  required("NULL-01", null(&Call::grad_output));
  required("NULL-02", null(&Call::input));
  required("NULL-03", null(&Call::weight));
  required("NULL-04", null(&Call::stride));
  required("NULL-05", null(&Call::padding));
  required("NULL-06", null(&Call::dilation));
  required("NULL-07", null(&Call::output_padding));
  required("NULL-08", null(&Call::output_mask));
  required("NULL-09", mask({true, true}));
  required("NULL-10", null(&Call::grad_input));
  required("NULL-11", null(&Call::grad_weight));
  required("NULL-12", null(&Call::grad_bias));
  const auto permitted = [&](const std::string& id, const std::vector<bool>& bits,
                             const Change& breaks) {
    rows.push_back({id, Supported, plain, both(mask(bits), breaks), ok, ok, {}, unchanged});
  };
  permitted("NULL-13", {false, true, true}, null(&Call::grad_input));
  permitted("NULL-14", {true, false, true}, null(&Call::grad_weight));
  permitted("NULL-15", {true, true, false}, null(&Call::grad_bias));
  rows.push_back({"NULL-16",
                  Supported,
                  plain,
                  null(&Call::bias_sizes),
                  null_status,
                  ok,
                  {},
                  both(mask({true, true, false}), null(&Call::bias_sizes))});
  rows.push_back({"NULL-16",
                  A23 | A5,
                  [](Product p) { return empty_batch(p); },
                  null(&Call::bias_sizes),
                  null_status,
                  invalid,
                  {"EMPTY-02"},
                  unchanged});
  permitted("NULL-17", {true, true, false}, null(&Call::bias_sizes));
  required("NULL-18", [](Call& call) { call.has_workspace_size = false; });
  required("NULL-18", [](Call& call) { call.has_executor = false; });
  return rows;
}

std::vector<Row> product_and_dtype_rows() {
  const auto bfloat16 = [](Call& call) { set_types(call, ACL_BF16); };
  return {
      {"PROD-01", X, plain, unchanged, invalid, refused, {}, nullptr},
      {"PROD-02",
       A1,
       ordinary3d,
       unchanged,
       invalid,
       invalid,
       {},
       [](Call& call) { call = valid(call.product, {.rank = 3}); }},
      {"DTYPE-01",
       A1,
       plain,
       [](Call& c) { c.weight.value->data_type = c.grad_weight.value->data_type = ACL_BF16; },
       invalid,
       invalid,
       {"CUBE-04", "DTYPE-02"},
       unchanged},
      {"DTYPE-01",
       A23,
       plain,
       type(&Call::input, ACL_HIFLOAT8),
       invalid,
       invalid,
       {"DTYPE-04"},
       bfloat16},
      {"DTYPE-01",
       A5,
       plain,
       type(&Call::grad_output, ACL_FLOAT8_E5M2),
       invalid,
       invalid,
       {"DTYPE-06"},
       bfloat16},
      {"DTYPE-02",
       A23,
       plain,
       type(&Call::grad_weight, ACL_DOUBLE),
       invalid,
       invalid,
       {},
       type(&Call::grad_weight, ACL_BF16)},
      {"DTYPE-02",
       A1,
       plain,
       type(&Call::grad_weight, ACL_BF16),
       invalid,
       invalid,
       {},
       type(&Call::grad_weight, ACL_FLOAT)},
      {"DTYPE-02",
       A5,
       plain,
       type(&Call::grad_bias, ACL_INT32),
       invalid,
       invalid,
       {"DTYPE-06"},
       bfloat16},
      {"DTYPE-03",
       A5,
       [](Product p) { return eight_bit(p); },
       type(&Call::weight, ACL_FLOAT16),
       invalid,
       ok,
       {"F8-03"},
       unchanged},
      {"DTYPE-04", A1 | A23, plain, type(&Call::grad_input, ACL_FLOAT), invalid, ok, {}, unchanged},
      {"DTYPE-04",
       A5,
       plain,
       type(&Call::grad_input, ACL_FLOAT),
       invalid,
       invalid,
       {},
       both(type(&Call::grad_input, ACL_FLOAT), type(&Call::input, ACL_FLOAT))},
      {"DTYPE-05", A5, plain, type(&Call::grad_weight, ACL_FLOAT), invalid, invalid, {}, unchanged},
      {"DTYPE-05", A1 | A23, plain, type(&Call::grad_weight, ACL_FLOAT), ok, ok, {}, unchanged},
      {"DTYPE-06", A1 | A23, plain, type(&Call::grad_bias, ACL_FLOAT), invalid, ok, {}, unchanged},
      {"DTYPE-06",
       A5,
       plain,
       type(&Call::grad_bias, ACL_FLOAT),
       invalid,
       invalid,
       {},
       both(type(&Call::grad_bias, ACL_FLOAT), type(&Call::grad_output, ACL_FLOAT))},
  };
}

std::vector<Row> eight_bit_rows() {
  const MakeCall hifloat8 = [](Product p) { return eight_bit(p); };
  const MakeCall e4m3 = [](Product p) { return eight_bit(p, ACL_FLOAT8_E4M3FN); };
  const auto ordinary = [](Call& call) {
    call = valid(call.product);
    set_types(call, ACL_HIFLOAT8);
    set_mask(call, {true, false, false});
    clear(call.grad_weight);
    clear(call.grad_bias);
  };
  const auto with_float_weight = [](Call& call) {
    set(call.grad_weight, call.weight.value->view_shape);
    call.grad_weight.value->data_type = ACL_HIFLOAT8;
    call.grad_weight.value->format = ACL_FORMAT_NCHW;
  };
  return {
      // Intercepted by the released library only if gradInput and gradWeight are both there.
      {"F8-01", A5, hifloat8, ordinary, invalid, ok, {}, unchanged},
      {"F8-01", A5, hifloat8, both(ordinary, with_float_weight), invalid, invalid, {}, unchanged},
      {"F8-01", A5, e4m3, mask({false, false, false}), invalid, invalid, {}, nullptr},
      {"F8-02", A5, e4m3, unchanged, ok, invalid, {}, nullptr},
      {"F8-03",
       A5,
       hifloat8,
       type(&Call::grad_input, ACL_FLOAT8_E4M3FN),
       invalid,
       invalid,
       {"DTYPE-04", "F8-02"},
       unchanged},
      {"F8-03",
       A5,
       hifloat8,
       [](Call& c) {
         set(c.grad_bias, {3});
         c.grad_bias.value->data_type = ACL_FLOAT16;
         c.grad_bias.value->format = ACL_FORMAT_ND;
       },
       invalid,
       invalid,
       {"DTYPE-06"},
       unchanged},
      {"F8-04",
       A5,
       eight_bit_with_weight,
       type(&Call::grad_weight, ACL_HIFLOAT8),
       invalid,
       invalid,
       {},
       unchanged},
      {"F8-04",
       A5,
       eight_bit_with_weight,
       [](Call& c) {
         for (auto* t : {&c.grad_output, &c.input, &c.weight, &c.grad_input})
           t->value->data_type = ACL_FLOAT8_E4M3FN;
       },
       invalid,
       invalid,
       {},
       unchanged},
      {"F8-05",
       A5,
       eight_bit_with_weight,
       both(lengths(&Call::output_padding, {1, 1}), axis_length(&Call::grad_output, 2, 8)),
       invalid,
       invalid,
       {"SHAPE-04"},
       unchanged},
      {"F8-05",
       A5,
       eight_bit_with_weight,
       [](Call& c) {
         c.groups = 2;
         set(c.grad_output, {2, 6, 7, 7});
         set(c.bias_sizes, {6});
       },
       invalid,
       invalid,
       {},
       unchanged},
      {"F8-06",
       A5,
       hifloat8,
       [](Call& c) {
         set(c.grad_bias, {3});
         c.grad_bias.value->data_type = ACL_HIFLOAT8;
         c.grad_bias.value->format = ACL_FORMAT_ND;
         set_mask(c, {true, false, true});
       },
       refused,
       refused,
       {},
       unchanged},
      {"CUBE-08",
       A5,
       hifloat8,
       [](Call& c) { c.cube_math_type = 3; },
       ok,
       ok,
       {},
       [](Call& c) { c.cube_math_type = 0; }},
  };
}

std::vector<Row> format_rows() {
  const auto rank_six = [](Call& call) {
    for (auto* tensor :
         {&call.grad_output, &call.input, &call.weight, &call.grad_input, &call.grad_weight}) {
      Ints shape = tensor->value->view_shape;
      shape.push_back(1);
      shape.push_back(1);
      set(*tensor, shape);
    }
  };
  return {
      {"RANK-01",
       Supported,
       plain,
       rank_six,
       invalid,
       invalid,
       {"LEN-01", "LEN-02", "LEN-03", "LEN-04"},
       [](Call& call) { call = valid(call.product, {.rank = 3}); }},
      {"RANK-02",
       Supported,
       plain,
       both(lengths(&Call::bias_sizes, {4}),
            [](Call& c) {
              set(c.weight, {4, 3, 3});
              c.weight.value->format = ACL_FORMAT_NCL;
              set(c.grad_weight, {4, 3, 3});
              c.grad_weight.value->format = ACL_FORMAT_NCL;
            }),
       invalid,
       invalid,
       {},
       unchanged},
      {"RANK-02",
       A23 | A5,
       [](Product p) { return empty_batch(p); },
       [](Call& c) {
         set(c.grad_output, {0, 4, 4});
         c.grad_output.value->format = ACL_FORMAT_NCL;
       },
       invalid,
       ok,
       {},
       unchanged},
      {"FMT-01",
       Supported,
       plain,
       format(&Call::input, ACL_FORMAT_NHWC),
       invalid,
       invalid,
       {},
       unchanged},
      {"FMT-01",
       Supported,
       plain,
       format(&Call::grad_weight, ACL_FORMAT_ND),
       invalid,
       invalid,
       {},
       unchanged},
      {"FMT-01",
       Supported,
       kind({.rank = 3}),
       format(&Call::input, ACL_FORMAT_NCHW),
       invalid,
       invalid,
       {},
       format(&Call::input, ACL_FORMAT_ND)},
      {"FMT-01",
       A23 | A5,
       ordinary3d,
       format(&Call::weight, ACL_FORMAT_NDHWC),
       invalid,
       invalid,
       {},
       unchanged},
      {"FMT-02", A1, plain, format(&Call::grad_bias, ACL_FORMAT_NCHW), invalid, ok, {}, unchanged},
      {"FMT-02",
       A23 | A5,
       plain,
       format(&Call::grad_bias, ACL_FORMAT_NCHW),
       invalid,
       invalid,
       {},
       unchanged},
      {"FMT-02",
       Supported,
       transposed2d,
       format(&Call::grad_bias, ACL_FORMAT_NCHW),
       invalid,
       ok,
       {},
       unchanged},
      {"FMT-03",
       Supported,
       kind({.rank = 3}),
       format(&Call::weight, ACL_FORMAT_ND),
       ok,
       ok,
       {},
       unchanged},
  };
}

std::vector<Row> array_rows() {
  const auto groups = [](int value) { return [value](Call& call) { call.groups = value; }; };
  return {
      {"LEN-01", Supported, plain, lengths(&Call::stride, {2}), invalid, invalid, {}, unchanged},
      {"LEN-02",
       Supported,
       plain,
       lengths(&Call::dilation, {1, 1, 1}),
       invalid,
       invalid,
       {},
       unchanged},
      {"LEN-03",
       Supported,
       plain,
       lengths(&Call::padding, {1, 1, 1}),
       invalid,
       invalid,
       {},
       lengths(&Call::padding, {1, 1, 1, 1})},
      {"LEN-03",
       A23 | A5,
       ordinary3d,
       lengths(&Call::padding, {1, 1, 1, 1, 1, 1}),
       invalid,
       invalid,
       {},
       unchanged},
      {"LEN-03",
       Supported,
       kind({.rank = 3}),
       lengths(&Call::padding, {1, 1, 1, 1}),
       invalid,
       invalid,
       {},
       unchanged},
      {"LEN-04",
       Supported,
       plain,
       lengths(&Call::output_padding, {0}),
       invalid,
       invalid,
       {},
       lengths(&Call::output_padding, {0, 0, 0, 0})},
      {"LEN-04",
       Supported,
       transposed2d,
       lengths(&Call::output_padding, {1, 1, 1, 1}),
       invalid,
       ok,
       {},
       unchanged},
      {"LEN-05", Supported, plain, lengths(&Call::bias_sizes, {4, 1}), invalid, ok, {}, unchanged},
      {"LEN-05",
       A23 | A5,
       [](Product p) { return empty_batch(p); },
       lengths(&Call::bias_sizes, {4, 1}),
       invalid,
       invalid,
       {"EMPTY-02"},
       unchanged},
      {"STRIDE-01",
       Supported,
       plain,
       put(&Call::stride, 1, 0),
       invalid,
       invalid,
       {},
       put_and_refit(&Call::stride, 1, 1)},
      {"PAD-01",
       Supported,
       plain,
       put(&Call::padding, 0, -1),
       invalid,
       invalid,
       {"SHAPE-02", "RANGE-06"},
       put_and_refit(&Call::padding, 0, 0)},
      {"DIL-01",
       Supported,
       plain,
       put(&Call::dilation, 1, 0),
       invalid,
       invalid,
       {"SHAPE-02", "RANGE-08"},
       unchanged},
      {"OPAD-01",
       Supported,
       transposed2d,
       put(&Call::output_padding, 0, -1),
       invalid,
       invalid,
       {"SHAPE-04"},
       put_and_refit(&Call::output_padding, 0, 0)},
      {"OPAD-02",
       Supported,
       transposed2d,
       put_and_refit(&Call::output_padding, 1, 2),
       invalid,
       ok,
       {"SHAPE-03"},
       unchanged},
      {"OPAD-02",
       A23 | A5,
       transposed3d,
       put_and_refit(&Call::output_padding, 1, 2),
       invalid,
       invalid,
       {"SHAPE-03"},
       unchanged},
      {"OPAD-03",
       Supported,
       plain,
       put(&Call::output_padding, 1, 1),
       invalid,
       invalid,
       {},
       unchanged},
      {"GRP-01", Supported, plain, groups(0), invalid, invalid, {"CH-02"}, unchanged},
      {"GRP-01", Supported, plain, groups(-2), invalid, invalid, {"CH-02"}, unchanged},
  };
}

std::vector<Row> range_rows() {
  const auto wide_groups = [](int groups, Kind kind) {
    return [=](Call& call) {
      call =
          valid(call.product, {.rank = kind.rank, .transposed = kind.transposed, .groups = groups});
    };
  };
  std::vector<Row> rows = {
      {"RANGE-01", A23, plain, kernel_length(0, 256), refused, refused, {}, kernel_length(0, 255)},
      {"RANGE-01",
       A23,
       kind({.rank = 3}),
       kernel_length(0, 256),
       refused,
       refused,
       {},
       kernel_length(0, 255)},
      {"RANGE-01",
       A23,
       ordinary3d,
       kernel_length(2, 256),
       refused,
       refused,
       {},
       kernel_length(0, 256)},
      {"RANGE-02",
       A5,
       transposed2d,
       kernel_length(1, 256),
       refused,
       refused,
       {},
       kernel_length(1, 255)},
      {"RANGE-03",
       A23,
       ordinary3d,
       put_and_refit(&Call::stride, 1, 64),
       refused,
       refused,
       {},
       put_and_refit(&Call::stride, 0, 64)},
      {"RANGE-03",
       A23,
       ordinary3d,
       put_and_refit(&Call::stride, 2, 64),
       refused,
       refused,
       {},
       put_and_refit(&Call::stride, 2, 63)},
      {"RANGE-04",
       A5,
       transposed3d,
       put_and_refit(&Call::stride, 0, 1'000'001),
       refused,
       refused,
       {},
       put_and_refit(&Call::stride, 0, 1'000'000)},
      {"RANGE-04",
       A5,
       transposed2d,
       put_and_refit(&Call::stride, 0, 64),
       refused,
       refused,
       {},
       put_and_refit(&Call::stride, 0, 63)},
      {"RANGE-05",
       A23,
       ordinary3d,
       put_and_refit(&Call::padding, 2, 256),
       refused,
       refused,
       {},
       put_and_refit(&Call::padding, 0, 300)},
      {"RANGE-06",
       A23,
       plain,
       put_and_refit(&Call::padding, 1, 256),
       refused,
       refused,
       {},
       put_and_refit(&Call::padding, 1, 255)},
      {"RANGE-06",
       A23,
       plain,
       [](Call& c) {
         set(c.padding, {1, 256, 1, 1});
         refit(c, 0, 4);
       },
       refused,
       refused,
       {},
       [](Call& c) {
         set(c.padding, {1, 255, 1, 1});
         refit(c, 0, 4);
       }},
      {"RANGE-07",
       A5,
       transposed3d,
       put_and_refit(&Call::padding, 0, 1'000'001),
       refused,
       refused,
       {},
       put_and_refit(&Call::padding, 0, 1'000'000)},
      {"RANGE-07",
       A5,
       transposed2d,
       [](Call& c) {
         set(c.padding, {1, 1, 1, 256});
         refit(c, 1, 4);
       },
       refused,
       refused,
       {},
       put_and_refit(&Call::padding, 0, 255)},
      {"RANGE-08",
       A23,
       plain,
       put_and_refit(&Call::dilation, 0, 256),
       refused,
       refused,
       {},
       put_and_refit(&Call::dilation, 0, 255)},
      {"RANGE-08",
       A23,
       ordinary3d,
       put_and_refit(&Call::dilation, 0, 256),
       refused,
       refused,
       {},
       put_and_refit(&Call::dilation, 0, 255)},
      {"RANGE-09",
       A5,
       transposed3d,
       put_and_refit(&Call::dilation, 0, 1'000'001),
       refused,
       refused,
       {},
       put_and_refit(&Call::dilation, 0, 1'000'000)},
      {"RANGE-09",
       A5,
       transposed2d,
       put_and_refit(&Call::dilation, 1, 256),
       refused,
       refused,
       {},
       put_and_refit(&Call::dilation, 1, 255)},
      {"RANGE-10",
       Supported,
       plain,
       wide_groups(65536, {}),
       refused,
       refused,
       {},
       wide_groups(65535, {})},
      {"RANGE-11",
       A23,
       ordinary3d,
       put_and_refit(&Call::stride, 0, 2'147'483'647),
       ok,
       ok,
       {},
       put_and_refit(&Call::stride, 0, 2'147'483'646)},
  };
  // In an empty problem the device plans nothing, and an axis of size 0 is no kernel too small.
  rows.push_back({"RANGE-01",
                  A23,
                  [](Product p) { return empty_batch(p); },
                  kernel_length(0, 256),
                  ok,
                  ok,
                  {},
                  unchanged});
  return rows;
}

std::vector<Row> channel_and_shape_rows() {
  const MakeCall grouped = kind({.groups = 2});
  const MakeCall depthwise = [](Product product) {
    Call call = valid(product, {.groups = 3});
    set(call.input, {2, 3, 8, 8});
    set(call.weight, {12, 1, 3, 3});
    match_outputs(call);
    return call;
  };
  const auto odd_outputs = [](Call& call) {  // 9 output channels, 2 groups
    set(call.grad_output, {2, 9, 4, 4});
    set(call.weight, {9, 3, 3, 3});
    match_outputs(call);
  };
  const auto odd_depthwise = [](Call& call) {  // 13 output channels, 3 groups
    set(call.grad_output, {2, 13, 4, 4});
    set(call.weight, {13, 1, 3, 3});
    match_outputs(call);
  };
  const auto only_bias = mask({false, false, true});
  const auto nine_wide = axis_length_and_outputs(&Call::grad_output, 3, 5);
  const auto fifteen_wide_kernel = [](Call& call) {
    set(call.weight, {4, 3, 3, 13});
    match_outputs(call);
  };
  std::vector<Row> rows = {
      {"CH-01",
       Supported,
       plain,
       axis_length_and_outputs(&Call::grad_output, 1, 5),
       invalid,
       invalid,
       {},
       unchanged},
      {"CH-01",
       Supported,
       transposed2d,
       axis_length_and_outputs(&Call::input, 1, 5),
       invalid,
       invalid,
       {},
       unchanged},
      {"CH-02",
       Supported,
       plain,
       axis_length_and_outputs(&Call::input, 1, 4),
       invalid,
       invalid,
       {},
       unchanged},
      {"CH-02",
       Supported,
       transposed2d,
       axis_length_and_outputs(&Call::grad_output, 1, 4),
       invalid,
       invalid,
       {},
       unchanged},
      {"CH-03", Supported, grouped, odd_outputs, invalid, refused, {}, unchanged},
      {"CH-03", Supported, grouped, both(odd_outputs, only_bias), invalid, ok, {}, unchanged},
      {"CH-04", A1 | A23, depthwise, odd_depthwise, invalid, invalid, {"CH-03"}, unchanged},
      {"CH-05",
       Supported,
       plain,
       axis_length_and_outputs(&Call::grad_output, 0, 3),
       invalid,
       refused,
       {},
       unchanged},
      {"CH-05",
       Supported,
       plain,
       both(axis_length_and_outputs(&Call::grad_output, 0, 3), mask({false, true, true})),
       invalid,
       ok,
       {},
       unchanged},
      {"SHAPE-01",
       Supported,
       plain,
       fifteen_wide_kernel,
       invalid,
       refused,
       {"SHAPE-02"},
       unchanged},
      {"SHAPE-01",
       Supported,
       plain,
       both(fifteen_wide_kernel, only_bias),
       invalid,
       ok,
       {"SHAPE-02"},
       unchanged},
      {"SHAPE-01",
       A23 | A5,
       ordinary3d,
       [](Call& c) {
         set(c.weight, {4, 3, 11, 3, 3});
         match_outputs(c);
       },
       invalid,
       invalid,
       {"SHAPE-02"},
       unchanged},
      {"SHAPE-02",
       Supported,
       plain,
       nine_wide,
       invalid,
       refused,
       {},
       axis_length_and_outputs(&Call::input, 3, 7)},
      {"SHAPE-02", Supported, plain, both(nine_wide, only_bias), invalid, ok, {}, unchanged},
      {"SHAPE-02",
       A23 | A5,
       ordinary3d,
       axis_length_and_outputs(&Call::grad_output, 2, 5),
       invalid,
       invalid,
       {},
       unchanged},
      {"SHAPE-03",
       Supported,
       transposed2d,
       axis_length_and_outputs(&Call::grad_output, 3, 9),
       invalid,
       refused,
       {"SHAPE-04"},
       unchanged},
      {"SHAPE-03",
       A23 | A5,
       transposed3d,
       axis_length_and_outputs(&Call::grad_output, 3, 9),
       invalid,
       invalid,
       {"SHAPE-04"},
       unchanged},
      {"SHAPE-04",
       Supported,
       transposed2d,
       axis_length_and_outputs(&Call::grad_output, 3, 7),
       invalid,
       ok,
       {},
       unchanged},
      {"SHAPE-05",
       Supported,
       plain,
       axis_length(&Call::grad_input, 3, 9),
       invalid,
       invalid,
       {},
       unchanged},
      {"SHAPE-05",
       Supported,
       plain,
       both(mask({false, true, true}), axis_length(&Call::grad_input, 3, 9)),
       invalid,
       invalid,
       {},
       unchanged},
      {"SHAPE-06",
       Supported,
       plain,
       axis_length(&Call::grad_weight, 0, 5),
       invalid,
       invalid,
       {},
       unchanged},
      {"SHAPE-07",
       Supported,
       plain,
       axis_length(&Call::grad_bias, 0, 5),
       invalid,
       invalid,
       {},
       unchanged},
      {"SHAPE-07",
       Supported,
       plain,
       [](Call& c) {
         set(c.grad_bias, {1, 4});
       },
       invalid,
       invalid,
       {},
       unchanged},
      {"SHAPE-08",
       A23 | A5,
       plain,
       axis_length(&Call::grad_output, 2, 0),
       invalid,
       invalid,
       {"EMPTY-01"},
       unchanged},
      {"BIAS-01", Supported, plain, lengths(&Call::bias_sizes, {1}), ok, ok, {}, unchanged},
      {"BIAS-01", Supported, transposed2d, lengths(&Call::bias_sizes, {4}), ok, ok, {}, unchanged},
      {"BIAS-02",
       A23 | A5,
       [](Product p) { return empty_batch(p); },
       lengths(&Call::bias_sizes, {5}),
       invalid,
       invalid,
       {"EMPTY-02", "EMPTY-14"},
       unchanged},
      {"BIAS-02",
       A1,
       [](Product p) { return empty_batch(p); },
       lengths(&Call::bias_sizes, {5}),
       invalid,
       invalid,
       {"EMPTY-15"},
       nullptr},
  };
  return rows;
}

std::vector<Row> math_mode_rows() {
  const auto math = [](int type) { return [type](Call& call) { call.cube_math_type = type; }; };
  const auto of_type = [](aclDataType type) {
    return [type](Product product) {
      Call call = valid(product);
      set_types(call, type);
      return call;
    };
  };
  const MakeCall grouped3d = kind({.rank = 5, .groups = 2});
  return {
      {"CUBE-01", Supported, plain, math(4), invalid, invalid, {}, math(3)},
      {"CUBE-01", Supported, plain, math(-1), invalid, invalid, {}, math(0)},
      {"CUBE-02", A1, of_type(ACL_FLOAT), math(0), invalid, invalid, {}, math(1)},
      {"CUBE-03", A1, of_type(ACL_FLOAT), math(3), invalid, invalid, {}, math(2)},
      {"CUBE-04",
       A1,
       of_type(ACL_BF16),
       unchanged,
       invalid,
       invalid,
       {"DTYPE-01", "DTYPE-02"},
       nullptr},
      {"CUBE-05", A23 | A5, of_type(ACL_BF16), math(2), invalid, ok, {}, math(1)},
      {"CUBE-06", A23 | A5, of_type(ACL_BF16), math(3), ok, ok, {}, math(1)},
      {"CUBE-06", A23 | A5, plain, math(3), ok, ok, {}, math(1)},
      {"CUBE-07",
       A23,
       grouped3d,
       type(&Call::grad_weight, ACL_FLOAT),
       ok,
       invalid,
       {"DTYPE-05"},
       unchanged},
  };
}

std::vector<Row> empty_rows() {
  const MakeCall samples = [](Product p) { return empty_batch(p); };
  const MakeCall samples_transposed = [](Product p) { return empty_batch(p, true); };
  const MakeCall channels = empty_channels;
  const auto no_bias_sizes = null(&Call::bias_sizes);
  const auto not_grad_input = mask({false, true, true});
  const auto short_kernel = axis_length_and_outputs(&Call::weight, 3, 2);
  const auto spatial = both(short_kernel, both(axis_length(&Call::input, 0, 2),
                                               axis_length_and_outputs(&Call::input, 3, 0)));
  const MakeCall empty_weight_axis = [](Product product) {  // no sample, and a kernel of no rows
    Call call = empty_batch(product);
    set(call.weight, {4, 3, 0, 3});
    match_outputs(call);
    return call;
  };
  return {
      {"EMPTY-01",
       A23 | A5,
       plain,
       axis_length(&Call::grad_output, 0, 0),
       invalid,
       invalid,
       {"SHAPE-08"},
       unchanged},
      {"EMPTY-02",
       A23 | A5,
       samples,
       no_bias_sizes,
       null_status,
       invalid,
       {"NULL-16"},
       both(no_bias_sizes, mask({true, true, false}))},
      {"EMPTY-03",
       A23 | A5,
       samples,
       spatial,
       invalid,
       invalid,
       {},
       both(short_kernel, axis_length_and_outputs(&Call::input, 3, 0))},
      {"EMPTY-03", A23 | A5, samples, both(spatial, not_grad_input), invalid, ok, {}, unchanged},
      {"EMPTY-03",
       A23 | A5,
       samples_transposed,
       both(axis_length(&Call::input, 0, 2), axis_length_and_outputs(&Call::input, 2, 0)),
       invalid,
       invalid,
       {},
       unchanged},
      {"EMPTY-04",
       A23 | A5,
       channels,
       axis_length_and_outputs(&Call::weight, 1, 1),
       invalid,
       invalid,
       {"EMPTY-11"},
       unchanged},
      {"EMPTY-05",
       A23 | A5,
       samples,
       [](Call& c) {
         set(c.input, {0, 3});
         set(c.grad_input, {0, 3});
       },
       invalid,
       invalid,
       {"RANK-01", "RANK-02", "LEN-01", "LEN-02", "LEN-03", "LEN-04", "EMPTY-06"},
       unchanged},
      {"EMPTY-06",
       A23 | A5,
       samples,
       lengths(&Call::stride, {1}),
       invalid,
       invalid,
       {"LEN-01"},
       lengths(&Call::padding, {1, 1, 1, 1})},
      {"EMPTY-07",
       A23 | A5,
       samples_transposed,
       axis_length_and_outputs(&Call::weight, 0, 5),
       invalid,
       invalid,
       {},
       unchanged},
      {"EMPTY-08",
       A23 | A5,
       samples,
       axis_length_and_outputs(&Call::weight, 2, 11),
       invalid,
       invalid,
       {},
       axis_length_and_outputs(&Call::weight, 2, 10)},
      // 8 + 1 + 3 positions hold 12 taps; the released library adds padding[0] twice, and holds 10.
      {"EMPTY-08",
       A23 | A5,
       samples,
       both(lengths(&Call::padding, {3, 1, 1, 1}), axis_length_and_outputs(&Call::weight, 2, 13)),
       invalid,
       ok,
       {},
       unchanged},
      {"EMPTY-09",
       A23 | A5,
       samples,
       both(axis_length(&Call::weight, 0, 0), axis_length_and_outputs(&Call::grad_output, 1, 4)),
       invalid,
       ok,
       {},
       unchanged},
      {"EMPTY-10",
       A23 | A5,
       samples,
       [](Call& c) {
         c.groups = 3;
         set(c.input, {0, 9, 8, 8});
         match_outputs(c);
       },
       invalid,
       invalid,
       {},
       [](Call& c) {
         c.groups = 2;
         set(c.input, {0, 6, 8, 8});
         match_outputs(c);
       }},
      {"EMPTY-11",
       A23 | A5,
       samples,
       axis_length_and_outputs(&Call::input, 1, 4),
       invalid,
       invalid,
       {},
       unchanged},
      {"EMPTY-12",
       A23 | A5,
       samples,
       axis_length_and_outputs(&Call::grad_output, 0, 100),
       ok,
       ok,
       {},
       unchanged},
      {"EMPTY-13", A23 | A5, samples_transposed, unchanged, ok, ok, {}, nullptr},
      {"EMPTY-14",
       A23 | A5,
       samples,
       axis_length(&Call::grad_input, 3, 9),
       invalid,
       ok,
       {},
       unchanged},
      {"EMPTY-14",
       A23 | A5,
       samples,
       axis_length(&Call::grad_weight, 3, 4),
       invalid,
       refused,
       {},
       unchanged},
      {"EMPTY-14",
       A23 | A5,
       samples,
       axis_length(&Call::grad_bias, 0, 5),
       invalid,
       refused,
       {},
       unchanged},
      {"EMPTY-14",
       A23 | A5,
       empty_weight_axis,
       axis_length(&Call::grad_weight, 3, 4),
       invalid,
       refused,
       {},
       unchanged},
      {"EMPTY-15",
       A1,
       plain,
       axis_length(&Call::grad_output, 3, 0),
       invalid,
       invalid,
       {},
       unchanged},
      {"EMPTY-15", A1, plain, axis_length(&Call::weight, 3, 0), invalid, invalid, {}, unchanged},
      {"EMPTY-15",
       A1,
       plain,
       axis_length_and_outputs(&Call::input, 0, 0),
       invalid,
       ok,
       {},
       unchanged},
  };
}

std::vector<Row> memory_rows() {
  const auto strided = [](Argument<Tensor> Call::*tensor) {
    return [tensor](Call& call) { (call.*tensor).value->strides.front() += 1; };
  };
  const auto offset = [](Call& call) { call.grad_weight.value->offset = 3; };
  // In elements of 2 bytes, which these calls have.
  constexpr std::int64_t huge = std::numeric_limits<std::int64_t>::max() / 2;
  return {
      {"LAYOUT-01", Supported, plain, strided(&Call::input), ok, ok, {}, unchanged},
      {"LAYOUT-02", Supported, plain, strided(&Call::grad_weight), invalid, ok, {}, offset},
      {"LAYOUT-02",
       Supported,
       plain,
       both(mask({true, false, true}), strided(&Call::grad_weight)),
       invalid,
       ok,
       {},
       [](Call& c) { c.grad_bias.value->strides = {1}; }},
      {"HW-01",
       Supported,
       plain,
       [=](Call& c) { c.input.value->strides[0] = huge; },
       refused,
       refused,
       {},
       unchanged},
      {"HW-01",
       Supported,
       plain,
       [=](Call& c) { c.input.value->offset = huge; },
       refused,
       refused,
       {},
       [=](Call& c) { c.input.value->offset = huge - 1'000'000; }},
      {"HW-01",
       Supported,
       plain,
       both([](Call& c) { set_types(c, ACL_FLOAT); },
            [=](Call& c) { c.input.value->offset = huge / 2; }),
       refused,
       refused,
       {},
       [=](Call& c) { set_types(c, ACL_FLOAT), c.input.value->offset = huge / 2 - 1'000'000; }},
      {"HW-01",
       A23 | A5,
       [](Product product) { return empty_batch(product); },
       [=](Call& c) { c.weight.value->offset = huge; },
       ok,
       ok,
       {},
       unchanged},
      {"SIZE-01",
       Supported,
       plain,
       [](Call& c) {
         set(c.weight, {4, 3, 3, -3});
         match_outputs(c);
       },
       invalid,
       invalid,
       {"SHAPE-02", "RANGE-01"},
       unchanged},
      {"SIZE-01",
       Supported,
       plain,
       [](Call& c) { c.grad_bias.value->storage_shape = {-1}; },
       invalid,
       invalid,
       {},
       [](Call& c) { c.grad_bias.value->storage_shape = {1}; }},
      {"LIVE-01",
       Supported,
       plain,
       [](Call& c) { c.bias_sizes.value.reset(); },
       invalid,
       invalid,
       {},
       unchanged},
  };
}

std::vector<Row> all_rows() {
  std::vector<Row> rows;
  for (const auto& part :
       {null_rows(), product_and_dtype_rows(), eight_bit_rows(), format_rows(), array_rows(),
        range_rows(), channel_and_shape_rows(), math_mode_rows(), empty_rows(), memory_rows()}) {
    rows.insert(rows.end(), part.begin(), part.end());
  }
  return rows;
}

/// Ids in the specification, sections 3.1 to 3.14.
std::set<std::string> specified_ids() {
  const std::map<std::string, int> counts = {
      {"PROD", 2}, {"NULL", 18}, {"DTYPE", 6},  {"F8", 6},     {"RANK", 2},
      {"FMT", 3},  {"LEN", 5},   {"STRIDE", 1}, {"PAD", 1},    {"DIL", 1},
      {"OPAD", 3}, {"GRP", 1},   {"RANGE", 11}, {"CH", 5},     {"SHAPE", 8},
      {"BIAS", 2}, {"CUBE", 8},  {"EMPTY", 15}, {"LAYOUT", 3}, {"HW", 1}};
  std::set<std::string> ids;
  for (const auto& [prefix, count] : counts) {
    for (int i = 1; i <= count; ++i) ids.insert(prefix + (i < 10 ? "-0" : "-") + std::to_string(i));
  }
  return ids;
}

const std::set<std::string> not_tested = {"LAYOUT-03"};  // unspecified: overlapping outputs
const std::set<std::string> simulators_own = {"LIVE-01", "SIZE-01"};

// ---- tests
// -----------------------------------------------------------------------------------------------------------

std::set<std::string> ids_of(const std::vector<Breach>& breaches, bool refusing) {
  std::set<std::string> ids;
  for (const Breach& breach : breaches) {
    if (!refusing || breach.status != ok) ids.emplace(breach.rule);
  }
  return ids;
}

TEST(ParameterRules, AreThoseOfTheSpecificationEachOnce) {
  std::set<std::string> ids;
  for (const std::string_view id : rule_ids()) EXPECT_TRUE(ids.emplace(id).second) << id;
  for (const std::string& id : simulators_own) EXPECT_EQ(ids.erase(id), 1U) << id;
  EXPECT_EQ(ids, specified_ids());
}

TEST(ParameterRules, AreAllCoveredByTheTable) {
  std::set<std::string> covered;
  for (const Row& row : all_rows()) covered.insert(row.id);
  for (const std::string& id : simulators_own) covered.erase(id);
  std::set<std::string> expected = specified_ids();
  for (const std::string& id : not_tested) expected.erase(id);
  EXPECT_EQ(covered, expected);
  std::cout << "rule ids covered: " << covered.size() << " of " << specified_ids().size()
            << "; do not test:";
  for (const std::string& id : not_tested) std::cout << ' ' << id;
  std::cout << '\n';
}

/// Both profiles, and every product of the row's sets.
template <typename Visit>
void for_each_setting(const Row& row, Visit&& visit) {
  for (const Product product : products(row.sets)) {
    for (const Profile profile : {Profile::Documented, Profile::Released}) {
      SCOPED_TRACE(testing::Message()
                   << row.id << " on " << device::name_of(product)
                   << (profile == Profile::Documented ? ", documented" : ", released"));
      Call call = row.start(product);
      call.profile = profile;
      visit(call, profile == Profile::Documented ? row.documented : row.released);
    }
  }
}

/// Applies a change that may replace the whole call but for its profile.
void apply(const Change& change, Call& call) {
  const Profile profile = call.profile;
  change(call);
  call.profile = profile;
}

std::string words_of(const std::vector<Breach>& breaches) {
  std::string words;
  for (const Breach& breach : breaches) {
    words +=
        std::string(breach.rule) + " " + std::to_string(breach.status) + ": " + breach.text + "\n";
  }
  return words;
}

TEST(ParameterRules, AreBrokenOneAtATimeWithTheStatusOfTheSpecification) {
  for (const Row& row : all_rows()) {
    for_each_setting(row, [&](Call& call, aclnnStatus expected) {
      apply(row.breaks, call);
      const auto found = breaches(call);
      const auto ids = ids_of(found, false);
      // A rule that the released library reads otherwise is not even broken there.
      EXPECT_TRUE(ids.contains(row.id) || (expected == ok && row.documented != ok))
          << words_of(found);
      for (const Breach& breach : found) {
        if (breach.rule == row.id) {
          EXPECT_EQ(breach.status, expected) << words_of(found);
        }
        const bool listed = breach.rule == row.id || std::ranges::count(row.also, breach.rule) != 0;
        const bool unsupported_anyway =
            call.set() == parameter_checks::ProductSet::X && breach.rule == "PROD-01";
        EXPECT_TRUE(listed || unsupported_anyway || breach.status == ok) << words_of(found);
      }
    });
  }
}

TEST(ParameterRules, DecideTheStatusOfACallThatBreaksNothingElse) {
  for (const Row& row : all_rows()) {
    for_each_setting(row, [&](Call& call, aclnnStatus expected) {
      apply(row.breaks, call);
      const auto found = breaches(call);
      if (call.set() == parameter_checks::ProductSet::X && row.id != "PROD-01")
        expected = null_status;
      const auto others = ids_of(found, true).size() - (expected == ok ? 0 : 1);
      if (others == 0) {
        EXPECT_EQ(status_of(found), expected) << words_of(found);
      }
    });
  }
}

TEST(ParameterRules, AreJustMetByAValidCall) {
  for (const Row& row : all_rows()) {
    if (row.meets == nullptr) continue;  // the situation itself, or the product
    for_each_setting(row, [&](Call& call, aclnnStatus) {
      if (call.set() == parameter_checks::ProductSet::X) return;
      apply(row.meets, call);
      const auto found = breaches(call);
      EXPECT_EQ(status_of(found), ok) << words_of(found);
      EXPECT_FALSE(ids_of(found, true).contains(row.id)) << words_of(found);
    });
  }
}

TEST(ParameterRules, StayOnTheProductsTheyAreFor) {
  std::map<std::string, unsigned> sets;
  for (const Row& row : all_rows()) sets[row.id] |= row.sets;
  for (const Row& row : all_rows()) {
    for (const Product product : products(Supported & ~sets[row.id])) {
      Call call = row.start(product);
      apply(row.breaks, call);
      const auto found = breaches(call);
      EXPECT_FALSE(ids_of(found, true).contains(row.id)) << device::name_of(product) << '\n'
                                                         << words_of(found);
    }
  }
}

TEST(ParameterRules, GiveEveryKindOfValidCallSuccess) {
  for (const Product product : products(Supported)) {
    for (const Profile profile : {Profile::Documented, Profile::Released}) {
      for (const std::size_t rank : {3U, 4U, 5U}) {
        for (const bool transposed : {false, true}) {
          for (const int groups : {1, 2}) {
            if (rank == 5 &&
                parameter_checks::product_set(product) == parameter_checks::ProductSet::A1)
              continue;
            Call call = valid(product, {rank, transposed, groups});
            call.profile = profile;
            EXPECT_THAT(breaches(call), testing::IsEmpty()) << words_of(breaches(call));
          }
        }
      }
    }
  }
}

TEST(ParameterRules, NameTheNullPointerFirstThenTheInvalidValueThenTheDevicesLimit) {
  Call call = valid(Product::Ascend910B);
  put_and_refit(&Call::dilation, 0, 300)(call);
  EXPECT_EQ(status_of(breaches(call)), refused);
  put(&Call::stride, 0, 0)(call);
  EXPECT_EQ(status_of(breaches(call)), invalid);
  clear(call.weight);
  EXPECT_EQ(status_of(breaches(call)), null_status);
}

TEST(ParameterRules, SayWhatWasFoundWhatIsAllowedAndWhere) {
  Call call = valid(Product::Ascend910B);
  put(&Call::stride, 1, 0)(call);
  const auto found = breaches(call);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].rule, "STRIDE-01");
  EXPECT_EQ(found[0].text, "stride[1] is 0; every stride must be >= 1");
  EXPECT_EQ(found[0].source, "parameter stride");
}

TEST(ParameterRules, SaySomethingOfEachBreach) {
  for (const Row& row : all_rows()) {
    for_each_setting(row, [&](Call& call, aclnnStatus) {
      apply(row.breaks, call);
      for (const Breach& breach : breaches(call)) {
        EXPECT_GT(breach.text.size(), 15U) << breach.rule;
        EXPECT_FALSE(breach.source.empty()) << breach.rule;
      }
    });
  }
}

// ---- the worked decisions of section 10
// ------------------------------------------------------------------------------

struct Decision {
  int number;
  Product product;
  std::function<Call(Product)> make;
  aclnnStatus documented, released;
};

Call with_types(Call call, aclDataType type) {
  set_types(call, type);
  return call;
}

const std::vector<Decision>& decisions() {
  static const std::vector<Decision> all = {
      {1, Product::Ascend910B,
       [](Product p) {
         Call c = with_types(valid(p, {.rank = 5}), ACL_BF16);
         c.cube_math_type = 2;
         return c;
       },
       invalid, ok},
      {2, Product::Ascend310P,
       [](Product p) {
         Call c = with_types(valid(p), ACL_FLOAT);
         c.cube_math_type = 0;
         return c;
       },
       invalid, invalid},
      {3, Product::Ascend310P,
       [](Product p) {
         Call c = valid(p);
         c.grad_output.value->data_type = c.grad_bias.value->data_type = ACL_FLOAT;
         c.cube_math_type = 0;
         return c;
       },
       invalid, invalid},
      {4, Product::Ascend910B,
       [](Product p) {
         Call c = valid(p);
         set_mask(c, {false, true, false});
         clear(c.grad_input);
         return c;
       },
       ok, ok},
      {5, Product::Ascend910B,
       [](Product p) {
         Call c = valid(p);
         set_mask(c, {true, true, false});
         clear(c.grad_input);
         return c;
       },
       null_status, null_status},
      {6, Product::Ascend910B,
       [](Product p) {
         Call c = valid(p);
         set_mask(c, {false, true, false});
         set(c.grad_input, {1, 3, 8, 8});
         return c;
       },
       invalid, invalid},
      {7, Product::Ascend910B,
       [](Product p) {
         Call c = valid(p);
         set(c.input, {0, 16, 10, 10});
         set(c.grad_output, {0, 16, 10, 10});
         set(c.weight, {16, 16, 3, 3});
         set(c.stride, {1, 1});
         match_outputs(c);
         clear(c.bias_sizes);
         return c;
       },
       null_status, invalid},
      {8, Product::Ascend910B,
       [](Product p) {
         Call c = valid(p);
         set(c.input, {1, 16, 10, 10});
         set(c.grad_output, {1, 16, 10, 10});
         set(c.weight, {0, 16, 3, 3});
         set(c.stride, {1, 1});
         match_outputs(c);
         set(c.bias_sizes, {16});
         return c;
       },
       invalid, invalid},
      {9, Product::Ascend910B,
       [](Product p) {
         Call c = valid(p);
         set(c.input, {1, 16, 10, 10});
         set(c.grad_output, {0, 16, 8, 8});
         set(c.weight, {16, 16, 3, 3});
         set(c.stride, {1, 1});
         set(c.padding, {0, 0});
         match_outputs(c);
         return c;
       },
       invalid, invalid},
      {10, Product::Ascend950,
       [](Product p) {
         Call c = valid(p, {.rank = 5, .transposed = true});
         set(c.input, {0, 1, 0, 1, 1});
         set(c.weight, {1, 1, 0, 1, 1});
         set(c.grad_output, {100, 100, 0, 1, 1});
         match_outputs(c);
         set(c.grad_bias, {1});
         set(c.bias_sizes, {1});
         set(c.stride, {1, 1, 1});
         set(c.padding, {0, 0, 0});
         set(c.output_padding, {0, 0, 0});
         return c;
       },
       ok, ok},
      {11, Product::Ascend910B,
       [](Product p) {
         Call c = valid(p);
         set(c.input, {2, 0, 5, 5});
         set(c.weight, {4, 0, 3, 3});
         set(c.grad_output, {2, 4, 3, 3});
         set(c.stride, {1, 1});
         set(c.padding, {0, 0});
         match_outputs(c);
         return c;
       },
       ok, ok},
      {12, Product::Ascend910B,
       [](Product p) {
         Call c = valid(p, {.transposed = true});
         set(c.output_padding, {0, 0});
         return c;
       },
       invalid, ok},
      {13, Product::Ascend910B,
       [](Product p) {
         Call c = valid(p);
         set(c.grad_output, {2, 4, 4, 5});
         return c;
       },
       invalid, refused},
      {14, Product::Ascend910B,
       [](Product p) {
         Call c = valid(p);
         set(c.grad_output, {2, 4, 4, 5});
         set_mask(c, {false, false, true});
         return c;
       },
       invalid, ok},
      {15, Product::Ascend910B,
       [](Product p) {
         Call c = valid(p, {.rank = 5});
         set(c.stride, {1, 64, 1});
         for (std::size_t i = 0; i < 3; ++i) refit(c, i, 4);
         return c;
       },
       refused, refused},
      {16, Product::Ascend950,
       [](Product p) {
         Call c = eight_bit_with_weight(p);
         c.groups = 2;
         set(c.grad_output, {2, 6, 7, 7});
         return c;
       },
       invalid, invalid},
      {17, Product::Ascend950,
       [](Product p) {
         Call c = eight_bit(p);
         set(c.grad_bias, {3});
         c.grad_bias.value->data_type = ACL_HIFLOAT8;
         c.grad_bias.value->format = ACL_FORMAT_ND;
         set_mask(c, {true, false, true});
         return c;
       },
       refused, refused},
      {18, Product::Ascend950, [](Product p) { return eight_bit(p, ACL_FLOAT8_E4M3FN); }, ok,
       invalid},
      {19, Product::Ascend910B,
       [](Product p) {
         Call c = valid(p, {.rank = 3});
         c.input.value->format = ACL_FORMAT_NCHW;
         return c;
       },
       invalid, invalid},
      {20, Product::Ascend910B,
       [](Product p) {
         Call c = valid(p);
         clear(c.weight);
         set(c.stride, {0, 0});
         return c;
       },
       null_status, null_status},
      {21, Product::Ascend910B,
       [](Product p) {
         Call c = valid(p);
         set(c.stride, {0, 1});
         set(c.dilation, {300, 1});
         return c;
       },
       invalid, invalid},
  };
  return all;
}

TEST(WorkedDecisions, AllTwentyOneAreTakenAsSpecifiedInBothProfiles) {
  ASSERT_EQ(decisions().size(), 21U);
  for (const Decision& decision : decisions()) {
    for (const Profile profile : {Profile::Documented, Profile::Released}) {
      Call call = decision.make(decision.product);
      call.profile = profile;
      const auto found = breaches(call);
      EXPECT_EQ(status_of(found),
                profile == Profile::Documented ? decision.documented : decision.released)
          << "decision " << decision.number
          << (profile == Profile::Documented ? " documented" : " released") << '\n'
          << words_of(found);
    }
  }
}

}  // namespace
}  // namespace gradproof::kernel::api
