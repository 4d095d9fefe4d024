// What the size of differences points to.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "properties/advice/logs/differences/difference_lines.h"
#include "properties/advice/logs/scan.h"

namespace gradproof::advice {
namespace {

constexpr std::string_view wrong_elements = "wrong elements";

struct Format {
  std::string_view name;
  int bits;  ///< of the fraction
};

/// The dtype that the text names; FLOAT where it names none; nullopt: DOUBLE.
std::optional<Format> format_of(std::string_view dtype) {
  if (dtype.empty()) return Format{"FLOAT", 23};
  const std::string small = in_small_letters(dtype);
  if (small == "double" || small == "float64") return std::nullopt;
  return small[0] == 'b' ? Format{"BFLOAT16", 7} : Format{"FLOAT16", 10};
}

double size_of(const Difference& one) {
  const double value = number_in(one.value), reference = number_in(one.reference);
  return std::fabs(is_element(one) ? value - reference : value);
}

std::string share_in_words(double part, double whole) {
  return fmt::format("{:.2g} %", 100 * part / whole);
}

/// Collects sentences on all differences of a text.
class Sizes {
 public:
  explicit Sizes(const Differences& found) : found_(found), format_(format_of(found.dtype)) {
    for (const Difference& one : found.all) {
      if (is_element(one) && !one.value.empty() && !one.reference.empty()) pairs_.push_back(&one);
    }
  }

  std::vector<std::string> words() && {
    add_few_and_large();
    add_common_place();
    const bool are_explained = add_whole_numbers() || add_factor();
    for (const Difference& one : found_.all) {
      if (add_own_error(one) || add_larger_than_results(one) || add_cosine(one) || add_units(one) ||
          add_tiny_element(one))
        continue;
      if (!found_.check.is_there && !(is_element(one) && are_explained)) add_bits(one);
    }
    return std::move(words_);
  }

 private:
  template <class... Values>
  bool say(fmt::format_string<Values...> words, Values&&... values) {
    std::string said = fmt::format(words, std::forward<Values>(values)...);
    if (std::ranges::find(words_, said) == words_.end()) words_.push_back(std::move(said));
    return true;
  }

  const Difference* measured(std::string_view measure) const {
    const auto found = std::ranges::find_if(found_.all, [&](const Difference& one) {
      return one.measure == measure && !one.value.empty();
    });
    return found == found_.all.end() ? nullptr : &*found;
  }

  /// Rounding has a spread: where the largest is far beyond the limit, most are beyond it.
  void add_few_and_large() {
    const Difference* wrong = measured(wrong_elements);
    const Difference* largest = measured(absolute_difference);
    if (wrong == nullptr || largest == nullptr) return;
    const double count = number_in(wrong->value), total = number_in(wrong->reference);
    const double times = size_of(*largest) / number_in(largest->limit);
    constexpr double few = 0.05, far = 1000;
    if (!(total > 0) || count > few * total || !(times > far) || !std::isfinite(times)) return;
    say("{} of the elements are wrong, one by {:.2g} times its limit: rounding differs in most "
        "elements by then, so this is an edge or a tile of the kernel, or a race",
        share_in_words(count, total), times);
  }

  void add_common_place() {
    std::vector<Integers> places;
    for (const Difference& one : found_.all) {
      Integers place;
      for (const Word& word : words_in(one.place)) {
        if (const auto number = integer_of(word.text)) place.push_back(*number);
      }
      if (is_element(one) && place.size() > 1) places.push_back(std::move(place));
    }
    constexpr std::size_t enough = 3;
    const auto has_size = [&](const Integers& one) { return one.size() == places[0].size(); };
    if (places.size() < enough || !std::ranges::all_of(places, has_size)) return;
    const auto is_same = [&](std::size_t axis) {
      return std::ranges::all_of(places, [&](auto& one) { return one[axis] == places[0][axis]; });
    };
    for (std::size_t axis = 0; axis < places[0].size(); ++axis) {
      if (places[0][axis] == 0 || !is_same(axis)) continue;
      say("the {} places that are printed all have {} on axis {} of {}: an edge or a tile of the "
          "kernel, which rounding does not know",
          places.size(), places[0][axis], axis, places[0].size());
    }
  }

  bool add_whole_numbers() {
    const double below = std::ldexp(1, format_ ? format_->bits + 1 : 53);
    const auto is_whole = [&](const std::string& number) {
      const double value = number_in(number);
      return std::floor(value) == value && std::fabs(value) < below;
    };
    const bool are_whole = !pairs_.empty() && std::ranges::all_of(pairs_, [&](auto* one) {
      return is_whole(one->value) && is_whole(one->reference) && size_of(*one) > 0;
    });
    if (!are_whole) return false;
    return say(
        "what is compared are whole numbers below {:.0f}, which {} holds exactly: where the "
        "operands are whole numbers too, sums have no rounding, so the kernel is wrong (or "
        "a race, or memory that was not set)",
        below, format_ ? format_->name : "DOUBLE");
  }

  bool add_factor() {
    constexpr std::size_t enough = 3;
    double least = HUGE_VAL, most = 0;
    for (const Difference* one : pairs_) {
      const double factor = number_in(one->value) / number_in(one->reference);
      if (!(factor > 0)) return false;
      least = std::min(least, factor);
      most = std::max(most, factor);
    }
    constexpr double about = 1.3;
    const bool is_one = least < about && most > 1 / about;
    if (pairs_.size() < enough || most > about * least || is_one) return false;
    return say(
        "{} elements differ by about the same factor, {:.3g} to {:.3g}: that is no rounding; "
        "a sum that was cut short, a mean for a sum, or a wrong kernel",
        pairs_.size(), least, most);
  }

  bool add_own_error(const Difference& one) {
    const double own = number_in(one.reference);
    if (!one.measure.starts_with("root mean") || !(own > 0)) return false;
    return say("{} is {:.3g} times the reference's own error {}: compared with it, not with 0",
               one.value, number_in(one.value) / own, one.reference);
  }

  bool add_larger_than_results(const Difference& one) {
    const double magnitude = one.magnitude > 0 ? one.magnitude : found_.printed;
    constexpr double twice = 2;
    if (one.measure != absolute_difference || !(magnitude > 0) ||
        !(size_of(one) > twice * magnitude))
      return false;
    const bool is_huge = size_of(one) > 0x1p120;
    return say("a difference of {:.3g} where results are {:g} at most is no rounding{}",
               size_of(one), magnitude,
               is_huge ? ": near FLOAT's largest number, as memory that was not set or an overflow "
                         "leaves it"
                       : "");
  }

  bool add_cosine(const Difference& one) {
    const double cosine = number_in(one.value);
    const bool is_cosine = one.measure.starts_with("cos") || one.measure.starts_with("cor");
    if (!is_cosine || one.value.empty() || cosine >= 1 || cosine <= -1) return false;
    const double relative = std::sqrt(2 * (1 - cosine));
    constexpr double largest_rounding = 0x1p-7;
    return say("{} is a relative difference of about {:.2g} in the 2-norm: {}", one.value, relative,
               relative > largest_rounding
                   ? "rounding factors to BFLOAT16, FLOAT16, TF32 or HF32 stays below 0.008"
                   : "of the size of rounding factors");
  }

  bool add_units(const Difference& one) {
    const bool is_printed = one.measure == absolute_difference && !(one.magnitude > 0);
    const double magnitude = is_printed ? found_.printed : one.magnitude;
    const double off = size_of(one);
    const bool is_limit = one.measure.starts_with("limit");
    if (!format_ || !(magnitude > 0) || !(off > 0) || is_limit) return false;
    const double unit = std::ldexp(1, std::ilogb(magnitude) - format_->bits);
    constexpr double few = 8;
    if (off > few * unit) return false;
    const double limit = number_in(one.limit);
    return say(
        "a difference of {:g} at {:g} is {:.2g} units in the last place of {} there: results "
        "that are right but rounded may differ by one, sums in another order by more{}",
        off, magnitude, off / unit, format_->name,
        limit > 0 && limit < unit ? "; the limit is below that unit" : "");
  }

  /// The element of the largest relative difference is at most so large.
  bool add_tiny_element(const Difference& one) {
    const Difference* absolute = measured(absolute_difference);
    const double relative = number_in(one.value);
    const bool is_small = relative > 0 && relative <= 1;
    if (one.measure != relative_difference || absolute == nullptr || !is_small) return false;
    constexpr std::size_t near = 4;
    if (absolute->line + near < one.line || one.line + near < absolute->line) return false;
    const double most = size_of(*absolute) / relative;
    if (found_.printed > 0 && most > found_.printed / 8) return false;
    return say(
        "a relative difference of {} with an absolute one of {} at most is of an element of "
        "{:.2g} at most: where results are larger, that one tiny element explains it, and "
        "no format is shown",
        one.value, absolute->value, most);
  }

  bool add_bits(const Difference& one) {
    const double percent = one.value.ends_with('%') ? 100 : 1;
    const double reference = std::fabs(number_in(one.reference));
    const double value =
        is_element(one) ? size_of(one) / reference : number_in(one.value) / percent;
    const bool is_relative = one.measure.find("relative") != one.measure.npos || is_element(one);
    if (!is_relative || !(value > 0) || (value > 1 && !is_element(one))) return false;
    struct Size {
      double least, most;
      std::string_view words;
    };
    constexpr Size sizes[] = {
        {0x1p-10, 0x1p-7,
         "rounding factors to BFLOAT16 (up to 2^-9 each) gives errors of that size"},
        {0x1p-13, 0x1p-10,
         "rounding factors to FLOAT16, TF32 or HF32 (up to 2^-11 each) gives errors of that size, "
         "FLOAT only where sums cancel: is allow_tf32, allow_hf32 or autocast on?"},
        {0x1p-25, 0x1p-20, "rounding in FLOAT (2^-24 each) gives errors of that size"}};
    for (const Size& size : sizes) {
      if (value >= size.least && value < size.most)
        return say("a relative difference of {} is 2^{:.1f}: {}",
                   is_element(one) ? fmt::format("{:.2g}", value) : one.value, std::log2(value),
                   size.words);
    }
    if (!is_element(one) || value < 0x1p-7 || !std::isfinite(value)) return false;
    constexpr double small = 0.125;
    if (reference < small * found_.printed)
      return say(
          "{} for {} is off by {:.2g} of the largest number that is printed, {:g}: a small "
          "sum of larger terms, of which a relative difference says little",
          one.value, one.reference, size_of(one) / found_.printed, found_.printed);
    return say(
        "{} for {} is off by {}: no format's rounding of factors gives that unless the sum "
        "cancels (it is small where its terms are not)",
        one.value, one.reference, share_in_words(value, 1));
  }

  const Differences& found_;
  std::optional<Format> format_;
  std::vector<const Difference*> pairs_;
  std::vector<std::string> words_;
};

}  // namespace

std::vector<std::string> sizes_in_words(const Differences& differences) {
  return Sizes(differences).words();
}

}  // namespace gradproof::advice
