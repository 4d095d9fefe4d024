#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "oracle/facts/case_facts.h"
#include "oracle/facts/checked_integer.h"
#include "oracle/rules/status_rules.h"

namespace gradproof::oracle::rules {

// Questions that the rules of the forward operators ask of a call: aclnnConvolution, aclnnConvTbc
// and aclnnConvDepthwise2d. A case keeps x as gradOutput, b as input, w as weight and y as
// gradInput.

inline constexpr Calls forward_calls{corpus::Api::Convolution, corpus::Api::ConvTbc,
                                     corpus::Api::ConvDepthwise2d};
inline constexpr Calls of_convolution{corpus::Api::Convolution};
inline constexpr Calls of_tbc{corpus::Api::ConvTbc};
inline constexpr Calls of_depthwise{corpus::Api::ConvDepthwise2d};
inline constexpr Calls of_maps{corpus::Api::Convolution, corpus::Api::ConvDepthwise2d};
inline constexpr Calls of_fixed{corpus::Api::ConvTbc, corpus::Api::ConvDepthwise2d};

/// A row of these rules, on every chip.
constexpr StatusRule forward_rule(std::string_view id, Clause demand, Calls calls,
                                  Standing (*standing)(const Facts&),
                                  Consequence (*consequence)(const Facts&),
                                  std::string (*words)(const Facts&)) {
  return {.id = id,
          .demand = demand,
          .source = "aclnnConvolution, aclnnConvTbc, aclnnConvDepthwise2d",
          .products = on_every_chip,
          .standing = standing,
          .consequence = consequence,
          .words = words,
          .calls = calls};
}

/// A parameter by its name.
struct ForwardTensor {
  std::string_view name;
  const corpus::TensorCase* tensor = nullptr;
};

/// input, weight, output.
std::array<ForwardTensor, 3> maps_of(const Facts& facts);

/// The first of them that is there and of which `is_wrong` holds; without a tensor where none is.
template <typename Predicate>
ForwardTensor first_map(const Facts& facts, Predicate is_wrong) {
  for (const ForwardTensor& named : maps_of(facts)) {
    if (named.tensor != nullptr && is_wrong(*named.tensor)) return named;
  }
  return {};
}

inline const corpus::TensorCase* x_of(const Facts& facts) { return facts.grad_output; }
inline const corpus::TensorCase* w_of(const Facts& facts) { return facts.weight; }
inline const corpus::TensorCase* b_of(const Facts& facts) { return facts.input; }
inline const corpus::TensorCase* y_of(const Facts& facts) { return facts.grad_input; }

inline bool is_tbc(const Facts& facts) { return facts.test_case.api == corpus::Api::ConvTbc; }
inline bool is_depthwise(const Facts& facts) {
  return facts.test_case.api == corpus::Api::ConvDepthwise2d;
}
/// True if aclnnConvolution is called with transposed.
bool is_transposed(const Facts& facts);

inline bool is_a23(const Facts& facts) { return facts.product_class == ProductClass::A23; }
inline bool is_a5(const Facts& facts) { return facts.product_class == ProductClass::A5; }
inline bool is_310b(const Facts& facts) { return facts.product == corpus::Product::Ascend310B; }
inline bool is_310p(const Facts& facts) { return facts.product == corpus::Product::Ascend310P; }
/// True for the products with FLOAT and FLOAT16 alone.
inline bool is_old(const Facts& facts) {
  return !is_a23(facts) && !is_a5(facts) && !is_310b(facts);
}

/// The rank of input, where input, weight and output have it and the call takes it; else 0.
std::size_t rank_of(const Facts& facts);

/// Spatial axes of the call; 0 without a rank.
std::size_t axes_of(const Facts& facts);

/// True if one of the tensors is there and has no elements.
bool has_no_elements(const corpus::TensorCase* tensor);

/// Channels of the output: nullopt where the weight has not the axes or the product overflows.
std::optional<std::int64_t> output_channels(const Facts& facts);

/// One spatial axis, as the call has it.
struct ForwardAxis {
  std::int64_t from = 1, kernel = 1, to = 1;
  std::int64_t stride = 1, dilation = 1, padding_begin = 0, padding_end = 0, output_padding = 0;

  CheckedInteger extent() const;  ///< dilation * (kernel - 1) + 1
  CheckedInteger padded() const;  ///< from with both paddings
};

/// Returns the axes; none where a rank or an array's length is not the call's, or a step is
/// below 1.
std::vector<ForwardAxis> forward_axes(const Facts& facts);

/// The length that an axis of the output has to have; nullopt where that leaves 64 bits.
std::optional<std::int64_t> length_due(const Facts& facts, const ForwardAxis& axis);

/// True if the array has this many values.
inline bool has_length(const std::vector<std::int64_t>* values, std::size_t length) {
  return values != nullptr && values->size() == length;
}
bool padding_fits(const Facts& facts);

// Consequences that several rows have.

/// The documents refuse, the released library does not look.
Consequence refused_by_the_pages(const Facts&);
/// A range of the documents: device code refuses, or nothing does.
Consequence out_of_range(const Facts&);

}  // namespace gradproof::oracle::rules
