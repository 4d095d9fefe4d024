#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gradproof::advice {

/// That numbers differ, as a line of a text says it.
struct Difference {
  std::string_view measure;  ///< "largest absolute difference"
  std::size_t line = 0;
  std::string value = {}, limit = {}, reference = {}, place = {};  ///< empty: not stated
  std::string_view gradient = {};  ///< that the text names with it: "gradWeight"; empty: none
  double magnitude = 0;            ///< of the numbers that are compared; 0: not stated
  bool is_limit_alone = false;     ///< a limit is stated of it, and no value
};

inline constexpr std::string_view not_finite = "NaN or infinity";

/// A gradient that is compared with differences of finite steps.
struct GradientCheck {
  bool is_there = false, is_spoken_of = false;
  std::optional<double> step;
  bool is_float = false,
       is_double = false;  ///< as the text says; both false: not stated
};

/// Differences that a text states, and how it checks a gradient.
struct Differences {
  std::vector<Difference> all;  ///< at most 8
  std::size_t agreeing = 0;     ///< comparisons that keep their limits
  GradientCheck check;
  std::string largest;          ///< magnitude of a result that the text prints; empty: none
  double printed = 0;           ///< largest magnitude of the arrays that it prints; 0: none
  std::string_view dtype = {};  ///< as the text has it, where it is not FLOAT
};

Differences differences_in(std::string_view text);

/// "largest absolute difference 0.148, limit 0.05".
std::string words_of(const Difference& difference);

/// Describes what the size of the differences points to: a format's rounding, units in the last
/// place, whole numbers, a factor, a common place, a tiny element; or that it is no rounding.
std::vector<std::string> sizes_in_words(const Differences& differences);

/// Describes what NaN and infinity come from; empty: none is there.
std::string words_of_overflow(const Differences& differences);

/// Describes what the difference itself is off by; empty: it is no gradient check.
std::string words_of(const GradientCheck& check);

}  // namespace gradproof::advice
