#pragma once

#include <optional>
#include <vector>

#include "corpus/machine/machine.h"
#include "properties/cases/machines/addition_tree.h"

namespace gradproof::cases {

/// Computes one element as a machine is said to, exactly and step by step.
class Model {
 public:
  /// Errors are not looked for: the machine is one that corpus::impossibility() passes.
  explicit Model(corpus::GradientMachine machine) : machine_(std::move(machine)) {}

  const corpus::GradientMachine& machine() const { return machine_; }

  /// The element's value from the operands of its products, in the order of tree.leaves; `others`
  /// is empty for gradBias. nullopt: something overflows or a format is unknown, so that nothing is
  /// predicted.
  std::optional<double> element(const AdditionTree& tree, const std::vector<double>& operands,
                                const std::vector<double>& others) const;

 private:
  corpus::GradientMachine machine_;
};

/// A family that makes a tree, and the order of the products in it.
struct FittedFamily {
  corpus::SummationTree tree;
  corpus::LeafOrder order;
};

/// The family and order whose tree is the measured one, products in their places; nullopt: none of
/// those that are tried. First families whose trees have the measured form, then orders: loops over
/// whole axes in any order and direction, or with blocks of 4 to 64 channels.
std::optional<FittedFamily> fitted_family(const AdditionTree& measured, corpus::OutputRole role,
                                          const AxisLengths& lengths);

/// The measured tree as it is.
corpus::SummationTree explicit_tree(const AdditionTree& measured);

}  // namespace gradproof::cases
