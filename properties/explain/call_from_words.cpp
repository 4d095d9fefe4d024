#include "properties/explain/call_from_words.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <string_view>
#include <utility>
#include <vector>

#include "properties/convolution.h"

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

  tl::expected<TypedCall, std::string> operator()() {
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
    Case& problem = call_.problem;
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
    Case& problem = call_.problem;
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
    Case& problem = call_.problem;
    if (problem_) return;
    call_.grad_output_follows = !problem.grad_output;
    if (call_.grad_output_follows) problem.grad_output = problem.input;
    const bool with_bias = yes_or_no("--bias", words_.bias, words_.bias_sizes.has_value());
    problem.bias_sizes = lengths("--bias-sizes", words_.bias_sizes);
    problem.grad_bias.emplace();
    problem.grad_bias->format = Format::Nd;
    const std::size_t channel = std::min<std::size_t>(1, problem.grad_output->shape.size());
    problem.grad_bias->shape = {
        problem.grad_output->shape.empty() ? 1 : problem.grad_output->shape[channel]};
    if (with_bias && !problem.bias_sizes) problem.bias_sizes = problem.grad_bias->shape;
    problem.output_mask = std::vector<bool>{true, true, with_bias};
    read_mask();
    if (!words_.bias_sizes && call_.grad_output_follows) derive_grad_output(problem);
    if (words_.bias_sizes && call_.grad_output_follows) {
      const auto stated = problem.bias_sizes;
      derive_grad_output(problem);
      problem.bias_sizes = stated;
    }
    set_types_and_formats();
  }

  void read_mask() {
    const auto mask = lengths("--mask", words_.mask);
    if (!mask) return;
    const bool is_mask = std::ranges::all_of(*mask, [](auto bit) { return bit == 0 || bit == 1; });
    if (!is_mask) return fail("--mask", fmt::format("\"{}\" is not made of 0 and 1", *words_.mask));
    std::vector<bool> bits;
    for (const std::int64_t bit : *mask) bits.push_back(bit == 1);
    call_.problem.output_mask = bits;
  }

  void set_types_and_formats() {
    Case& problem = call_.problem;
    const std::array inputs{&problem.grad_output, &problem.input, &problem.weight};
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      (*inputs[i])->dtype = types_[i];
      if (format_) (*inputs[i])->format = *format_;
    }
    const TensorCase bias = *problem.grad_bias;
    problem.grad_input = problem.input;
    problem.grad_weight = problem.weight;
    problem.grad_bias = bias;
    problem.grad_bias->dtype = types_[0];
    // F8: dw of 8-bit operands is FLOAT.
    if (corpus::is_8_bit_float(types_[2])) problem.grad_weight->dtype = DataType::Float;
  }

  const CallWords& words_;
  TypedCall call_;
  Problem problem_;
  std::size_t axes_ = 1;
  std::array<DataType, 3> types_{DataType::Float, DataType::Float, DataType::Float};
  std::optional<Format> format_;
};

/// Length of one axis of gradOutput; nullopt where the kernel does not fit or nothing is defined.
std::optional<std::int64_t> output_length(const Case& problem, std::size_t axis) {
  const std::size_t axes = problem.input->shape.size() - 2;
  const Lengths& padding = *problem.padding;
  const bool four = axes == 2 && padding.size() == 4;
  if (problem.stride->size() != axes || problem.dilation->size() != axes) return std::nullopt;
  if (padding.size() != axes && !four) return std::nullopt;
  const std::int64_t begin = padding[four ? 2 * axis : axis];
  const std::int64_t end = padding[four ? 2 * axis + 1 : axis];
  const std::int64_t stride = (*problem.stride)[axis];
  const std::int64_t extent = (*problem.dilation)[axis] * (problem.weight->shape[axis + 2] - 1) + 1;
  const std::int64_t length = problem.input->shape[axis + 2];
  if (problem.transposed) {
    const bool has_padding = problem.output_padding->size() == axes;
    const std::int64_t more = has_padding ? (*problem.output_padding)[axis] : 0;
    const std::int64_t output = (length - 1) * stride - begin - end + extent + more;
    return output > 0 ? std::optional(output) : std::nullopt;
  }
  const std::int64_t room = length + begin + end - extent;
  return room >= 0 && stride > 0 ? std::optional(room / stride + 1) : std::nullopt;
}

/// Beyond it, products of lengths and attributes could leave 64 bits.
bool are_workable(const std::optional<Lengths>& values) {
  return values && std::ranges::all_of(*values, [](std::int64_t value) {
           return value >= -(std::int64_t{1} << 30) && value <= std::int64_t{1} << 30;
         });
}

}  // namespace

bool CallWords::any() const {
  const std::array all{&input,      &weight,         &grad_output, &stride,     &padding,
                       &dilation,   &output_padding, &groups,      &transposed, &bias,
                       &bias_sizes, &mask,           &dtype,       &format,     &cube_math_type};
  return std::ranges::any_of(all, [](const auto* text) { return text->has_value(); });
}

tl::expected<TypedCall, std::string> call_from_words(const CallWords& words) {
  return Reader(words)();
}

void derive_grad_output(Case& problem) {
  if (!problem.input || !problem.weight || !problem.grad_output || !problem.output_padding) return;
  const bool workable = are_workable(problem.input->shape) && are_workable(problem.weight->shape) &&
                        are_workable(problem.stride) && are_workable(problem.padding) &&
                        are_workable(problem.dilation) && are_workable(problem.output_padding);
  const std::size_t rank = problem.input->shape.size();
  if (!workable || rank < 3 || problem.weight->shape.size() != rank) return;
  const Lengths& weight = problem.weight->shape;
  Lengths shape{problem.input->shape[0],
                problem.transposed ? weight[1] * problem.groups : weight[0]};
  for (std::size_t axis = 0; axis + 2 < rank; ++axis) {
    shape.push_back(output_length(problem, axis).value_or(1));
  }
  const Lengths channels{shape[1]};
  problem.grad_output->shape = std::move(shape);
  if (problem.grad_bias) problem.grad_bias->shape = channels;
  if (problem.bias_sizes) problem.bias_sizes = channels;
}

}  // namespace gradproof::properties
