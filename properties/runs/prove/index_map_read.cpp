#include "properties/runs/prove/index_map_read.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <optional>

#include "corpus/element_encoding.h"
#include "corpus/element_values.h"
#include "oracle/geometry/geometry.h"
#include "oracle/gradients/gradients.h"
#include "oracle/numbers/number_format.h"
#include "oracle/operands/operands.h"

namespace gradproof::runs {
namespace {

using corpus::Case;
using corpus::InputRole;
using corpus::OutputRole;
using Coordinates = std::vector<std::int64_t>;

std::int64_t count_of(const std::optional<corpus::TensorCase>& tensor) {
  return tensor ? corpus::element_count(tensor->shape).value_or(0) : 0;
}

Coordinates coordinates(std::int64_t index, const std::vector<std::int64_t>& shape) {
  Coordinates at(shape.size());
  for (std::size_t axis = shape.size(); axis-- > 0;) {
    at[axis] = index % shape[axis];
    index /= shape[axis];
  }
  return at;
}

/// "weight[0,0,1]".
std::string place_words(std::string_view name, std::int64_t index,
                        const std::vector<std::int64_t>& shape) {
  return fmt::format("{}[{}]", name, fmt::join(coordinates(index, shape), ","));
}

/// One run for each element of gradOutput, and what is read of it.
class MapReader {
 public:
  MapReader(targets::Target& target, const Case& test_case, OutputRole role,
            const cases::CheckSettings& settings)
      : target_(target),
        problem_(test_case),
        role_(role),
        settings_(settings),
        other_(role == OutputRole::GradInput ? InputRole::Weight : InputRole::Input) {}

  bool is_readable(std::size_t most_runs) const {
    const auto& output = corpus::tensor(problem_, role_);
    const auto& other = corpus::tensor(problem_, other_);
    if (!output || !other || !problem_.grad_output || !corpus::is_requested(problem_, role_)) {
      return false;
    }
    const auto format = oracle::format_of(output->dtype);
    if (!format || count_of(problem_.grad_output) > static_cast<std::int64_t>(most_runs)) {
      return false;
    }
    return role_ == OutputRole::GradBias || count_of(other) <= label_count();
  }

  /// Appends what is wrong of the results to this element of gradOutput.
  void read(std::int64_t element, std::size_t most_lines, std::vector<std::string>& lines) {
    const Case run = labelled(element);
    const auto seen = target_.run_case(run, settings_.run);
    const auto& bytes = seen.outputs[role_].bits;
    const corpus::TensorCase& output = *corpus::tensor(problem_, role_);
    const std::size_t width = corpus::size_bytes(output.dtype);
    if (bytes.size() != to_size(count_of(output)) * width) return;
    const std::vector<double> specified = specified_results(run);
    for (std::size_t i = 0; i < specified.size() && lines.size() < most_lines; ++i) {
      std::uint64_t bits = 0;
      std::memcpy(&bits, bytes.data() + i * width, width);
      const auto value = corpus::decode(output.dtype, bits);
      if (value && *value == specified[i]) continue;
      lines.push_back(
          fmt::format("{} {}; specified: {}",
                      place_words(name_of(role_), static_cast<std::int64_t>(i), output.shape),
                      in_words(value.value_or(0), element), term_words(specified[i])));
    }
  }

 private:
  /// Labels are 1, -1, 2, -2, ...: small enough for the type of operand and result.
  std::int64_t label_count() const {
    std::int64_t integers = std::int64_t{1} << 24;
    for (const auto type :
         {corpus::tensor(problem_, role_)->dtype, corpus::tensor(problem_, other_)->dtype}) {
      const auto format = oracle::format_of(type);
      integers = format ? std::min(integers, std::int64_t{1} << oracle::precision(*format)) : 0;
    }
    return 2 * integers - 2;
  }

  static double label(std::int64_t element) {
    const std::int64_t pair = element / 2 + 1;
    const auto size = static_cast<double>(pair);
    return element % 2 == 0 ? size : -size;
  }

  Case labelled(std::int64_t element) const {
    Case run = problem_;
    auto& data = run.data.emplace();
    data.distribution = corpus::Distribution::Listed;
    const auto list = [&](InputRole role, std::int64_t index, double value) {
      const auto& tensor = *corpus::tensor(problem_, role);
      data.listed[role].push_back({coordinates(index, tensor.shape),
                                   corpus::encode_exactly(tensor.dtype, value).value_or(0)});
    };
    list(InputRole::GradOutput, element, 1);
    if (role_ == OutputRole::GradBias) return run;
    for (std::int64_t i = 0; i < count_of(corpus::tensor(problem_, other_)); ++i) {
      list(other_, i, label(i));
    }
    return run;
  }

  /// Results by the plain formulas.
  std::vector<double> specified_results(const Case& run) const {
    const auto geometry = oracle::geometry_of(run);
    if (!geometry) return {};
    const auto grad_output = operand(run, *geometry, InputRole::GradOutput);
    if (role_ == OutputRole::GradBias) return sums(oracle::plain_grad_bias(grad_output));
    const auto other = operand(run, *geometry, other_);
    return sums(role_ == OutputRole::GradInput
                    ? oracle::plain_grad_input(*geometry, grad_output, other)
                    : oracle::plain_grad_weight(*geometry, grad_output, other));
  }

  static oracle::Dense<oracle::Number> operand(const Case& run, const oracle::Geometry& geometry,
                                               InputRole role) {
    const auto format = oracle::format_of(corpus::tensor(run, role)->dtype);
    return oracle::decoded(format.value_or(oracle::NumberFormat::Float),
                           corpus::element_values(run, role), geometry.shape(role));
  }

  static std::vector<double> sums(const oracle::Dense<oracle::ExactElement>& exact) {
    std::vector<double> values;
    for (const auto& element : exact.elements()) {
      values.push_back(element.sum.to_double());
    }
    return values;
  }

  std::optional<std::int64_t> element_with(double label_value) const {
    const double size = label_value < 0 ? -label_value : label_value;
    const double index = 2 * (size - 1) + (label_value < 0 ? 1 : 0);
    const auto count = static_cast<double>(count_of(corpus::tensor(problem_, other_)));
    const bool is_label = size >= 1 && index < count &&
                          index == static_cast<double>(static_cast<std::int64_t>(index));
    return is_label ? std::optional(static_cast<std::int64_t>(index)) : std::nullopt;
  }

  /// "weight[0,0,1]", or what else the value says.
  std::string term_words(double value) const {
    if (value == 0) return "nothing";
    if (role_ == OutputRole::GradBias) return value == 1 ? "once" : fmt::format("{} times", value);
    const auto index = element_with(value);
    if (!index) return fmt::format("{}, which is no single element", value);
    return place_words(name_of(other_), *index, corpus::tensor(problem_, other_)->shape);
  }

  std::string in_words(double value, std::int64_t element) const {
    const std::string source = place_words("gradOutput", element, problem_.grad_output->shape);
    if (value == 0) return fmt::format("does not take {}", source);
    if (role_ == OutputRole::GradBias) {
      return fmt::format("takes {} {}", source, term_words(value));
    }
    return fmt::format("takes {} x {}", source, term_words(value));
  }

  targets::Target& target_;
  const Case& problem_;
  OutputRole role_;
  const cases::CheckSettings& settings_;
  InputRole other_;
};

}  // namespace

std::vector<std::string> wrong_entries(targets::Target& target, const Case& test_case,
                                       OutputRole role, const cases::CheckSettings& settings,
                                       std::size_t most_lines, std::size_t most_runs) {
  MapReader reader(target, test_case, role, settings);
  std::vector<std::string> lines;
  if (!reader.is_readable(most_runs)) return lines;
  for (std::int64_t i = 0; i < count_of(test_case.grad_output) && lines.size() < most_lines; ++i) {
    reader.read(i, most_lines, lines);
  }
  return lines;
}

}  // namespace gradproof::runs
