#pragma once

#include <string>
#include <vector>

#include "corpus/machine/machine.h"

namespace gradproof::cases {

// Parts of a machine in plain words, each a part of a sentence.

/// "HF32 with 12 bits, rounded to nearest, ties to even".
std::string words_of(const corpus::OperandConversion& operands);
/// "are rounded before they are added".
std::string words_of(corpus::MachineProduct product);
/// "in 8 lanes, then neighbours, level by level,".
std::string words_of(const corpus::SummationTree& tree);
/// "in the order k, -kh, kw".
std::string words_of(const corpus::LeafOrder& order);
/// "2 other trees at 7 positions"; empty where there are none.
std::string words_of(const std::vector<corpus::OtherTree>& elsewhere);
/// "24 bits to nearest, ties to even".
std::string words_of(const corpus::NodeArithmetic& node);
/// "subnormal products flushed to zero".
std::string words_of(const corpus::SubnormalHandlings& handling);
/// "NaN kept, NaN times zero lost, the sum of negative zeros positive"; without what is not known.
std::string words_of(const corpus::SpecialHandlings& specials);
/// "FLOAT16, then FLOAT, rounded toward zero".
std::string result_words(const corpus::GradientMachine& machine);

/// Describes the differences in `now`, a sentence each: names the gradient, the field, both values;
/// of a tree that differs also two products that meet in another node.
std::vector<std::string> changes(const corpus::Machine& earlier, const corpus::Machine& now);

}  // namespace gradproof::cases
