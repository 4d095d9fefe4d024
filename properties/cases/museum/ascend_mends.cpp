#include "properties/cases/museum/museum.h"

#include <array>

#include "properties/cases/museum/triggers.h"

namespace gradproof::cases {
namespace {

using namespace triggers;

constexpr std::string_view in_winograd_layers =
    "layers for Winograd's dw are generated where a profile admits it";
constexpr std::string_view breaks_a_rule = "a call that breaks a rule: counted among these";

constexpr std::string_view is_forward =
    "a forward call, generated where --api asks for it; a share of its lines is cut like that";

/// A mend of one call that triggers it.
constexpr MuseumRow mend(std::string_view commit, std::string_view mistake, std::string_view fault,
                         triggers::Trigger* triggers) {
  return {.thread = commit,
          .library = "CANN, 2026",
          .mistake = mistake,
          .fault = fault,
          .triggers = triggers};
}
constexpr MuseumRow mend_without_trigger(std::string_view commit, std::string_view mistake,
                                         std::string_view fault, std::string_view why) {
  return {.thread = commit,
          .library = "CANN, 2026",
          .mistake = mistake,
          .fault = fault,
          .why_no_trigger = why};
}

constexpr std::array mends{
    mend("hicann/ops-nn@7b9558204",
         "dw of a 1x1 layer is handed to a matrix product though one of the last three of six "
         "paddings is there",
         "ascend_1x1_by_matmul_forgets_the_last_paddings_in_dw",
         one_by_one_padded_at_the_last_sides),
    mend("hicann/ops-nn@64a271e13",
         "a 1D layer whose kernel is the map is refused on products that lack the path for it",
         "ascend_1d_kernel_as_long_as_the_map_refused", map_as_long_as_the_kernel_in_1d),
    mend("hicann/ops-nn@48a1e4d14",
         "a backward padding below zero on the right is replaced by another formula's",
         "ascend_negative_right_backward_padding_moves_dx", negative_right_backward_padding),
    mend("hicann/ops-nn@8039fcfe5",
         "dw of groups that are whole blocks of 16 takes the way of joined groups and dies",
         "ascend_groups_of_whole_blocks_die_in_dw", groups_of_whole_blocks),
    mend("hicann/ops-nn@3a2821471",
         "dx is wrong at the bottom where the backward padding there is above 255",
         "ascend_bottom_backward_padding_above_255_loses_rows_in_dx",
         bottom_backward_padding_above_255),
    mend("hicann/ops-nn@3e86f11c2",
         "windows of a depthwise layer that lie wholly in the padding read the map",
         "ascend_depthwise_windows_in_the_padding_read_the_map", depthwise_windows_in_the_padding),
    mend("hicann/ops-nn@e276947bd",
         "zeros of dx are 0 times what the accumulator held, which may be infinite",
         "ascend_zeros_are_0_times_the_accumulator_in_dx", results_without_products),
    mend("hicann/ops-nn@ce686b184", "the accumulator of large kernels is not cleared in dw",
         "ascend_sums_of_large_kernels_not_cleared_in_dw", large_kernel),
    mend("hicann/ops-nn@b2f65e793",
         "the last core takes its own number of samples for the share of every core",
         "ascend_last_core_takes_its_share_for_that_of_all", samples_that_cores_share),
    mend("hicann/ops-nn@f4ad97f33", "channels of a core are rounded up to 16 on one side alone",
         "ascend_channels_of_the_second_core_shifted_in_dx", channels_that_cores_share),
    mend("hicann/ops-nn@d0ee860fe", "a FLOAT16 call without padding uses that of the call before",
         "ascend_padding_of_the_call_before_in_float16", unpadded_float16),
    mend("hicann/asc-devkit@982c66c14",
         "operands of 8 bits are read in the format of the call before",
         "ascend_float8_read_as_hifloat8_after_a_hifloat8_call", eight_bit_operands),
    mend("hicann/ops-nn@f32a8763d",
         "the split of the kernel and the cut on the left both move the first column of dx",
         "ascend_split_kernel_cuts_the_left_twice_in_dx", split_kernel_cut_on_the_left),
    mend("hicann/ops-nn@767c43f75",
         "odd columns of dx are cut by the whole kernel's length instead of the sub-kernel's",
         "ascend_sub_kernels_cut_odd_columns_twice_in_dx", split_columns_cut_on_the_left),
    mend("hicann/ops-nn@1a836b6b8", "dx loses the tail of channels where sums are cut in segments",
         "ascend_cut_sums_lose_the_tail_of_channels_in_dx", cut_sums_with_a_channel_tail),
    mend_without_trigger(
        "hicann/ops-nn@2271deb6f", "Winograd's dw turns back whole blocks of 8 rows alone",
        "winograd_turns_back_rows_of_blocks_of_8_channels_alone", in_winograd_layers),
    mend_without_trigger("hicann/ops-nn@faac2cfc7",
                         "Winograd's dw has too few bits for the gap between rows",
                         "winograd_gap_between_channels_in_7_bits", in_winograd_layers),
    mend("hicann/ops-nn@d27a946af", "one key of the tiling has no branch: dx is not written",
         "ascend_tiling_key_without_a_branch_leaves_dx_unwritten", many_channels_on_910b),
    mend("hicann/ops-nn@179ab8a17", "dw of groups goes through FLOAT16 on its way to BFLOAT16",
         "ascend_grouped_bfloat16_through_float16_in_dw", grouped_bf16_weight),
    mend("hicann/ops-nn@8599cc6ef",
         "partial sums of dx have the type of the output between taps of the depth",
         "ascend_partial_sums_of_depth_taps_in_bfloat16_in_dx", several_depth_taps_of_16_bits),
    mend("hicann/ops-nn@af7f9fe98",
         "dw of few channels and many positions no longer fits after it was cut, and dies",
         "ascend_few_channels_and_many_positions_die_in_dw", few_channels_of_many_positions),
    mend("hicann/ops-nn@ba39b9aa5", "weights and partial sums of dx begin at the same address",
         "ascend_weights_of_later_segments_overwritten_in_dx", cut_sums_with_gaps_along_depth),
    mend("hicann/ops-nn@141d3f2f3", "a listed shape keeps a flag of the call before",
         "ascend_listed_shapes_keep_a_flag_of_the_call_before", halved_rows_and_columns),
    mend("hicann/ops-nn@6710c02b4",
         "a list of shapes stores joined groups where the plan takes the caller's",
         "ascend_listed_shapes_take_joined_groups_for_groups_in_dx", halved_3x3_in_groups),
    mend_without_trigger("hicann/ops-nn@208b6da71",
                         "gradients of the TBC operator may have another dtype than their inputs",
                         "ascend_tbc_gradients_of_another_dtype_accepted", breaks_a_rule),
    // Not mended: the commit still has it.
    mend_without_trigger(
        "hicann/ops-nn@32316b35e",
        "a forward line of one channel loses its bias where the stride is the kernel and above 63",
        "released_bias_lost_of_a_line_in_long_pieces", is_forward),
};

}  // namespace

std::span<const MuseumRow> ascend_mends() { return mends; }

}  // namespace gradproof::cases
