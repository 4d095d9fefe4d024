#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "properties/findings/hypotheses/world.h"

namespace gradproof::findings::diagnosis {

/// One thing that may be wrong, in words that complete "gradInput equals the exact result ...", and
/// the world in which it is. nullopt: it says nothing of this witness.
struct Hypothesis {
  std::string words;
  std::function<std::optional<World>(const Witness&)> world;
};

/// Everything that can be thought of about failures like this one, the most specific first. The
/// witness decides which axes there are and what they are called; a hypothesis itself is to be held
/// against any witness of the same output.
std::vector<Hypothesis> attribute_hypotheses(const Witness& example);  ///< taken for another
/// Hypotheses along axes that only the problem lifted to 3D has.
std::vector<Hypothesis> lifted_axis_hypotheses(const Witness& example);
std::vector<Hypothesis> loss_hypotheses(const Witness& example);      ///< parts not read or written
std::vector<Hypothesis> group_hypotheses(const Witness& example);     ///< groups, flips, signs
std::vector<Hypothesis> rounding_hypotheses(const Witness& example);  ///< formats, directions
/// Orders of a tensor's axes in memory, and of an operator's arrays.
std::vector<Hypothesis> layout_hypotheses(const Witness& example);
std::vector<Hypothesis> place_hypotheses(const Witness& example);  ///< one position for another
std::vector<Hypothesis> sign_hypotheses(const Witness& example);   ///< operands of one sign
/// Signs, factors, lost terms and roundings to fewer bits in the transforms of F(3x3,2x2); none
/// where the example may not compute gradWeight so.
std::vector<Hypothesis> transform_hypotheses(const Witness& example);

}  // namespace gradproof::findings::diagnosis
