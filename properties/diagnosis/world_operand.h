#pragma once

#include <cstddef>
#include <optional>
#include <utility>

#include "properties/diagnosis/witness.h"

namespace gradproof::properties::diagnosis {

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

  /// Each element is converted to this format when it is read.
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

}  // namespace gradproof::properties::diagnosis
