#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <vector>

#include "properties/findings/hypotheses/witness.h"

namespace gradproof::advice {

/// Describes the single faults that account for a result: of those that diagnosis knows, the ones
/// to whose exact result it is several times nearer than to the right one.
///
/// `wrong`: row-major indices of the elements of the lifted output that are wrong, sorted. Without
/// any, only other roundings are thought of: a sum of many products may have been computed in HF32
/// and still lie within its bound. Empty: nothing that was tried does, or nothing has to.
std::vector<std::string> suspects(const findings::diagnosis::Witness& witness,
                                  const std::vector<std::size_t>& wrong,
                                  std::chrono::milliseconds time);

}  // namespace gradproof::advice
