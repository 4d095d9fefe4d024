#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "properties/findings/hypotheses/transform_fault.h"
#include "properties/findings/hypotheses/witness.h"

namespace gradproof::findings::diagnosis {

/// An operand of a world: the witness's own, which must outlive it, until it is changed. Most
/// worlds change one operand or none, and an operand may have millions of elements.
class WorldOperand {
 public:
  explicit WorldOperand(const Numbers& given) : given_(&given) {}

  const oracle::Shape& shape() const { return kept().shape(); }
  std::size_t size() const { return kept().size(); }

  /// A copy of its own, to change; before `round`.
  Numbers& changed() {
    if (!own_) own_ = *given_;
    return *own_;
  }
  WorldOperand& operator=(Numbers numbers) {
    own_ = std::move(numbers);
    return *this;
  }

  /// Converts each element to this format when it is read.
  void round(oracle::NumberFormat format, oracle::Rounding rounding) {
    rounding_ = {format, rounding};
  }

  oracle::Number at(const oracle::Shape& coordinate) const { return read(kept().at(coordinate)); }

  /// All of them, as they are read.
  Numbers whole() const {
    Numbers numbers = kept();
    if (!rounding_) return numbers;
    for (oracle::Number& number : numbers.elements()) number = read(number);
    return numbers;
  }

 private:
  const Numbers& kept() const { return own_ ? *own_ : *given_; }
  oracle::Number read(const oracle::Number& number) const {
    return rounding_ ? oracle::convert(rounding_->first, number, rounding_->second) : number;
  }

  const Numbers* given_;
  std::optional<Numbers> own_;
  std::optional<std::pair<oracle::NumberFormat, oracle::Rounding>> rounding_;
};

/// A run as it would be if some one thing were otherwise: the exact gradient of other operands, in
/// another geometry, rounded by another arithmetic.
struct World {
  oracle::Geometry geometry;
  WorldOperand grad_output, other;
  std::vector<oracle::Arithmetic> arithmetics;  ///< any of them

  /// Source in the gradient of each element of the output; empty: in order.
  std::vector<std::int64_t> source;
  static constexpr std::int64_t zero = -1, unwritten = -2;
  static constexpr std::int64_t contested = -3;  ///< several values go there: any of them

  /// Products rounded to this before they are added.
  std::optional<oracle::NumberFormat> product_format;
  /// Every partial sum is rounded to this, in an unknown order.
  std::optional<oracle::NumberFormat> partial_sum_format;
  /// The result is rounded like this; nullopt: as its format demands.
  std::optional<oracle::Rounding> output_rounding;
  std::optional<TransformFault> transform_fault = {};  ///< all else as in the witness
};

/// The world as it should be. Like all that are made of it, it refers to the witness.
World right_world(const Witness& witness);

/// True if what the target gave is what it would have to give in this world: every element exact,
/// or inside the rigorous bound where its sum is rounded.
bool agrees(const World& world, const Witness& witness);

}  // namespace gradproof::findings::diagnosis
