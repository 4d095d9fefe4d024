#include "properties/cases/museum/triggers.h"

#include <algorithm>

namespace gradproof::cases::triggers {
namespace {

using corpus::Case;
using corpus::OutputRole;

const SpatialAxis& width(const Convolution& sizes) { return sizes.axes.back(); }

/// The rows of a call that has some; of 1D the only axis.
const SpatialAxis& height(const Convolution& sizes) {
  return sizes.axes[sizes.axes.size() < 2 ? 0 : sizes.axes.size() - 2];
}

bool asks_dx(const Case& test_case) { return is_requested(test_case, OutputRole::GradInput); }
bool asks_dw(const Case& test_case) { return is_requested(test_case, OutputRole::GradWeight); }

bool is_depthwise(const Convolution& sizes) {
  return sizes.groups > 1 && sizes.big_channels_per_group == 1;
}

template <typename Holds>
bool any_axis(const Convolution& sizes, Holds&& holds) {
  return std::ranges::any_of(sizes.axes, holds);
}
template <typename Holds>
bool all_axes(const Convolution& sizes, Holds&& holds) {
  return std::ranges::all_of(sizes.axes, holds);
}

bool is_pointwise(const Convolution& sizes) {
  return all_axes(sizes, [](const SpatialAxis& axis) { return axis.kernel == 1; });
}

bool is_1_s2(const SpatialAxis& axis) {
  return axis.kernel == 1 && axis.stride == 2 && axis.padding_begin == 0;
}

std::int64_t terms_of_dw(const Convolution& sizes) {
  std::int64_t terms = sizes.batch;
  for (const SpatialAxis& axis : sizes.axes) terms *= small_length(axis);
  return terms;
}

}  // namespace

bool depthwise_24(const Case& test_case, const Convolution& sizes) {
  return asks_dw(test_case) && is_depthwise(sizes) && sizes.groups == 24 &&
         height(sizes).stride == 2 && height(sizes).kernel > 1;
}

bool depthwise_in_vectors_of_8(const Case& test_case, const Convolution& sizes) {
  return asks_dw(test_case) && is_depthwise(sizes) && sizes.groups % 8 == 0 &&
         height(sizes).stride == 2 && height(sizes).kernel > 1 && height(sizes).padding_begin > 0;
}

bool kernel_width_1_padding_2(const Case& test_case, const Convolution& sizes) {
  return asks_dw(test_case) && sizes.axes.size() > 1 && width(sizes).kernel == 1 &&
         height(sizes).kernel > 1 && height(sizes).stride == 2 && height(sizes).padding_begin == 2;
}

bool grouped_channels(const Case& test_case, const Convolution& sizes) {
  return asks_dw(test_case) && sizes.groups > 1 && sizes.big_channels_per_group > 1;
}

bool grouped_3d_stride_4(const Case& test_case, const Convolution& sizes) {
  return sizes.axes.size() == 3 && grouped_channels(test_case, sizes) &&
         sizes.axes[0].stride > sizes.axes[0].kernel && small_length(sizes.axes[0]) > 1;
}

bool grouped_1x1_even(const Case& test_case, const Convolution& sizes) {
  const bool is_even =
      sizes.big_channels_per_group % 2 == 0 || sizes.small_channels_per_group % 2 == 0;
  return asks_dw(test_case) && sizes.groups > 1 && is_even && is_pointwise(sizes) &&
         all_axes(sizes, [](const SpatialAxis& axis) {
           return axis.stride == 1 && axis.padding_begin == 0;
         });
}

bool short_last_piece(const Case& test_case, const Convolution& sizes) {
  constexpr std::int64_t piece = 64, short_piece = 8, least = 128;
  const std::int64_t terms = terms_of_dw(sizes);
  return asks_dw(test_case) && terms > least && terms % piece != 0 && terms % piece <= short_piece;
}

bool below_a_block_1x1_s2(const Case& test_case, const Convolution& sizes) {
  constexpr std::int64_t block = 8;
  return asks_dw(test_case) && sizes.big_channels_per_group < block && is_1_s2(width(sizes)) &&
         small_length(width(sizes)) > 1;
}

bool fully_strided_dw(const Case& test_case, const Convolution& sizes) {
  return asks_dw(test_case) && any_axis(sizes, [](const SpatialAxis& axis) {
           return axis.stride > 1 && small_length(axis) > 1;
         });
}

bool kernel_5_s3(const Case& test_case, const Convolution& sizes) {
  return !sizes.transposed && asks_dx(test_case) && width(sizes).kernel == 5 &&
         width(sizes).stride == 3 && width(sizes).big > 3 && width(sizes).big % 3 != 0;
}

bool narrow_map_of_many_channels(const Case& test_case, const Convolution& sizes) {
  constexpr std::int64_t channels = 16, narrow = 17;
  return !sizes.transposed && asks_dx(test_case) && width(sizes).stride > 1 &&
         sizes.big_channels_per_group > channels && width(sizes).big < narrow;
}

bool stride_above_dilation(const Case& test_case, const Convolution& sizes) {
  return !sizes.transposed && asks_dx(test_case) && sizes.groups == 1 && sizes.axes.size() == 2 &&
         any_axis(sizes, [](const SpatialAxis& axis) {
           return axis.stride > axis.dilation && axis.kernel > 1;
         });
}

bool kernel_1_s2(const Case& test_case, const Convolution& sizes) {
  return !sizes.transposed && asks_dx(test_case) &&
         any_axis(sizes, [](const SpatialAxis& axis) { return is_1_s2(axis) && axis.big > 1; });
}

bool kernel_3n_plus_1_s3(const Case& test_case, const Convolution& sizes) {
  return !sizes.transposed && asks_dx(test_case) && any_axis(sizes, [](const SpatialAxis& axis) {
    return axis.stride == 3 && axis.kernel > 3 && axis.kernel % 3 == 1;
  });
}

bool sizes_hide_the_stride(const Case& test_case, const Convolution& sizes) {
  return !sizes.transposed && asks_dx(test_case) && any_axis(sizes, [](const SpatialAxis& axis) {
    return axis.kernel == 1 && axis.stride > 1 && small_length(axis) > 1 &&
           axis.big / small_length(axis) != axis.stride;
  });
}

bool stride_2(const Case& test_case, const Convolution& sizes) {
  return !sizes.transposed && asks_dx(test_case) &&
         any_axis(sizes, [](const SpatialAxis& axis) { return axis.stride == 2; });
}

bool unread_elements(const Case& test_case, const Convolution& sizes) {
  return !sizes.transposed && asks_dx(test_case) &&
         any_axis(sizes, [](const SpatialAxis& axis) { return unread_length(axis) > 0; });
}

bool kernel_3_s2_unread(const Case& test_case, const Convolution& sizes) {
  return !sizes.transposed && asks_dx(test_case) && any_axis(sizes, [](const SpatialAxis& axis) {
    return axis.kernel == 3 && axis.stride == 2 && unread_length(axis) == 1;
  });
}

bool many_summed_channels(const Case& test_case, const Convolution& sizes) {
  constexpr std::int64_t many = 64;
  return asks_dx(test_case) && sizes.small_channels_per_group >= many;
}

bool any_grad_input(const Case& test_case, const Convolution&) { return asks_dx(test_case); }

bool any_long_grad_input(const Case& test_case, const Convolution& sizes) {
  return asks_dx(test_case) && sizes.small_channels_per_group > 1;
}

bool transposed_1x1_s2(const Case& test_case, const Convolution& sizes) {
  return sizes.transposed && asks_dx(test_case) && any_axis(sizes, [](const SpatialAxis& axis) {
           return is_1_s2(axis) && small_length(axis) > 1;
         });
}

bool transposed_map_of_1_dilated(const Case& test_case, const Convolution& sizes) {
  return sizes.transposed && asks_dx(test_case) && any_axis(sizes, [](const SpatialAxis& axis) {
           return axis.kernel == 3 && axis.dilation == 2 && small_length(axis) == 1 &&
                  unread_length(axis) > 0;
         });
}

bool transposed_with_equal_shapes(const Case& test_case, const Convolution& sizes) {
  return sizes.transposed && sizes.groups == 1 && sizes.small_shape() == sizes.big_shape() &&
         (asks_dx(test_case) || asks_dw(test_case)) && terms_of_dw(sizes) > 1;
}

bool transposed_strided(const Case& test_case, const Convolution& sizes) {
  return sizes.transposed && (asks_dx(test_case) || asks_dw(test_case)) &&
         any_axis(sizes,
                  [](const SpatialAxis& axis) { return axis.stride == 2 && axis.dilation == 1; });
}

bool transposed_padded(const Case& test_case, const Convolution& sizes) {
  return sizes.transposed && (asks_dx(test_case) || asks_dw(test_case)) &&
         any_axis(sizes, [](const SpatialAxis& axis) { return axis.padding_begin > 0; });
}

bool transposed_1x1_output_padding(const Case& test_case, const Convolution& sizes) {
  return sizes.transposed && asks_dx(test_case) && any_axis(sizes, [](const SpatialAxis& axis) {
           return axis.kernel == 1 && axis.stride > 1 && unread_length(axis) > 0;
         });
}

bool bias_without_weight(const Case& test_case, const Convolution&) {
  return is_requested(test_case, OutputRole::GradBias) && !asks_dw(test_case);
}

}  // namespace gradproof::cases::triggers
