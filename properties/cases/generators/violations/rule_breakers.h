#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "corpus/case.h"
#include "corpus/random_source.h"
#include "properties/cases/generators/frame.h"
#include "properties/cases/generators/valid_case.h"

namespace gradproof::cases {

/// The valid call that is going to be broken.
enum class Base : std::uint8_t {
  NonEmpty,
  Empty,   ///< a legal empty problem
  Volume,  ///< non-empty with rank 5, whether or not the product knows rank 5
};

/// Way to break one rule of the specification, and as little else as can be.
struct RuleBreaker {
  std::string_view rule;  ///< the specification's id
  Base base;
  bool (*applies)(const Frame&);  ///< the frames in which the rule speaks
  /// False where the rule cannot be broken in this case, which is then discarded.
  bool (*breaks)(corpus::Case&, corpus::RandomSource&);
  /// Gives the drawn sizes what the rule is about, so that few draws are discarded.
  SizeChange needs = nullptr;
};

std::span<const RuleBreaker> argument_breakers();  ///< product, null, dtype, float8, format, length
std::span<const RuleBreaker> range_breakers();     ///< bounds and ranges of attributes
std::span<const RuleBreaker> size_breakers();      ///< channels, shapes, math mode, layout
std::span<const RuleBreaker> overflow_breakers();  ///< what leaves 64 bits
std::span<const RuleBreaker> empty_breakers();     ///< empty tensors

}  // namespace gradproof::cases
