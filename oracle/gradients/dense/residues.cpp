#include "oracle/gradients/dense/residues.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "oracle/sums/accumulators.h"

namespace gradproof::oracle {
namespace {

constexpr std::size_t lanes = residues_at_once;
/// 256 bits: whole groups of digits for the 192 bits of WideSum.
constexpr std::size_t most_digits = 8;

/// Bits of the largest sum.
double bits_of(const ProductSpan& span) {
  return span.left_bits + span.right_bits + std::log2(static_cast<double>(span.terms));
}

/// 128 bits, or as many as WideSum has.
std::size_t digits_of_sums(const ProductSpan& span) {
  return holds<Int128Accumulator>(span.left_bits, span.right_bits, span.terms) ? 4 : most_digits;
}

/// Calls visit(index, digits of eight sums) for eight sums after the other.
template <typename Visit>
void for_each_eight(const ResidueKernels& kernels, const ResidueBasis& basis,
                    const std::vector<const std::int32_t*>& planes, std::int64_t offset,
                    std::int64_t count, Visit visit) {
  std::array<std::int64_t, most_digits * lanes> digits;
  for (std::int64_t i = 0; i < count; i += residues_at_once) {
    kernels.digits(basis, planes.data(), offset + i, count - i, digits.data());
    visit(i, digits);
  }
}

}  // namespace

/// A tile adds less than 1.1 of a modulus, or 2^14, for every residue_depth steps, of which a block
/// has up to four times as many: 2^15 blocks stay below 2^31.
std::optional<std::size_t> Residues::planes_for(const ProductSpan& span, std::int64_t additions) {
  constexpr std::int64_t most_additions = 1 << 15;
  constexpr int most_bits = 63;
  if (additions > most_additions || std::max(span.left_bits, span.right_bits) > most_bits) {
    return std::nullopt;
  }
  return ResidueBasis::moduli_for(bits_of(span));
}

Residues::Residues(const ProductSpan& span, InstructionSet instructions)
    : tiles_(residue_tiles(instructions)),
      kernels_(residue_kernels(instructions)),
      basis_(ResidueBasis::moduli_for(bits_of(span)).value(), digits_of_sums(span)) {}

void Residues::add(int pass, const Word* left, const Word* right, std::int64_t depth,
                   const std::vector<Sum*>& planes, std::int64_t offset, std::int64_t stride,
                   Onto onto) const {
  const auto plane = static_cast<std::size_t>(pass);
  for (; depth > 0; depth -= residue_depth) {
    const std::int64_t steps = std::min(depth, residue_depth);
    tiles_.add(left, right, (steps + 1) / 2, basis_.moduli()[plane], planes[plane] + offset, stride,
               onto);
    left += steps * tiles_.shape.rows;
    right += steps * tiles_.shape.columns;
    onto = Onto::Sums;
  }
}

void Residues::combine(const std::vector<const Sum*>& planes, std::int64_t offset,
                       std::int64_t count, Int128* sums) const {
  for_each_eight(kernels_, basis_, planes, offset, count, [&](std::int64_t first, auto& digits) {
    const std::int64_t end = std::min(count - first, residues_at_once);
    for (std::int64_t i = 0; i < end; ++i) {
      const auto digit = [&](std::size_t place) {
        return static_cast<Uint128>(Int128{digits[place * lanes + static_cast<std::size_t>(i)]})
               << (32 * place);
      };
      sums[first + i] = static_cast<Int128>(digit(0) + digit(1) + digit(2) + digit(3));
    }
  });
}

void Residues::combine(const std::vector<const Sum*>& planes, std::int64_t offset,
                       std::int64_t count, WideSum* sums) const {
  for_each_eight(kernels_, basis_, planes, offset, count, [&](std::int64_t first, auto& digits) {
    const std::int64_t end = std::min(count - first, residues_at_once);
    for (std::int64_t i = 0; i < end; ++i) {
      Int128 carry = 0;
      for (std::size_t word = 0; word < sums->words.size(); ++word) {
        const std::int64_t* const pair = digits.data() + 2 * word * lanes + i;
        carry += Int128{pair[0]} + Int128{pair[lanes]} * (Int128{1} << 32U);
        sums[first + i].words[word] = static_cast<std::uint64_t>(carry);
        carry >>= 64;
      }
    }
  });
}

}  // namespace gradproof::oracle
