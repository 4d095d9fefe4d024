#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <tl/expected.hpp>

#include "corpus/data_type_row.h"
#include "corpus/product_row.h"
#include "corpus/random_source.h"
#include "properties/cases/generators/selection.h"

namespace gradproof::cases {

/// The choices that decide which others are legal.
struct Frame {
  corpus::Product product = corpus::Product::Ascend910B;
  int rank = 4;
  bool transposed = false;
  std::optional<corpus::DataType> dtype = corpus::DataType::Float;  ///< of all inputs; none: mixed
  std::int64_t weight = 0;  ///< how often it is drawn, relative to the others
  Domain domain = Domain::Cann;
};

/// Products that have a convolution at all.
inline constexpr std::array supported_products = corpus::products_where<corpus::has_convolution>();

/// True if the inputs are FLOAT, FLOAT16, BF16 or a mix of these.
bool is_wide(const Frame& frame);

/// True for the generations that the documents treat alike.
bool is_first_generation(corpus::Product product);   ///< 1D and 2D, no BF16, no empty tensors
bool is_second_generation(corpus::Product product);  ///< no 8-bit floats

/// Every frame that a valid call inside the selection can have.
/// Errors: the selection admits none; the text says what excludes what.
tl::expected<std::vector<Frame>, std::string> frames_of(const Selection& selection);

const Frame& draw_frame(const std::vector<Frame>& frames, corpus::RandomSource& random);

}  // namespace gradproof::cases
