#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "corpus/api.h"
#include "corpus/data_recipe.h"
#include "corpus/product.h"
#include "corpus/role.h"
#include "corpus/status.h"
#include "corpus/tensor_case.h"
#include "corpus/tiling_field.h"

namespace gradproof::corpus {

/// Members that only graph operators and tiling classes take; axes follow data_format. nullopt: a
/// null pointer is passed.
struct OperatorAttributes {
  std::optional<std::string> data_format;
  std::optional<std::vector<std::int64_t>> pads;       ///< front, back, top, bottom, left, right
  std::optional<std::vector<std::int64_t>> strides;    ///< 5 values
  std::optional<std::vector<std::int64_t>> dilations;  ///< 5 values; null: ones
  std::optional<std::vector<std::int64_t>> input_size, filter_size;
  std::optional<bool> enable_hf32;
  std::optional<std::string> pad_mode;

  friend bool operator==(const OperatorAttributes&, const OperatorAttributes&) = default;
};

/// The outcome that a case's author states.
struct Expectation {
  Status status = Status::Success;
  std::optional<std::string> stage;  ///< tiling cases only
  /// "documented" or "released": the status is due under this profile alone; nullopt: under all.
  std::optional<std::string> profile = {};
  /// Fields that GetTiling fills in, as far as the author states it, by name.
  std::vector<TilingField> tiling = {};

  friend bool operator==(const Expectation&, const Expectation&) = default;
};

/// One call with everything that decides its outcome. nullopt for a tensor or an array: a null
/// pointer is passed.
struct Case {
  std::string id;
  std::string source;  ///< the suite it comes from; may be empty
  Api api = Api::ConvolutionBackward;
  std::string soc = "Ascend910B";  ///< family name; one that no product has is kept (tiling cases)
  std::optional<std::string> soc_exercised;  ///< where its status was observed

  std::optional<TensorCase> grad_output, input, weight;          ///< dy, x, w
  std::optional<TensorCase> grad_input, grad_weight, grad_bias;  ///< dx, dw, db
  std::optional<TensorCase> bias;                                ///< aclnnConvTbcBackward alone
  std::optional<std::vector<std::int64_t>> kernel_size;          ///< aclnnConvDepthwise2d alone
  std::optional<std::vector<std::int64_t>> bias_sizes, stride, padding, dilation, output_padding;
  bool transposed = false;
  std::int32_t groups = 1;
  std::optional<std::vector<bool>> output_mask;  ///< dx, dw, db requested
  std::int8_t cube_math_type = 0;

  std::optional<OperatorAttributes> attributes;  ///< graph operators and tiling classes
  bool deterministic = false;
  bool shape_consistent = true;  ///< false: judge the status only
  std::optional<DataRecipe> data;
  std::optional<Expectation> expect;

  friend bool operator==(const Case&, const Case&) = default;
};

const std::optional<TensorCase>& tensor(const Case& test_case, InputRole role);
const std::optional<TensorCase>& tensor(const Case& test_case, OutputRole role);
std::optional<TensorCase>& tensor(Case& test_case, InputRole role);
std::optional<TensorCase>& tensor(Case& test_case, OutputRole role);

/// The tensor's parameter in the call: "input", "bias" and "output" of a forward operator. Empty
/// where the call has none.
std::string_view name_of(const Case& test_case, InputRole role);
std::string_view name_of(const Case& test_case, OutputRole role);

/// True if the call takes this input: a graph operator that computes dx has no x, one that computes
/// dw no w. Any other tensor in the case is not passed.
bool is_operand(const Case& test_case, InputRole role);

/// True if the call computes this output, as its row says; a mask that is null or too short asks
/// for nothing.
bool is_requested(const Case& test_case, OutputRole role);

/// The product of `soc`, or nullopt.
std::optional<Product> product_of(const Case& test_case);

}  // namespace gradproof::corpus
