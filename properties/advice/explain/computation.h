#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "corpus/case.h"
#include "oracle/arithmetic/judge_settings.h"
#include "properties/targets/target/target.h"

namespace gradproof::advice {

/// Error of a right library on random data that one of 10^9 elements exceeds. No bound, and no
/// verdict rests on it.
struct TypicalError {
  double error = 0;  ///< |result - exact|
  /// Parts of the tolerance as |result - exact| <= absolute + relative * |exact|: far narrower for
  /// most elements where results are rounded to a shorter format, and exceeded less often still.
  double relative = 0, absolute = 0;
};

/// Arithmetic of one requested gradient of a legal call, and its expected error.
struct GradientComputation {
  corpus::OutputRole role = corpus::OutputRole::GradInput;
  std::vector<std::int64_t> shape;
  std::string operands;                ///< format in which the factors are multiplied
  std::vector<std::string> roundings;  ///< of the FLOAT sum, one after the other; empty: it stays
  std::int64_t longest_sum = 0;        ///< products, or summands of gradBias, in one element
  double operand_rounding = 0;         ///< largest relative error of a factor's conversion
  double sum_bound = 0;        ///< |FLOAT sum - exact sum of the factors converted| <= this * S
  double output_rounding = 0;  ///< largest relative error of the roundings after that
  std::uint64_t multiply_accumulates = 0;  ///< of gradBias: additions

  /// Where the target may compute in tiles: "1.1e-06 * S_w of Winograd F(3x3,2x2) (declared), S_w 4
  /// to 9 times S of data of one magnitude".
  std::string in_tiles = {};
  double bound_in_tiles = 0;  ///< of |result - exact| there, of operands of magnitudes up to 1

  /// "Winograd F(3x3,2x2)", where the released library may compute in tiles and this profile does
  /// not admit it.
  std::string in_released_tiles = {};

  std::optional<TypicalError> typical = {};  ///< where the data are known (typical_error)
  double smallest_step = 0;  ///< half of what the result's format can tell apart near 0

  /// |result - exact gradient| <= absolute + relative * |exact gradient|, as allclose takes them.
  struct Tolerance {
    double relative = 0, absolute = 0;
  };
  /// Tolerance for operands of magnitudes up to `largest`, a normal number of the compute format.
  Tolerance tolerance(double largest) const;
  /// Tolerance for one element whose products, operands not yet converted, have magnitudes that add
  /// up to `magnitude`.
  Tolerance tolerance_of_element(double magnitude) const;

  /// "7.2e-07 * S, then 4.9e-04 of the result": the error to expect at worst.
  std::string bound_words() const;
};

/// Costs and results of a legal call.
struct Computation {
  std::vector<GradientComputation> gradients;
  std::uint64_t tensor_bytes = 0;                ///< of all tensors that the call passes
  std::optional<std::uint64_t> workspace_bytes;  ///< as phase one of the simulated backend asks for
};

/// Computation of a call; nullopt where nothing is computed: the call is empty, or has no geometry.
std::optional<Computation> computation_of(const corpus::Case& test_case,
                                          const oracle::JudgeSettings& settings,
                                          targets::Target* simulated);

}  // namespace gradproof::advice
