#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "properties/findings/hypotheses/witness.h"

namespace gradproof::findings::diagnosis {

/// "gradOutput[0,1,2]": an element of the call's own tensors, given its row-major index.
std::string element_words(const Witness& witness, corpus::InputRole role, std::size_t index);
std::string element_words(const Witness& witness, corpus::OutputRole role, std::size_t index);

/// Name of one position along an axis of the lifted call: "channel", "row", "tap along h".
std::string_view position_name(const Witness& example, bool is_weight, std::size_t axis);

/// Describes where an element lies along the axes that have more than one position: "the last plane
/// of 2, row 2 of 5"; empty where it is alone.
std::string place_words(const Witness& witness, corpus::InputRole role, std::size_t index);

/// "d", "h", "w" for axis 0, 1, 2 of the lifted call; "l" for "w" where the call has one axis.
std::string_view axis_name(const Witness& witness, std::size_t axis);

}  // namespace gradproof::findings::diagnosis
