#include <fmt/core.h>

#include <algorithm>

#include "oracle/rules/all.h"
#include "oracle/rules/forward_call.h"
#include "oracle/rules/messages.h"

namespace gradproof::oracle::rules {
namespace {

// Ranks, formats, lengths of arrays, and the shape of bias.

using namespace codes;
using corpus::Format;
using corpus::TensorCase;

std::string words_for_shapes(const Facts& facts) {
  std::string text;
  for (const ForwardTensor& named : maps_of(facts)) {
    if (named.tensor == nullptr) continue;
    text += fmt::format("{}{} has shape {}", text.empty() ? "" : ", ", named.name,
                        list_of(named.tensor->shape));
  }
  return text;
}

Standing ranks_are_the_calls(const Facts& facts) {
  const bool all_there = x_of(facts) && w_of(facts) && y_of(facts);
  return all_there ? met_if(rank_of(facts) != 0) : Standing::Undefined;
}

bool is_plain(const TensorCase& tensor) {
  switch (tensor.shape.size()) {
    case 3:
      return tensor.format == Format::Ncl;
    case 4:
      return tensor.format == Format::Nchw;
    case 5:
      return tensor.format == Format::Ncdhw;
    default:
      return true;  // the rank is another rule's
  }
}

ForwardTensor oddly_formatted(const Facts& facts) {
  if (is_tbc(facts)) {
    return first_map(facts, [](const TensorCase& tensor) {
      return tensor.format != Format::Nd && tensor.format != Format::Ncl;
    });
  }
  return first_map(facts, [](const TensorCase& tensor) { return !is_plain(tensor); });
}

/// True if the released library takes the formats beyond the documents: NDHWC of both maps, or a
/// weight that lies as the cube unit reads it.
bool is_taken_undocumented(const Facts& facts) {
  if (rank_of(facts) == 5 && (is_a23(facts) || is_old(facts))) {
    return x_of(facts)->format == Format::Ndhwc && y_of(facts)->format == Format::Ndhwc &&
           is_plain(*w_of(facts));
  }
  return is_310p(facts) && rank_of(facts) == 4 && is_plain(*x_of(facts)) &&
         is_plain(*y_of(facts)) && w_of(facts)->format == Format::FractalZ;
}

Consequence format_refused(const Facts& facts) {
  if (!is_taken_undocumented(facts)) return always_invalid(facts);
  return {invalid, success, {success_without_values, invalid, device_refuses}};
}

std::string words_for_format(const Facts& facts) {
  const ForwardTensor found = oddly_formatted(facts);
  return fmt::format("{} has rank {} and format {}", found.name, found.tensor->shape.size(),
                     corpus::name_of(found.tensor->format));
}

bool is_one_of_four(Format format) {
  return format == Format::Nd || format == Format::Ncl || format == Format::Nchw ||
         format == Format::Ncdhw;
}

Standing bias_has_a_format(const Facts& facts) {
  if (!b_of(facts)) return Standing::Undefined;
  const Format format = b_of(facts)->format;
  if (!is_one_of_four(format)) return Standing::Broken;
  return permitted_if(is_transposed(facts) && format != Format::Nd);
}

Consequence bias_format(const Facts& facts) {
  return is_one_of_four(b_of(facts)->format) ? legal_or_invalid(facts) : always_invalid(facts);
}

bool takes_bias_format(const Facts& facts) {
  const Format format = b_of(facts)->format;
  if (is_depthwise(facts)) return is_one_of_four(format);
  return format == Format::Nd || (format == Format::Ncl && !is_a5(facts));
}

Standing fixed_bias_has_a_format(const Facts& facts) {
  if (!b_of(facts)) return Standing::Undefined;
  if (!takes_bias_format(facts)) return Standing::Broken;
  return permitted_if(b_of(facts)->format != Format::Nd);
}

Consequence fixed_bias_format(const Facts& facts) {
  if (takes_bias_format(facts)) return legal_or_invalid(facts);
  if (is_tbc(facts) && is_a5(facts)) return always_invalid(facts);
  return {invalid, success, {success, invalid}};
}

std::string words_for_bias_format(const Facts& facts) {
  return fmt::format("bias has format {}", corpus::name_of(b_of(facts)->format));
}

Standing bias_is_a_vector(const Facts& facts) {
  return b_of(facts) ? met_if(b_of(facts)->shape.size() == 1) : Standing::Undefined;
}

/// The column of shapes admits [1, C, 1 ...] too (FD-10).
Consequence bias_rank_refused(const Facts& facts) {
  const auto& shape = b_of(facts)->shape;
  const bool is_spread =
      shape.size() >= 2 && shape.size() <= 5 && shape[0] == 1 &&
      shape[1] == output_channels(facts) &&
      std::all_of(shape.begin() + 2, shape.end(), [](auto length) { return length == 1; });
  if (!is_spread) return always_invalid(facts);
  return {invalid, invalid, {success, invalid}};
}

Standing bias_has_channels(const Facts& facts) {
  const auto channels = output_channels(facts);
  if (!b_of(facts) || b_of(facts)->shape.size() != 1 || !channels) return Standing::Undefined;
  return met_if(b_of(facts)->shape[0] == *channels);
}

std::string words_for_bias(const Facts& facts) {
  return fmt::format("bias has shape {}; output has {} channels", list_of(b_of(facts)->shape),
                     output_channels(facts).value_or(0));
}

Standing steps_have_lengths(const Facts& facts) {
  const std::size_t axes = axes_of(facts);
  if (axes == 0 || !facts.stride || !facts.dilation) return Standing::Undefined;
  return met_if(has_length(facts.stride, axes) && has_length(facts.dilation, axes));
}

Standing padding_has_a_length(const Facts& facts) {
  if (axes_of(facts) == 0 || !facts.padding) return Standing::Undefined;
  return met_if(padding_fits(facts));
}

Standing output_padding_has_a_length(const Facts& facts) {
  const std::size_t axes = axes_of(facts);
  if (axes == 0 || !is_transposed(facts) || !facts.output_padding) return Standing::Undefined;
  return met_if(has_length(facts.output_padding, axes));
}

Standing kernel_size_has_two(const Facts& facts) {
  const auto& size = facts.test_case.kernel_size;
  return size ? met_if(size->size() == 2) : Standing::Undefined;
}

Consequence kernel_size_length(const Facts& facts) {
  if (facts.test_case.kernel_size->size() < 2) return always_invalid(facts);
  return {invalid, success, {success, invalid}};
}

constexpr StatusRule rows[] = {
    forward_rule("FW-RANK-01",
                 {"input, weight and output have one rank that the operator takes",
                  "input、weight 和 output 的维数须相同且为算子支持的维数"},
                 forward_calls, ranks_are_the_calls, always_invalid, words_for_shapes),
    forward_rule(
        "FW-FMT-01",
        {"formats are NCL, NCHW or NCDHW by the rank", "数据格式须按维数为 NCL、NCHW 或 NCDHW"},
        of_maps, [](const Facts& facts) { return met_if(!oddly_formatted(facts).tensor); },
        format_refused, words_for_format),
    forward_rule(
        "FW-FMT-02", {"formats are ND or NCL", "数据格式须为 ND 或 NCL"}, of_tbc,
        [](const Facts& facts) { return met_if(!oddly_formatted(facts).tensor); }, always_invalid,
        words_for_format),
    forward_rule(
        "FW-FMT-03",
        {"bias has format ND, NCL, NCHW or NCDHW", "bias 的数据格式须为 ND、NCL、NCHW 或 NCDHW"},
        of_convolution, bias_has_a_format, bias_format, words_for_bias_format),
    forward_rule("FW-FMT-04",
                 {"bias has a format that the operator takes", "bias 的数据格式须为算子所支持"},
                 of_fixed, fixed_bias_has_a_format, fixed_bias_format, words_for_bias_format),
    forward_rule("FW-BIAS-01", {"bias has one axis", "bias 的维数须为 1"}, forward_calls,
                 bias_is_a_vector, bias_rank_refused, words_for_bias),
    forward_rule("FW-BIAS-02",
                 {"bias has the output's channels", "bias 的长度须等于 output 的通道数"},
                 forward_calls, bias_has_channels, always_invalid, words_for_bias),
    forward_rule("FW-LEN-01",
                 {"stride and dilation have a value for each spatial axis",
                  "stride 和 dilation 的长度须等于空间维数"},
                 of_maps, steps_have_lengths, always_invalid,
                 [](const Facts& facts) {
                   return fmt::format("stride is {}, dilation {}; there are {} spatial axes",
                                      list_of(*facts.stride), list_of(*facts.dilation),
                                      axes_of(facts));
                 }),
    forward_rule(
        "FW-LEN-02",
        {"padding has a value for each spatial axis, or for each end where that is allowed",
         "padding 的长度须等于空间维数，或在允许时为其两倍"},
        of_maps, padding_has_a_length, always_invalid,
        [](const Facts& facts) {
          return fmt::format("padding is {}; there are {} spatial axes", list_of(*facts.padding),
                             axes_of(facts));
        }),
    forward_rule("FW-LEN-03",
                 {"transposed: outputPadding has a value for each spatial axis",
                  "transposed 为 true 时 outputPadding 的长度须等于空间维数"},
                 of_convolution, output_padding_has_a_length, always_invalid,
                 [](const Facts& facts) {
                   return fmt::format("outputPadding is {}; there are {} spatial axes",
                                      list_of(*facts.output_padding), axes_of(facts));
                 }),
    forward_rule("FW-LEN-04", {"kernelSize has 2 values", "kernelSize 的长度须为 2"}, of_depthwise,
                 kernel_size_has_two, kernel_size_length,
                 [](const Facts& facts) {
                   return fmt::format("kernelSize is {}", list_of(*facts.test_case.kernel_size));
                 }),
};

}  // namespace

std::span<const StatusRule> forward_format_rules() { return rows; }

}  // namespace gradproof::oracle::rules
