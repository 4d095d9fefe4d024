#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>

#include <nlohmann/json.hpp>
#include <tl/expected.hpp>

#include "corpus/case.h"
#include "corpus/case_error.h"

namespace gradproof::advice {

/// A tensor as another tool describes it; what it does not say is null or empty.
// NOLINTNEXTLINE(bugprone-exception-escape): moving a JSON value throws nothing
struct ForeignTensor {
  nlohmann::json shape;  ///< lengths; null: a null pointer is passed
  std::string dtype = {}, format = {};
  nlohmann::json strides = {}, offset = {}, storage_shape = {};  ///< in elements
  nlohmann::json range = {};                                     ///< [low, high] of its data
  std::string key = {};                                          ///< where it stands, for messages
};

/// An argument that is no tensor: a number, a truth, a list of them, or their text in Python.
// NOLINTNEXTLINE(bugprone-exception-escape): moving a JSON value throws nothing
struct ForeignValue {
  nlohmann::json value;
  std::string key;
};

/// A call of the convolution's gradients as another tool writes it down, sorted by our names of the
/// arguments ("gradOutput", "biasSizes", ...) and not yet understood.
struct ForeignCall {
  std::string id, source;
  std::string key;       ///< where the call stands, for messages
  std::size_t line = 0;  ///< 0: its place is the key
  std::uint64_t seed = 0;
  std::map<std::string, ForeignTensor> tensors;
  std::map<std::string, ForeignValue> values;
};

/// Our name of an argument, whatever its spelling: "grad_output" and "gradOutput" are one. Empty:
/// no argument of aclnnConvolutionBackward.
std::string argument_named(const std::string& name);

/// The call as a case. gradOutput, gradInput, gradWeight and gradBias follow from the rest where
/// they are not described; biasSizes is null, and cubeMathType 0, where they are not. One number
/// stands for all axes. The data is uniform over the smallest range that holds those of all
/// tensors; without one the case names no data. Errors: the first argument that cannot be
/// understood.
tl::expected<corpus::Case, corpus::CaseError> case_of(const ForeignCall& call);

}  // namespace gradproof::advice
