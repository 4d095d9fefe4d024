#include "properties/explain/call_from_words.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <string_view>
#include <utility>
#include <vector>

#include "properties/calls/convolution.h"
#include "properties/explain/derived_shapes.h"

namespace gradproof::properties {
namespace {

using corpus::Case;
using corpus::DataType;
using corpus::Format;
using corpus::TensorCase;
using Lengths = std::vector<std::int64_t>;
using Problem = std::optional<std::string>;
using Text = std::optional<std::string>;

std::vector<std::string_view> parts_of(std::string_view text) {
  std::vector<std::string_view> parts;
  while (true) {
    const std::size_t comma = text.find(',');
    parts.push_back(text.substr(0, comma));
    if (comma == std::string_view::npos) return parts;
    text.remove_prefix(comma + 1);
  }
}

std::optional<std::int64_t> integer_of(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::optional<Lengths> integers_of(std::string_view text) {
  Lengths values;
  for (const std::string_view part : parts_of(text)) {
    const auto value = integer_of(part);
    if (!value) return std::nullopt;
    values.push_back(*value);
  }
  return values;
}

/// Understands the options one after the other; the first problem is kept.
class Reader {
 public:
  explicit Reader(const CallWords& words) : words_(words) {}

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
    auto values = integers_of(*text);
    if (!values) fail(option, fmt::format("\"{}\" is no list of integers such as 2,3,5", *text));
    return values;
  }

  std::optional<TensorCase> tensor(std::string_view option, const Text& text) {
    auto shape = lengths(option, text);
    if (!shape) return std::nullopt;
    if (std::ranges::any_of(*shape, [](auto length) { return length < 0; })) {
      fail(option, fmt::format("\"{}\" has a negative length", *text));
    }
    TensorCase result;
    result.format = shape->size() == 2 ? Format::Nd : plain_format(shape->size());
    result.shape = std::move(*shape);
    return result;
  }

  void read_shapes() {
    Case& problem = call_;
    if (!words_.input) fail("--input", "give the shape of input, e.g. --input 2,3,224,224");
    if (!words_.weight) fail("--weight", "give the shape of weight, e.g. --weight 64,3,7,7");
    problem.input = tensor("--input", words_.input);
    problem.weight = tensor("--weight", words_.weight);
    problem.grad_output = tensor("--grad-output", words_.grad_output);
    if (problem.input && problem.input->shape.size() > 2) axes_ = problem.input->shape.size() - 2;
  }

  /// One value stands for every axis.
  Lengths attribute(std::string_view option, const Text& text, std::int64_t otherwise) {
    auto values = lengths(option, text).value_or(Lengths{otherwise});
    if (values.size() == 1) values.resize(axes_, values[0]);
    return values;
  }

  bool yes_or_no(std::string_view option, const Text& text, bool otherwise) {
    if (!text) return otherwise;
    if (*text != "yes" && *text != "no")
      fail(option, fmt::format("\"{}\" is not yes or no", *text));
    return *text == "yes";
  }

  void read_attributes() {
    Case& problem = call_;
    problem.stride = attribute("--stride", words_.stride, 1);
    problem.padding = attribute("--padding", words_.padding, 0);
    problem.dilation = attribute("--dilation", words_.dilation, 1);
    problem.output_padding = attribute("--output-padding", words_.output_padding, 0);
    problem.transposed = yes_or_no("--transposed", words_.transposed, false);
    problem.groups =
        integer("--groups", words_.groups, 1, std::numeric_limits<std::int32_t>::max());
    problem.cube_math_type = static_cast<std::int8_t>(
        integer("--cube-math-type", words_.cube_math_type, 0, std::numeric_limits<int8_t>::max()));
  }

  std::int32_t integer(std::string_view option, const Text& text, std::int32_t otherwise,
                       std::int32_t most) {
    if (!text) return otherwise;
    const auto value = integer_of(*text);
    if (!value || *value < -most - 1 || *value > most) {
      fail(option, fmt::format("\"{}\" is no integer of at most {}", *text, most));
    }
    return static_cast<std::int32_t>(value.value_or(otherwise));
  }

  /// One type for all, or one each for gradOutput, input and weight.
  void read_types() {
    std::vector<DataType> types;
    const std::string names = words_.dtype.value_or("FLOAT");
    for (const std::string_view name : parts_of(names)) {
      const auto type = corpus::data_type_named(name);
      if (!type) return fail("--dtype", fmt::format("\"{}\" is no dtype", name));
      types.push_back(*type);
    }
    if (types.size() == 1) types.resize(3, types[0]);
    if (types.size() != 3) {
      return fail("--dtype", "give one type, or three: of gradOutput, input and weight");
    }
    types_ = {types[0], types[1], types[2]};
    const auto format = corpus::format_named(words_.format.value_or("NCHW"));
    if (!format) fail("--format", fmt::format("\"{}\" is no format", *words_.format));
    if (words_.format) format_ = format;
  }

  void read_outputs() {
    Case& problem = call_;
    if (problem_) return;
    set_types_and_formats();
    if (!problem.grad_output) {
      const auto shape = derived_grad_output(problem);
      const TensorCase& input = *problem.input;
      problem.grad_output = contiguous(shape.value_or(input.shape), types_[0], input.format);
    }
    problem.grad_input.emplace();
    problem.grad_weight.emplace();
    problem.grad_bias.emplace();
    const bool with_bias = yes_or_no("--bias", words_.bias, words_.bias_sizes.has_value());
    if (with_bias) problem.bias_sizes.emplace();
    make_outputs_fit(problem);
    if (words_.bias_sizes) problem.bias_sizes = lengths("--bias-sizes", words_.bias_sizes);
    problem.output_mask = std::vector<bool>{true, true, with_bias};
    read_mask();
  }

  void read_mask() {
    const auto mask = lengths("--mask", words_.mask);
    if (!mask) return;
    const bool is_mask = std::ranges::all_of(*mask, [](auto bit) { return bit == 0 || bit == 1; });
    if (!is_mask) return fail("--mask", fmt::format("\"{}\" is not made of 0 and 1", *words_.mask));
    std::vector<bool> bits;
    for (const std::int64_t bit : *mask) bits.push_back(bit == 1);
    call_.output_mask = bits;
  }

  void set_types_and_formats() {
    const std::array inputs{&call_.grad_output, &call_.input, &call_.weight};
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      if (!*inputs[i]) continue;
      (*inputs[i])->dtype = types_[i];
      if (format_) (*inputs[i])->format = *format_;
    }
  }

  const CallWords& words_;
  Case call_;
  Problem problem_;
  std::size_t axes_ = 1;
  std::array<DataType, 3> types_{DataType::Float, DataType::Float, DataType::Float};
  std::optional<Format> format_;
};

}  // namespace

bool CallWords::any() const {
  const std::array all{&input,      &weight,         &grad_output, &stride,     &padding,
                       &dilation,   &output_padding, &groups,      &transposed, &bias,
                       &bias_sizes, &mask,           &dtype,       &format,     &cube_math_type};
  return std::ranges::any_of(all, [](const auto* text) { return text->has_value(); });
}

tl::expected<Case, std::string> call_from_words(const CallWords& words) { return Reader(words)(); }

}  // namespace gradproof::properties
