#pragma once

#include <cstdint>
#include <optional>

#include "corpus/case.h"
#include "oracle/facts/spatial_axis.h"

namespace gradproof::oracle::tiling {

/// The convolution whose dx a Conv3DBpInputTiling is asked to cut, all rules of GetTiling kept.
/// Lengths in elements. Channels are packed C0 at a time (32 bytes), cin1 and cout1 are the packs.
/// C0 is 16 for 2-byte and 8 for 4-byte elements; bytes other than these have no tiling here.
struct InputProblem {
  std::int64_t batch = 1, cin = 1, cout = 1;
  SpatialAxis d, h, w;  ///< big: dx's length, small: gradOutput's
  std::int64_t element_bytes = 2;
  bool transposed = false;

  /// Channels of a pack: as many elements as fill 32 bytes.
  std::int64_t c0() const { return 32 / element_bytes; }
  std::int64_t cin1() const { return (cin + c0() - 1) / c0(); }
  std::int64_t cout1() const { return (cout + c0() - 1) / c0(); }
  std::int64_t plane() const { return h.big * w.big; }  ///< positions of one D slice of dx
};

/// Converts a case; nullopt for a case whose tiling is defined nowhere: a length below 1 that
/// GetTiling does not look at, one or a dilation beyond 2^31 - 1 (fields have 32 bits), or a dtype
/// without whole bytes of C0. The case must keep all rules of its class.
std::optional<InputProblem> input_problem_of(const corpus::Case& test_case);

/// Padding of the expanded gradOutput on one axis.
///
/// dx is the correlation of gradOutput, expanded with stride - 1 zeros between its elements and
/// padded, with the kernel rotated by 180 degrees. With reach = (kernel - 1) * dilation its length
/// is (small - 1) * stride + 1 + before + after - reach = big, where before = reach -
/// padding_begin. The class keeps `after` from this equation only where it is 0 to 255; else it has
/// a coarser formula.
struct BackwardPads {
  std::int64_t before = 0, after = 0;
};
BackwardPads backward_pads(const SpatialAxis& axis);

/// True if some rows of dx are reached by no window, so that the caller must zero it first.
bool must_zero_output(const InputProblem& problem);

}  // namespace gradproof::oracle::tiling
