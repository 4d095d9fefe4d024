#include "properties/cases/calls/call_in_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "oracle/numbers/number_format.h"
#include "properties/targets/target/derived_shapes.h"

namespace gradproof::cases {
namespace {

using corpus::Case;
using corpus::InputRole;
using corpus::OutputRole;
using corpus::TensorCase;
using Lengths = std::vector<std::int64_t>;

std::string list_words(const Lengths& values) {
  return fmt::format("[{}]", fmt::join(values, ","));
}

/// Describes how the view lies in its memory, where that is not dense and row-major.
std::string memory_words(const TensorCase& tensor) {
  std::string text;
  if (tensor.strides && *tensor.strides != corpus::row_major_strides(tensor.shape)) {
    text += " strides " + list_words(*tensor.strides);
  }
  if (tensor.offset != 0) text += fmt::format(" offset {}", tensor.offset);
  if (tensor.storage_shape && *tensor.storage_shape != tensor.shape) {
    text += " storage " + list_words(*tensor.storage_shape);
  }
  return text;
}

/// A call's parts between commas.
class CallWriter {
 public:
  explicit CallWriter(const Case& test_case) : problem_(test_case) {}

  std::string operator()() {
    for (const InputRole role : {InputRole::Input, InputRole::Weight, InputRole::GradOutput}) {
      if (!follows_from_the_rest(role)) add(role);
    }
    if (is_aclnn()) {
      add_convolution();
    } else {
      add_operator();
    }
    for (const OutputRole role : corpus::output_roles) add_odd(role);
    add_requested();
    if (problem_.cube_math_type != 0) add(fmt::format("cubeMathType {}", problem_.cube_math_type));
    if (problem_.deterministic) add("deterministic");
    if (problem_.soc != Case{}.soc) add("on " + problem_.soc);
    return is_aclnn() ? text_ : fmt::format("{}: {}", corpus::name_of(problem_.api), text_);
  }

 private:
  bool is_aclnn() const { return problem_.api == corpus::Api::ConvolutionBackward; }
  bool has_all_operands() const {
    return problem_.grad_output && problem_.input && problem_.weight;
  }

  void add(std::string_view part) {
    if (!text_.empty()) text_ += ", ";
    text_ += part;
  }

  void add(InputRole role) {
    if (!corpus::is_operand(problem_, role)) return;
    const auto& tensor = corpus::tensor(problem_, role);
    add(tensor ? words(corpus::name_of(problem_, role), *tensor)
               : fmt::format("{} null", corpus::name_of(problem_, role)));
  }

  /// The dtype of the first tensor stands for those that have none.
  std::string words(std::string_view name, const TensorCase& tensor) {
    std::string text = fmt::format("{} {}", name, list_words(tensor.shape));
    if (dtype_ != tensor.dtype) text += fmt::format(" {}", corpus::name_of(tensor.dtype));
    if (!dtype_) dtype_ = tensor.dtype;
    if (tensor.format != corpus::plain_format(tensor.shape.size())) {
      text += fmt::format(" {}", corpus::name_of(tensor.format));
    }
    return text + memory_words(tensor);
  }

  bool follows_from_the_rest(InputRole role) const {
    if (role != InputRole::GradOutput || !is_aclnn() || !has_all_operands()) return false;
    const TensorCase& tensor = *problem_.grad_output;
    const auto shape = targets::derived_grad_output(problem_);
    return shape && *shape == targets::channels_second(tensor.shape, tensor.format) &&
           tensor.dtype == problem_.input->dtype && tensor.format == problem_.input->format &&
           memory_words(tensor).empty();
  }

  /// Adds one value for all axes where they have the same; nothing where that is the usual one.
  void add(std::string_view name, const std::optional<Lengths>& values, std::int64_t usual,
           std::size_t axes) {
    if (!values) {
      if (is_aclnn()) add(fmt::format("{} null", name));
      return;
    }
    const bool is_one_for_all =
        values->size() == axes &&
        std::ranges::adjacent_find(*values, std::ranges::not_equal_to{}) == values->end() &&
        !values->empty();
    if (!is_one_for_all) return add(fmt::format("{} {}", name, list_words(*values)));
    if (values->front() != usual) add(fmt::format("{} {}", name, values->front()));
  }

  void add_convolution() {
    const std::size_t rank = problem_.input ? problem_.input->shape.size() : 0;
    const std::size_t axes = rank > 2 ? rank - 2 : 0;
    add_attributes(axes);
    add_bias_sizes();
  }

  void add_attributes(std::size_t axes) {
    add("stride", problem_.stride, 1, axes);
    add("padding", problem_.padding, 0, axes);
    add("dilation", problem_.dilation, 1, axes);
    if (problem_.transposed) add("transposed");
    add("output padding", problem_.output_padding, 0, axes);
    if (problem_.groups != 1) add(fmt::format("groups {}", problem_.groups));
  }

  void add_bias_sizes() {
    const bool wants_bias = corpus::is_requested(problem_, OutputRole::GradBias);
    if (!problem_.bias_sizes) {
      if (wants_bias) add("biasSizes null");
      return;
    }
    Case fitting = problem_;
    if (has_all_operands()) targets::make_outputs_fit(fitting);
    if (!has_all_operands() || fitting.bias_sizes != problem_.bias_sizes) {
      add("biasSizes " + list_words(*problem_.bias_sizes));
    }
  }

  /// Adds attributes of graph operators and tiling classes; elsewhere the plain ones, where given.
  void add_operator() {
    add_attributes(0);
    if (problem_.kernel_size) add("kernel size " + list_words(*problem_.kernel_size));
    if (!problem_.attributes) return;
    const corpus::OperatorAttributes& own = *problem_.attributes;
    if (own.data_format && *own.data_format != "NCDHW") add("data_format " + *own.data_format);
    const auto add_list = [&](std::string_view name, const std::optional<Lengths>& values) {
      if (values) add(name, values, name == "pads" ? 0 : 1, values->size());
    };
    add_list("strides", own.strides);
    add_list("pads", own.pads);
    add_list("dilations", own.dilations);
    if (own.input_size) add("input_size " + list_words(*own.input_size));
    if (own.filter_size) add("filter_size " + list_words(*own.filter_size));
    if (own.enable_hf32.value_or(false)) add("enable_hf32");
    if (own.pad_mode) add("pad_mode " + *own.pad_mode);
  }

  /// Adds a gradient's tensor that is not what the operands call for.
  void add_odd(OutputRole role) {
    if (!corpus::is_requested(problem_, role)) return;
    const auto& tensor = corpus::tensor(problem_, role);
    const std::string name(corpus::name_of(problem_, role));
    if (!tensor) return add(name + " null");
    const bool is_plain = is_aclnn() && has_all_operands();
    if (is_plain && *tensor == targets::fitting_output(problem_, role)) return;
    add(words(name, *tensor));
  }

  void add_requested() {
    if (!is_aclnn()) return;
    if (!problem_.output_mask) return add("outputMask null");
    std::vector<std::string_view> names;
    for (const OutputRole role : corpus::output_roles) {
      if (corpus::is_requested(problem_, role)) names.push_back(corpus::name_of(problem_, role));
    }
    add(names.empty() ? std::string("for no gradient")
                      : fmt::format("for {}", fmt::join(names, " and ")));
  }

  const Case& problem_;
  std::optional<corpus::DataType> dtype_;
  std::string text_;
};

std::string value_words(const TensorCase& tensor, std::uint64_t bits) {
  const auto format = oracle::format_of(tensor.dtype);
  if (!format) return fmt::format("{:#x}", bits);
  return fmt::format("{}",
                     oracle::to_double(oracle::decode(*format, static_cast<std::uint32_t>(bits))));
}

}  // namespace

std::string call_in_words(const Case& test_case) { return CallWriter(test_case)(); }

std::string data_in_words(const Case& test_case) {
  constexpr std::size_t most = 6;
  if (!test_case.data) return {};
  if (test_case.data->distribution != corpus::Distribution::Listed) {
    return fmt::format("{} of seed {}", corpus::name_of(test_case.data->distribution),
                       test_case.data->seed);
  }
  std::string text;
  std::size_t count = 0;
  for (const InputRole role : corpus::input_roles) {
    const auto& tensor = corpus::tensor(test_case, role);
    if (!tensor || !corpus::is_operand(test_case, role)) continue;
    for (const auto& element : test_case.data->listed[role]) {
      if (++count > most) continue;
      text += fmt::format("{}{} = {}, ", corpus::name_of(test_case, role), list_words(element.at),
                          value_words(*tensor, element.bits));
    }
  }
  if (count == 0) return "every element 0";
  if (count > most) text += fmt::format("{} more, ", count - most);
  return text + "all else 0";
}

}  // namespace gradproof::cases
