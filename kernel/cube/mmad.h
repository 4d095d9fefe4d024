#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "kernel/numeric/hf32.h"
#include "kernel/numeric/overflow_mode.h"

namespace gradproof::kernel::cube {

/// Order of the fractals of the left matrix in L0A: ZZ, and NZ on Ascend950.
enum class LeftOrder : std::uint8_t { Zz, Nz };

/// One cube instruction: C (+)= A B, with A (M, K) in L0A as ZZ or NZ, B (K, N) in L0B as ZN and C
/// (M, N) in L0C as NZ of 16 x 16 fractals. Source: asc-devkit, Mmad.
///
/// What the last fractals hold beyond m, n and k is neither read as a term nor meant as a result.
struct Mmad {
  static constexpr std::int64_t longest = 4095;  ///< of m, n, k

  std::int64_t m = 0, n = 0, k = 0;  ///< elements; where one is 0, nothing happens
  std::int64_t c0 = 16;              ///< of the operands' format: 8, 16, 32
  LeftOrder left_order = LeftOrder::Zz;
  bool clears = true;  ///< cmatrixInitVal: C = A B, whatever L0C held; false: C += A B
  numeric::OverflowMode overflow = numeric::OverflowMode::InfNan;
  bool fuses_products = true;  ///< with the sums that they join; else each is rounded before
  std::optional<numeric::Hf32> hf32{};  ///< each operand is rounded before it is multiplied
  /// Every operand is known to be finite and none absent, so products with a 0 of A change no sum
  /// and may be left out: the result is the same, sooner.
  bool operands_are_finite = false;
};

/// Multiplies and adds: each product is added to the element's one running FLOAT sum, k ascending,
/// and both are rounded once (or the product before, then the sum); under saturation what was
/// rounded stops at the largest finite value. The real adder's order is not published: this is the
/// canonical one of the simulation. Elements marked absent (marks.h) add nothing.
void mmad(const Mmad& instruction, std::span<const float> l0a, std::span<const float> l0b,
          std::span<float> l0c);

}  // namespace gradproof::kernel::cube
