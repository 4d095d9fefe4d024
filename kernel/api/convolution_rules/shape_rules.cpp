#include "kernel/api/convolution_rules/rule.h"
#include "kernel/api/convolution_rules/words.h"

// Shapes, where no input is empty. A size that int64 cannot hold is HW-01's business.
namespace gradproof::kernel::api::parameter_checks {
namespace {

/// 3D shapes are compared by the API itself, 1D and 2D ones while the device plans dx or dw.
aclnnStatus released_shape(const Call& call) {
  if (call.rank() == 5) return ACLNN_ERR_PARAM_INVALID;
  const Mask mask = call.mask();
  return mask.grad_input || mask.grad_weight ? ACLNN_ERR_INNER_NULLPTR : ACLNN_SUCCESS;
}

Finding window_does_not_fit(const Call& call) {
  if (!call.is_computable()) return std::nullopt;
  const auto axes = spatial_axes(call);
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const auto padded = axes[i].padded().value();
    const auto window = axes[i].window().value();
    if (!padded || !window || *padded >= *window) continue;
    return text("spatial axis ", i, " of ", call.big().name, " has ", *padded,
                " positions with padding; the dilated kernel needs ", *window);
  }
  return std::nullopt;
}

/// The number of windows on each axis must be the smaller map's length.
Finding windows_differ(const Call& call, bool transposed) {
  const auto stride = by_axis(call, call.stride);
  if (call.transposed != transposed || !call.is_computable() || !stride) return std::nullopt;
  const auto axes = spatial_axes(call);
  for (std::size_t i = 0; i < axes.size(); ++i) {
    if ((*stride)[i] < 1) continue;
    const auto windows = axes[i].windows((*stride)[i]);
    if (!windows || axes[i].small == *windows) continue;
    return text(call.small().name, ".shape[", i + 2, "] is ", axes[i].small, "; the sizes of ",
                call.big().name,
                " and weight, stride, padding and dilation "
                "make it ",
                *windows);
  }
  return std::nullopt;
}

Finding output_padding_differs(const Call& call) {
  const auto stride = by_axis(call, call.stride);
  const auto output_padding = output_padding_by_axis(call);
  if (!call.transposed || !call.is_computable() || !stride || !output_padding) return std::nullopt;
  const auto axes = spatial_axes(call);
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const auto expected =
        ((operators::Checked(axes[i].small) - 1) * (*stride)[i] - axes[i].padding_begin -
         axes[i].padding_end + axes[i].window() + (*output_padding)[i])
            .value();
    if (!expected || axes[i].big == *expected) continue;
    return text("gradOutput.shape[", i + 2, "] is ", axes[i].big,
                "; the sizes of input and weight, stride, padding, dilation and outputPadding "
                "make it ",
                *expected);
  }
  return std::nullopt;
}

Finding shapes_differ(const Call& call, const Argument<Tensor>& output,
                      const Argument<Tensor>& input) {
  if (!call.is_computable() || !output.value) return std::nullopt;
  if (output.value->view_shape == input.value->view_shape) return std::nullopt;
  return text(output.name, " has shape ", words(output.value->view_shape), "; it must be that of ",
              input.name, ", ", words(input.value->view_shape));
}

Finding bias_shape(const Call& call) {
  if (!call.is_computable() || !call.grad_bias.value) return std::nullopt;
  const Ints expected{length(call.grad_output, 1)};
  if (call.grad_bias.value->view_shape == expected) return std::nullopt;
  return text("gradBias has shape ", words(call.grad_bias.value->view_shape),
              "; it must be one axis of gradOutput.shape[1], ", words(expected));
}

Finding empty_grad_output(const Call& call) {
  const bool applies = (call.set() == ProductSet::A23 || call.on_a5()) && !call.on_empty_path();
  if (!applies || !is_empty(call.grad_output)) return std::nullopt;
  return text("gradOutput has shape ", words(call.grad_output.value->view_shape),
              "; it may be empty only if input or weight is");
}

constexpr Rule shape_rows[] = {
    {"SHAPE-01", "relation of the sizes, formula 1", invalid, released_shape, window_does_not_fit},
    {"SHAPE-02", "relation of the sizes, formula for the output", invalid, released_shape,
     [](const Call& call) { return windows_differ(call, false); }},
    {"SHAPE-03", "relation of the sizes, formula for the output", invalid, released_shape,
     [](const Call& call) { return windows_differ(call, true); }},
    {"SHAPE-04", "parameter outputPadding", invalid, success, output_padding_differs},
    {"SHAPE-05", "parameter gradInput", invalid, invalid,
     [](const Call& call) { return shapes_differ(call, call.grad_input, call.input); }},
    {"SHAPE-06", "parameter gradWeight", invalid, invalid,
     [](const Call& call) { return shapes_differ(call, call.grad_weight, call.weight); }},
    {"SHAPE-07", "parameter gradBias", invalid, invalid, bias_shape},
    {"SHAPE-08", "parameter gradOutput", invalid, invalid, empty_grad_output},
};

}  // namespace

Rules shape_rules() { return shape_rows; }

}  // namespace gradproof::kernel::api::parameter_checks
