#include "properties/cases/museum/museum.h"

#include <array>
#include <vector>

#include "properties/cases/museum/triggers.h"

namespace gradproof::cases {
namespace {

using namespace triggers;

constexpr std::string_view counted_as_empty = "an empty call: counted among those of no elements";

constexpr std::array museum_rows{
    MuseumRow{.thread = "pytorch/pytorch#50042",
              .library = "oneDNN in PyTorch 1.7",
              .mistake = "dw of a depthwise layer of 24 channels with stride 2 lacks the last row "
                         "of taps; 23 and 25 channels are right",
              .fault = "museum_depthwise_24_loses_the_last_row_of_taps_in_dw",
              .triggers = depthwise_24},
    MuseumRow{.thread = "pytorch/pytorch#68868",
              .library = "oneDNN in PyTorch 1.10",
              .mistake = "dw of a 3D layer in groups is wrong where the stride is longer than the "
                         "kernel",
              .fault = "museum_grouped_3d_with_stride_above_the_kernel_loses_a_plane_in_dw",
              .triggers = grouped_3d_stride_4},
    MuseumRow{.thread = "uxlfoundation/oneDNN#542",
              .library = "oneDNN 0.x",
              .mistake = "dx of a 5x5 kernel with stride 3 is wrong at the right edge of the map",
              .fault = "museum_kernel_5_s3_loses_the_right_edge_in_dx",
              .triggers = kernel_5_s3},
    MuseumRow{.thread = "fujitsu/oneDNN#43",
              .library = "oneDNN 1.6 on aarch64",
              .mistake = "dx with a stride is wrong for more than 16 channels on maps narrower "
                         "than 17",
              .fault = "museum_narrow_maps_of_many_channels_with_stride_lose_a_column_in_dx",
              .triggers = narrow_map_of_many_channels},
    MuseumRow{.thread = "uxlfoundation/oneDNN#4124",
              .library = "oneDNN 3.7 to 3.9, SVE of 256 bits",
              .mistake = "dw of a depthwise layer of whole vectors with stride 2 misses rows at "
                         "the padding; the library's own test did not see it",
              .fault = "museum_depthwise_in_vectors_of_8_skips_the_padded_row_in_dw",
              .triggers = depthwise_in_vectors_of_8},
    MuseumRow{.thread = "uxlfoundation/oneDNN#4074",
              .library = "oneDNN on aarch64",
              .mistake = "dw of a kernel of one column with stride 2 and padding 2 is wrong",
              .fault = "museum_columns_of_kernel_width_1_with_padding_2_skip_a_row_in_dw",
              .triggers = kernel_width_1_padding_2},
    MuseumRow{.thread = "uxlfoundation/oneDNN#6035",
              .library = "oneDNN 3.14, channels last",
              .mistake = "dw of a 1x1 kernel with stride 2 reads other elements than its own "
                         "where the channels do not fill a block",
              .fault = "museum_path_1x1_s2_reads_neighbours_below_a_block_of_channels_in_dw",
              .triggers = below_a_block_1x1_s2},
    MuseumRow{.thread = "pytorch/pytorch#63314",
              .library = "PyTorch on CPU, transposed",
              .mistake = "dx of a transposed 1x1 kernel with stride 2 reads the wrong index",
              .fault = "museum_transposed_1x1_s2_reads_neighbours_in_dx",
              .triggers = transposed_1x1_s2},
    MuseumRow{.thread = "pytorch/pytorch#5112",
              .library = "PyTorch on CPU, transposed",
              .mistake = "a transposed layer with dilation and output padding dies on a map of one "
                         "element",
              .fault = "museum_transposed_map_of_1_with_dilation_dies",
              .triggers = transposed_map_of_1_dilated},
    MuseumRow{.thread = "pytorch/pytorch#51430",
              .library = "torch.nn.grad",
              .mistake = "dw of a layer in groups takes the wrong channel",
              .fault = "museum_groups_read_channels_in_reverse_in_dw",
              .triggers = grouped_channels},
    MuseumRow{.thread = "pytorch/pytorch#80766",
              .library = "PyTorch's derivative formulas",
              .mistake = "the attribute transposed is lost on the way",
              .fault = "museum_transposed_forgotten_where_shapes_allow_it",
              .triggers = transposed_with_equal_shapes},
    MuseumRow{.thread = "apache/mxnet#15464",
              .library = "oneDNN in MXNet 1.5",
              .mistake = "db is wrong unless dw is asked for too",
              .fault = "museum_bias_wrong_without_the_weight",
              .triggers = bias_without_weight},
    MuseumRow{.thread = "ROCm/rocm-libraries#7732",
              .library = "Composable Kernel, 2026",
              .mistake = "dx of a 2D layer stays zero between the strides where the stride is "
                         "above the dilation",
              .fault = "museum_stride_above_dilation_leaves_rows_zero_in_dx",
              .triggers = stride_above_dilation},
    MuseumRow{.thread = "ROCm/composable_kernel#105",
              .library = "Composable Kernel",
              .mistake = "dx of a 1x1 kernel with stride 2 is wrong between the strides",
              .fault = "museum_path_1x1_s2_fills_the_holes_in_dx",
              .triggers = kernel_1_s2},
    MuseumRow{.thread = "ROCm/composable_kernel#2478",
              .library = "Composable Kernel",
              .mistake = "dw of a 1x1 kernel in groups of even channels lands in other groups",
              .fault = "museum_grouped_path_1x1_of_even_channels_turns_groups_around_in_dw",
              .triggers = grouped_1x1_even},
    MuseumRow{.thread = "ROCm/composable_kernel#40",
              .library = "Composable Kernel, split sums",
              .mistake = "dw loses the short last piece of a sum that is cut in pieces",
              .fault = "museum_split_sums_lose_the_short_last_piece_in_dw",
              .triggers = short_last_piece},
    MuseumRow{.thread = "ROCm/MIOpen#575",
              .library = "MIOpen",
              .mistake = "dx loses taps of kernels of 4 and 7 with stride 3: a remainder where the "
                         "quotient is to be rounded up",
              .fault = "museum_taps_of_kernel_3n_plus_1_with_stride_3_lost_in_dx",
              .triggers = kernel_3n_plus_1_s3},
    MuseumRow{.thread = "ROCm/MIOpen#1495",
              .library = "MIOpen",
              .mistake = "dx of a 1x1 kernel takes its stride from the sizes of the maps",
              .fault = "museum_stride_of_1x1_taken_from_the_sizes_in_dx",
              .triggers = sizes_hide_the_stride},
    MuseumRow{.thread = "ROCm/rocMLIR#307",
              .library = "rocMLIR",
              .mistake = "dx with stride 2 reads one output too many at the end",
              .fault = "museum_stride_2_reads_one_output_too_many_in_dx",
              .triggers = stride_2},
    MuseumRow{.thread = "flagos-ai/FlagGems#1576",
              .library = "FlagGems, 2026",
              .mistake = "dx does not write the rows that no output reads",
              .fault = "museum_unread_rows_not_written_in_dx",
              .triggers = unread_elements},
    MuseumRow{.thread = "huggingface/candle#2337",
              .library = "candle",
              .mistake = "a transposed layer's gradient has stride and dilation exchanged",
              .fault = "museum_transposed_exchanges_stride_and_dilation",
              .triggers = transposed_strided},
    MuseumRow{.thread = "tiny-dnn/tiny-dnn#326",
              .library = "tiny-dnn",
              .mistake = "dw forgets the stride in an index",
              .fault = "museum_stride_forgotten_in_rows_of_dw",
              .triggers = fully_strided_dw},
    MuseumRow{.thread = "mlpack/mlpack#2986",
              .library = "mlpack 3",
              .mistake = "dx of a 3x3 kernel with stride 2 is shifted on maps that do not divide",
              .fault = "museum_kernel_3_s2_of_maps_that_do_not_divide_is_shifted_in_dx",
              .triggers = kernel_3_s2_unread},
    MuseumRow{.thread = "tensorflow/tensorflow#57401",
              .library = "TensorFlow 2.9",
              .mistake = "an empty call is not written",
              .fault = "empty_grad_weight_left_unwritten",
              .why_no_trigger = counted_as_empty},
    MuseumRow{.thread = "tensorflow/tensorflow#57980",
              .library = "TensorFlow",
              .mistake = "tensors whose ranks disagree are accepted",
              .fault = "rule_rank_02_missing",
              .why_no_trigger = "an illegal call: counted with the sides of rule RANK-02"},
    MuseumRow{.thread = "pytorch/pytorch#12484",
              .library = "PyTorch on CPU",
              .mistake = "a NaN operand is dropped",
              .fault = "nan_operands_read_as_zero",
              .why_no_trigger = "depends on the data: recipe special"},
    MuseumRow{.thread = "Theano/Theano#4220",
              .library = "Theano, cuDNN",
              .mistake = "dx adds to memory that was not cleared",
              .fault = "sums_of_dx_not_cleared",
              .triggers = any_grad_input},
    MuseumRow{.thread = "Theano/Theano#6435",
              .library = "cuDNN 7, half",
              .mistake = "a second call adds to what the first one left in the output",
              .fault = "results_added_to_what_was_there",
              .triggers = any_grad_input},
    MuseumRow{.thread = "soumith/cudnn.torch#274",
              .library = "cuDNN 5",
              .mistake = "results differ from call to call",
              .fault = "order_of_sums_changes_from_call_to_call",
              .triggers = any_long_grad_input},
    MuseumRow{.thread = "ROCm/MIOpen#97",
              .library = "MIOpen",
              .mistake = "a transposed layer with padding has a wrong gradient",
              .fault = "museum_padding_of_transposed_taken_twice_in_h",
              .triggers = transposed_padded},
    MuseumRow{.thread = "ROCm/composable_kernel#1031",
              .library = "Composable Kernel, 8-bit floats",
              .mistake = "dx of 64 channels is less exact than of 16",
              .fault = "museum_sums_of_64_channels_and_more_kept_in_float16_in_dx",
              .triggers = many_summed_channels},
    MuseumRow{.thread = "apache/tvm#8087",
              .library = "TVM",
              .mistake = "dx of a transposed 1x1 kernel with stride 2 and output padding takes the "
                         "wrong index",
              .fault = "museum_transposed_1x1_s2_with_output_padding_is_shifted_in_dx",
              .triggers = transposed_1x1_output_padding},
};

}  // namespace

std::span<const MuseumRow> museum() {
  static const std::vector<MuseumRow> all = [] {
    std::vector<MuseumRow> rows(museum_rows.begin(), museum_rows.end());
    const auto mends = ascend_mends();
    rows.insert(rows.end(), mends.begin(), mends.end());
    return rows;
  }();
  return all;
}

}  // namespace gradproof::cases
