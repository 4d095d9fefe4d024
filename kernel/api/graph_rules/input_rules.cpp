#include <algorithm>

#include "kernel/api/convolution_rules/words.h"
#include "kernel/api/graph_rules/findings.h"

namespace gradproof::kernel::api::graph_checks {
namespace {

using operators::Checked;
using parameter_checks::is_eight_bit;
using parameter_checks::text;
using parameter_checks::words;

bool is_wide(aclDataType type) {
  return type == ACL_FLOAT || type == ACL_FLOAT16 || type == ACL_BF16;
}

bool is_known_on(const Call& call, aclDataType type) {
  return is_wide(type) || (is_eight_bit(type) && call.on_a5());
}

/// The first tensor for which `find` has something to say.
template <typename Find>
Finding first_of_tensors(const Call& call, Find&& find) {
  for (const auto* tensor : {&call.filter, &call.out_backprop, &call.feature}) {
    if (Finding finding = find(*tensor)) return finding;
  }
  return std::nullopt;
}

Finding different_dtypes(const Call& call) {
  if (!call.filter.value) return std::nullopt;
  const aclDataType expected = call.filter.value->data_type;
  return first_of_tensors(call, [&](const Argument<Tensor>& tensor) -> Finding {
    if (!tensor.value || tensor.value->data_type == expected) return std::nullopt;
    return text(tensor.name, " is ", words(tensor.value->data_type), "; it must be ",
                words(expected), " as filter is");
  });
}

Finding unknown_dtype(const Call& call) {
  return first_of_tensors(call, [&](const Argument<Tensor>& tensor) -> Finding {
    if (!tensor.value || is_known_on(call, tensor.value->data_type)) return std::nullopt;
    return text(tensor.name, " is ", words(tensor.value->data_type), "; on ",
                device::name_of(call.product), " it must be FLOAT16, BFLOAT16",
                call.on_a5() ? ", FLOAT" + parameter_checks::eight_bit_words(" or ") : " or FLOAT");
  });
}

Finding wrong_data_format(const Call& call) {
  if (Finding finding = unknown_data_format(call)) return finding;
  if (Finding finding = other_format(call, call.out_backprop)) return finding;
  return other_format(call, call.feature);
}

/// A row of the operator's table of dtypes and formats; y has outBackprop's format.
struct OperandFormats {
  bool is_grouped, is_eight_bit;
  aclFormat out_backprop;
  bool takes_any_filter;  ///< all three formats; otherwise NCDHW alone
  bool is_documented, is_released_on_a23, is_released_on_a5;

  bool is_in_force(const Call& call) const {
    if (!call.released()) return is_documented;
    return call.on_a5() ? is_released_on_a5 : is_released_on_a23;
  }
};

constexpr OperandFormats combinations[] = {
    {false, true, ACL_FORMAT_NCDHW, false, true, false, true},
    {false, true, ACL_FORMAT_NDHWC, false, true, false, false},
    {false, false, ACL_FORMAT_NCDHW, true, true, true, true},
    {false, false, ACL_FORMAT_NDHWC, true, true, true, true},
    {true, true, ACL_FORMAT_NCDHW, false, true, false, true},
    {true, false, ACL_FORMAT_NCDHW, true, true, true, true},
    {true, false, ACL_FORMAT_NDHWC, true, false, false, true},
};

bool is_row(const Call& call) {
  const aclFormat filter = call.filter.value->format;
  return std::ranges::any_of(combinations, [&](const OperandFormats& row) {
    const bool takes_filter =
        row.takes_any_filter ? !axes_of(filter).empty() : filter == ACL_FORMAT_NCDHW;
    return row.is_grouped == (call.groups > 1) &&
           row.is_eight_bit == is_eight_bit(call.filter.value->data_type) &&
           row.out_backprop == call.out_backprop.value->format && takes_filter &&
           row.is_in_force(call);
  });
}

/// Silent where a rule on groups, dtypes or dataFormat speaks already.
Finding no_row_of_the_table(const Call& call) {
  const bool known = call.filter.value && call.out_backprop.value && call.groups >= 1 &&
                     is_known_on(call, call.filter.value->data_type) &&
                     !axes_of(call.out_backprop.value->format).empty() && !different_dtypes(call) &&
                     !wrong_data_format(call);
  if (!known || is_row(call)) return std::nullopt;
  const bool grouped = call.groups > 1;
  return text("groups ", call.groups, ", ", words(call.filter.value->data_type), ", outBackprop ",
              words(call.out_backprop.value->format), ", filter ", words(call.filter.value->format),
              " do not go together; filter must be NCDHW",
              is_eight_bit(call.filter.value->data_type) ? "" : ", NDHWC or DHWCN",
              grouped ? ", and with groups > 1 outBackprop NCDHW" : "");
}

Finding grouped_channels_last(const Call& call) {
  if (!call.on_a5() || call.groups <= 1 || call.data_format != "NDHWC") return std::nullopt;
  return text("groups is ", call.groups, "; on Ascend950 dataFormat \"NDHWC\" requires 1");
}

Finding channels_do_not_fit(const Call& call) {
  if (Finding finding = channels_differ(call)) return finding;
  if (Finding finding = not_in_groups(call, call.out_backprop, 'C')) return finding;
  return output_channels_differ(call);
}

Finding empty_dimension(const Call& call) {
  return first_of_tensors(call, [](const Argument<Tensor>& tensor) -> Finding {
    if (!tensor.value || tensor.value->view_shape.empty()) return std::nullopt;
    if (std::ranges::min(tensor.value->view_shape) >= 1) return std::nullopt;
    return text(tensor.name, " has shape ", words(tensor.value->view_shape),
                "; every length must be >= 1");
  });
}

Finding stride_beyond_filter(const Call& call) {
  const auto stride = value(call, call.strides, 'D'), filter = length(call.filter, 'D');
  if (call.on_a5() || !stride || !filter || *stride <= *filter) return std::nullopt;
  return text("strides has ", *stride, " for axis D; axis D of filter has ", *filter,
              " positions, which should not be fewer");
}

Finding beyond_the_chip(const Call& call) {
  constexpr std::int64_t plane_limit = 4'294'967'295, reach_limit = 2'147'483'647;
  const auto height = length(call.feature, 'H'), width = length(call.feature, 'W');
  if (height && width && *height >= 1 && *width >= 1) {
    const auto plane = (Checked(*height) * *width).value();
    if (!plane || *plane > plane_limit) {
      return text("y has ", *height, " * ", *width,
                  " positions in a plane; it should have at most ", plane_limit);
    }
  }
  for (const char name : spatial_axes) {
    const auto axis = spatial_axis(call, name);
    if (!axis) continue;
    const auto reach = (Checked(axis->sizes.small) * axis->stride).value();
    if (reach && *reach <= reach_limit) continue;
    return text("axis ", name, " of outBackprop has ", axis->sizes.small, " positions at stride ",
                axis->stride, "; their product should be at most ", reach_limit);
  }
  return std::nullopt;
}

Finding dilation_without_effect(const Call& call) {
  for (const char name : spatial_axes) {
    const auto dilation = value(call, call.dilations, name);
    if (length(call.filter, name) != 1 || !dilation || *dilation == 1) continue;
    return text("axis ", name, " of filter has 1 position; its dilation ", *dilation,
                " is taken as 1");
  }
  return std::nullopt;
}

constexpr GraphRule input_rows[] = {
    {"G-01", "supported products", refused, refused, unsupported_product, true},
    {"G-02", "parameter input_size", refused, refused, size_differs},
    {"G-03", "shape of filter, out_backprop, y", refused, refused,
     [](const Call& call) { return first_of_tensors(call, not_five_axes); }},
    {"G-04", "dtype of filter, out_backprop, y", refused, refused, different_dtypes},
    {"G-05", "dtype of filter, out_backprop, y", refused, refused, unknown_dtype},
    {"G-06", "attribute data_format", refused, refused, wrong_data_format},
    {"G-07", "table of dtypes and formats", refused, refused, no_row_of_the_table},
    {"G-08", "constraints of Ascend 950", refused, permitted, grouped_channels_last},
    {"G-09", "parameter filter", refused, refused, filter_plane_outside},
    {"G-10", "attribute strides", refused, refused, strides_outside},
    {"G-11", "attribute pads", refused, refused, pads_outside},
    {"G-12", "attribute dilations", refused, refused, dilations_outside},
    {"G-13", "attribute groups", refused, refused, groups_outside},
    {"G-14", "channels of filter, out_backprop, y", refused, refused, channels_do_not_fit},
    {"G-15", "batch of out_backprop", refused, refused, batches_differ},
    {"G-16", "relation of the sizes", refused, refused, sizes_differ},
    {"G-17", "shape of filter, out_backprop, y", refused, refused, empty_dimension},
    {"G-18", "limits of the device", permitted, refused, stride_beyond_filter},
    {"G-19", "limits of the device", permitted, refused, beyond_the_chip},
    {"G-20", "attribute groups", permitted, permitted, ratio_taken_as_groups},
    {"G-21", "attribute dilations", permitted, permitted, dilation_without_effect},
};

}  // namespace

Rules input_rules() { return input_rows; }

}  // namespace gradproof::kernel::api::graph_checks
