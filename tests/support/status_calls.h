#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "corpus/case.h"

namespace gradproof::oracle {

/// A legal call to build test cases from: the small map's lengths and the attributes are chosen,
/// the big map's follow. One value per spatial axis; an empty vector means the default on each.
struct LegalCall {
  std::string soc = "Ascend910B";
  std::size_t rank = 4;
  bool transposed = false;
  std::int32_t groups = 1;
  corpus::DataType dtype = corpus::DataType::Float16;
  std::int64_t batch = 2;
  std::int64_t small_channels_per_group = 4, big_channels_per_group = 8;
  std::vector<std::int64_t> small{}, kernel{}, stride{}, padding{}, dilation{}, output_padding{};
};

/// The case of that call: all gradients requested, cubeMathType 0 (A1: FLOAT16), no data.
corpus::Case case_of(const LegalCall& call);

/// A contiguous tensor.
corpus::TensorCase tensor_of(std::vector<std::int64_t> shape, corpus::DataType dtype,
                             corpus::Format format);

using Change = std::function<void(corpus::Case&)>;

/// A case with a change made to it.
corpus::Case changed(corpus::Case test_case, const Change& change);

/// Sets the outputs' shapes to those of input, weight and gradOutput's channels (by biasSizes if
/// there is one).
void fit_outputs(corpus::Case& test_case);

/// All tensors get this dtype.
void set_dtype(corpus::Case& test_case, corpus::DataType dtype);

/// The three outputs requested or not; an unrequested one stays as it is.
void set_mask(corpus::Case& test_case, bool dx, bool dw, bool db);

}  // namespace gradproof::oracle
