#include <initializer_list>

#include "kernel/api/convolution_rules/rule.h"
#include "kernel/api/convolution_rules/words.h"

namespace gradproof::kernel::api::parameter_checks {
namespace {

/// A rule of another group, which holds for empty tensors too.
const Rule& rule_named(Rules rules, std::string_view id) {
  for (const Rule& rule : rules) {
    if (rule.id == id) return rule;
  }
  return rules.front();
}

aclnnStatus status(const Rule& rule, const Call& call) {
  return call.released() ? rule.released(call) : rule.documented(call);
}

/// The first of the rules that the call breaks.
const Rule* broken_among(const Call& call, Rules rules,
                         std::initializer_list<std::string_view> ids) {
  for (const std::string_view id : ids) {
    const Rule& rule = rule_named(rules, id);
    if (status(rule, call) != ACLNN_SUCCESS && rule.find(call)) return &rule;
  }
  return nullptr;
}

const Rule* broken_bias_rule(const Call& call) {
  if (!call.on_empty_path() || !call.mask().grad_bias) return nullptr;
  if (const Rule* rule = broken_among(call, null_rules(), {"NULL-16"})) return rule;
  if (const Rule* rule = broken_among(call, length_rules(), {"LEN-05"})) return rule;
  return broken_among(call, bias_rules(), {"BIAS-02"});
}

Finding bias_of_empty(const Call& call) {
  const Rule* rule = broken_bias_rule(call);
  return rule == nullptr ? std::nullopt : rule->find(call);
}

aclnnStatus bias_of_empty_status(const Call& call) {
  const Rule* rule = broken_bias_rule(call);
  return rule == nullptr ? ACLNN_SUCCESS : status(*rule, call);
}

Finding lengths_of_empty(const Call& call) {
  if (!call.on_empty_path()) return std::nullopt;
  const Rule* rule = broken_among(call, length_rules(), {"LEN-01", "LEN-02", "LEN-03", "LEN-04"});
  return rule == nullptr ? std::nullopt : rule->find(call);
}

/// True if batch and channels of input and weight can be read.
bool has_empty_axes(const Call& call) {
  return call.on_empty_path() && call.rank() >= 3 && call.rank() <= 5;
}

/// True if the axes of input and weight can be compared.
bool pairs_weight(const Call& call) {
  return has_empty_axes(call) && call.weight.value &&
         call.weight.value->view_shape.size() == call.input.value->view_shape.size();
}

std::string shape_of(const Argument<Tensor>& tensor) {
  return text(tensor.name, " has shape ", words(tensor.value->view_shape));
}

Finding only_grad_output_empty(const Call& call) {
  const bool applies = call.set() == ProductSet::A23 || call.on_a5();
  if (!applies || !is_empty(call.grad_output) || call.on_empty_path()) return std::nullopt;
  return text(shape_of(call.grad_output), "; it may be empty only if input or weight is");
}

Finding batch_and_channels_not_empty(const Call& call) {
  if (!has_empty_axes(call) || length(call.input, 0) == 0) return std::nullopt;
  if (call.transposed) {
    return text(shape_of(call.input),
                "; an empty problem with transposed = true requires input.shape[0] = 0");
  }
  if (length(call.input, 1) == 0) return std::nullopt;
  return text(shape_of(call.input),
              "; an empty problem requires input.shape[0] = 0 or input.shape[1] = 0");
}

aclnnStatus released_batch_and_channels(const Call& call) {
  return call.mask().grad_input ? ACLNN_ERR_PARAM_INVALID : ACLNN_SUCCESS;
}

Finding empty_channels_differ(const Call& call) {
  if (!pairs_weight(call) || call.transposed) return std::nullopt;
  if ((length(call.input, 1) == 0) == (length(call.weight, 1) == 0)) return std::nullopt;
  return text("input.shape[1] is ", length(call.input, 1), " and weight.shape[1] is ",
              length(call.weight, 1), "; both must be 0 or neither");
}

Finding rank_of_empty(const Call& call) {
  if (!call.on_empty_path() || !call.input.value || *call.rank() > 2) return std::nullopt;
  return text(shape_of(call.input), " of rank ", *call.rank(), "; the rank must exceed 2");
}

Finding transposed_weight(const Call& call) {
  if (!pairs_weight(call) || !call.transposed) return std::nullopt;
  const std::int64_t channels = length(call.weight, 0);
  if (channels > 0 && channels == length(call.input, 1)) return std::nullopt;
  return text("weight.shape[0] is ", channels,
              "; with transposed = true it must be positive and input.shape[1], ",
              length(call.input, 1));
}

/// The released library adds padding[i] twice to axis i, even where four values are given.
AxisSizes as_read(const Call& call, AxisSizes axis, std::size_t i) {
  if (!call.released() || !has_four_paddings(call)) return axis;
  axis.padding_begin = axis.padding_end = (*call.padding.value)[i];
  return axis;
}

Finding empty_window_does_not_fit(const Call& call) {
  const auto padding = padding_by_axis(call);
  const auto dilation = by_axis(call, call.dilation);
  if (!pairs_weight(call) || call.transposed || !padding || !dilation) return std::nullopt;
  for (std::size_t i = 0; i < dilation->size(); ++i) {
    const AxisSizes sizes = as_read(call,
                                    {.big = length(call.input, i + 2),
                                     .small = 0,
                                     .kernel = length(call.weight, i + 2),
                                     .dilation = (*dilation)[i],
                                     .padding_begin = padding->begin(i),
                                     .padding_end = padding->end(i)},
                                    i);
    const auto padded = sizes.padded().value();
    const auto window = sizes.window().value();
    if (!padded || !window || *padded >= *window) continue;
    return text("spatial axis ", i, " of input has ", *padded,
                " positions with padding; the dilated kernel needs ", *window);
  }
  return std::nullopt;
}

Finding no_output_channels(const Call& call) {
  if (!pairs_weight(call) || call.transposed || length(call.weight, 0) >= 1) return std::nullopt;
  return text(shape_of(call.weight), "; weight.shape[0] must be >= 1");
}

/// Asks only weight, whatever the rank of the others.
Finding groups_do_not_divide(const Call& call) {
  if (!has_empty_axes(call) || !call.weight.value || call.weight.value->view_shape.empty() ||
      call.groups < 1 || length(call.weight, 0) % call.groups == 0) {
    return std::nullopt;
  }
  return text("weight.shape[0] is ", length(call.weight, 0), "; it must be a multiple of groups, ",
              call.groups);
}

/// True if axes can be paired, batch and channels among them.
bool share_rank(const Argument<Tensor>& left, const Argument<Tensor>& right) {
  if (!left.value || !right.value || left.value->view_shape.size() < 2) return false;
  return left.value->view_shape.size() == right.value->view_shape.size();
}

bool has_no_samples(const Argument<Tensor>& tensor) {
  return tensor.value && !tensor.value->view_shape.empty() && length(tensor, 0) == 0;
}

/// Finds different feature channels. A transposed call compares gradOutput with weight.
Finding feature_channels_differ(const Call& call) {
  if (!call.on_empty_path() || !share_rank(call.big(), call.weight)) return std::nullopt;
  if (call.transposed && has_no_samples(call.input)) return std::nullopt;
  const std::int64_t found = length(call.big(), 1);
  const auto expected = (operators::Checked(length(call.weight, 1)) * call.groups).value();
  if (!expected || found == *expected) return std::nullopt;
  if (found == 0 && length(call.weight, 1) == 0) return std::nullopt;
  return text(call.big().name, ".shape[1] is ", found, "; it must be weight.shape[1] * groups, ",
              *expected);
}

Finding free_grad_output(const Call& call) {
  if (!call.on_empty_path() || !call.ranks_agree()) return std::nullopt;
  if (length(call.grad_output, 0) == length(call.input, 0)) return std::nullopt;
  return text(shape_of(call.grad_output), ", which an empty problem does not compare");
}

Finding free_output_padding(const Call& call) {
  if (!call.on_empty_path() || !call.transposed || !call.output_padding.value) return std::nullopt;
  return text("outputPadding is ", words(*call.output_padding.value),
              ", which an empty problem does not compare");
}

Finding shape_differs(const Argument<Tensor>& output, const Ints& expected) {
  if (!output.value || output.value->view_shape == expected) return std::nullopt;
  return text(shape_of(output), "; it must be ", words(expected));
}

Finding grad_weight_shape(const Call& call) {
  if (!call.weight.value) return std::nullopt;
  return shape_differs(call.grad_weight, call.weight.value->view_shape);
}

Finding grad_bias_shape(const Call& call) {
  const auto& sizes = call.bias_sizes.value;
  if (!call.mask().grad_bias || !sizes || sizes->size() != 1) return std::nullopt;
  return shape_differs(call.grad_bias, *sizes);
}

Finding output_shapes(const Call& call) {
  if (!call.on_empty_path()) return std::nullopt;
  if (call.input.value) {
    Finding finding = shape_differs(call.grad_input, call.input.value->view_shape);
    if (finding) return finding;
  }
  if (Finding finding = grad_weight_shape(call)) return finding;
  return grad_bias_shape(call);
}

/// Status of wrong output shapes in the released library, which notices only what is copied.
aclnnStatus released_output_shapes(const Call& call) {
  const bool noticed =
      (call.mask().grad_weight && grad_weight_shape(call)) || grad_bias_shape(call);
  return noticed ? ACLNN_ERR_INNER_NULLPTR : ACLNN_SUCCESS;
}

Finding empty_on_a1(const Call& call) {
  if (call.set() != ProductSet::A1) return std::nullopt;
  for (const auto* tensor : call.inputs()) {
    if (!is_empty(*tensor)) continue;
    return text(shape_of(*tensor), "; ", product_words(call), " supports no empty tensors");
  }
  return std::nullopt;
}

/// The released library returns before it compares anything if input alone is empty, by its batch.
aclnnStatus released_empty_on_a1(const Call& call) {
  const bool passes = !is_empty(call.grad_output) && !is_empty(call.weight) &&
                      is_empty(call.input) && length(call.input, 0) == 0;
  return passes ? ACLNN_SUCCESS : ACLNN_ERR_PARAM_INVALID;
}

constexpr Rule empty_rows[] = {
    {"EMPTY-01", "empty tensors, parameter gradOutput", invalid, invalid, only_grad_output_empty},
    {"EMPTY-02", "empty tensors, parameter biasSizes", bias_of_empty_status, bias_of_empty_status,
     bias_of_empty},
    {"EMPTY-03", "empty tensors, parameter input", invalid, released_batch_and_channels,
     batch_and_channels_not_empty},
    {"EMPTY-04", "empty tensors, parameter weight", invalid, invalid, empty_channels_differ},
    {"EMPTY-05", "empty tensors, parameter input", invalid, invalid, rank_of_empty},
    {"EMPTY-06", "empty tensors, array lengths", invalid, invalid, lengths_of_empty},
    {"EMPTY-07", "empty tensors, parameter weight", invalid, invalid, transposed_weight},
    {"EMPTY-08", "empty tensors, formula 1", invalid, invalid, empty_window_does_not_fit},
    {"EMPTY-09", "empty tensors, parameter weight", invalid, success, no_output_channels},
    {"EMPTY-10", "empty tensors, parameter groups", invalid, invalid, groups_do_not_divide},
    {"EMPTY-11", "empty tensors, parameter groups", invalid, invalid, feature_channels_differ},
    {"EMPTY-12", "empty tensors, parameter gradOutput", success, success, free_grad_output},
    {"EMPTY-13", "empty tensors, parameter outputPadding", success, success, free_output_padding},
    {"EMPTY-14", "empty tensors, parameters gradInput, gradWeight, gradBias", invalid,
     released_output_shapes, output_shapes},
    {"EMPTY-15", "constraints of the Atlas inference and training series", invalid,
     released_empty_on_a1, empty_on_a1},
};

}  // namespace

Rules empty_rules() { return empty_rows; }

}  // namespace gradproof::kernel::api::parameter_checks
