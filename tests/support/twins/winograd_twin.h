#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "corpus/case.h"
#include "corpus/machine/algorithm.h"
#include "corpus/observation.h"
#include "oracle/arithmetic/judge_settings.h"

namespace gradproof::oracle {

/// Winograd's matrices with their signs, as the page of the algorithm prints them.
struct SignedForm {
  std::vector<std::vector<float>> larger, smaller, results;  ///< B^T, G, A^T
};
const SignedForm& signed_form(corpus::Algorithm algorithm);

/// A gradient computed by Winograd's method in plain FLOAT, right for every call of a 3x3, 1x3 or
/// 3x1 kernel without stride and dilation, on each plane of a volume too. It shares no code with
/// the oracle's bounds.
struct WinogradTwin {
  corpus::Algorithm algorithm = corpus::Algorithm::Winograd3x2;
  bool borders_directly = false;  ///< elements of tiles that leave a map are sums of products
  bool skips_zero_tiles = false;
  bool fused = false;
  enum class Sum : std::uint8_t { Forwards, Backwards, Pairwise } sum = Sum::Forwards;
  std::int64_t shift = 0;  ///< how far the first tile begins before the map, along both axes
  const SignedForm* form = nullptr;  ///< in place of the algorithm's: wrong matrices
};

/// Changes the finished FLOAT elements of the gradient, along N C D H W.
using Spoil = std::function<void(std::vector<float>&)>;

corpus::OutputRole role_of(corpus::Algorithm algorithm);

/// Observation of such a kernel in a legal case: the gradient of the twin by tiles, others
/// directly.
corpus::Observation observed_in_tiles(const corpus::Case& test_case, const WinogradTwin& twin,
                                      const JudgeSettings& settings, const Spoil& spoil = nullptr);

/// A 2D call of FLOAT: two maps of `length`s, a kernel of `taps`, padding by axis.
struct TwinShape {
  std::int64_t batch = 1, channels = 1, kernels = 1, height = 4, width = 4;
  std::int64_t taps_high = 3, taps_wide = 3, padding_high = 1, padding_wide = 1;
  bool transposed = false;
  std::int32_t groups = 1;
};
corpus::Case twin_case(const TwinShape& shape, const char* soc = "Ascend910B");

}  // namespace gradproof::oracle
