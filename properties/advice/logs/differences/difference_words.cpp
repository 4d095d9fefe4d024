// Differences in words, and what their size says.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "properties/advice/logs/differences/differences.h"

namespace gradproof::advice {

std::string words_of(const Difference& difference) {
  std::string words(difference.gradient);
  if (!words.empty()) words += ": ";
  words += difference.measure;
  if (!difference.value.empty()) words += fmt::format(" {}", difference.value);
  if (!difference.reference.empty()) words += fmt::format(", against {}", difference.reference);
  if (!difference.limit.empty()) words += fmt::format(", limit {}", difference.limit);
  if (!difference.place.empty()) words += fmt::format(", at {}", difference.place);
  return words;
}

std::string words_of(const GradientCheck& check) {
  if (!check.is_there) return {};
  std::string words =
      "the gradient is compared with differences of finite steps; a "
      "convolution is linear in each "
      "operand, so these are off by rounding alone: ulp(y) / (2 step)";
  const double step = check.step.value_or(0);
  const auto off = [&](double unit) { return unit / (2 * step); };
  if (step > 0 && (check.is_float || !check.is_double)) {
    words += fmt::format(", with step {:g} in FLOAT {:.2g} for results near 1", step, off(0x1p-23));
  }
  if (step > 0 && check.is_double)
    words += fmt::format(", with step {:g} in double {:.2g}", step, off(0x1p-52));
  return words + "; a mismatch of that size shows no wrong gradient";
}

namespace {

/// Bits of the fraction; 0: no type of two bytes.
int fraction_bits(std::string_view dtype) {
  if (dtype.empty() || dtype == "double" || dtype == "float64" || dtype == "DOUBLE") return 0;
  return dtype[0] == 'b' || dtype[0] == 'B' ? 7 : 10;
}

}  // namespace

std::string units_in_words(const Difference& difference, std::string_view dtype) {
  const int bits = fraction_bits(dtype);
  double off = std::fabs(std::strtod(difference.value.c_str(), nullptr));
  if (difference.measure.starts_with("one element"))
    off = std::fabs(std::strtod(difference.value.c_str(), nullptr) -
                    std::strtod(difference.reference.c_str(), nullptr));
  if (bits == 0 || !(difference.magnitude > 0) || !(off > 0)) return {};
  const double unit = std::ldexp(1, std::ilogb(difference.magnitude) - bits);
  constexpr double few = 8;
  if (off > few * unit) return {};
  const double limit = std::strtod(difference.limit.c_str(), nullptr);
  return fmt::format(
      "a difference of {:g} at {:g} is {:.2g} units in the last place of {} there: results that "
      "are right but rounded may differ by one{}",
      off, difference.magnitude, off / unit, bits == 7 ? "BFLOAT16" : "FLOAT16",
      limit > 0 && limit < unit ? "; the limit is below that unit" : "");
}

std::string words_of_overflow(const Differences& differences) {
  const bool is_there =
      std::ranges::find(differences.all, not_finite, &Difference::measure) != differences.all.end();
  if (!is_there) return {};
  constexpr double largest_half = 65504;
  const bool is_half = fraction_bits(differences.dtype) == 10;
  const bool is_beyond =
      is_half && std::strtod(differences.largest.c_str(), nullptr) > largest_half;
  return fmt::format(
      "NaN and infinity are no rounding{}: look for the first tensor that has one "
      "(torch.autograd.set_detect_anomaly, or a check behind each layer){}",
      is_beyond ? fmt::format("; {} is beyond FLOAT16's largest number 65504", differences.largest)
                : std::string(),
      is_half ? "; a smaller loss scale, or BFLOAT16 or FLOAT for this layer" : "");
}

std::string bits_in_words(const Difference& difference) {
  const double value =
      std::strtod(difference.value.c_str(), nullptr) / (difference.value.ends_with('%') ? 100 : 1);
  if (difference.measure.find("relative") == std::string_view::npos || !(value > 0) || value > 1)
    return {};
  struct Size {
    double least, most;
    std::string_view words;
  };
  constexpr Size sizes[] = {
      {0x1p-10, 0x1p-7,
       "rounding factors to BFLOAT16 (up to 2^-9 each) gives errors of that "
       "size"},
      {0x1p-13, 0x1p-10,
       "rounding factors to FLOAT16, TF32 or HF32 (up to 2^-11 each) gives errors of that size, "
       "FLOAT only where sums cancel: is allow_tf32, allow_hf32 or autocast on?"},
      {0x1p-25, 0x1p-20, "rounding in FLOAT (2^-24 each) gives errors of that size"}};
  for (const Size& size : sizes) {
    if (value >= size.least && value < size.most)
      return fmt::format("a relative difference of {} is 2^{:.1f}: {}", difference.value,
                         std::log2(value), size.words);
  }
  return {};
}

}  // namespace gradproof::advice
