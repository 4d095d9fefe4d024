#include "tests/oracle/status/released_order.h"

#include <algorithm>

namespace gradproof::oracle {
namespace {

using corpus::Case;
using corpus::DataType;
using corpus::Format;
using corpus::Status;
using corpus::TensorCase;
using Lengths = std::vector<std::int64_t>;

constexpr Status invalid = Status::ParamInvalid;
constexpr Status inner = Status::InnerNullptr;

struct Call {
  const Case& c;
  bool a1 = c.soc == "Ascend310P" || c.soc == "Ascend910";
  bool a5 = c.soc == "Ascend950";
  bool a23 = !a1 && !a5;
  bool m0 = false, m1 = false, m2 = false;

  const TensorCase& g() const { return *c.grad_output; }
  const TensorCase& x() const { return *c.input; }
  const TensorCase& w() const { return *c.weight; }
  const TensorCase& big() const { return c.transposed ? g() : x(); }
  const TensorCase& small() const { return c.transposed ? x() : g(); }
  std::size_t n() const { return x().shape.size() - 2; }
};

bool no_elements(const TensorCase& tensor) { return std::ranges::count(tensor.shape, 0) > 0; }

bool null_pointers(Call& call) {
  const Case& c = call.c;
  if (!c.grad_output || !c.input || !c.weight) return true;
  if (!c.stride || !c.padding || !c.dilation || !c.output_padding) return true;
  if (!c.output_mask || c.output_mask->size() != 3) return true;
  call.m0 = (*c.output_mask)[0];
  call.m1 = (*c.output_mask)[1];
  call.m2 = (*c.output_mask)[2];
  return (call.m0 && !c.grad_input) || (call.m1 && !c.grad_weight) || (call.m2 && !c.grad_bias);
}

bool listed(const Call& call, DataType type) {
  if (type == DataType::Float || type == DataType::Float16) return true;
  if (type == DataType::BFloat16) return !call.a1;
  return call.a5 && corpus::is_8_bit_float(type);
}

bool dtypes_fail(const Call& call) {
  const Case& c = call.c;
  for (const auto* tensor :
       {&c.grad_output, &c.input, &c.weight, &c.grad_input, &c.grad_weight, &c.grad_bias}) {
    if (*tensor && !listed(call, (*tensor)->dtype)) return true;
  }
  if (!call.a5) return false;
  if (c.grad_input && c.grad_input->dtype != call.x().dtype) return true;
  if (c.grad_weight && !corpus::is_8_bit_float(call.w().dtype) &&
      c.grad_weight->dtype != call.w().dtype) {
    return true;
  }
  return c.grad_bias && c.grad_bias->dtype != call.g().dtype;
}

bool differ(const std::vector<const TensorCase*>& tensors) {
  for (const TensorCase* one : tensors) {
    if (!corpus::is_8_bit_float(one->dtype)) continue;
    for (const TensorCase* other : tensors) {
      if (other->dtype != one->dtype) return true;
    }
  }
  return false;
}

bool narrow_types_fail(const Call& call) {
  const Case& c = call.c;
  if (!call.a5) return false;
  std::vector<const TensorCase*> tensors{&call.g(), &call.x(), &call.w()};
  if (c.grad_bias) tensors.push_back(&*c.grad_bias);
  const bool dw_fails = call.m1 && differ(tensors);
  if (c.grad_input) tensors.push_back(&*c.grad_input);
  const auto is_narrow = [](const TensorCase* tensor) {
    return corpus::is_8_bit_float(tensor->dtype);
  };
  const bool narrow_inputs = is_narrow(&call.g()) || is_narrow(&call.x()) || is_narrow(&call.w());
  const bool narrow = narrow_inputs || (c.grad_input && is_narrow(&*c.grad_input));
  if ((call.m0 || call.m1) && c.grad_input && c.grad_weight && narrow &&
      !(c.transposed && call.m0)) {
    return true;
  }
  if (call.m0 && differ(tensors)) return true;
  if (dw_fails) return true;
  const auto is_e4m3 = [](const std::optional<TensorCase>& tensor) {
    return tensor && tensor->dtype == DataType::Float8E4M3FN;
  };
  const bool e4m3_input = is_e4m3(c.grad_output) || is_e4m3(c.input) || is_e4m3(c.weight);
  const bool e4m3 =
      e4m3_input || is_e4m3(c.grad_input) || is_e4m3(c.grad_weight) || is_e4m3(c.grad_bias);
  if (c.transposed && e4m3 && call.m0 && !call.m1) return true;
  if (!call.m1) return false;
  if (narrow_inputs && (c.grad_weight->dtype != DataType::Float || e4m3_input)) return true;
  const bool plain = c.groups == 1 && (!c.transposed || std::ranges::count(*c.output_padding, 0) ==
                                                            std::ssize(*c.output_padding));
  return is_narrow(&call.x()) && !plain;
}

bool ranks_or_formats_fail(const Call& call) {
  const Case& c = call.c;
  for (const auto* tensor : {&c.grad_output, &c.input, &c.weight, &c.grad_input, &c.grad_weight}) {
    if (!*tensor) continue;
    const std::size_t rank = (*tensor)->shape.size();
    const Format format = (*tensor)->format;
    if (rank < 3 || rank > 5) return true;
    if (rank == 3 && format != Format::Ncl && format != Format::Nd) return true;
    if (rank == 4 && format != Format::Nchw) return true;
    if (rank == 5 && format != Format::Ncdhw) return true;
  }
  const bool bias_is_checked = !call.a1 && !c.transposed && c.grad_bias;
  return bias_is_checked && c.grad_bias->format != Format::Nd;
}

bool any_below(const Lengths& values, std::int64_t bound) {
  return std::ranges::any_of(values, [&](std::int64_t value) { return value < bound; });
}

bool bounds_fail(const Call& call) {
  const Case& c = call.c;
  if (any_below(*c.stride, 1) || any_below(*c.padding, 0) || any_below(*c.dilation, 1)) return true;
  if (c.groups < 1) return true;
  const auto& extra = *c.output_padding;
  if (!c.transposed) return std::ranges::count(extra, 0) != std::ssize(extra);
  if (any_below(extra, 0)) return true;
  if (call.n() != 3 || extra.size() != 3 || c.stride->size() != 3) return false;
  return extra[0] >= (*c.stride)[0] || extra[1] >= (*c.stride)[1] || extra[2] >= (*c.stride)[2];
}

bool mode_fails(const Call& call) {
  const int mode = call.c.cube_math_type;
  if (mode < 0 || mode > 3) return true;
  if (!call.a1) return false;
  // Of FLOAT and FLOAT16, the promoted type is FLOAT if any is.
  const bool single = call.g().dtype == DataType::Float || call.x().dtype == DataType::Float ||
                      call.w().dtype == DataType::Float;
  return single && (mode == 0 || mode == 3);
}

bool lengths_fail(const Call& call) {
  const Case& c = call.c;
  const std::size_t n = call.n();
  if (c.stride->size() != n || c.dilation->size() != n) return true;
  if (c.padding->size() != n && !(n == 2 && c.padding->size() == 4)) return true;
  return c.output_padding->size() != n && !(n == 2 && c.output_padding->size() == 4);
}

bool shapes_fail(const Call& call) {
  const Case& c = call.c;
  if (call.g().shape.size() != call.x().shape.size()) return true;
  if (call.w().shape.size() != call.x().shape.size()) return true;
  if (no_elements(call.g()) || no_elements(call.w())) return true;
  if (c.grad_input && c.grad_input->shape != call.x().shape) return true;
  if (c.grad_weight && c.grad_weight->shape != call.w().shape) return true;
  return c.grad_bias && c.grad_bias->shape != Lengths{call.g().shape[1]};
}

bool channels_fail(const Call& call) {
  const std::int64_t groups = call.c.groups;
  const std::int64_t big = call.big().shape[1];
  const std::int64_t small = call.small().shape[1];
  if (small != call.w().shape[0] || big != call.w().shape[1] * groups) return true;
  return !call.a5 && big == groups && (small < groups || small % groups != 0);
}

std::int64_t begin(const Call& call, std::size_t i) {
  const auto& padding = *call.c.padding;
  return padding.size() == call.n() ? padding[i] : padding[2 * i];
}

std::int64_t end(const Call& call, std::size_t i) {
  const auto& padding = *call.c.padding;
  return padding.size() == call.n() ? padding[i] : padding[2 * i + 1];
}

bool relations_fail(const Call& call) {
  for (std::size_t i = 0; i < call.n(); ++i) {
    const std::int64_t extent = (call.w().shape[i + 2] - 1) * (*call.c.dilation)[i] + 1;
    const std::int64_t room = call.big().shape[i + 2] + begin(call, i) + end(call, i) - extent;
    if (room < 0 || call.small().shape[i + 2] != room / (*call.c.stride)[i] + 1) return true;
  }
  return false;
}

bool empty_bias_fails(const Call& call) {
  const auto& sizes = call.c.bias_sizes;
  if (!sizes || sizes->size() != 1) return true;
  const std::int64_t channels =
      call.c.transposed ? call.w().shape[1] * call.c.groups : call.g().shape[1];
  return sizes->front() != channels;
}

bool empty_channels_fail(const Call& call) {
  const auto& x = call.x().shape;
  const auto& w = call.w().shape;
  const std::int64_t groups = call.c.groups;
  if (w[0] % groups != 0) return true;
  const std::int64_t big = call.big().shape[1];
  const bool exempt = (call.c.transposed && x[0] == 0) || (big == 0 && w[1] == 0);
  if (!exempt && big != w[1] * groups) return true;
  if (call.c.transposed) return w[0] == 0 || w[0] != x[1];
  if ((x[1] == 0) != (w[1] == 0)) return true;
  for (std::size_t i = 0; i < call.n(); ++i) {
    const std::int64_t both = 2 * (*call.c.padding)[i];
    if (x[i + 2] + both < (w[i + 2] - 1) * (*call.c.dilation)[i] + 1) return true;
  }
  return false;
}

Status empty_problem(const Call& call) {
  if (call.m2 && empty_bias_fails(call)) return invalid;
  if (call.m0 && call.x().shape[0] != 0 && call.x().shape[1] != 0) return invalid;
  if (call.a1) return Status::Success;
  if (lengths_fail(call) || empty_channels_fail(call)) return invalid;
  return Status::Success;
}

bool composed_operators_fail(const Call& call) {
  if (call.m2 && corpus::is_8_bit_float(call.g().dtype)) return true;
  if ((call.m0 || call.m1) && call.w().shape[0] % call.c.groups != 0) return true;
  if (call.m0 && call.g().shape[0] != call.x().shape[0]) return true;
  return (call.m0 || call.m1) && relations_fail(call);
}

bool float_dw_of_half_groups(const Call& call) {
  const bool same = call.g().dtype == call.x().dtype && call.x().dtype == call.w().dtype;
  const bool half = call.c.cube_math_type == 2 || (same && call.g().dtype != DataType::Float);
  return call.a23 && call.m1 && call.c.groups > 1 && half &&
         call.c.grad_weight->dtype == DataType::Float;
}

}  // namespace

Status status_in_released_order(const Case& test_case) {
  Call call{test_case};
  if (null_pointers(call)) return Status::ParamNullptr;
  if (dtypes_fail(call) || narrow_types_fail(call)) return invalid;
  if (ranks_or_formats_fail(call) || bounds_fail(call) || mode_fails(call)) return invalid;
  const bool input_or_weight_empty = no_elements(call.x()) || no_elements(call.w());
  if (!call.a1 && input_or_weight_empty) return empty_problem(call);
  if (shapes_fail(call) || lengths_fail(call) || channels_fail(call)) return invalid;
  if (call.n() == 3 && relations_fail(call)) return invalid;
  if (no_elements(call.x())) return empty_problem(call);
  if (call.n() == 3 && (call.a1 || float_dw_of_half_groups(call))) return invalid;
  return composed_operators_fail(call) ? inner : Status::Success;
}

}  // namespace gradproof::oracle
