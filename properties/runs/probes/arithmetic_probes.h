#pragma once

#include <string>
#include <vector>

#include "properties/runs/probes/prober.h"

namespace gradproof::runs {

/// Facts of a gradient's arithmetic that few products show: all of the machine but tree and order.
struct FoundArithmetic {
  corpus::GradientMachine machine;
  /// The first of the two products that are added first enters rounded, where products are fused.
  bool second_place_first = false;
  std::vector<std::string> remarks;  ///< what shows no known behaviour, a sentence each
};

/// Probes on products that are added one after the other, all others being zero; on other products
/// the same values would show the tree instead. Each value is made of powers of two where that
/// serves, so that every operand format holds it.
Probed<FoundArithmetic> find_arithmetic(Prober& prober, const cases::SitePlan& plan,
                                        const cases::Site& site, const cases::AdditionTree& tree);

}  // namespace gradproof::runs
