#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "corpus/case.h"
#include "oracle/arithmetic/arithmetic_model.h"
#include "oracle/geometry/geometry.h"
#include "oracle/numbers/dense.h"
#include "oracle/operands/operands.h"

namespace gradproof::oracle {

/// Operands that are given instead of drawn by the case's recipe: by InputRole, bytes in the order
/// of corpus::element_values. Must outlive what is made of them.
using GivenOperands = corpus::PerInput<std::span<const std::byte>>;

/// The elements of an input as numbers, whatever the arithmetic: those that are given, or, with
/// null, those of the case's recipe. Shape: the geometry's.
Dense<Number> operand_in_memory(const corpus::Case& test_case, corpus::InputRole role,
                                const Geometry& geometry, const GivenOperands* given = nullptr);

/// The inputs of a case as numbers, converted as an arithmetic asks; each conversion is done once.
/// Conversions are exact functions of the bits, so they belong to the operands and not to the error
/// bound. The case must have data or operands be given; all of them must outlive the store.
class OperandStore {
 public:
  OperandStore(const corpus::Case& test_case, const Geometry& geometry,
               const GivenOperands* given = nullptr)
      : problem_(test_case), geometry_(geometry), given_(given) {}

  /// Valid as long as the store; non-finite elements stay as they are.
  const Dense<Number>& of(corpus::InputRole role, const Arithmetic& arithmetic) {
    return measured(role, arithmetic).numbers;
  }
  MeasuredOperand measured(corpus::InputRole role, const Arithmetic& arithmetic);

  /// The bias of a forward call as it is added, a number for each channel; empty without one.
  std::vector<Number> bias(const Arithmetic& arithmetic);

 private:
  using Key = std::tuple<corpus::InputRole, NumberFormat, Rounding, Overflow>;
  struct Measured {
    explicit Measured(Dense<Number> values)
        : numbers(std::move(values)), extent(extent_of(numbers)) {}
    Dense<Number> numbers;
    Extent extent;
  };
  using Entry = std::pair<Key, std::unique_ptr<Measured>>;

  const Measured& raw(corpus::InputRole role);

  const corpus::Case& problem_;
  const Geometry& geometry_;
  const GivenOperands* given_;
  corpus::PerInput<std::optional<Measured>> raw_;
  std::vector<Entry> converted_;
};

}  // namespace gradproof::oracle
