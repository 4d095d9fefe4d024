#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "corpus/case.h"
#include "corpus/random_source.h"
#include "properties/cases/generators/selection.h"

namespace gradproof::cases {

struct OperatorBreaker;  // violations/operator_breakers.h

/// Facts that decide which calls of an operator other than aclnnConvolutionBackward are legal.
struct OperatorFrame {
  corpus::Api api = corpus::Api::Conv3DBackpropInputV2;
  corpus::Product product = corpus::Product::Ascend910B;
  corpus::DataType dtype = corpus::DataType::Float;
  int rank = 3;  ///< of a forward operator's tensors
  bool transposed = false;
};

/// Every frame that a legal call of theirs inside the selection can have; empty where it admits
/// none.
std::vector<OperatorFrame> operator_frames_of(const Selection& selection);

/// Demands of a breaker on the call that it is going to break.
struct OperatorWishes {
  bool one_group = false;  ///< groups is 1 ...
  bool groups = false;     ///< ... or more
  bool plain = false;      ///< neither a ratio for groups nor a dilation without effect
};

/// An operator as it is generated; each has a row in its own file.
struct OperatorGenerator {
  std::span<const int> ranks;
  bool takes_transposed = false;
  std::span<const corpus::Product> products;
  bool (*takes)(const OperatorFrame&);  ///< whether the dtype is one of the operator's there
  corpus::Case (*draw)(const OperatorFrame&, std::int64_t max_macs, const OperatorWishes&,
                       corpus::RandomSource&);
  std::span<const OperatorBreaker> (*breakers)();  ///< of its rules, in the specification's order
};
extern const OperatorGenerator graph_operator_generator, conv_tbc_generator;
extern const OperatorGenerator forward_convolution_generator, forward_tbc_generator;
extern const OperatorGenerator depthwise_generator;
std::span<const OperatorBreaker> graph_operator_breakers();
std::span<const OperatorBreaker> conv_tbc_breakers();
std::span<const OperatorBreaker> forward_breakers();
std::span<const OperatorBreaker> no_breakers();  ///< the forward operators share theirs

/// Each of them once.
std::span<const OperatorGenerator* const> operator_generators();

/// "NAME takes 3D convolutions on PRODUCT, PRODUCT" for each operator, with commas between.
std::string what_operators_take();

/// A legal call, with at most `max_macs` multiply-accumulates.
corpus::Case draw_operator_case(const OperatorFrame& frame, std::int64_t max_macs,
                                const OperatorWishes& wishes, corpus::RandomSource& random);

}  // namespace gradproof::cases
