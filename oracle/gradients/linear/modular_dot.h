#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "oracle/numbers/instruction_set.h"
#include "oracle/sums/modular.h"

namespace gradproof::oracle {

/// Residues modulo p = 2^61 - 1 as two integers each, so that products with 32-bit integers have 64
/// bits: residue = low + 2^31 high, 0 <= low < 2^31, 0 <= high < 2^30.
class SplitResidues {
 public:
  explicit SplitResidues(std::size_t count = 0) : low_(count), high_(count) {}
  explicit SplitResidues(std::span<const Residue> residues);

  void set(std::size_t index, Residue residue);
  std::size_t size() const { return low_.size(); }
  const std::int32_t* low() const { return low_.data(); }
  const std::int32_t* high() const { return high_.data(); }

 private:
  std::vector<std::int32_t> low_, high_;
};

/// Integers of at most `bits` bits and a sign, bits <= 25.
struct BoundedIntegers {
  std::span<const std::int32_t> values;
  int bits = 0;
};

/// Results of reading doubles as integers.
struct IntegersFound {
  std::uint32_t magnitudes = 0;  ///< the bits that occur in any magnitude
  bool are_whole = true;         ///< whether all are integers below 2^25 in magnitude
};

/// The loops over elements of the linear check, for one set of instructions. All give the same
/// bits; `Portable` is the reference.
class ModularDot {
 public:
  explicit ModularDot(InstructionSet instructions = widest_instruction_set());

  /// scale * values as integers; what is none, or too large, becomes any. A NaN is none.
  IntegersFound integers(std::span<const double> values, double scale, std::int32_t* to) const;

  /// Sum of values[i] * weights[first + i] modulo p.
  Residue dot(const BoundedIntegers& numbers, const SplitResidues& weights,
              std::size_t first) const;

  class Columns;

 private:
  struct Steps {
    IntegersFound (*integers)(const double*, std::size_t, double, std::int32_t*);
    void (*dot)(const std::int32_t*, const std::int32_t*, const std::int32_t*, std::size_t,
                std::int64_t*);
    void (*add_scaled)(const std::int32_t*, std::size_t, std::int32_t, std::int32_t, std::int64_t*,
                       std::int64_t*);
  };
  static Steps steps_of(InstructionSet instructions);

  Steps steps_;
};

/// Sums over many rows of row[i] * weight, one for each i. Exact integers that are reduced modulo p
/// before they can overflow.
class ModularDot::Columns {
 public:
  Columns(const ModularDot& modular_dot, std::size_t count)
      : add_scaled_(modular_dot.steps_.add_scaled), low_(count), high_(count), sums_(count) {}

  /// Adds weight * values[i] to the sum first + i.
  void add(const BoundedIntegers& numbers, Residue weight, std::size_t first);

  /// The sums. No more can be added afterwards.
  const std::vector<Residue>& sums();

 private:
  /// |low| and |high| stay below 2^62: they may grow by so many units of 2^31 before that.
  static constexpr std::int64_t room_of_sums = std::int64_t{1} << 31;

  void reduce();

  decltype(Steps::add_scaled) add_scaled_;
  std::vector<std::int64_t> low_, high_;
  std::vector<Residue> sums_;
  std::int64_t room_ = room_of_sums;
};

}  // namespace gradproof::oracle
