// Sentences on the cause that the size of differences points to.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "properties/advice/logs/differences/difference_lines.h"
#include "properties/advice/logs/scan.h"

namespace gradproof::advice {
namespace {

constexpr std::string_view wrong_elements = "wrong elements";

struct Rounding {
  std::string_view name;
  int bits;  ///< of the fraction
};

/// The dtype that the text names; FLOAT where it names none; nullopt: DOUBLE.
std::optional<Rounding> format_of(std::string_view dtype) {
  if (dtype.empty()) return Rounding{"FLOAT", 23};
  const std::string small = in_small_letters(dtype);
  if (small == "double" || small == "float64") return std::nullopt;
  return small[0] == 'b' ? Rounding{"BFLOAT16", 7} : Rounding{"FLOAT16", 10};
}

double size_of(const Difference& one) {
  const double value = number_in(one.value), reference = number_in(one.reference);
  return std::fabs(is_element(one) ? value - reference : value);
}

std::string share_in_words(double part, double whole) {
  return fmt::format("{:.2g} %", 100 * part / whole);
}

const Difference* measured(const Differences& found, std::string_view measure) {
  const auto one = std::ranges::find_if(found.all, [&](const Difference& other) {
    return other.measure == measure && !other.value.empty();
  });
  return one == found.all.end() ? nullptr : &*one;
}

/// Elements of which both values are stated.
using Pairs = std::vector<const Difference*>;

/// Rounding has a spread: where the largest is far beyond the limit, most are beyond it.
std::string few_and_large(const Differences& found) {
  const Difference* wrong = measured(found, wrong_elements);
  const Difference* largest = measured(found, absolute_difference);
  if (wrong == nullptr || largest == nullptr) return {};
  const double count = number_in(wrong->value), total = number_in(wrong->reference);
  const double times = size_of(*largest) / number_in(largest->limit);
  constexpr double few = 0.05, far = 1000;
  if (!(total > 0) || count > few * total || !(times > far) || !std::isfinite(times)) return {};
  return fmt::format(
      "{} of the elements are wrong, one by {:.2g} times its limit: rounding differs in most "
      "elements by then, so this is an edge or a tile of the kernel, or a race",
      share_in_words(count, total), times);
}

std::string common_place(const Pairs& pairs) {
  std::vector<Integers> places;
  for (const Difference* one : pairs) {
    Integers place;
    for (const Word& word : words_in(one->place)) {
      if (const auto number = integer_of(word.text)) place.push_back(*number);
    }
    if (place.size() > 1) places.push_back(std::move(place));
  }
  constexpr std::size_t enough = 3;
  const auto has_size = [&](const Integers& one) { return one.size() == places[0].size(); };
  if (places.size() < enough || !std::ranges::all_of(places, has_size)) return {};
  for (std::size_t axis = 0; axis < places[0].size(); ++axis) {
    const auto is_same = [&](const Integers& one) { return one[axis] == places[0][axis]; };
    if (places[0][axis] == 0 || !std::ranges::all_of(places, is_same)) continue;
    return fmt::format(
        "the {} places that are printed all have {} on axis {} of {}: an edge or a tile of the "
        "kernel, which rounding does not know",
        places.size(), places[0][axis], axis, places[0].size());
  }
  return {};
}

std::string whole_numbers(const Pairs& pairs, const std::optional<Rounding>& format) {
  const double below = std::ldexp(1, format ? format->bits + 1 : 53);
  const auto is_whole = [&](const std::string& number) {
    const double value = number_in(number);
    return std::floor(value) == value && std::fabs(value) < below;
  };
  const bool are_whole = !pairs.empty() && std::ranges::all_of(pairs, [&](auto* one) {
    return is_whole(one->value) && is_whole(one->reference) && size_of(*one) > 0;
  });
  if (!are_whole) return {};
  return fmt::format(
      "what is compared are whole numbers below {:.0f}, which {} holds exactly: where the operands "
      "are whole numbers too, sums have no rounding, so the kernel is wrong (or a race, or memory "
      "that was not set)",
      below, format ? format->name : "DOUBLE");
}

/// The factor by which values and references differ, and how they are printed; 0: none.
struct Factor {
  double least = 0, most = 0;
  std::size_t count = 0;
};

Factor common_factor(const Pairs& pairs) {
  double least = HUGE_VAL, most = 0;
  for (const Difference* one : pairs) {
    const double factor = number_in(one->value) / number_in(one->reference);
    if (!(factor > 0) || !std::isfinite(factor)) return {};
    least = std::min(least, factor);
    most = std::max(most, factor);
  }
  // Three may be about the same; two have to be it.
  constexpr double about = 1.3, exact = 1.001;
  const bool is_one = least < about && most > 1 / about;
  const std::size_t enough = most > exact * least ? 3 : 2;
  return pairs.size() < enough || most > about * least || is_one
             ? Factor{}
             : Factor{least, most, pairs.size()};
}

std::string words_of(const Factor& factor) {
  if (factor.count == 0) return {};
  return fmt::format(
      "{} elements differ by about the same factor, {:.3g} to {:.3g}: that is no rounding; a sum "
      "that was cut short, a mean for a sum, or a wrong kernel",
      factor.count, factor.least, factor.most);
}

/// Pairs of a check by finite differences: what was computed, and the next line's estimate.
std::vector<Difference> estimated(const Differences& found) {
  std::vector<Difference> pairs;
  for (std::size_t i = 0; i + 1 < found.all.size(); ++i) {
    const Difference &one = found.all[i], &next = found.all[i + 1];
    if (!one.measure.ends_with("was computed") || !next.measure.starts_with("gradient by"))
      continue;
    pairs.push_back({.measure = "one element",
                     .line = one.line,
                     .value = one.value,
                     .limit = {},
                     .reference = next.value});
  }
  return pairs;
}

std::string own_error(const Difference& one) {
  const double own = number_in(one.reference);
  if (!one.measure.starts_with("root mean") || !(own > 0)) return {};
  return fmt::format(
      "{} is {:.3g} times the reference's own error {}: compared with it, not with 0", one.value,
      number_in(one.value) / own, one.reference);
}

std::string larger_than_results(const Difference& one, double printed) {
  const double magnitude = one.magnitude > 0 ? one.magnitude : printed;
  constexpr double twice = 2;
  if (one.measure != absolute_difference || !(magnitude > 0) || !(size_of(one) > twice * magnitude))
    return {};
  return fmt::format(
      "a difference of {:.3g} where results are {:g} at most is no rounding{}", size_of(one),
      magnitude,
      size_of(one) > 0x1p120
          ? ": near FLOAT's largest number, as memory that was not set or an overflow leaves it"
          : "");
}

std::string cosine_in_words(const Difference& one) {
  const double cosine = number_in(one.value);
  const bool is_cosine = one.measure.starts_with("cos") || one.measure.starts_with("cor");
  if (!is_cosine || one.value.empty() || cosine >= 1 || cosine <= -1) return {};
  const double relative = std::sqrt(2 * (1 - cosine));
  constexpr double largest_rounding = 0x1p-7;
  return fmt::format("{} is a relative difference of about {:.2g} in the 2-norm: {}", one.value,
                     relative,
                     relative > largest_rounding
                         ? "rounding factors to BFLOAT16, FLOAT16, TF32 or HF32 stays below 0.008"
                         : "of the size of rounding factors");
}

std::string units(const Difference& one, const std::optional<Rounding>& format, double printed) {
  const bool is_printed = one.measure == absolute_difference && !(one.magnitude > 0);
  const double magnitude = is_printed ? printed : one.magnitude;
  const double off = size_of(one);
  if (!format || !(magnitude > 0) || !(off > 0)) return {};
  const double unit = std::ldexp(1, std::ilogb(magnitude) - format->bits);
  constexpr double few = 8;
  if (off > few * unit) return {};
  const double limit = number_in(one.limit);
  return fmt::format(
      "a difference of {:g} at {:g} is {:.2g} units in the last place of {} there: results that "
      "are right but rounded may differ by one, sums in another order by more{}",
      off, magnitude, off / unit, format->name,
      limit > 0 && limit < unit ? "; the limit is below that unit" : "");
}

/// The element of the largest relative difference is at most so large.
std::string tiny_element(const Difference& one, const Differences& found) {
  const Difference* absolute = measured(found, absolute_difference);
  const double relative = number_in(one.value);
  const bool is_small = relative > 0 && relative <= 1;
  if (one.measure != relative_difference || absolute == nullptr || !is_small) return {};
  constexpr std::size_t near = 4;
  const bool is_far = absolute->line + near < one.line || one.line + near < absolute->line;
  const bool is_of_row = !one.place.empty() && one.place[0] != '(';  // of a table
  const bool is_elsewhere = is_of_row && absolute->place != one.place;
  if (is_far || is_elsewhere) return {};
  if (relative == 1)  // exactly: one of both values is 0
    return fmt::format(
        "a relative difference of 1 is of an element that is 0 where it should not be: a part that "
        "is not computed; the absolute one, {}, says how large its value should be at most",
        absolute->value);
  const double most = size_of(*absolute) / relative;
  constexpr double small = 0.125;
  if (found.printed > 0 && most > small * found.printed) return {};
  return fmt::format(
      "a relative difference of {} with an absolute one of {} at most is of an element of {:.2g} "
      "at "
      "most: where results are larger, that one tiny element explains it, and no format is shown",
      one.value, absolute->value, most);
}

std::string format_by_size(double value, std::string_view words) {
  struct Size {
    double least, most;
    std::string_view words;
  };
  constexpr Size sizes[] = {
      {0x1p-10, 0x1p-7, "rounding factors to BFLOAT16 (up to 2^-9 each) gives errors of that size"},
      {0x1p-13, 0x1p-10,
       "rounding factors to FLOAT16, TF32 or HF32 (up to 2^-11 each) gives errors of that size, "
       "FLOAT only where sums cancel: is allow_tf32, allow_hf32 or autocast on?"},
      {0x1p-25, 0x1p-20, "rounding in FLOAT (2^-24 each) gives errors of that size"}};
  for (const Size& size : sizes) {
    if (value >= size.least && value < size.most)
      return fmt::format("a relative difference of {} is 2^{:.1f}: {}", words, std::log2(value),
                         size.words);
  }
  return {};
}

/// Describes the relative difference of an element, or of all where nothing refutes it.
std::string relative_size(const Difference& one, double printed) {
  if (!is_element(one)) {
    const double value = number_in(one.value) / (one.value.ends_with('%') ? 100 : 1);
    const bool is_relative = one.measure.find("relative") != one.measure.npos;
    return is_relative && value > 0 ? format_by_size(value, one.value) : std::string();
  }
  const double reference = std::fabs(number_in(one.reference)), value = size_of(one) / reference;
  constexpr double small = 0.125, large = 0.75, largest_rounding = 0x1p-7;
  if (!std::isfinite(value) || value < largest_rounding)
    return format_by_size(value, fmt::format("{:.2g}", value));
  if (reference < small * printed)
    return fmt::format(
        "{} for {} is off by {:.2g} of the largest number that is printed, {:g}: a small sum of "
        "larger terms, of which a relative difference says little",
        one.value, one.reference, size_of(one) / printed, printed);
  return fmt::format(
      "{} for {} is off by {}: no format's rounding of factors gives that unless the sum cancels "
      "(it is small where its terms are not)",
      one.value, one.reference,
      value < large
          ? share_in_words(value, 1)
          : fmt::format("a factor of {:.3g}", number_in(one.value) / number_in(one.reference)));
}

/// The first that speaks of the difference alone.
std::string size_in_words(const Difference& one, const Differences& found, bool is_explained) {
  const auto format = format_of(found.dtype);
  for (std::string words :
       {own_error(one), larger_than_results(one, found.printed), cosine_in_words(one),
        units(one, format, found.printed), tiny_element(one, found)}) {
    if (!words.empty()) return words;
  }
  return found.check.is_there || is_explained ? std::string() : relative_size(one, found.printed);
}

}  // namespace

std::vector<std::string> sizes_in_words(const Differences& differences) {
  Pairs pairs;
  for (const Difference& one : differences.all) {
    if (is_element(one) && !one.value.empty() && !one.reference.empty()) pairs.push_back(&one);
  }
  const std::vector<Difference> checked = estimated(differences);
  for (const Difference& one : checked) pairs.push_back(&one);
  const std::string whole = whole_numbers(pairs, format_of(differences.dtype));
  const std::string factor = whole.empty() ? words_of(common_factor(pairs)) : std::string();
  std::vector<std::string> words{few_and_large(differences), common_place(pairs), whole, factor};
  const bool are_explained = !whole.empty() || !factor.empty();
  for (const Difference& one : differences.all)
    words.push_back(size_in_words(one, differences, is_element(one) && are_explained));
  return words;
}

}  // namespace gradproof::advice
