#include "properties/explain/remedy.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <optional>

#include "properties/convolution.h"
#include "properties/explain/call_from_words.h"
#include "properties/explain/nearest_legal_call.h"

namespace gradproof::properties {
namespace {

using corpus::Case;
using corpus::DataType;
using corpus::OutputRole;
using corpus::TensorCase;
using Lengths = std::vector<std::int64_t>;
using Remedies = std::vector<Remedy>;

constexpr std::size_t most_remedies = 3;

struct Named {
  std::string_view name;
  std::optional<TensorCase>* tensor;
};

std::array<Named, 6> tensors_of(Case& problem) {
  return {Named{"gradOutput", &problem.grad_output}, Named{"input", &problem.input},
          Named{"weight", &problem.weight},          Named{"gradInput", &problem.grad_input},
          Named{"gradWeight", &problem.grad_weight}, Named{"gradBias", &problem.grad_bias}};
}

std::size_t axes_of(const Case& problem) {
  const bool has_axes = problem.input && problem.input->shape.size() > 2;
  return has_axes ? problem.input->shape.size() - 2 : 0;
}

/// A tensor with this shape, contiguous, else like `like`.
TensorCase shaped(const TensorCase& like, Lengths shape) {
  TensorCase tensor;
  tensor.dtype = like.dtype;
  tensor.format = shape.size() == like.shape.size() || shape.size() < 3
                      ? like.format
                      : plain_format(shape.size());
  tensor.shape = std::move(shape);
  return tensor;
}

// ---- the changes; each adds what it can think of, and the oracle decides

void change_array(const Case& problem, std::string_view name, std::optional<Lengths> Case::*member,
                  std::int64_t plain, Remedies& into) {
  const std::size_t axes = axes_of(problem);
  const auto with = [&](Lengths values) {
    Case changed = problem;
    changed.*member = std::move(values);
    const std::string before =
        problem.*member ? fmt::format("{}", *(problem.*member)) : std::string("a null pointer");
    into.push_back(
        {fmt::format("{} = {} instead of {}", name, *(changed.*member), before), changed});
  };
  if (!(problem.*member)) return with(Lengths(axes, plain));
  const Lengths& now = *(problem.*member);
  if (now.size() != axes && !now.empty()) {
    Lengths resized = now;
    resized.resize(axes, now.back());
    with(resized);
  }
  if (now.size() != axes) return with(Lengths(axes, plain));
  constexpr std::array<std::int64_t, 2> ends{255, 63};
  for (std::size_t i = 0; i < now.size(); ++i) {
    for (const std::int64_t value : {plain, ends[0], ends[1]}) {
      if (value == now[i] || (value > plain && now[i] <= value)) continue;
      Lengths changed = now;
      changed[i] = value;
      with(changed);
    }
  }
  if (std::ranges::count(now, plain) < static_cast<std::ptrdiff_t>(now.size())) {
    with(Lengths(axes, plain));
  }
}

void change_arrays(const Case& problem, Remedies& into) {
  change_array(problem, "stride", &Case::stride, 1, into);
  change_array(problem, "dilation", &Case::dilation, 1, into);
  change_array(problem, "padding", &Case::padding, 0, into);
  change_array(problem, "outputPadding", &Case::output_padding, 0, into);
}

/// What the sizes leave unread is what outputPadding must say.
void change_output_padding(const Case& problem, Remedies& into) {
  const auto sizes = convolution_of(problem);
  if (!problem.transposed || !sizes || !problem.output_padding) return;
  Case changed = problem;
  Lengths values;
  for (const SpatialAxis& axis : sizes->axes) values.push_back(unread_length(axis));
  changed.output_padding = values;
  into.push_back(
      {fmt::format("outputPadding = {} instead of {}", values, *problem.output_padding), changed});
}

void change_grad_output(const Case& problem, Remedies& into) {
  Case changed = problem;
  derive_grad_output(changed);
  if (!problem.grad_output || changed.grad_output->shape == problem.grad_output->shape) return;
  changed.grad_output->strides.reset();
  changed.grad_output->storage_shape.reset();
  changed.grad_output->offset = 0;
  changed.bias_sizes = problem.bias_sizes;
  changed.grad_bias = problem.grad_bias;
  into.push_back({fmt::format("gradOutput {} instead of {}", changed.grad_output->shape,
                              problem.grad_output->shape),
                  changed});
}

void change_groups(const Case& problem, Remedies& into) {
  const auto add = [&](std::int64_t groups) {
    if (groups < 1 || groups > 65'535 || groups == problem.groups) return;
    Case changed = problem;
    changed.groups = static_cast<std::int32_t>(groups);
    into.push_back({fmt::format("groups = {} instead of {}", groups, problem.groups), changed});
  };
  const bool has_channels = problem.input && problem.weight && problem.grad_output &&
                            problem.input->shape.size() > 1 && problem.weight->shape.size() > 1 &&
                            problem.grad_output->shape.size() > 1;
  if (has_channels && problem.weight->shape[1] > 0) {
    const TensorCase& big = problem.transposed ? *problem.grad_output : *problem.input;
    add(big.shape[1] / problem.weight->shape[1]);
  }
  add(1);
}

/// weight's channels as input and groups want them.
void change_weight(const Case& problem, Remedies& into) {
  const bool has_shapes = problem.weight && problem.input && problem.weight->shape.size() > 2 &&
                          problem.input->shape.size() == problem.weight->shape.size();
  if (!has_shapes || problem.groups < 1) return;
  const std::int64_t channels = problem.input->shape[1];
  Lengths shape = problem.weight->shape;
  shape[problem.transposed ? 0 : 1] = problem.transposed ? channels : channels / problem.groups;
  if (shape == problem.weight->shape) return;
  Case changed = problem;
  changed.weight = shaped(*problem.weight, shape);
  if (changed.grad_weight) changed.grad_weight = shaped(*problem.grad_weight, shape);
  into.push_back({fmt::format("weight {} instead of {}", shape, problem.weight->shape), changed});
}

void change_bias(const Case& problem, Remedies& into) {
  const bool has_channels = problem.grad_output && problem.grad_output->shape.size() > 1;
  Case changed = problem;
  if (has_channels && problem.bias_sizes != Lengths{problem.grad_output->shape[1]}) {
    changed.bias_sizes = Lengths{problem.grad_output->shape[1]};
    into.push_back(
        {fmt::format("biasSizes = {}, gradOutput's channels", *changed.bias_sizes), changed});
  }
}

void change_outputs(const Case& problem, Remedies& into) {
  const std::array models{&problem.input, &problem.weight, &problem.grad_output};
  for (const OutputRole role : corpus::output_roles) {
    const auto& model = *models.at(static_cast<std::size_t>(role));
    const auto& output = corpus::tensor(problem, role);
    if (!model || model->shape.size() < 2) continue;
    const bool is_bias = role == OutputRole::GradBias;
    TensorCase plain = shaped(*model, is_bias ? Lengths{model->shape[1]} : model->shape);
    if (is_bias) plain.format = corpus::Format::Nd;
    if (output) plain.dtype = output->dtype;
    if (output && output->shape == plain.shape && !output->strides) continue;
    Case changed = problem;
    corpus::tensor(changed, role) = plain;
    into.push_back({output ? fmt::format("{} {} and contiguous instead of {}", name_of(role),
                                         plain.shape, output->shape)
                           : fmt::format("a tensor {} for {}", plain.shape, name_of(role)),
                    changed});
  }
}

void change_mask(const Case& problem, Remedies& into) {
  if (!problem.output_mask || problem.output_mask->size() != 3) {
    Case changed = problem;
    changed.output_mask = std::vector<bool>{true, true, problem.bias_sizes.has_value()};
    into.push_back({"outputMask with three values", changed});
    return;
  }
  for (const OutputRole role : corpus::output_roles) {
    if (!corpus::is_requested(problem, role)) continue;
    Case changed = problem;
    (*changed.output_mask)[static_cast<std::size_t>(role)] = false;
    into.push_back(
        {fmt::format("without {} (outputMask[{}] = false)", name_of(role), static_cast<int>(role)),
         changed});
  }
}

void change_types(const Case& problem, Remedies& into) {
  for (std::size_t i = 0; i < 6; ++i) {
    for (const DataType type : {DataType::Float, DataType::Float16, DataType::BFloat16}) {
      Case changed = problem;
      const Named named = tensors_of(changed)[i];
      if (!*named.tensor || (*named.tensor)->dtype == type) continue;
      const DataType before = std::exchange((*named.tensor)->dtype, type);
      into.push_back({fmt::format("{} of dtype {} instead of {}", named.name, corpus::name_of(type),
                                  corpus::name_of(before)),
                      changed});
    }
  }
  for (const DataType type : {DataType::Float, DataType::Float16, DataType::BFloat16}) {
    Case changed = problem;
    for (const Named& named : tensors_of(changed)) {
      if (*named.tensor) (*named.tensor)->dtype = type;
    }
    into.push_back({fmt::format("dtype {} for every tensor", corpus::name_of(type)), changed});
  }
}

void change_math_mode(const Case& problem, Remedies& into) {
  for (std::int8_t mode = 0; mode < 4; ++mode) {
    if (mode == problem.cube_math_type) continue;
    Case changed = problem;
    changed.cube_math_type = mode;
    into.push_back(
        {fmt::format("cubeMathType {} instead of {}", mode, problem.cube_math_type), changed});
  }
}

/// NHWC shapes as NCHW ones.
Lengths with_channels_first(Lengths shape) {
  if (shape.size() > 2) std::rotate(shape.begin() + 1, shape.end() - 1, shape.end());
  return shape;
}

void change_formats(const Case& problem, Remedies& into) {
  Case plain = problem;
  Case moved = problem;
  for (const Named& named : tensors_of(plain)) {
    if (*named.tensor && (*named.tensor)->shape.size() > 2) {
      (*named.tensor)->format = plain_format((*named.tensor)->shape.size());
    }
  }
  for (const Named& named : tensors_of(moved)) {
    auto& tensor = *named.tensor;
    if (!tensor || tensor->shape.size() < 3) continue;
    tensor = shaped(*tensor, with_channels_first(tensor->shape));
    tensor->format = plain_format(tensor->shape.size());
  }
  const std::string name(corpus::name_of(plain_format(axes_of(problem) + 2)));
  if (plain != problem) into.push_back({fmt::format("format {} for every tensor", name), plain});
  if (moved.input && moved.input->shape != problem.input->shape) {
    into.push_back(
        {fmt::format("channels first, as format {} has them: input {}", name, moved.input->shape),
         moved});
  }
}

void change_direction(const Case& problem, Remedies& into) {
  Case changed = problem;
  changed.transposed = !problem.transposed;
  into.push_back({fmt::format("transposed = {}", changed.transposed), changed});
}

/// The least first: one number, then a tensor, then all of them.
constexpr void (*changes[])(const Case&, Remedies&) = {
    change_bias,      change_output_padding, change_arrays,      change_groups,
    change_math_mode, change_weight,         change_grad_output, change_outputs,
    change_types,     change_formats,        change_mask,        change_direction};

}  // namespace

bool is_certainly_legal(const Case& problem, oracle::Profile profile) {
  const auto admitted = oracle::admissible_statuses(problem, profile);
  return admitted.statuses == std::vector{corpus::Status::Success} && !admitted.values_ill_defined;
}

Remedies remedies(const Case& problem, bool grad_output_follows, oracle::Profile profile) {
  Remedies found;
  if (is_certainly_legal(problem, profile)) return found;
  Remedies thought_of;
  for (const auto change : changes) change(problem, thought_of);
  for (Remedy& remedy : thought_of) {
    if (grad_output_follows) derive_grad_output(remedy.problem);
    const bool is_known = std::ranges::any_of(
        found, [&](const Remedy& other) { return other.problem == remedy.problem; });
    if (is_known || found.size() == most_remedies) continue;
    if (is_certainly_legal(remedy.problem, profile)) {
      found.push_back(std::move(remedy));
    }
  }
  if (!found.empty()) return found;
  // A wider search, in which what follows from a change goes with it whoever typed it.
  auto nearest = nearest_legal_call(problem, profile);
  if (nearest && is_certainly_legal(nearest->call, profile)) {
    found.push_back({std::move(nearest->words), std::move(nearest->call)});
  }
  return found;
}

}  // namespace gradproof::properties
