// Keys of arguments in every notation, and the parts of a call that they name.

#include <map>

#include "properties/advice/logs/call_table.h"
#include "properties/advice/logs/scan.h"

namespace gradproof::advice {
namespace {

// Each row: a part of a call, then its keys in any notation; those of one axis are pairs.
constexpr std::string_view role_rows = R"(
input input inputs input_tensor x data lhs input_size input_sizes input_shape inp source x_desc dx_desc batch_input_shape batch_shape
weight weight weights filter_tensor wei w filter rhs weight_size weight_shape filter_size filter_sizes filter_shape w_desc dw_desc
grad_output grad_output dst grad_out out_backprop dy grad grad_output_size grad_output_shape y_desc dy_desc
kernel kernel_size kernel_shape kernel size ksize
stride stride strides window_strides window_stride subsample conv_stride subsampling
padding padding pad pads paddings pre_padding pads_begin start_padding pad_amount
ends post_padding pads_end end_padding
batch batch_size batch
size.h height in_h ih
size.w width in_w iw
dilation dilation dilations dilation_rate rhs_dilation rhs_dilate kernel_dilation dilation_factor dil
lhs_dilation lhs_dilation lhs_dilate input_dilation
groups groups group feature_group_count group_count num_group num_groups ngroups
batch_groups batch_group_count
output_padding output_padding out_padding adj padding_out
transposed transposed
bias bias use_bias bias_attr has_bias
bias_sizes bias_sizes bias_sizes_opt
mask output_mask out_mask
in in_channels in_channel input_channels ch_in
in_each group_input_channels kernel_channels
out_each group_output_channels
out out_channels out_channel filters features channels num_filter num_filters output_channels ch_out out_maps num_output_maps ocn
layout data_format data_layout layout in_layout input_layout
weight_layout kernel_layout filter_layout weight_layout fil_layout weights_layout
dim_labels dim_labels dim_numbers dimension_numbers
pad_mode pad_mode auto_pad padding_style
padding_mode padding_mode
reversal rhs_reversal window_reversal flip reverse
output output_shape
explicit explicit_paddings
dtype dtype dtypes data_type t param_dtype
cube_math_type cube_math_type
options descriptor forward_convolution_descriptor
)";

// Each row: a part that has a value for each axis, then what stands before the axis in its keys.
constexpr std::string_view axis_rows = R"(
kernel kernel filter fil
stride stride strides subsampling conv_stride
padding pad padding
output_padding out_pad output_pad output_padding
dilation dilation dil dilation_rate
size input image
)";

// An axis, at the end of a key; a side of it.
constexpr std::string_view axis_names =
    R"(.d:depth .h:height .w:width .d:inz .h:iny .w:inx .d:d .h:h .w:w)";
constexpr std::string_view side_names =
    R"(padding.h:top ends.h:bottom padding.w:left ends.w:right padding.d:front ends.d:back padding.h:t ends.h:b padding.w:l ends.w:r)";

// Keys that are names in prose as well: "input_size=[2, 3, 8, 8]".
constexpr std::string_view prose_names =
    R"(x_desc dx_desc w_desc dw_desc y_desc dy_desc batch_input_shape batch_shape inputs inp dst wei pads grad input input_size input_sizes input_shape weight weight_size weight_shape filter filter_size filter_shape grad_output stride strides pad padding paddings dilation dilations output_padding transposed groups group bias_sizes output_mask grad_output_shape weights grad_output_size)";

/// Small letters without what says nothing: underscores, "set" before and "nd" behind.
std::string plain_key(std::string_view key) {
  std::string plain = in_small_letters(key);
  std::erase(plain, '_');
  if (plain.starts_with("set")) plain.erase(0, 3);
  if (plain.ends_with("nd")) plain.resize(plain.size() - 2);
  return plain;
}

using RolesByKey = std::map<std::string, std::string, std::less<>>;

/// Keys of a part for one axis or one side of it: "stride_h", "strideInX", "padding_left".
void add_keys_of_axes(RolesByKey& all) {
  for (const std::string_view line : lines_of(axis_rows)) {
    const auto words = parts_between(line, " ");
    for (std::size_t i = 1; i < words.size(); ++i) {
      const auto add = [&](std::string_view row, bool is_side) {
        const std::size_t colon = row.find(':');
        const std::string_view axis = row.substr(colon + 1);
        if (words[0] == "size" && axis.size() == 1) return;  // "inputd" may be a name
        const std::string role =
            (is_side ? "" : std::string(words[0])) + std::string(row.substr(0, colon));
        for (const std::string_view more : {"", "factor"})
          all.emplace(plain_key(words[i]) + std::string(axis) + std::string(more), role);
      };
      for (const auto row : parts_between(axis_names, " ")) add(row, false);
      for (const auto row : parts_between(words[0] == "padding" ? side_names : "", " "))
        add(row, true);
    }
  }
}

const RolesByKey& roles_by_key() {
  static const auto by_key = [] {
    RolesByKey all;
    for (const std::string_view line : lines_of(role_rows)) {
      const auto words = parts_between(line, " ");
      for (std::size_t i = 1; i < words.size(); ++i) all.emplace(plain_key(words[i]), words[0]);
    }
    add_keys_of_axes(all);
    return all;
  }();
  return by_key;
}

}  // namespace

std::string_view role_of_key(std::string_view key) {
  const auto found = roles_by_key().find(plain_key(key.substr(0, 64)));
  return found == roles_by_key().end() ? std::string_view{} : found->second;
}

const std::vector<std::string>& known_keys() {
  static const std::vector<std::string> keys = [] {
    std::vector<std::string> all;
    for (const std::string_view line : lines_of(role_rows)) {
      const auto words = parts_between(line, " ");
      if (!words.empty()) all.insert(all.end(), words.begin() + 1, words.end());
    }
    return all;
  }();
  return keys;
}

std::string_view role_in_prose(std::string_view name) {
  static const auto names = [] {
    RolesByKey all;
    for (const std::string_view one : parts_between(prose_names, " "))
      all.emplace(plain_key(one), role_of_key(one));
    return all;
  }();
  constexpr std::size_t longest = 20;
  if (name.size() < 3 || name.size() > longest) return {};
  std::string plain = plain_key(name);
  for (const std::string_view suffix : {"descriptor", "desc", "tensor"}) {
    if (plain.size() > suffix.size() + 2 && plain.ends_with(suffix))
      plain.resize(plain.size() - suffix.size());
  }
  const auto found = names.find(plain);
  return found == names.end() ? std::string_view{} : found->second;
}

}  // namespace gradproof::advice
