#include "library/without_a_run.h"

#include <fmt/core.h>

#include <cstdint>
#include <optional>

#include "corpus/case_json.h"
#include "library/answers.h"
#include "library/run.h"
#include "properties/check/check.h"
#include "properties/explain/explanation.h"

namespace gradproof::library {
namespace {

using corpus::TensorCase;
using Bytes = std::span<const std::byte>;

/// nullopt: the bytes are those of the tensor.
template <typename Role>
std::optional<std::string> wrong_size(const corpus::Case& problem, Role role, Bytes bytes) {
  const std::optional<TensorCase>& tensor = corpus::tensor(problem, role);
  const auto count = tensor ? corpus::element_count(tensor->shape) : 0;
  const std::size_t width = tensor ? corpus::size_bytes(tensor->dtype) : 0;
  const std::size_t expected = static_cast<std::size_t>(count.value_or(0)) * width;
  if (count && bytes.size() == expected) return std::nullopt;
  return fmt::format("{}: expected {} bytes, found {}", corpus::name_of(role), expected,
                     bytes.size());
}

/// The elements that are not +0, each with its coordinate.
std::vector<corpus::ListedElement> listed(const TensorCase& tensor, Bytes bytes) {
  const std::size_t width = corpus::size_bytes(tensor.dtype);
  std::vector<corpus::ListedElement> elements;
  for (std::size_t index = 0; index * width < bytes.size(); ++index) {
    std::uint64_t bits = 0;
    for (std::size_t i = width; i-- > 0;) {
      bits = bits << 8U | std::to_integer<std::uint64_t>(bytes[index * width + i]);
    }
    if (bits == 0) continue;
    std::vector<std::int64_t> at(tensor.shape.size());
    auto rest = static_cast<std::int64_t>(index);
    for (std::size_t axis = at.size(); axis-- > 0;) {
      at[axis] = rest % tensor.shape[axis];
      rest /= tensor.shape[axis];
    }
    elements.push_back({std::move(at), bits});
  }
  return elements;
}

}  // namespace

tl::expected<std::string, std::string> judged_tensors(std::string_view call,
                                                      const std::array<Bytes, 6>& tensors) {
  auto problem = corpus::parse_case(call);
  if (!problem) return tl::unexpected(problem.error().text());
  corpus::DataRecipe data;
  data.distribution = corpus::Distribution::Listed;
  for (const corpus::InputRole role : corpus::input_roles) {
    const auto index = static_cast<std::size_t>(role);
    if (auto wrong = wrong_size(*problem, role, tensors.at(index))) return tl::unexpected(*wrong);
    const auto& tensor = corpus::tensor(*problem, role);
    if (tensor) data.listed.at(index) = listed(*tensor, tensors.at(index));
  }
  problem->data = std::move(data);
  corpus::Observation seen = nothing_written(*problem);
  seen.phase_one = seen.phase_two = seen.synchronise = corpus::Status::Success;
  for (const corpus::OutputRole role : corpus::output_roles) {
    if (!corpus::is_requested(*problem, role)) continue;
    const Bytes bytes = tensors.at(static_cast<std::size_t>(role) + corpus::input_roles.size());
    if (auto wrong = wrong_size(*problem, role, bytes)) return tl::unexpected(*wrong);
    seen.outputs.at(static_cast<std::size_t>(role)).bits.assign(bytes.begin(), bytes.end());
  }
  const properties::CheckSettings check;
  return verdict_json(properties::judged({*problem, check.judge.profile}, seen, check));
}

tl::expected<std::string, std::string> explained(std::string_view call, bool as_json) {
  const auto problem = corpus::parse_case(call);
  if (!problem) return tl::unexpected(problem.error().text());
  const auto explanation = properties::explanation_of(*problem, {});
  return as_json ? properties::explanation_json(explanation)
                 : properties::explanation_text({explanation});
}

}  // namespace gradproof::library
