#include "properties/cases/laws/derived_call.h"

#include <utility>

#include "corpus/element_values.h"
#include "corpus/random_source.h"
#include "corpus/shared_places.h"
#include "properties/cases/calls/case_convolution.h"
#include "properties/cases/calls/operator_convolution.h"

namespace gradproof::cases {
namespace {

using corpus::Case;
using corpus::InputRole;
using corpus::OutputRole;
using Lengths = std::vector<std::int64_t>;

/// Beyond this, lists cost more than the calls they are for.
constexpr std::int64_t most_derived_elements = 1 << 16;

void reshape(std::optional<corpus::TensorCase>& tensor, Lengths shape) {
  if (!tensor) return;
  corpus::TensorCase plain;
  plain.dtype = tensor->dtype;
  plain.format = shape.size() >= 3 ? plain_format(shape.size()) : tensor->format;
  plain.shape = std::move(shape);
  tensor = std::move(plain);
}

bool has_shape(const std::optional<corpus::TensorCase>& tensor, const Lengths& shape) {
  return !tensor || tensor->shape == shape;
}

bool follows_from(const Case& test_case, const Convolution& sizes) {
  return test_case.grad_output->shape == sizes.grad_output_shape() &&
         test_case.input->shape == sizes.input_shape() &&
         test_case.weight->shape == sizes.weight_shape() &&
         has_shape(test_case.grad_input, sizes.input_shape()) &&
         has_shape(test_case.grad_weight, sizes.weight_shape()) &&
         has_shape(test_case.grad_bias, {sizes.bias_length()}) &&
         (!test_case.transposed || test_case.output_padding == output_paddings_of(sizes));
}

}  // namespace

std::optional<Convolution> whole_convolution(const Case& test_case) {
  if (!test_case.grad_output || !test_case.input || !test_case.weight || test_case.groups < 1) {
    return std::nullopt;
  }
  const auto sizes = convolution_of(test_case);
  if (!sizes || !follows_from(test_case, *sizes)) return std::nullopt;
  std::int64_t elements = 0;
  for (const InputRole role : corpus::input_roles) {
    const auto count = corpus::element_count(corpus::tensor(test_case, role)->shape).value_or(0);
    if (count == 0 || count > most_derived_elements) return std::nullopt;
    // What shares a place in this view shares none, or others, in derived ones: other data.
    if (corpus::may_share_places(*corpus::tensor(test_case, role))) return std::nullopt;
    elements += count;
  }
  return elements <= most_derived_elements ? sizes : std::nullopt;
}

Case with_listed_data(const Case& test_case) {
  Case listed = test_case;
  if (test_case.data && test_case.data->distribution != corpus::Distribution::Listed) {
    listed.data = corpus::as_listed(test_case);
  }
  return listed;
}

Case derived_call(const Case& test_case, const Convolution& next, const Move& move) {
  Case call = with_listed_data(test_case);
  call.expect.reset();
  call.transposed = next.transposed;
  call.groups = static_cast<std::int32_t>(next.groups);
  reshape(call.grad_output, next.grad_output_shape());
  reshape(call.input, next.input_shape());
  reshape(call.weight, next.weight_shape());
  reshape(call.grad_input, next.input_shape());
  reshape(call.grad_weight, next.weight_shape());
  reshape(call.grad_bias, {next.bias_length()});
  if (call.bias_sizes) call.bias_sizes = Lengths{next.bias_length()};
  call.stride = strides_of(next);
  call.dilation = dilations_of(next);
  call.padding = paddings_of(next);
  call.output_padding = output_paddings_of(next);
  for (const InputRole role : corpus::input_roles) {
    auto& listed = call.data->listed[role];
    std::vector<corpus::ListedElement> moved;
    moved.reserve(listed.size());
    for (const corpus::ListedElement& element : listed) {
      if (auto at = move(role, element.at)) moved.push_back({std::move(*at), element.bits});
    }
    listed = std::move(moved);
  }
  return call;
}

InputRole big_role(const Convolution& convolution) {
  return convolution.transposed ? InputRole::GradOutput : InputRole::Input;
}

InputRole small_role(const Convolution& convolution) {
  return convolution.transposed ? InputRole::Input : InputRole::GradOutput;
}

std::uint64_t choice_of(const Case& test_case, std::uint64_t salt) {
  return corpus::mixed((test_case.data ? test_case.data->seed : 0) + corpus::mixed(salt));
}

RelatedCalls relocation(const Case& test_case, Case run, Relocation to) {
  RelatedCalls relation;
  relation.test_case = test_case;
  relation.runs.push_back(std::move(run));
  relation.places = [to = std::move(to)](OutputRole role, const Coordinate& at) {
    std::vector<Place> places;
    if (auto there = to(role, at)) places.push_back({0, std::move(*there)});
    return places;
  };
  return relation;
}

RelatedCalls same_elements(const Case& test_case, Case run) {
  return relocation(test_case, std::move(run),
                    [](OutputRole, const Coordinate& at) { return std::optional(at); });
}

}  // namespace gradproof::cases
