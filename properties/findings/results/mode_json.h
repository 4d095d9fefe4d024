#pragma once

#include <nlohmann/json.hpp>

#include "properties/findings/results/tolerance.h"

namespace gradproof::findings {

/// A mode in lines of sums: [soc, dtypes, cubeMathType].
inline nlohmann::json saved_mode(const Mode& mode) {
  return {mode.soc, mode.dtypes, mode.cube_math_type};
}

/// Throws nlohmann::json::exception where it is none.
inline Mode restored_mode(const nlohmann::json& saved) {
  return {saved.at(0).get<std::string>(), saved.at(1).get<std::string>(), saved.at(2).get<int>()};
}

}  // namespace gradproof::findings
