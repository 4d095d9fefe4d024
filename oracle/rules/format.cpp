#include <fmt/core.h>

#include <algorithm>
#include <array>

#include "oracle/rules/all.h"
#include "oracle/rules/messages.h"

namespace gradproof::oracle::rules {
namespace {

using namespace codes;
using corpus::Format;
using corpus::OutputRole;
using corpus::TensorCase;

constexpr std::string_view source_of_formats = "aclnnConvolutionBackward, format column";
constexpr std::string_view source_of_ranks = "aclnnConvolutionBackward, shape column";

/// A tensor of rank 3 to 5 as a parameter: gradOutput, input, weight, gradInput or gradWeight.
struct FeatureTensor {
  std::string_view name;
  const TensorCase* tensor;
  bool matters;  ///< an input, or a requested output
};

std::array<FeatureTensor, 5> feature_tensors(const Facts& facts) {
  return {{{"gradOutput", facts.grad_output, true},
           {"input", facts.input, true},
           {"weight", facts.weight, true},
           {"gradInput", facts.grad_input, facts.is_requested(OutputRole::GradInput)},
           {"gradWeight", facts.grad_weight, facts.is_requested(OutputRole::GradWeight)}}};
}

using Flaw = bool (*)(const TensorCase&);

bool is_flawed(const FeatureTensor& parameter, Flaw flaw) {
  return parameter.tensor != nullptr && flaw(*parameter.tensor);
}

template <Flaw flaw>
Standing none_is_flawed(const Facts& facts) {
  return met_if(std::ranges::none_of(feature_tensors(facts), [](const FeatureTensor& parameter) {
    return is_flawed(parameter, flaw);
  }));
}

/// The documents say nothing about the format of an output that is not requested.
template <Flaw flaw>
Consequence invalid_where_it_matters(const Facts& facts) {
  const auto parameters = feature_tensors(facts);
  const bool matters = std::ranges::any_of(parameters, [](const FeatureTensor& parameter) {
    return parameter.matters && is_flawed(parameter, flaw);
  });
  return matters ? always_invalid(facts) : Consequence{invalid, invalid, {success, invalid}};
}

template <Flaw flaw>
FeatureTensor first_flawed(const Facts& facts) {
  const auto parameters = feature_tensors(facts);
  return *std::ranges::find_if(
      parameters, [](const FeatureTensor& parameter) { return is_flawed(parameter, flaw); });
}

bool has_odd_rank(const TensorCase& tensor) {
  return tensor.shape.size() < 3 || tensor.shape.size() > 5;
}

/// The format of a tensor whose rank is wrong is not checked separately.
/// Format and rank say the same of a dense tensor, so each rank has one format; ND without names is
/// taken for NCL.
bool has_odd_format(const TensorCase& tensor) {
  switch (tensor.shape.size()) {
    case 3:
      return tensor.format != Format::Ncl && tensor.format != Format::Nd;
    case 4:
      return tensor.format != Format::Nchw;
    case 5:
      return tensor.format != Format::Ncdhw;
    default:
      return false;
  }
}

bool is_rank_3_nd(const TensorCase& tensor) {
  return tensor.shape.size() == 3 && tensor.format == Format::Nd;
}

std::string words_for_rank(const Facts& facts) {
  const auto [name, tensor, matters] = first_flawed<has_odd_rank>(facts);
  return fmt::format("{} has {} dimensions, {}; it must have 3, 4 or 5", name, tensor->shape.size(),
                     list_of(tensor->shape));
}

std::string words_for_format(const Facts& facts) {
  constexpr std::string_view wanted[] = {"NCL (or ND)", "NCHW", "NCDHW"};
  const auto [name, tensor, matters] = first_flawed<has_odd_format>(facts);
  const std::size_t rank = tensor->shape.size();
  return fmt::format("{} has {} dimensions and format {}; it must be {}", name, rank,
                     corpus::name_of(tensor->format), wanted[rank - 3]);
}

Standing ranks_are_equal(const Facts& facts) {
  if (!facts.grad_output || !facts.input || !facts.weight) return Standing::Undefined;
  const std::size_t rank = facts.input->shape.size();
  return met_if(facts.grad_output->shape.size() == rank && facts.weight->shape.size() == rank);
}

/// Consequence of different ranks. With an empty problem the released library does not compare
/// ranks; what its later checks read then is their affair.
Consequence ranks_differ(const Facts& facts) {
  if (facts.path != Path::EmptyInput) return always_invalid(facts);
  return {invalid, {success, invalid}, {success_without_values, invalid, inner}};
}

Consequence bias_not_nd(const Facts& facts) {
  const bool looked_at = facts.product_class != ProductClass::A1 && !facts.transposed();
  if (looked_at && facts.is_requested(OutputRole::GradBias)) return always_invalid(facts);
  return {invalid, looked_at ? invalid : success, {success, invalid}};
}

constexpr StatusRule format_rows[] = {
    {.id = "RANK-01",
     .demand = {"gradOutput, input, weight, gradInput and gradWeight have 3, 4 or 5 dimensions",
                "gradOutput、input、weight、gradInput 和 gradWeight 的维数须为 3、4 或 5"},
     .source = source_of_ranks,
     .products = on_supported,
     .paths = any_path,
     .standing = none_is_flawed<has_odd_rank>,
     .consequence = invalid_where_it_matters<has_odd_rank>,
     .words = words_for_rank},
    {.id = "RANK-02",
     .demand = {"gradOutput, input and weight have equally many dimensions",
                "gradOutput、input 和 weight 的维数须相同"},
     .source = "CANN ops-nn, comparison of ranks",
     .products = on_supported,
     .paths = any_path,
     .standing = ranks_are_equal,
     .consequence = ranks_differ,
     .words =
         [](const Facts& facts) {
           return fmt::format(
               "gradOutput, input and weight have {}, {} and {} dimensions; they must have equally "
               "many",
               facts.grad_output->shape.size(), facts.input->shape.size(),
               facts.weight->shape.size());
         }},
    {.id = "FMT-01",
     .demand = {"3 dimensions are NCL or ND, 4 NCHW, 5 NCDHW",
                "3 维 tensor 的数据格式须为 NCL 或 ND，4 维须为 NCHW，5 维须为 NCDHW"},
     .source = source_of_formats,
     .products = on_supported,
     .paths = any_path,
     .standing = none_is_flawed<has_odd_format>,
     .consequence = invalid_where_it_matters<has_odd_format>,
     .words = words_for_format},
    {.id = "FMT-02",
     .demand = {"gradBias has format ND", "gradBias 的数据格式须为 ND"},
     .source = "aclnnConvolutionBackward, parameter gradBias",
     .products = on_supported,
     .paths = any_path,
     .standing =
         [](const Facts& facts) {
           if (!facts.grad_bias) return Standing::Undefined;
           return met_if(facts.grad_bias->format == Format::Nd);
         },
     .consequence = bias_not_nd,
     .words =
         [](const Facts& facts) {
           return fmt::format("gradBias has format {}; it must be ND",
                              corpus::name_of(facts.grad_bias->format));
         }},
    {.id = "FMT-03",
     .demand = {"format ND of 3 dimensions means NCL, and the two may be mixed",
                "3 维 tensor 的数据格式 ND 等同于 NCL，两者可以混用"},
     .source = "CANN ops-nn, formats of 1D tensors",
     .products = on_supported,
     .paths = any_path,
     .standing =
         [](const Facts& facts) {
           return permitted_if(none_is_flawed<is_rank_3_nd>(facts) == Standing::Broken);
         },
     .consequence = legal_or_invalid,
     .words =
         [](const Facts& facts) {
           return fmt::format("{} has 3 dimensions and format ND, which is legal and means NCL",
                              first_flawed<is_rank_3_nd>(facts).name);
         }},
};

}  // namespace

std::span<const StatusRule> format_rules() { return format_rows; }

}  // namespace gradproof::oracle::rules
