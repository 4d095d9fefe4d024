#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "corpus/machine/machine.h"
#include "oracle/status/profile.h"

namespace gradproof::oracle {

/// Guarantee of the judged target's adder: it decides the unit roundoff u of the error bound, with
/// fl(x + y) = (x + y)(1 + d), |d| <= u (error_bound.cpp has the derivations).
enum class Adder : std::uint8_t {
  Ieee,      ///< round to nearest: u = 2^-24 (the simulated backend)
  Faithful,  ///< each addition errs by less than one ULP: u = 2^-23
  Block,     ///< wide block adders that may truncate: u = 2^-22 (a real device; unpublished)
};

/// Rounding of FLOAT operands to HFLOAT32 by the target. Unknown: any direction, with a bound that
/// is wider by Arithmetic::operand_slack.
enum class Hf32Rounding : std::uint8_t { NearestEven, NearestAway, Unknown };

/// Standards for the target, and how much of a large case is looked at.
struct JudgeSettings {
  Profile profile = Profile::Documented;
  Adder adder = Adder::Ieee;
  Hf32Rounding hf32_rounding = Hf32Rounding::NearestEven;
  /// Elements with an infinite or NaN product are held to what IEEE arithmetic gives in every order
  /// of summation; else they are not compared.
  bool judges_specials = true;
  /// A call that was repeated must give the same bits; else it must in deterministic mode alone.
  bool demands_repeats = false;
  /// Beyond this many multiply-accumulates of one gradient, all elements on the exact grid are
  /// checked at once, in linear time (gradients/linear/linear_check.h).
  std::uint64_t linear_macs = 100'000'000;
  /// Up to this many every element is compared otherwise; beyond, a selection whose reductions have
  /// about `sampled_products` together.
  std::uint64_t largest_macs = 4'000'000'000;
  std::uint64_t sampled_products = 10'000'000;
  /// A case whose exact evaluation would take more bytes is skipped, with the figure.
  std::uint64_t largest_bytes = std::uint64_t{6} << 30;
  /// Decides each element by itself and looks for no exact values rounded, many at once
  /// (rounded_match.h): the same verdict, more slowly.
  bool each_element_alone = false;
  /// Model of the target's additions, where known: its gradients have narrower bounds.
  std::shared_ptr<const corpus::Machine> machine = {};
  /// By which algorithms it computes, as was declared and as a probe found
  /// (arithmetic/algorithm_scope.h).
  std::vector<corpus::GradientAlgorithm> algorithms = {}, found_algorithms = {};
  bool admits_tiles = true;  ///< no: a proof of index maps needs sums of products
};

}  // namespace gradproof::oracle
