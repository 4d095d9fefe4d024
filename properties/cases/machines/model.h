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

}  // namespace gradproof::cases
