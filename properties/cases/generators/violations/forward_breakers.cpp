
#include "properties/cases/generators/frame.h"
#include "properties/cases/generators/violations/forward_breaks.h"
#include "properties/cases/generators/violations/operator_breakers.h"

namespace gradproof::cases {
namespace {

using corpus::Api;
using corpus::Case;
using corpus::DataType;
using corpus::Product;
using Frame = OperatorFrame;

// Which calls a rule can be broken in.

bool any_forward(const Frame& frame) { return corpus::is_forward(frame.api); }
bool convolution(const Frame& frame) { return frame.api == Api::Convolution; }
bool tbc(const Frame& frame) { return frame.api == Api::ConvTbc; }
bool depthwise(const Frame& frame) { return frame.api == Api::ConvDepthwise2d; }
bool maps(const Frame& frame) { return convolution(frame) || depthwise(frame); }
bool fixed(const Frame& frame) { return tbc(frame) || depthwise(frame); }
bool transposed(const Frame& frame) { return convolution(frame) && frame.transposed; }
bool straight(const Frame& frame) { return convolution(frame) && !frame.transposed; }
bool is_950(const Frame& frame) { return frame.product == Product::Ascend950; }
bool is_310p(const Frame& frame) { return frame.product == Product::Ascend310P; }
bool is_910b(const Frame& frame) { return is_second_generation(frame.product); }
bool has_8_bits(const Frame& frame) { return corpus::is_8_bit_float(frame.dtype); }
bool is_wide(const Frame& frame) { return corpus::is_wide_float(frame.dtype); }
bool volume(const Frame& frame) { return convolution(frame) && frame.rank == 5; }
bool straight_volume(const Frame& frame) { return volume(frame) && !frame.transposed; }

constexpr OperatorBreaker rows[] = {
    {"FW-PROD-01", any_forward, forward::move_elsewhere},
    {"FW-PROD-02",
     [](const Frame& frame) {
       return convolution(frame) && is_wide(frame) && (frame.rank != 4 || frame.transposed);
     },
     forward::move_to<Product::Ascend310B>},
    {"FW-PROD-03", [](const Frame& frame) { return volume(frame) && frame.transposed; },
     forward::move_to<Product::Ascend310P>},
    {"FW-PROD-04",
     [](const Frame& frame) { return straight_volume(frame) && frame.dtype == DataType::Float; },
     forward::move_to<Product::Ascend310P>},
    {"FW-NULL-01", any_forward, forward::drop_a_map},
    {"FW-NULL-02", maps, forward::drop_an_array},
    {"FW-NULL-03", transposed, forward::drop<&Case::output_padding>},
    {"FW-NULL-06", tbc, forward::drop<&Case::input>},
    {"FW-NULL-07", depthwise, forward::drop<&Case::kernel_size>},
    {"FW-DTYPE-01", any_forward, forward::take_odd_dtype},
    {"FW-DTYPE-02", any_forward, forward::take_odd_bias_dtype},
    {"FW-DTYPE-04", [](const Frame& frame) { return transposed(frame) && is_wide(frame); },
     forward::take_another_output_dtype},
    {"FW-DTYPE-05", [](const Frame& frame) { return fixed(frame) && is_wide(frame); },
     forward::take_another_dtype},
    {"FW-DTYPE-06", [](const Frame& frame) { return depthwise(frame) && is_wide(frame); },
     forward::take_another_bias_dtype},
    {"FW-F8-01",
     [](const Frame& frame) { return any_forward(frame) && is_950(frame) && !frame.transposed; },
     forward::mix_8_bits},
    {"FW-F8-02", [](const Frame& frame) { return transposed(frame) && has_8_bits(frame); },
     forward::mix_8_bits_of_transposed},
    {"FW-F8-03", [](const Frame& frame) { return transposed(frame) && has_8_bits(frame); },
     forward::add_a_bias},
    {"FW-RANK-01", any_forward, forward::change_a_rank},
    {"FW-FMT-01", maps, forward::take_odd_format},
    {"FW-FMT-02", tbc, forward::take_odd_format},
    {"FW-FMT-03", convolution, forward::take_odd_bias_format},
    {"FW-FMT-04", fixed, forward::take_odd_bias_format},
    {"FW-BIAS-01", any_forward, forward::change_bias_rank},
    {"FW-BIAS-02", any_forward, forward::lengthen_bias},
    {"FW-LEN-01", maps, forward::change_a_length},
    {"FW-LEN-02", maps, forward::change_padding_length},
    {"FW-LEN-03", transposed, forward::lengthen<&Case::output_padding>},
    {"FW-LEN-04", depthwise, forward::lengthen<&Case::kernel_size>},
    {"FW-STRIDE-01", maps, forward::put_last<&Case::stride, 0>},
    {"FW-DIL-01", maps, forward::put_last<&Case::dilation, 0>},
    {"FW-PAD-01", any_forward, forward::put_last<&Case::padding, -1>},
    {"FW-OPAD-01", transposed, forward::exceed_output_padding},
    {"FW-GRP-01", convolution, forward::take_odd_groups},
    {"FW-CH-01", straight, forward::add_input_channels},
    {"FW-CH-02", transposed, forward::deepen_the_weight},
    {"FW-CH-03", convolution, forward::divide_unevenly},
    {"FW-CH-04", depthwise, forward::widen_the_weight},
    {"FW-CH-05", depthwise, forward::change_kernel_size},
    {"FW-CH-06", tbc, forward::add_input_channels},
    {"FW-SHAPE-01", [](const Frame& frame) { return straight(frame) || depthwise(frame); },
     forward::exceed_the_map},
    {"FW-SHAPE-02", tbc, forward::exceed_the_map},
    {"FW-SHAPE-03", any_forward, forward::contradict_the_output},
    {"FW-SHAPE-04",
     [](const Frame& frame) { return any_forward(frame) && !(transposed(frame) && is_950(frame)); },
     forward::empty_the_kernel},
    {"FW-SHAPE-05", [](const Frame& frame) { return transposed(frame) && !is_950(frame); },
     forward::put<&Case::dilation, 255, 3>},
    {"FW-RANGE-01", [](const Frame& frame) { return transposed(frame) && is_910b(frame); },
     forward::put_kernel<256>},
    {"FW-RANGE-02", [](const Frame& frame) { return straight_volume(frame) && is_910b(frame); },
     forward::put_kernel<512>},
    {"FW-RANGE-03", [](const Frame& frame) { return straight(frame) && is_950(frame); },
     forward::put_kernel<512>},
    {"FW-RANGE-04",
     [](const Frame& frame) { return convolution(frame) && is_310p(frame) && frame.rank > 3; },
     forward::put_kernel<256>},
    {"FW-RANGE-05", [](const Frame& frame) { return volume(frame) && !is_950(frame); },
     forward::put<&Case::stride, 64>},
    {"FW-RANGE-06", [](const Frame& frame) { return straight_volume(frame) && is_950(frame); },
     forward::put<&Case::stride, 64>},
    {"FW-RANGE-07", [](const Frame& frame) { return volume(frame) && !is_950(frame); },
     forward::put_padding},
    {"FW-RANGE-08",
     [](const Frame& frame) { return straight(frame) && frame.rank < 5 && !is_950(frame); },
     forward::put_padding},
    {"FW-RANGE-09", [](const Frame& frame) { return straight_volume(frame) && is_950(frame); },
     forward::put_padding},
    {"FW-RANGE-10", [](const Frame& frame) { return transposed(frame) && !is_950(frame); },
     forward::put<&Case::dilation, 256>},
    {"FW-RANGE-11", [](const Frame& frame) { return straight_volume(frame) && !is_950(frame); },
     forward::put<&Case::dilation, 256>},
    {"FW-RANGE-12", [](const Frame& frame) { return straight_volume(frame) && is_950(frame); },
     forward::put<&Case::dilation, 256>},
    {"FW-RANGE-13", straight, forward::take_many_groups},
    {"FW-RANGE-14", [](const Frame& frame) { return convolution(frame) && !is_950(frame); },
     forward::take_many_samples},
    {"FW-RANGE-15", depthwise, forward::put<&Case::stride, 64>},
    {"FW-RANGE-16", [](const Frame& frame) { return depthwise(frame) && is_910b(frame); },
     forward::take_many_groups},
    {"FW-RANGE-17", tbc, forward::put_padding},
    {"FW-CUBE-01", any_forward, forward::take_odd_mode},
    {"FW-CUBE-02",
     [](const Frame& frame) {
       return any_forward(frame) && is_310p(frame) && frame.dtype == DataType::Float;
     },
     forward::put_mode<0>},
    {"FW-CUBE-04",
     [](const Frame& frame) { return any_forward(frame) && frame.dtype == DataType::BFloat16; },
     forward::put_mode<2>},
    {"FW-EMPTY-01", straight, forward::empty_the_channels},
    {"FW-EMPTY-02", transposed, forward::empty_the_channels},
    {"FW-EMPTY-03", [](const Frame& frame) { return transposed(frame) && is_950(frame); },
     forward::empty_the_channels},
};

}  // namespace

std::span<const OperatorBreaker> forward_breakers() { return rows; }
std::span<const OperatorBreaker> no_breakers() { return {}; }

}  // namespace gradproof::cases
