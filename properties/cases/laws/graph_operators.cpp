#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>
#include <vector>

#include "corpus/product_row.h"
#include "oracle/facts/axis_order.h"
#include "oracle/numbers/number_format.h"
#include "properties/cases/calls/operator_convolution.h"
#include "properties/cases/laws/derived_call.h"
#include "properties/cases/laws/law_rows.h"
#include "properties/cases/laws/observed.h"
#include "properties/cases/laws/shared_sums.h"

namespace gradproof::cases::laws_detail {
namespace {

using corpus::Api;
using corpus::Case;
using corpus::DataType;
using corpus::Format;
using corpus::InputRole;
using corpus::OutputRole;
using corpus::Verdict;

constexpr std::array gradients{OutputRole::GradInput, OutputRole::GradWeight};

Api operator_of(OutputRole role) {
  return role == OutputRole::GradInput ? Api::Conv3DBackpropInputV2 : Api::Conv3DBackpropFilterV2;
}

/// enableHf32 for the call's cubeMathType; nullopt where the operators have no such mode.
std::optional<bool> hf32_of(const Case& test_case) {
  constexpr std::int8_t use_fp16 = 2;
  const DataType type = test_case.grad_output->dtype;
  if (test_case.cube_math_type == use_fp16 && type != DataType::Float16) return std::nullopt;
  return type == DataType::Float && test_case.cube_math_type != 0;
}

/// The operators take operands of one dtype (a call of several computes in the widest), and the
/// gradient of the input in a transposed call is no gradient but a convolution.
bool has_operator_for(const Case& test_case, OutputRole role) {
  if (!corpus::is_requested(test_case, role)) return false;
  const DataType type = test_case.grad_output->dtype;
  if (test_case.input->dtype != type || test_case.weight->dtype != type) return false;
  if (role == OutputRole::GradWeight) return true;
  return !test_case.transposed && test_case.grad_input->dtype == type;
}

Convolution in_three_axes(Convolution sizes) {
  sizes.axes.insert(sizes.axes.begin(), 3 - sizes.axes.size(), SpatialAxis{});
  sizes.transposed = false;
  sizes.sides_may_differ = true;
  return sizes;
}

corpus::TensorCase tensor_of(Format format, DataType type) {
  corpus::TensorCase tensor;
  tensor.format = format;
  tensor.dtype = type;
  return tensor;
}

/// Formats of the feature maps and of the filter, of those that the operators have for it.
struct Layout {
  Format map, filter;
};

Layout layout_for(const Case& test_case, OutputRole role) {
  constexpr std::array filters{Format::Ncdhw, Format::Ndhwc, Format::Dhwcn};
  const bool dx = role == OutputRole::GradInput;
  const std::uint64_t choice = choice_of(test_case, 22);
  Layout layout{Format::Ncdhw, Format::Ncdhw};
  if (choice % 2 == 0 && (!dx || test_case.groups == 1)) layout.map = Format::Ndhwc;
  if (dx && corpus::is_8_bit_float(test_case.grad_output->dtype)) return layout;
  layout.filter = filters.at(choice / 2 % filters.size());
  return layout;
}

/// The elements with the axes that the call lacks, in the order of a five-dimensional format.
std::vector<corpus::ListedElement> in_format(std::vector<corpus::ListedElement> elements,
                                             Format format) {
  const auto order = *oracle::axis_order(format);
  for (corpus::ListedElement& element : elements) {
    element.at.insert(element.at.begin() + 2, 5 - element.at.size(), 0);
    oracle::Shape logical{};
    std::ranges::copy(element.at, logical.begin());
    const oracle::Shape own = oracle::in_tensor_order(logical, order);
    element.at.assign(own.begin(), own.end());
  }
  return elements;
}

/// The operator's call for one gradient of a call with listed data. Of a transposed one, gradOutput
/// is the larger map.
Case operator_call(const Case& listed, const Convolution& sizes, OutputRole role) {
  const bool dx = role == OutputRole::GradInput;
  const Layout layout = layout_for(listed, role);
  const DataType type = listed.grad_output->dtype;
  Case call;
  call.id = listed.id;
  call.api = operator_of(role);
  call.soc = listed.soc;
  call.deterministic = listed.deterministic;
  call.grad_output = tensor_of(layout.map, type);
  (dx ? call.grad_input : call.input) = tensor_of(layout.map, type);
  (dx ? call.weight : call.grad_weight) = tensor_of(layout.filter, dx ? type : DataType::Float);
  call.attributes.emplace().data_format = corpus::name_of(layout.map);
  call.attributes->enable_hf32 = hf32_of(listed);
  set_operator_convolution(call, in_three_axes(sizes));
  const auto data_of = [&](InputRole input) -> const std::vector<corpus::ListedElement>& {
    return listed.data->listed[to_size(input)];
  };
  auto& data = call.data.emplace(*listed.data);
  data.listed = {};
  data.listed[InputRole::GradOutput] = in_format(data_of(small_role(sizes)), layout.map);
  const InputRole other = dx ? InputRole::Weight : InputRole::Input;
  data.listed[to_size(other)] =
      in_format(data_of(dx ? InputRole::Weight : big_role(sizes)), dx ? layout.filter : layout.map);
  return call;
}

/// The operator's gradient as the call has it: N C and the spatial axes in turn, rounded once to
/// the call's dtype, which is FLOAT or what FLOAT sums are rounded to.
std::vector<std::byte> as_in_call(const Case& call, const corpus::Observation& seen,
                                  OutputRole role, DataType type) {
  const corpus::TensorCase& tensor = *corpus::tensor(call, role);
  const auto& bits = seen.outputs[role].bits;
  std::vector<std::byte> elements = oracle::in_logical_order(
      bits, corpus::size_bytes(tensor.dtype), std::span<const std::int64_t, 5>(tensor.shape),
      *oracle::axis_order(tensor.format));
  if (tensor.dtype == type) return elements;
  const auto format = *oracle::format_of(type);
  const std::size_t size = corpus::size_bytes(type);
  std::vector<std::byte> rounded;
  rounded.reserve(elements.size() / corpus::size_bytes(tensor.dtype) * size);
  for (std::size_t i = 0; i < elements.size() / corpus::size_bytes(tensor.dtype); ++i) {
    const auto sum = oracle::decode(oracle::NumberFormat::Float,
                                    static_cast<std::uint32_t>(bits_at(elements, i, tensor.dtype)));
    const auto element =
        oracle::encode(format, oracle::convert(format, sum, oracle::default_rounding(format)));
    for (std::size_t byte = 0; byte < size; ++byte) {
      rounded.push_back(static_cast<std::byte>(element >> (8 * byte)));
    }
  }
  return rounded;
}

/// Compares with the operator. Both gradients have the same bits where one device computes them;
/// elsewhere each is judged by its own bound.
std::optional<Verdict> wrong_with_operator(targets::Target& target, const Case& test_case,
                                           const corpus::Observation& seen, const Case& call,
                                           OutputRole role, const CheckSettings& settings) {
  const std::string which(corpus::name_of(call.api));
  const Observed observed = observe(target, call, settings, which);
  if (observed.ended) return observed.ended;
  if (!target.library().takes_machine_settings()) {
    Verdict verdict = judged({call, settings.judge.profile}, observed.seen, settings);
    if (verdict.outcome != corpus::Outcome::Disagree) return std::nullopt;
    verdict.reason = which + ": " + verdict.reason;
    return verdict;
  }
  corpus::Observation theirs;
  theirs.outputs[role].bits =
      as_in_call(call, observed.seen, role, corpus::tensor(test_case, role)->dtype);
  return difference_of(role, test_case, seen, theirs,
                       fmt::format("from {} in {}", which, *call.attributes->data_format));
}

}  // namespace

bool has_graph_operator(const Case& test_case) {
  const auto product = corpus::product_of(test_case);
  const bool is_newer = product && corpus::has_graph_operators(corpus::row_of(*product));
  return is_newer && hf32_of(test_case) && std::ranges::any_of(gradients, [&](OutputRole role) {
           return has_operator_for(test_case, role);
         });
}

Verdict operator_equivalence(targets::Target& target, const Case& test_case,
                             const CheckSettings& settings) {
  Case run = with_listed_data(with_shared_sums(test_case));
  run.deterministic = true;
  const auto sizes = whole_convolution(run);
  if (!sizes) return law_skipped(no_whole_convolution().value());
  std::vector<std::pair<OutputRole, Case>> calls;
  for (const OutputRole role : gradients) {
    const bool is_there = std::ranges::find(target.library().apis(), operator_of(role)) !=
                          target.library().apis().end();
    if (!is_there || !has_operator_for(run, role)) continue;
    Case call = operator_call(run, *sizes, role);
    if (is_legal(call, settings.judge.profile)) calls.emplace_back(role, std::move(call));
  }
  if (calls.empty()) return law_skipped("the target has no graph operator that takes the call");
  const Observed own = observe(target, run, settings, "aclnnConvolutionBackward");
  if (own.ended) return *own.ended;
  for (const auto& [role, call] : calls) {
    if (auto wrong = wrong_with_operator(target, run, own.seen, call, role, settings))
      return *wrong;
  }
  return settled(run, own.seen, agreed("the graph operators give the same gradients"));
}

}  // namespace gradproof::cases::laws_detail
