#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include <tl/expected.hpp>

#include "corpus/product_row.h"
#include "corpus/random_source.h"
#include "properties/generators/selection.h"

namespace gradproof::properties {

/// Which element types the three inputs of a call have, in the order of the classes of
/// Dimension::DataType.
enum class TypeMix : std::uint8_t { Float, Float16, BFloat16, HiFloat8, Float8E4M3FN, Mixed };

/// The choices that decide which others are legal.
struct Frame {
  corpus::Product product = corpus::Product::Ascend910B;
  int rank = 4;
  bool transposed = false;
  TypeMix types = TypeMix::Float;
  std::int64_t weight = 0;  ///< how often it is drawn, relative to the others
};

/// Products that have a convolution at all.
inline constexpr std::array supported_products = corpus::products_where<corpus::has_convolution>();

/// The generations that the documents treat alike.
bool is_first_generation(corpus::Product product);   ///< 1D and 2D, no BF16, no empty tensors
bool is_second_generation(corpus::Product product);  ///< no 8-bit floats

/// Every frame that a valid call inside the selection can have.
/// Errors: the selection admits none; the text says what excludes what.
tl::expected<std::vector<Frame>, std::string> frames_of(const Selection& selection);

const Frame& draw_frame(const std::vector<Frame>& frames, corpus::RandomSource& random);

}  // namespace gradproof::properties
