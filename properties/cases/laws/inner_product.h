#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "corpus/data_type.h"
#include "oracle/numbers/int128.h"

namespace gradproof::cases {

/// An inner product, as an odd integer times 2^unit.
struct InnerProduct {
  oracle::Int128 sum = 0;
  int unit = 0;
  double value() const;
  friend bool operator==(const InnerProduct&, const InnerProduct&) = default;
};

/// The inner product without a rounding; nullopt: the lengths differ, an element is not finite, or
/// one vector's elements lie further apart than where a law has exact sums.
std::optional<InnerProduct> inner_product(const std::vector<double>& left,
                                          const std::vector<double>& right);

/// The elements of a tensor; NaN where the type's bits have no value.
std::vector<double> values_of(const std::vector<std::byte>& bytes, corpus::DataType type);

}  // namespace gradproof::cases
