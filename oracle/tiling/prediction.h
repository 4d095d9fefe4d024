#pragma once

#include <vector>

#include "corpus/case.h"
#include "corpus/tiling_field.h"
#include "oracle/tiling/filter_problem.h"

namespace gradproof::oracle::tiling {

/// Answer of GetTiling to a case that keeps all rules of its class.
struct Prediction {
  enum class Kind : unsigned char {
    Fields,    ///< success, and these fields
    NoTiling,  ///< refused: nothing fits L1
    Unknown,   ///< nothing published says
  };
  Kind kind = Kind::Unknown;
  std::vector<corpus::TilingField> fields = {};  ///< all, in the structure's order
};

/// Conv3DBpInputTiling: the published search, exact.
Prediction input_prediction(const corpus::Case& test_case);

/// Conv3dBpFilterTiling: the published search, exact. It never refuses for lack of room.
Prediction filter_prediction(const corpus::Case& test_case);

/// All fields of a problem's structure on a core with these memories.
std::vector<corpus::TilingField> filter_fields(const FilterProblem& problem,
                                               const CoreMemories& memories);

}  // namespace gradproof::oracle::tiling
