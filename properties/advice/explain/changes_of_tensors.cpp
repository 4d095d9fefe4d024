#include <fmt/core.h>

#include <numeric>

#include "properties/advice/explain/change.h"
#include "properties/cases/calls/convolution.h"
#include "properties/targets/target/derived_shapes.h"

namespace gradproof::advice {
namespace {

using corpus::Case;
using corpus::DataType;
using corpus::InputRole;
using corpus::TensorCase;
using Lengths = std::vector<std::int64_t>;

bool has_inputs(const Case& call) { return call.grad_output && call.input && call.weight; }

bool has_two_axes(const Case& call) {
  return has_inputs(call) && call.grad_output->shape.size() > 1 && call.input->shape.size() > 1 &&
         call.weight->shape.size() > 1;
}

/// Puts another shape in the tensor's place, contiguous.
void reshape(std::optional<TensorCase>& tensor, const Lengths& shape) {
  tensor = targets::contiguous(shape, tensor->dtype, tensor->format);
}

void add_shape(ChangeList& list, InputRole role, const Lengths& shape) {
  const Lengths& before = corpus::tensor(list.original(), role)->shape;
  if (before == shape) return;
  list.add(
      name_of(role), words_for(name_of(role), shape, before),
      [&](Case& call) { reshape(corpus::tensor(call, role), shape); }, Follow::Shapes);
}

/// Puts every tensor in the plain format; `reorder`: and its axes moved to where that has them.
void make_plain(Case& call, bool reorder) {
  const auto plain = [&](std::optional<TensorCase>& tensor) {
    if (!tensor || tensor->shape.size() < 3) return;
    const Lengths shape = targets::channels_second(tensor->shape, tensor->format);
    tensor->format = cases::plain_format(shape.size());
    if (reorder && shape != tensor->shape) reshape(tensor, shape);
  };
  for (const InputRole role : corpus::input_roles) plain(corpus::tensor(call, role));
  plain(call.grad_input);
  plain(call.grad_weight);
}

void set_dtypes(Case& call, DataType dtype) {
  for (const InputRole role : corpus::input_roles) corpus::tensor(call, role)->dtype = dtype;
}

std::string dtypes_in_words(const Case& call) {
  const auto name = [&](InputRole role) { return name_of(corpus::tensor(call, role)->dtype); };
  const auto grad_output = name(InputRole::GradOutput);
  if (grad_output == name(InputRole::Input) && grad_output == name(InputRole::Weight)) {
    return std::string(grad_output);
  }
  return fmt::format("{}, {} and {}", grad_output, name(InputRole::Input), name(InputRole::Weight));
}

}  // namespace

void fit_each_output(ChangeList& list) {
  const Case& call = list.original();
  if (!has_inputs(call)) return;
  for (const corpus::OutputRole role : corpus::output_roles) {
    const auto& output = corpus::tensor(call, role);
    if (!output) continue;
    const TensorCase fitting = targets::fitting_output(call, role);
    list.add(
        name_of(role),
        fmt::format("{} {} {} {}, contiguous, instead of {} {} {}", name_of(role),
                    list_in_words(fitting.shape), name_of(fitting.dtype), name_of(fitting.format),
                    list_in_words(output->shape), name_of(output->dtype), name_of(output->format)),
        [&](Case& fixed) { corpus::tensor(fixed, role) = fitting; });
  }
}

void use_plain_formats(ChangeList& list) {
  const Case& call = list.original();
  for (const InputRole role : corpus::input_roles) {
    const auto& tensor = corpus::tensor(call, role);
    if (!tensor || tensor->shape.size() < 3) continue;
    const corpus::Format plain = cases::plain_format(tensor->shape.size());
    list.add(
        name_of(role),
        fmt::format("format {} instead of {} for {}", name_of(plain), name_of(tensor->format),
                    name_of(role)),
        [&](Case& fixed) { corpus::tensor(fixed, role)->format = plain; }, Follow::Outputs);
  }
  if (!call.input || call.input->shape.size() < 3) return;
  const auto plain = name_of(cases::plain_format(call.input->shape.size()));
  list.add("format", fmt::format("format {} for every tensor", plain),
           [](Case& fixed) { make_plain(fixed, false); });
  list.add(
      "format", fmt::format("format {} for every tensor, axes in that order", plain),
      [](Case& fixed) { make_plain(fixed, true); }, Follow::Shapes);
}

void choose_groups(ChangeList& list) {
  const Case& call = list.original();
  if (!has_two_axes(call)) return;
  const auto& big = call.transposed ? call.grad_output : call.input;
  const std::int64_t per_group = call.weight->shape[1];
  const std::int64_t kernels = call.weight->shape[0];
  Lengths choices{1};
  if (per_group > 0) choices.insert(choices.begin(), big->shape[1] / per_group);
  choices.push_back(std::gcd(kernels, big->shape[1]));
  choices.push_back(65535);
  for (const std::int64_t groups : choices) {
    if (groups < 1 || groups > 65535) continue;
    list.add(
        "groups", fmt::format("groups {} instead of {}", groups, call.groups),
        [&](Case& fixed) { fixed.groups = static_cast<std::int32_t>(groups); },
        call.transposed ? Follow::Shapes : Follow::Nothing);
  }
}

void fit_weight(ChangeList& list) {
  const Case& call = list.original();
  if (!has_two_axes(call)) return;
  const auto& big = call.transposed ? call.grad_output : call.input;
  const auto& small = call.transposed ? call.input : call.grad_output;
  const Lengths& now = call.weight->shape;
  if (call.groups >= 1) {
    Lengths shape = now;
    shape[1] = big->shape[1] / call.groups;
    add_shape(list, InputRole::Weight, shape);
    shape[0] = small->shape[1];
    add_shape(list, InputRole::Weight, shape);
    Lengths multiple = now;
    multiple[0] = std::max<std::int64_t>(multiple[0] / call.groups, 1) * call.groups;
    add_shape(list, InputRole::Weight, multiple);
  }
  Lengths shape = now;
  shape[0] = small->shape[1];
  add_shape(list, InputRole::Weight, shape);
  Lengths in_range = now;
  constexpr std::int64_t largest_kernel = 255;
  for (std::size_t i = 2; i < in_range.size(); ++i) {
    in_range[i] = std::clamp<std::int64_t>(in_range[i], 1, largest_kernel);
  }
  add_shape(list, InputRole::Weight, in_range);
}

void fit_input(ChangeList& list) {
  const Case& call = list.original();
  if (!has_two_axes(call)) return;
  Lengths shape = call.input->shape;
  shape[0] = call.grad_output->shape[0];
  add_shape(list, InputRole::Input, shape);
  shape = call.input->shape;
  shape[1] =
      call.transposed ? call.weight->shape[0] : call.weight->shape[1] * std::max(call.groups, 1);
  add_shape(list, InputRole::Input, shape);
}

void choose_dtypes(ChangeList& list) {
  const Case& call = list.original();
  if (!has_inputs(call)) return;
  for (const InputRole role : corpus::input_roles) {
    const InputRole other = role == InputRole::Input ? InputRole::Weight : InputRole::Input;
    const DataType dtype = corpus::tensor(call, other)->dtype;
    list.add(
        name_of(role),
        fmt::format("{} instead of {} for {}", name_of(dtype),
                    name_of(corpus::tensor(call, role)->dtype), name_of(role)),
        [&](Case& fixed) { corpus::tensor(fixed, role)->dtype = dtype; }, Follow::Outputs);
  }
  for (const DataType dtype : {DataType::Float16, DataType::Float, DataType::BFloat16}) {
    list.add(
        "dtype",
        fmt::format("{} instead of {} for every tensor", name_of(dtype), dtypes_in_words(call)),
        [&](Case& fixed) { set_dtypes(fixed, dtype); }, Follow::Outputs);
  }
}

void turn_around(ChangeList& list) {
  const bool transposed = list.original().transposed;
  list.add("transposed", fmt::format("transposed {} instead of {}", !transposed, transposed),
           [](Case& call) { call.transposed = !call.transposed; });
}

}  // namespace gradproof::advice
