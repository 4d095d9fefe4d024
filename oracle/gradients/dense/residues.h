#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "oracle/gradients/dense/number_schemes.h"
#include "oracle/gradients/dense/residue_basis.h"
#include "oracle/gradients/dense/residue_kernels.h"
#include "oracle/gradients/dense/residue_tiles.h"
#include "oracle/numbers/int128.h"
#include "oracle/sums/wide_sum.h"

namespace gradproof::oracle {

/// A number scheme: residues of the operands modulo coprime numbers of 13 bits, one layer and one
/// plane for each. Products of residues are 16-bit multiply-adds, four times as many at once as of
/// doubles, and the number of moduli grows with the bits of a sum, not with the product of the
/// operands' digits. Sums of planes are any integers of the residue class that fit 32 bits;
/// `combine` finds the exact sum by the Chinese remainder theorem (ResidueBasis).
/// Source: H. L. Garner, The residue number system (1959).
class Residues {
 public:
  using Word = std::int16_t;
  using Sum = std::int32_t;
  static constexpr bool has_line_words = false;
  static constexpr std::int64_t steps_together = 2;

  /// Number of planes for such spans; nothing where moduli are too few, operands too wide or planes
  /// do not hold all additions. `additions`: blocks that are added to one element.
  static std::optional<std::size_t> planes_for(const ProductSpan& span, std::int64_t additions);

  /// Takes spans that there are planes for.
  Residues(const ProductSpan& span, InstructionSet instructions);

  TileShape tile() const { return tiles_.shape; }
  int layers(Side /*side*/) const { return static_cast<int>(planes()); }
  std::size_t planes() const { return basis_.moduli().size(); }

  void make_words(Side /*side*/, const std::int64_t* integers, std::int64_t count,
                  Word* words) const {
    kernels_.residues(integers, count, basis_, words);
  }

  int passes() const { return static_cast<int>(planes()); }
  LayerPair layers_of(int pass) const { return {pass, pass}; }
  void add(int pass, const Word* left, const Word* right, std::int64_t depth,
           const std::vector<Sum*>& planes, std::int64_t offset, std::int64_t stride,
           Onto onto) const;

  void accumulate(const Sum* sums, std::int64_t count, Sum* to) const {
    kernels_.accumulate(sums, count, to);
  }

  void combine(const std::vector<const Sum*>& planes, std::int64_t offset, std::int64_t count,
               Int128* sums) const;
  void combine(const std::vector<const Sum*>& planes, std::int64_t offset, std::int64_t count,
               WideSum* sums) const;

 private:
  ResidueTiles tiles_;
  ResidueKernels kernels_;
  ResidueBasis basis_;
};

}  // namespace gradproof::oracle
