#include "properties/advice/logs/convention.h"

#include "properties/advice/explain/call_line.h"

namespace gradproof::properties {
namespace {

constexpr Convention rows[] = {
    {"module", "Conv2d(3, 64, kernel_size=(7, 7)), nn.Conv2DTranspose(in_channels=3, ...)",
     "in, out, kernel; transposed: the weight has in first. The input: the only tensor of the text "
     "that fits, or --input",
     "1 is none", "both ends alike",
     "PyTorch's defaults, with a bias. In PyTorch's snippet for cuDNN a third value for two axes "
     "is "
     "dropped",
     module_calls},
    {"cuDNN", "I! CuDNN ... function cudnnConvolutionBackwardData() called",
     "dimA is N, C, D, H, W whatever the memory format; the filter's C is that of one group",
     "1 is none", "both ends alike; CUDNN_CONVOLUTION flips the kernel and is not computed",
     "groupCount 1", cudnn_calls},
    {"ConvolutionParams", "ConvolutionParams, then padding = [1, 1, 0] and dimA = 2, 64, 8, 8",
     "as cuDNN", "1 is none", "both ends alike; a third value for two axes is dropped",
     "the message names no direction: all gradients", cudnn_parameter_calls},
    {"MIOpen", "miopenStatus_t miopenConvolutionBackwardData...(...){ and dyDesc = 1, 8, 4, 4",
     "N, C, H, W; convDesc is padding, stride, dilation, a pair each, H first", "1 is none",
     "both ends alike",
     "groups: input's channels over the weight's. Counts of algorithms may be unset variables",
     miopen_log_calls},
    {"MIOpenDriver", "MIOpenDriver conv -n 8 -c 64 -H 28 -W 28 -k 64 -y 3 -x 3 ...",
     "-c and -k are all channels, not those of a group; -y is the kernel's H, -x its W",
     "-l, -j: 1 is none", "-p is H, -q is W, both ends alike",
     "-l, -j, -g are 1; -F 2 asks for gradInput, 4 for gradWeight; other options are lacking",
     miopen_driver_calls},
    {"oneDNN", "onednn_verbose,...,convolution,... mb1_ic3oc64_ih224oh112kh7sh2dh0ph3_iw...",
     "ic and oc are all channels, not those of a group; deconvolution: ih is the smaller map",
     "dh0 is none: ours is one more",
     "ph is at the beginning; the end follows from oh, and may be larger", "g1", onednn_calls},
    {"benchdnn", "benchdnn --conv --dir=BWD_W --dt=f32 mb32ic4ih32oc8oh16kh1sh2ph0", "as oneDNN",
     "dh0 is none: ours is one more", "as oneDNN; left out: half of what oh asks for",
     "widths that equal the heights, mb2, g1, sh1, dh0, dt f32", benchdnn_calls},
    {"aten in XLA", "(f32[...], f32[...], f32[...]) aten::convolution_backward_overrideable(...)",
     "the results are gradInput, gradWeight, gradBias, so input and weight have the first two's "
     "shapes; {3,2,1,0} is the order in memory",
     "1 is none", "both ends alike", "gradOutput's shape where its definition is not in the text",
     xla_gradient_calls},
    {"HLO",
     "f32[...] convolution(f32[...] %x, f32[...] %w), window={...}, dim_labels=b01f_01io->b01f",
     "dim_labels say which axis is which; feature_group_count is groups", "rhs_dilate: 1 is none",
     "pad=1_2x1_2: beginning and end of each axis",
     "stride and dilation 1, padding 0. lhs_dilate, rhs_reversal, batch_group_count: a gradient "
     "that "
     "was lowered, not computed",
     xla_convolution_calls},
    {"printed arguments", "input_size=[2, 3, 8, 8], filter_size=[4, 3, 3, 3], stride=[1, 1]",
     "as ours; a filter may be printed before its division by groups: both readings are explained",
     "1 is none", "as ours",
     "dilation 1, FLOAT; stride and padding are lacking where they are not there", printed_calls},
};

}  // namespace

std::span<const Convention> conventions() { return rows; }

std::string FoundCall::line_of_words() const {
  constexpr std::string_view no_product = " soc:";
  std::string line = call_line(words, "");
  if (line.ends_with(no_product)) line.resize(line.size() - no_product.size());
  return line;
}

}  // namespace gradproof::properties
