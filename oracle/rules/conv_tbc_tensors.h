#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

#include "oracle/facts/case_facts.h"

namespace gradproof::oracle::rules {

// What the rules of aclnnConvTbcBackward ask of its seven tensors. Maps are [L, N, C], the weight
// is [kernel, C of input, C of gradOutput]; its document calls gradOutput self.

/// A parameter by its name in the document.
struct NamedTensor {
  std::string_view name;
  const corpus::TensorCase* tensor = nullptr;
  bool is_vector = false;  ///< bias or gradBias
};

std::array<NamedTensor, 7> tensors_of(const Facts& facts);

bool is_there(const NamedTensor& named);

/// The first tensor that is there and of which `is_wrong` holds; without a tensor where none is.
template <typename Predicate>
NamedTensor first_wrong(const Facts& facts, Predicate is_wrong) {
  for (const NamedTensor& named : tensors_of(facts)) {
    if (is_there(named) && is_wrong(named)) return named;
  }
  return {};
}

bool has_wrong_dtype(const Facts& facts, const NamedTensor& named);

NamedTensor wrong_dtype(const Facts& facts);
NamedTensor wrong_format(const Facts& facts);
NamedTensor wrong_rank(const Facts& facts);
/// An input whose dtype is not that of self.
NamedTensor of_another_dtype(const Facts& facts);

/// True if a map or the weight is there, with three axes.
bool has_axes(const corpus::TensorCase* tensor);

/// The bias, where it is there with one axis; else null.
const corpus::TensorCase* bias_of(const Facts& facts);

std::int64_t pad_of(const Facts& facts);

/// L + 2 * pad + 1 - kernel; nullopt where that leaves 64 bits.
std::optional<std::int64_t> output_length(const Facts& facts);

/// Each gradient and what it belongs to.
std::array<std::pair<NamedTensor, NamedTensor>, 3> gradients(const Facts& facts);

/// The first gradient that differs in a member from what it belongs to.
template <auto member>
std::optional<std::pair<NamedTensor, NamedTensor>> unlike(const Facts& facts) {
  for (const auto& pair : gradients(facts)) {
    const auto& [gradient, of] = pair;
    if (is_there(gradient) && is_there(of) && gradient.tensor->*member != of.tensor->*member) {
      return pair;
    }
  }
  return std::nullopt;
}

}  // namespace gradproof::oracle::rules
