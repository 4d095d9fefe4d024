#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "corpus/case.h"
#include "oracle/numbers/dense.h"

namespace gradproof::oracle {

/// A legal call of a graph operator or a tiling class to build test cases from: the lengths of
/// out_backprop are chosen, those of the feature map follow. Arrays are by D, H, W.
struct OperatorCall {
  corpus::Api api = corpus::Api::Conv3DBackpropInputV2;
  std::string soc = "Ascend910B";
  corpus::DataType dtype = corpus::DataType::Float16;
  corpus::Format format = corpus::Format::Ncdhw;  ///< of out_backprop and the feature map
  corpus::Format filter_format = corpus::Format::Ncdhw;
  std::int32_t groups = 1;
  std::int64_t batch = 2, out_channels_per_group = 4, in_channels_per_group = 8;
  std::vector<std::int64_t> small{2, 3, 4}, kernel{2, 3, 3}, stride{1, 2, 1}, dilation{1, 1, 2};
  std::vector<std::int64_t> pads{0, 1, 1, 0, 2, 1};  ///< front, back, top, bottom, left, right
  bool enable_hf32 = false;
};

/// The case of that call, without data.
corpus::Case operator_case(const OperatorCall& call);

/// The values of N C D H W in the order of the format's axes.
std::vector<std::int64_t> ordered(const Shape& values, corpus::Format format);

/// input_size or filter_size, whichever the call has, becomes the result's shape.
void fit_result_size(corpus::Case& test_case);

}  // namespace gradproof::oracle
