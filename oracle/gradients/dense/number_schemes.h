#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "oracle/gradients/dense/tile_kernels.h"
#include "oracle/gradients/dense/word_kernels.h"
#include "oracle/numbers/instruction_set.h"
#include "oracle/numbers/int128.h"

namespace gradproof::oracle {

/// Bits and lengths that decide how products can be added: bits that the left and the right
/// operands span (Extent::window_bits), and the most products that contribute to one element.
/// Operands are integers with |a| < 2^left_bits and |b| < 2^right_bits in units of their tensors,
/// so that every sum of magnitudes is below 2^(left_bits + right_bits + bit_width(terms)).
struct ProductSpan {
  int left_bits, right_bits;
  std::int64_t terms;
};

/// Factor of a matrix product.
enum class Side : std::uint8_t { Left, Right };

/// Layers of the two factors that are multiplied.
struct LayerPair {
  int left, right;
};

// A number scheme adds products of integers in words of 64 bits, tile by tile. Of each operand it
// makes one or more layers of words, such as its digits; of products of layers one or more planes
// of sums. A panel of words may be followed by one more word for each of its lines.
//
// All of them split integers without loss, a = sum of a_i 2^(i w) with digits of w bits, and have
// sums that fit a word, so that every plane is exact; `combine` adds the planes with their weights.

/// Digits of the operands' magnitudes in doubles, so narrow that no sum of products reaches 2^53.
/// Every pair of digits has its own plane:
///   a b = sum over i, j of a_i b_j 2^(i v + j w), with left digits of v bits and right ones of w.
/// Invariant: v + w + bit_width(terms) <= 53.
/// Source: K. Ozaki et al., Error-free transformations of matrix multiplication by using fast
/// routines of matrix multiplication, Numerical Algorithms 59 (2012).
/// Digits carry the sign of their operand, so all of them, and the identity, are those of
/// magnitudes times signs. Cost: left digits times right digits multiply-adds for each product.
class SlicedDoubles {
 public:
  using Word = double;
  using Sum = double;
  static constexpr bool has_line_words = false;
  static constexpr std::int64_t steps_together = 1;

  SlicedDoubles(const ProductSpan& span, InstructionSet instructions);

  TileShape tile() const { return kernel_.shape; }
  int layers(Side side) const { return side == Side::Left ? left_digits_ : right_digits_; }
  std::size_t planes() const {
    return static_cast<std::size_t>(left_digits_) * static_cast<std::size_t>(right_digits_);
  }

  /// Makes the words of all layers, one after the other; `count` is a multiple of words_at_once.
  void make_words(Side side, const std::int64_t* integers, std::int64_t count, Word* words) const;

  /// Products of layers are taken one pass after the other: of which layers.
  int passes() const { return left_digits_ * right_digits_; }
  LayerPair layers_of(int pass) const { return {pass / right_digits_, pass % right_digits_}; }

  /// Adds the product of two layers' panels to what lies `offset` sums behind the planes'
  /// beginnings.
  void add(int pass, const Word* left, const Word* right, std::int64_t depth,
           const std::vector<Sum*>& planes, std::int64_t offset, std::int64_t stride,
           Onto onto) const {
    kernel_.add(left, right, depth, planes[static_cast<std::size_t>(pass)] + offset, stride, onto);
  }

  /// Adds `count` sums of a plane to others.
  void accumulate(const Sum* sums, std::int64_t count, Sum* to) const {
    words_.add_doubles(sums, count, to);
  }

  /// Combines the planes to the sums that the planes stand for, `count` of them from an offset on.
  void combine(const std::vector<const Sum*>& planes, std::int64_t offset, std::int64_t count,
               Int128* sums) const;
  /// Combines the planes of a scheme that has a single one.
  void combine(const std::vector<const Sum*>& planes, std::int64_t offset, std::int64_t count,
               double* sums) const;

 private:
  DoubleKernel kernel_;
  WordKernels words_;
  int left_digits_ = 1, right_digits_ = 1;
  int left_width_ = 1, right_width_ = 1;
};

/// 52-bit multiply-adds of whole operands of up to 51 bits, biased to be positive; planes of the
/// low and the high parts of the sums: product = high * 2^52 + low. The instructions (VPMADD52LUQ,
/// VPMADD52HUQ) are unsigned, hence the bias, which tile_kernels.cpp takes out again.
/// Why 51 bits: a + 2^51 is in [0, 2^52) exactly for a in [-2^51, 2^51). A product of two such
/// words has 104 bits, of which the instructions add the lower and the upper 52 to separate sums.
class BiasedIntegers {
 public:
  using Word = std::uint64_t;
  using Sum = std::uint64_t;
  static constexpr bool has_line_words = true;
  static constexpr std::int64_t steps_together = 1;

  /// True if the scheme fits such spans; `additions`: tiles that are added to one element.
  static bool holds(const ProductSpan& span, std::int64_t additions);

  explicit BiasedIntegers(InstructionSet instructions)
      : kernel_(ifma_kernel(instructions)), words_(word_kernels(instructions)) {}

  TileShape tile() const { return kernel_.shape; }
  int layers(Side /*side*/) const { return 1; }
  std::size_t planes() const { return 2; }

  void make_words(Side /*side*/, const std::int64_t* integers, std::int64_t count,
                  Word* words) const {
    words_.biased(integers, count, ifma_bias, words);
  }

  /// Word that follows a panel, given the sum of a line's words.
  Word line_word(Side /*side*/, int /*layer*/, Word sum, std::int64_t /*depth*/) const {
    return sum;
  }

  int passes() const { return 1; }
  LayerPair layers_of(int /*pass*/) const { return {0, 0}; }
  void add(int /*pass*/, const Word* left, const Word* right, std::int64_t depth,
           const std::vector<Sum*>& planes, std::int64_t offset, std::int64_t stride,
           Onto onto) const {
    kernel_.add(left, right, depth, planes[0] + offset, planes[1] + offset, stride, onto);
  }

  void sum_lines(const Word* words, std::int64_t depth, std::int64_t width, Word* sums) const {
    words_.sum_lines(words, depth, width, sums);
  }
  void accumulate(const Sum* sums, std::int64_t count, Sum* to) const {
    words_.add_words(sums, count, to);
  }

  void combine(const std::vector<const Sum*>& planes, std::int64_t offset, std::int64_t count,
               Int128* sums) const {
    words_.join_halves(planes[0] + offset, planes[1] + offset, count, sums);
  }

 private:
  IfmaKernel kernel_;
  WordKernels words_;
};

/// Digits whose products stay below 2^52, by the lower half of 52-bit multiply-adds alone. Every
/// pair of digits has a plane of its own.
/// Invariants: the two words of a product have at most 52 bits together, so that the lower half of
/// the product is all of it. Sums are taken modulo 2^64, biases and all; the true sums are below
/// 2^63 in magnitude, so that the residue determines them.
class NarrowIntegers {
 public:
  using Word = std::uint64_t;
  using Sum = std::uint64_t;
  static constexpr bool has_line_words = true;
  static constexpr std::int64_t steps_together = 1;

  NarrowIntegers(const ProductSpan& span, InstructionSet instructions);

  /// True if the scheme can add such products at all.
  bool holds() const { return planes() > 0; }

  TileShape tile() const { return kernel_.shape; }
  int layers(Side side) const { return side == Side::Left ? left_digits_ : right_digits_; }
  std::size_t planes() const {
    return static_cast<std::size_t>(left_digits_) * static_cast<std::size_t>(right_digits_);
  }

  void make_words(Side side, const std::int64_t* integers, std::int64_t count, Word* words) const;

  /// Takes out again what the biases add: with u = a + s and v = b + t,
  /// sum of a b = sum of u v - t sum of u - s sum of v + depth s t.
  Word line_word(Side side, int /*layer*/, Word sum, std::int64_t depth) const {
    if (side == Side::Left) return -(bias(Side::Right) * sum);
    return bias(Side::Left) * (static_cast<Word>(depth) * bias(Side::Right) - sum);
  }

  int passes() const { return left_digits_ * right_digits_; }
  LayerPair layers_of(int pass) const { return {pass / right_digits_, pass % right_digits_}; }
  void add(int pass, const Word* left, const Word* right, std::int64_t depth,
           const std::vector<Sum*>& planes, std::int64_t offset, std::int64_t stride,
           Onto onto) const {
    kernel_.add(left, right, depth, planes[static_cast<std::size_t>(pass)] + offset, stride, onto);
  }

  void sum_lines(const Word* words, std::int64_t depth, std::int64_t width, Word* sums) const {
    words_.sum_lines(words, depth, width, sums);
  }
  void accumulate(const Sum* sums, std::int64_t count, Sum* to) const {
    words_.add_words(sums, count, to);
  }

  void combine(const std::vector<const Sum*>& planes, std::int64_t offset, std::int64_t count,
               Int128* sums) const;

 private:
  int width(Side side) const { return side == Side::Left ? left_width_ : right_width_; }
  /// Offset that is larger in magnitude than any digit.
  Word bias(Side side) const { return Word{1} << width(side); }

  NarrowKernel kernel_;
  WordKernels words_;
  int left_digits_ = 1, right_digits_ = 1;
  int left_width_ = 1, right_width_ = 1;
};

}  // namespace gradproof::oracle
