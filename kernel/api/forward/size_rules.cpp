#include <algorithm>

#include "kernel/api/forward/rule.h"

namespace gradproof::kernel::api::forward {
namespace {

using parameter_checks::text;
using parameter_checks::words;

Finding below(const Argument<Ints>& values, std::int64_t least) {
  if (!values.value) return std::nullopt;
  for (const std::int64_t value : *values.value) {
    if (value >= least) continue;
    return text(values.name, " is ", words(*values.value), "; every value must be >= ", least);
  }
  return std::nullopt;
}

Finding low_stride(const ForwardCall& call) { return below(call.stride, 1); }
Finding low_dilation(const ForwardCall& call) { return below(call.dilation, 1); }
Finding low_padding(const ForwardCall& call) { return below(call.padding, 0); }

Finding odd_output_padding(const ForwardCall& call) {
  if (!call.transposed) return std::nullopt;
  if (auto found = below(call.output_padding, 0)) return found;
  const auto geometry = geometry_of(call);
  if (!geometry) return std::nullopt;
  for (const ForwardAxis& axis : geometry->axes) {
    if (axis.output_padding < std::max(axis.stride, axis.dilation)) continue;
    return text("outputPadding is ", axis.output_padding, " where stride is ", axis.stride,
                " and dilation ", axis.dilation, "; it must be less than one of them");
  }
  return std::nullopt;
}

Finding low_groups(const ForwardCall& call) {
  if (call.groups >= 1) return std::nullopt;
  return text("groups is ", call.groups, "; it must be >= 1");
}

Finding input_channels_differ(const ForwardCall& call) {
  const auto geometry = geometry_of(call);
  if (!geometry || !call.is_convolution() || call.transposed) return std::nullopt;
  const auto due = (Checked(geometry->weight_second) * geometry->groups).value();
  if (geometry->input_channels == due) return std::nullopt;
  return text("axis 1 of input has ", geometry->input_channels, " channels, axis 1 of weight ",
              geometry->weight_second, " for each of ", geometry->groups, " groups");
}

Finding transposed_channels_differ(const ForwardCall& call) {
  const auto geometry = geometry_of(call);
  if (!geometry || !call.transposed) return std::nullopt;
  if (geometry->input_channels == geometry->weight_first) return std::nullopt;
  return text("axis 1 of input has ", geometry->input_channels, " channels, axis 0 of weight ",
              geometry->weight_first, "; if transposed they must be equal");
}

Finding indivisible_weight(const ForwardCall& call) {
  const auto geometry = geometry_of(call);
  const bool is_defined = geometry && call.is_convolution() && call.groups >= 1;
  if (!is_defined || geometry->weight_first % call.groups == 0) return std::nullopt;
  return text("axis 0 of weight has ", geometry->weight_first, " channels, which ", call.groups,
              " groups cannot divide");
}

Finding odd_depthwise_channels(const ForwardCall& call) {
  const auto geometry = geometry_of(call);
  if (!geometry || !call.is_depthwise()) return std::nullopt;
  const std::int64_t channels = geometry->input_channels;
  if (channels >= 1 && geometry->weight_second == 1 && geometry->weight_first % channels == 0) {
    return std::nullopt;
  }
  return text("self has ", channels, " channels and weight shape ",
              words(call.weight.value->view_shape),
              "; weight must have a multiple of as many, each with one input channel");
}

aclnnStatus invalid_unless_no_channels(const ForwardCall& call) {
  const auto geometry = geometry_of(call);
  return geometry->input_channels == 0 && geometry->weight_second == 0 ? ACLNN_SUCCESS
                                                                       : ACLNN_ERR_PARAM_INVALID;
}

Finding kernel_size_differs(const ForwardCall& call) {
  const auto geometry = geometry_of(call);
  if (!geometry || !call.kernel_size.value || call.kernel_size.value->size() < 2) {
    return std::nullopt;
  }
  const Ints& sizes = *call.kernel_size.value;
  if (sizes[0] == geometry->axes[0].kernel && sizes[1] == geometry->axes[1].kernel) {
    return std::nullopt;
  }
  return text("kernelSize is ", words(sizes), " and weight has shape ",
              words(call.weight.value->view_shape), "; its last two axes must be that");
}

Finding tbc_channels_differ(const ForwardCall& call) {
  const auto geometry = geometry_of(call);
  if (!geometry || !call.is_tbc() || geometry->input_channels == geometry->weight_second) {
    return std::nullopt;
  }
  return text("axis 2 of self has ", geometry->input_channels, " channels, axis 1 of weight ",
              geometry->weight_second, "; they must be equal");
}

Finding bias_length_differs(const ForwardCall& call) {
  const auto geometry = geometry_of(call);
  if (!geometry || !call.bias.value || call.bias.value->view_shape.size() != 1) {
    return std::nullopt;
  }
  const auto due = geometry->channels_due(call.transposed);
  if (!due || call.bias.value->view_shape[0] == *due) return std::nullopt;
  return text("bias has ", call.bias.value->view_shape[0],
              " elements; it must have one for each of ", *due, " output channels");
}

/// An axis whose padded x is shorter than `window` says the kernel must have.
template <typename Room>
Finding kernel_too_large(const ForwardCall& call, Room room) {
  const auto geometry = geometry_of(call);
  if (!geometry || call.transposed || is_empty(call.input)) return std::nullopt;
  for (const ForwardAxis& axis : geometry->axes) {
    const auto left = (room(axis) - axis.window()).value();
    if (!left || *left >= 0) continue;
    return text("the kernel covers ", *axis.window().value(), " positions, of the ",
                *room(axis).value(), " that ", call.input.name, " has with its padding");
  }
  return std::nullopt;
}

Finding window_too_large(const ForwardCall& call) {
  if (call.is_tbc()) return std::nullopt;
  return kernel_too_large(call, [](const ForwardAxis& axis) { return axis.padded_input(); });
}

/// The released library counts pad once.
Finding tbc_window_too_large(const ForwardCall& call) {
  if (!call.is_tbc()) return std::nullopt;
  return kernel_too_large(call, [&](const ForwardAxis& axis) {
    return call.released() ? Checked(axis.input) + axis.padding_begin : axis.padded_input();
  });
}

Finding output_differs(const ForwardCall& call) {
  const auto geometry = geometry_of(call);
  if (!geometry) return std::nullopt;
  const auto channels = geometry->channels_due(call.transposed);
  bool is_due = geometry->output_batch == geometry->batch &&
                (!channels || geometry->output_channels == *channels);
  Ints lengths;
  for (const ForwardAxis& axis : geometry->axes) {
    const auto due = length_due(call, axis);
    if (!due) return std::nullopt;
    is_due = is_due && axis.output == *due;
    lengths.push_back(*due);
  }
  if (is_due || !channels) return std::nullopt;
  return text(call.output.name, " has shape ", words(call.output.value->view_shape),
              "; the other parameters make it batch ", geometry->batch, ", channels ", *channels,
              ", positions ", words(lengths));
}

Finding sizes_overflow(const ForwardCall& call) {
  const auto geometry = geometry_of(call);
  if (!geometry) return std::nullopt;
  const bool fits = std::ranges::all_of(geometry->axes, [&](const ForwardAxis& axis) {
    return axis.stride < 1 || (length_due(call, axis) && axis.window().value());
  });
  if (fits && geometry->channels_due(call.transposed)) return std::nullopt;
  return "the sizes of the call do not fit in 64 bits";
}

Finding negative_or_no_kernel(const ForwardCall& call) {
  for (const auto* tensor : {&call.input, &call.weight, &call.output, &call.bias}) {
    if (!tensor->value) continue;
    const auto is_negative = [](std::int64_t length) { return length < 0; };
    if (std::ranges::none_of(tensor->value->view_shape, is_negative) &&
        std::ranges::none_of(tensor->value->storage_shape, is_negative)) {
      continue;
    }
    return text(tensor->name, " has shape ", words(tensor->value->view_shape), " in a storage of ",
                words(tensor->value->storage_shape), "; no size may be negative");
  }
  const auto geometry = geometry_of(call);
  if (!geometry || (call.on_a5() && call.transposed)) return std::nullopt;
  if (std::ranges::all_of(geometry->axes, [](const auto& axis) { return axis.kernel >= 1; })) {
    return std::nullopt;
  }
  return text("weight has shape ", words(call.weight.value->view_shape),
              "; its kernel must have positions");
}

/// Source: the released library, which turns a transposed call into an ordinary one.
Finding reversed_padding_too_large(const ForwardCall& call) {
  constexpr std::int64_t most = 255;
  const auto geometry = geometry_of(call);
  const bool is_asked =
      geometry && call.transposed && (call.on_a23() || call.set() == ProductSet::A1);
  if (!is_asked || call.any_input_is_empty() || is_empty(call.output)) return std::nullopt;
  const bool is_3d = geometry->axes.size() == 3;
  for (std::size_t i = is_3d ? 1 : 0; i < geometry->axes.size(); ++i) {
    const ForwardAxis& axis = geometry->axes[i];
    const auto reversed = (axis.window() - 1 - (*call.padding.value)[i]).value();
    if (!reversed || (*reversed <= most && (!is_3d || *reversed >= 0))) continue;
    return text("the reversed padding is ", *reversed, "; it must be at most ", most,
                is_3d ? " and not negative" : "");
  }
  return std::nullopt;
}

Finding output_of_empty_input(const ForwardCall& call) {
  if (call.is_tbc() || !call.any_input_is_empty() || !call.output.value || is_empty(call.output)) {
    return std::nullopt;
  }
  return text(is_empty(call.input) ? call.input.name : call.weight.name, " is empty and ",
              call.output.name, " has shape ", words(call.output.value->view_shape),
              "; it must be empty too");
}

Finding no_transposed_channels(const ForwardCall& call) {
  const auto geometry = geometry_of(call);
  if (!geometry || !call.transposed || geometry->input_channels > 0) return std::nullopt;
  return "input has no channels; if transposed it must have some";
}

Finding odd_empty_axis(const ForwardCall& call) {
  const auto geometry = geometry_of(call);
  if (!geometry || !call.transposed || !call.on_a5()) return std::nullopt;
  bool is_odd = geometry->input_channels == 0 || geometry->weight_first == 0 ||
                (geometry->weight_second == 0 && geometry->output_channels != 0);
  for (const ForwardAxis& axis : geometry->axes) {
    is_odd = is_odd || axis.input == 0 || (axis.kernel == 0 && axis.output != 0);
  }
  if (!is_odd) return std::nullopt;
  return text("input has shape ", words(call.input.value->view_shape), ", weight ",
              words(call.weight.value->view_shape),
              "; of input only axis 0 may be 0, of weight only axes that output has as 0 too");
}

constexpr ForwardRule size_rows[] = {
    {"FW-STRIDE-01", "parameter stride", invalid, invalid, low_stride},
    {"FW-DIL-01", "parameter dilation", invalid, invalid, low_dilation},
    // The released library crops by it.
    {"FW-PAD-01", "parameter padding", invalid, success, low_padding},
    {"FW-OPAD-01", "parameter outputPadding", invalid, invalid, odd_output_padding},
    {"FW-GRP-01", "parameter groups", invalid, invalid, low_groups},
    {"FW-CH-01", "shape of weight", invalid, invalid, input_channels_differ},
    {"FW-CH-02", "shape of weight, transposed", invalid, invalid, transposed_channels_differ},
    {"FW-CH-03", "parameter groups", invalid, invalid, indivisible_weight},
    {"FW-CH-04", "shape of weight", invalid, invalid_unless_no_channels, odd_depthwise_channels},
    {"FW-CH-05", "parameter kernelSize", invalid, invalid, kernel_size_differs},
    {"FW-CH-06", "shape of weight", invalid, invalid, tbc_channels_differ},
    {"FW-BIAS-02", "shape of bias", invalid, invalid, bias_length_differs},
    {"FW-SHAPE-01", "shape of input", invalid, invalid, window_too_large},
    {"FW-SHAPE-02", "shape of self", invalid, invalid, tbc_window_too_large},
    {"FW-SHAPE-03", "shape of output", invalid, invalid, output_differs},
    {"FW-SHAPE-04", "shapes of the parameters", invalid, invalid, negative_or_no_kernel},
    {"FW-SHAPE-05", "parameter padding, transposed", success, invalid, reversed_padding_too_large},
    {"FW-EMPTY-01", "empty tensors", invalid, invalid, output_of_empty_input},
    {"FW-EMPTY-02", "empty tensors", invalid, invalid, no_transposed_channels},
    {"FW-EMPTY-03", "empty tensors", invalid, invalid, odd_empty_axis},
    {"HW-01", "limits of the device", refused, refused, sizes_overflow},
};

}  // namespace

Rules size_rules() { return size_rows; }

}  // namespace gradproof::kernel::api::forward
