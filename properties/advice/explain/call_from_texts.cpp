#include "properties/advice/explain/call_from_texts.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <limits>
#include <string_view>
#include <utility>
#include <vector>

#include "corpus/words/spelling.h"
#include "corpus/words/words.h"
#include "properties/cases/calls/convolution.h"
#include "properties/cases/calls/operator_convolution.h"
#include "properties/targets/target/derived_shapes.h"

namespace gradproof::advice {
namespace {

using corpus::Case;
using corpus::DataType;
using corpus::Format;
using corpus::TensorCase;
using Lengths = std::vector<std::int64_t>;
using Problem = std::optional<std::string>;
using Text = std::optional<std::string>;

/// Doubles each value: both sides of an axis are as long.
Lengths doubled(const Lengths& values) {
  Lengths both;
  for (const std::int64_t value : values) both.insert(both.end(), {value, value});
  return both;
}

/// Understands the options one after the other; the first problem is kept.
/// True for "64" and "(1)", which are no truth values as "1" is.
bool is_list_of_sizes(const std::string& bias) {
  return bias.starts_with('[') || bias.starts_with('(') ||
         (!corpus::truth_from_words(bias) && corpus::integers_from_words(bias));
}

class OptionReader {
 public:
  explicit OptionReader(const CallTexts& words) : words_(words) {}

  tl::expected<Case, std::string> operator()() {
    read_shapes();
    read_attributes();
    read_types();
    read_outputs();
    if (problem_) return tl::unexpected(*problem_);
    return std::move(call_);
  }

 private:
  void fail(std::string_view option, const std::string& problem) {
    if (!problem_) problem_ = fmt::format("{}: {}", option, problem);
  }

  std::optional<Lengths> lengths(std::string_view option, const Text& text) {
    if (!text) return std::nullopt;
    auto values = corpus::integers_from_words(*text);
    if (values) return *std::move(values);
    fail(option, values.error());
    return std::nullopt;
  }

  std::optional<TensorCase> tensor(std::string_view option, const Text& text) {
    auto shape = lengths(option, text);
    if (!shape) return std::nullopt;
    if (std::ranges::any_of(*shape, [](auto length) { return length < 0; })) {
      fail(option, fmt::format("\"{}\" has a negative length", *text));
    }
    TensorCase result;
    result.format = shape->size() == 2 ? Format::Nd : cases::plain_format(shape->size());
    result.shape = std::move(*shape);
    return result;
  }

  void read_shapes() {
    if (!words_.input) fail("--input", "give the shape of input, e.g. --input 2,3,224,224");
    if (!words_.weight) fail("--weight", "give the shape of weight, e.g. --weight 64,3,7,7");
    call_.input = tensor("--input", words_.input);
    call_.weight = tensor("--weight", words_.weight);
    call_.grad_output = tensor("--grad-output", words_.grad_output);
    // The weight's: an unbatched input has one axis less.
    for (const auto* tensor : {&call_.input, &call_.weight}) {
      if (*tensor && (*tensor)->shape.size() > 2) axes_ = (*tensor)->shape.size() - 2;
    }
  }

  /// One value stands for every axis.
  Lengths attribute(std::string_view option, const Text& text, std::int64_t otherwise) {
    auto values = lengths(option, text).value_or(Lengths{otherwise});
    if (values.size() == 1) values.resize(axes_, values[0]);
    return values;
  }

  /// Converts the option's text with `read`; the first problem is kept.
  template <typename Value, typename Read>
  Value meaning(std::string_view option, const Text& text, Value otherwise, Read read) {
    if (!text) return otherwise;
    const auto value = read(*text);
    if (!value) fail(option, value.error());
    return value.value_or(otherwise);
  }

  bool yes_or_no(std::string_view option, const Text& text, bool otherwise) {
    return meaning(option, text, otherwise, corpus::truth_from_words);
  }

  /// PyTorch's "valid" and "same".
  Lengths padding() {
    const std::string word = corpus::plain_spelling(words_.padding.value_or(""));
    if (word == "valid") return Lengths(axes_, 0);
    return word == "same" ? same_padding() : attribute("--padding", words_.padding, 0);
  }

  /// Padding of "same". Where an axis is padded by an odd number in all, the odd one is at its end,
  /// which the API can say of two axes alone, with four values.
  Lengths same_padding() {
    const Lengths kernel = kernel_lengths();
    const Lengths dilation = call_.dilation.value_or(Lengths{});
    const bool fits = kernel.size() == axes_ && dilation.size() == axes_;
    if (call_.stride != Lengths(axes_, 1) || !fits) {
      fail("--padding", "\"same\" needs stride 1, and one dilation for each axis of the kernel");
      return {};
    }
    Lengths begins, both;
    for (std::size_t axis = 0; axis < axes_; ++axis) {
      const std::int64_t total = dilation[axis] * (kernel[axis] - 1);
      begins.push_back(total / 2);
      both.insert(both.end(), {total / 2, total - total / 2});
    }
    if (both == doubled(begins)) return begins;
    if (axes_ != 2) fail("--padding", "\"same\" needs kernels of odd length for 1D and 3D");
    return both;
  }

  /// Lengths of the kernel; empty where they are not known, or too long to compute with.
  Lengths kernel_lengths() const {
    constexpr std::int64_t longest = std::numeric_limits<std::int32_t>::max();
    const auto is_long = [](std::int64_t length) { return length < 0 || length > longest; };
    const bool known = call_.weight && call_.weight->shape.size() > 2;
    if (!known || std::ranges::any_of(call_.weight->shape, is_long)) return {};
    if (std::ranges::any_of(call_.dilation.value_or(Lengths{}), is_long)) return {};
    return {call_.weight->shape.begin() + 2, call_.weight->shape.end()};
  }

  void read_attributes() {
    call_.stride = attribute("--stride", words_.stride, 1);
    call_.dilation = attribute("--dilation", words_.dilation, 1);
    call_.output_padding = attribute("--output-padding", words_.output_padding, 0);
    call_.transposed = yes_or_no("--transposed", words_.transposed, false);
    call_.padding = padding();
    call_.groups = meaning("--groups", words_.groups, 1, corpus::integer_from_words);
    call_.cube_math_type = meaning("--cube-math-type", words_.cube_math_type, std::int8_t{0},
                                   corpus::cube_math_type_from_words);
  }

  /// Reads one type for all, or one each for gradOutput, input and weight.
  void read_types() {
    std::vector<DataType> types;
    for (const std::string& name : corpus::words_of_list(words_.dtype.value_or("FLOAT"))) {
      const auto type = corpus::data_type_from_words(name);
      if (!type) return fail("--dtype", type.error());
      types.push_back(*type);
    }
    if (types.size() == 1) types.resize(3, types[0]);
    if (types.size() != 3) {
      return fail("--dtype", "give one type, or three: of gradOutput, input and weight");
    }
    types_ = {types[0], types[1], types[2]};
  }

  void read_outputs() {
    if (problem_) return;
    set_types_and_formats();
    if (!call_.grad_output) {
      const auto shape = targets::derived_grad_output(call_);
      const TensorCase& input = *call_.input;
      call_.grad_output = targets::contiguous(shape.value_or(input.shape), types_[0], input.format);
      if (words_.format) set_format(*call_.grad_output);
    }
    call_.grad_input.emplace();
    call_.grad_weight.emplace();
    call_.grad_bias.emplace();
    const bool is_list = words_.bias && is_list_of_sizes(*words_.bias);
    const Text& sizes = is_list ? words_.bias : words_.bias_sizes;
    const bool with_bias = is_list || yes_or_no("--bias", words_.bias, sizes.has_value());
    if (with_bias) call_.bias_sizes.emplace();
    targets::make_outputs_fit(call_);
    if (sizes) call_.bias_sizes = lengths("--bias", sizes);
    call_.output_mask = std::vector<bool>{true, true, with_bias};
    read_mask();
  }

  void read_mask() {
    if (!words_.mask) return;
    std::vector<bool> bits;
    for (const std::string& bit : corpus::words_of_list(*words_.mask)) {
      bits.push_back(meaning("--mask", Text(bit), false, corpus::truth_from_words));
    }
    call_.output_mask = bits;
  }

  void set_types_and_formats() {
    const std::array inputs{&call_.grad_output, &call_.input, &call_.weight};
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      if (!*inputs[i]) continue;
      (*inputs[i])->dtype = types_[i];
      if (words_.format) set_format(**inputs[i]);
    }
  }

  void set_format(TensorCase& tensor) {
    const auto memory = corpus::memory_format_from_words(*words_.format, tensor.shape.size());
    if (!memory) return fail("--format", memory.error());
    tensor.format = memory->format;
    if (memory->channels_last) tensor.strides = corpus::channels_last_strides(tensor.shape);
  }

  const CallTexts& words_;
  Case call_;
  Problem problem_;
  std::size_t axes_ = 1;
  std::array<DataType, 3> types_{DataType::Float, DataType::Float, DataType::Float};
};

}  // namespace

bool CallTexts::any() const {
  const std::array all{&api,      &input,          &weight, &grad_output,   &stride, &padding,
                       &dilation, &output_padding, &groups, &transposed,    &bias,   &bias_sizes,
                       &mask,     &dtype,          &format, &cube_math_type};
  return std::ranges::any_of(all, [](const auto* text) { return text->has_value(); });
}

tl::expected<Case, std::string> call_from_texts(const CallTexts& words) {
  const auto api = corpus::api_named(words.api.value_or("aclnnConvolutionBackward"));
  const bool is_backward = api == corpus::Api::ConvolutionBackward;
  if (!is_backward && !(api && corpus::is_forward(*api))) {
    return tl::unexpected(fmt::format(
        "api: \"{}\" is none of aclnnConvolutionBackward, aclnnConvolution, aclnnConvTbc, "
        "aclnnConvDepthwise2d",
        *words.api));
  }
  auto call = OptionReader(words)();
  if (!call || is_backward) return call;
  return cases::forward_call(*std::move(call), *api);
}

}  // namespace gradproof::advice
