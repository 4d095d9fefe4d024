#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "corpus/random_source.h"
#include "properties/cases/calls/convolution.h"
#include "properties/cases/generators/frame.h"

namespace gradproof::cases {

/// The highest power of two that a size is set to, as an exponent.
inline constexpr int highest_exponent = 17;

/// An exponent up to `highest`: each is as likely as every other up to 11; beyond, where a case
/// costs as much as its size, all get the same time.
int draw_exponent(int highest, corpus::RandomSource& random);

/// 2^k - 1, 2^k, 2^k + 1 or 3 * 2^(k - 1): where code for blocks begins, ends and leaves a tail. At
/// least 1.
std::int64_t draw_threshold(int exponent, corpus::RandomSource& random);

/// A size of a call, or what follows from several, that a library may compare with a constant.
/// Bytes are not named: of a type of 2^n bytes they are as near to a power of two as elements.
struct ThresholdQuantity {
  std::string_view name;
  std::int64_t (*of)(const Convolution& sizes);
  /// Makes it the value, by what is free, where the rank has it; attributes may leave the ranges.
  void (*set)(Convolution& sizes, std::int64_t value, corpus::RandomSource& random);
  std::int64_t weight = 10;  ///< how often it is drawn
  int power = 1;             ///< a case costs about value^power
};

const std::vector<ThresholdQuantity>& threshold_quantities();

/// Sizes of a legal convolution of which one (at times two at once) lies at a power of two, where
/// libraries change from one path to another; the others are small, often a real layer's. At most
/// `max_macs` multiply-accumulates.
Convolution draw_threshold_convolution(const Frame& frame, std::int64_t max_macs,
                                       corpus::RandomSource& random);

/// Sizes of a legal convolution that can only be asked for its status: of one tensor the elements,
/// or the bytes of one dtype, lie just below, at or just above 2^31 or 2^32, where a product of
/// lengths leaves 32 bits. Or those of a layer whose dw Ascend950 computes by Winograd's algorithm,
/// on maps too large to be computed here.
Convolution draw_beyond_memory(const Frame& frame, corpus::RandomSource& random);

}  // namespace gradproof::cases
