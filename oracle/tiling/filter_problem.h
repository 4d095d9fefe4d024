#pragma once

#include <cstdint>
#include <optional>

#include "corpus/case.h"
#include "oracle/facts/spatial_axis.h"

namespace gradproof::oracle::tiling {

/// The convolution whose dw a Conv3dBpFilterTiling is asked to cut, all rules of GetTiling kept.
/// Lengths in elements; the shapes need not fit each other. Channels are packed C0 at a time (32
/// bytes of the input's type).
struct FilterProblem {
  std::int64_t batch = 1, cin = 1, cout = 1;
  SpatialAxis d, h, w;  ///< big: input's length, small: gradOutput's
  std::int64_t element_bytes = 2;

  std::int64_t c0() const { return 32 / element_bytes; }
};

/// Bytes of a core's memories that the search looks at. The default is Ascend910B, of which the
/// class knows by itself.
struct CoreMemories {
  std::int64_t l1 = 524'288, l0a = 65'536, l0b = 65'536, l0c = 131'072;
};

/// Converts a case; nullopt where no tiling is defined: an input that is not told, a length beyond
/// 2^31 - 1 (fields have 32 bits), or elements of other than 2 or 4 bytes. A case tells weight,
/// gradOutput and input in this order, and of a batch or channels told twice the last counts.
std::optional<FilterProblem> filter_problem_of(const corpus::Case& test_case);

}  // namespace gradproof::oracle::tiling
