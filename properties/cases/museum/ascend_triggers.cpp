#include "properties/cases/museum/triggers.h"

#include <algorithm>

#include "corpus/data_type_row.h"
#include "corpus/product_row.h"

namespace gradproof::cases::triggers {
namespace {

using corpus::Case;
using corpus::DataType;
using corpus::OutputRole;
using corpus::Product;

bool runs_on(const Case& test_case, Product product) {
  return corpus::product_of(test_case) == product;
}

bool is_dx_on_950(const Case& test_case) {
  return is_requested(test_case, OutputRole::GradInput) && runs_on(test_case, Product::Ascend950);
}
bool is_dw_on_950(const Case& test_case) {
  return is_requested(test_case, OutputRole::GradWeight) && runs_on(test_case, Product::Ascend950);
}

/// Columns, rows and planes; what a call lacks has length 1.
const SpatialAxis& axis_from_last(const Convolution& sizes, std::size_t from_last) {
  static const SpatialAxis missing;
  return from_last < sizes.axes.size() ? sizes.axes[sizes.axes.size() - 1 - from_last] : missing;
}
const SpatialAxis& columns_of(const Convolution& sizes) { return axis_from_last(sizes, 0); }
const SpatialAxis& rows_of(const Convolution& sizes) { return axis_from_last(sizes, 1); }
const SpatialAxis& planes_of(const Convolution& sizes) { return axis_from_last(sizes, 2); }

/// Paddings of an axis of dx, which is a convolution of the spread-out gradOutput.
std::int64_t backward_begin(const SpatialAxis& axis) {
  return (axis.kernel - 1) * axis.dilation - axis.padding_begin;
}
std::int64_t backward_end(const SpatialAxis& axis) {
  return (axis.kernel - 1) * axis.dilation - axis.padding_end + unread_length(axis);
}

bool is_one(const SpatialAxis& axis) {
  return axis.kernel == 1 && axis.stride == 1 && axis.dilation == 1;
}
bool is_halved(const SpatialAxis& axis) { return axis.stride == 2 && axis.kernel <= 4; }

template <typename Holds>
bool on_all(const Convolution& sizes, Holds holds) {
  return std::ranges::all_of(sizes.axes, holds);
}
template <typename Holds>
bool on_any(const Convolution& sizes, Holds holds) {
  return std::ranges::any_of(sizes.axes, holds);
}

constexpr std::int64_t block_of_channels = 16;

/// A sum of dx over more products of one kernel depth than an accumulator of Ascend950 takes.
bool has_cut_sums(const Case& test_case, const Convolution& sizes) {
  constexpr std::int8_t use_fp16 = 2;
  const bool is_float =
      test_case.grad_output->dtype == DataType::Float && test_case.cube_math_type != use_fp16;
  const std::int64_t longest = is_float ? 2'048 : 32'768;
  return is_dx_on_950(test_case) && !sizes.transposed &&
         sizes.small_channels_per_group * rows_of(sizes).kernel * columns_of(sizes).kernel >
             longest;
}

}  // namespace

bool one_by_one_padded_at_the_last_sides(const Case& test_case, const Convolution& sizes) {
  return is_dw_on_950(test_case) && on_all(sizes, is_one) && sizes.batch == 1 &&
         sizes.groups == 1 && planes_of(sizes).padding_begin == 0 &&
         rows_of(sizes).padding_begin == 0 &&
         (rows_of(sizes).padding_end > 0 || columns_of(sizes).padding_begin > 0 ||
          columns_of(sizes).padding_end > 0);
}

bool map_as_long_as_the_kernel_in_1d(const Case& test_case, const Convolution& sizes) {
  const SpatialAxis& axis = columns_of(sizes);
  return sizes.axes.size() == 1 && !runs_on(test_case, Product::Ascend910B) &&
         axis.kernel == axis.big && small_length(axis) == 1 && axis.padding_begin == 0 &&
         axis.dilation == 1 && sizes.groups == 1;
}

bool negative_right_backward_padding(const Case& test_case, const Convolution& sizes) {
  return is_dx_on_950(test_case) && !sizes.transposed && backward_end(columns_of(sizes)) < 0;
}

bool groups_of_whole_blocks(const Case& test_case, const Convolution& sizes) {
  return is_dw_on_950(test_case) && sizes.groups > 1 &&
         sizes.big_channels_per_group % block_of_channels == 0 &&
         sizes.small_channels_per_group % block_of_channels == 0;
}

bool bottom_backward_padding_above_255(const Case& test_case, const Convolution& sizes) {
  return is_dx_on_950(test_case) && !sizes.transposed && backward_end(rows_of(sizes)) > 255;
}

bool depthwise_windows_in_the_padding(const Case& test_case, const Convolution& sizes) {
  return is_requested(test_case, OutputRole::GradInput) && sizes.transposed && sizes.groups > 1 &&
         sizes.big_channels_per_group == 1 && backward_begin(columns_of(sizes)) < 0;
}

bool results_without_products(const Case& test_case, const Convolution& sizes) {
  return is_requested(test_case, OutputRole::GradInput) && !sizes.transposed &&
         on_any(sizes, [](const SpatialAxis& axis) {
           return unread_length(axis) > 0 || (axis.stride > axis.kernel && small_length(axis) > 1);
         });
}

bool large_kernel(const Case& test_case, const Convolution& sizes) {
  return is_requested(test_case, OutputRole::GradWeight) &&
         rows_of(sizes).kernel * columns_of(sizes).kernel >= 64;
}

bool samples_that_cores_share(const Case& test_case, const Convolution& sizes) {
  constexpr std::int64_t cores = 24;
  const std::int64_t share = (sizes.batch + cores - 1) / cores;
  return is_requested(test_case, OutputRole::GradInput) && sizes.transposed && share > 1 &&
         sizes.batch % share != 0;
}

bool channels_that_cores_share(const Case& test_case, const Convolution& sizes) {
  return is_requested(test_case, OutputRole::GradInput) && sizes.transposed &&
         sizes.small_channels_per_group > block_of_channels &&
         sizes.small_channels_per_group % block_of_channels != 0;
}

bool unpadded_float16(const Case& test_case, const Convolution& sizes) {
  return is_requested(test_case, OutputRole::GradInput) &&
         test_case.grad_output->dtype == DataType::Float16 &&
         on_all(sizes, [](const SpatialAxis& axis) { return axis.padding_begin == 0; });
}

bool eight_bit_operands(const Case& test_case, const Convolution&) {
  return corpus::is_8_bit_float(test_case.grad_output->dtype);
}

bool split_kernel_cut_on_the_left(const Case& test_case, const Convolution& sizes) {
  return is_dx_on_950(test_case) && !sizes.transposed && sizes.groups == 1 &&
         sizes.axes.size() > 1 && is_halved(rows_of(sizes)) && is_halved(columns_of(sizes)) &&
         backward_begin(columns_of(sizes)) < 0;
}

bool split_columns_cut_on_the_left(const Case& test_case, const Convolution& sizes) {
  return is_requested(test_case, OutputRole::GradInput) && !sizes.transposed &&
         sizes.axes.size() > 1 && rows_of(sizes).stride == 2 && columns_of(sizes).stride == 2 &&
         backward_begin(columns_of(sizes)) < 0;
}

bool cut_sums_with_a_channel_tail(const Case& test_case, const Convolution& sizes) {
  return has_cut_sums(test_case, sizes) && sizes.big_channels_per_group % block_of_channels != 0;
}

bool many_channels_on_910b(const Case& test_case, const Convolution& sizes) {
  return is_requested(test_case, OutputRole::GradInput) &&
         runs_on(test_case, Product::Ascend910B) && !sizes.transposed &&
         sizes.big_channels_per_group > block_of_channels &&
         rows_of(sizes).big * columns_of(sizes).big > block_of_channels;
}

bool grouped_bf16_weight(const Case& test_case, const Convolution& sizes) {
  return is_requested(test_case, OutputRole::GradWeight) &&
         !runs_on(test_case, Product::Ascend950) && sizes.groups > 1 &&
         test_case.grad_weight->dtype == DataType::BFloat16;
}

bool several_depth_taps_of_16_bits(const Case& test_case, const Convolution& sizes) {
  const bool is_short = corpus::size_bytes(test_case.grad_output->dtype) == 2;
  return is_requested(test_case, OutputRole::GradInput) && is_short && planes_of(sizes).kernel > 1;
}

bool few_channels_of_many_positions(const Case& test_case, const Convolution& sizes) {
  return is_dw_on_950(test_case) && sizes.big_channels_per_group <= 64 &&
         sizes.small_channels_per_group <= 64 && sizes.batch * small_length(planes_of(sizes)) < 8 &&
         small_length(rows_of(sizes)) * small_length(columns_of(sizes)) >= 1'024;
}

bool cut_sums_with_gaps_along_depth(const Case& test_case, const Convolution& sizes) {
  return has_cut_sums(test_case, sizes) && sizes.groups == 1 &&
         planes_of(sizes).stride > planes_of(sizes).kernel;
}

bool halved_rows_and_columns(const Case& test_case, const Convolution& sizes) {
  return is_dx_on_950(test_case) && !sizes.transposed && rows_of(sizes).stride == 2 &&
         columns_of(sizes).stride == 2;
}

bool halved_3x3_in_groups(const Case& test_case, const Convolution& sizes) {
  const auto is_3_s2 = [](const SpatialAxis& axis) { return axis.kernel == 3 && axis.stride == 2; };
  return is_requested(test_case, OutputRole::GradInput) && sizes.groups > 1 &&
         is_3_s2(rows_of(sizes)) && is_3_s2(columns_of(sizes));
}

}  // namespace gradproof::cases::triggers
