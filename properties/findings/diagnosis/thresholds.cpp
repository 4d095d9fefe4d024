#include "properties/findings/diagnosis/clues.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <numeric>
#include <set>
#include <string_view>
#include <utility>

#include "oracle/geometry/workload.h"
#include "properties/cases/calls/case_convolution.h"
#include "properties/findings/diagnosis/fresh_runs.h"
#include "properties/findings/diagnosis/quantities.h"

namespace gradproof::findings::diagnosis {
namespace {

using corpus::Case;
using corpus::Outcome;
using Clock = std::chrono::steady_clock;

/// Largest value that a factor is tried at alone, in place of a product.
constexpr std::int64_t largest_factor = std::int64_t{1} << 18;
/// A limit below this one is the call's smallness rather than the target's.
constexpr std::int64_t smallest_limit = 5;

/// Runs of one value that must all agree for it to count as right.
constexpr std::size_t most_runs = 6;

/// Values that agree and values that do not, as far as they were run.
struct Sides {
  std::set<std::int64_t> right, wrong;
};

/// Pattern of the values that are wrong; `first` the smallest of them.
enum class Pattern : std::uint8_t {
  Beyond,
  MostlyBeyond,
  EverySecond,
  Multiples,
  OneMore,
  OneLess,
  Alone
};

/// Where right values end: all below `first` agree.
struct Border {
  const Quantity* quantity = nullptr;
  std::int64_t first = 0;
  Pattern pattern = Pattern::Beyond;
  Sides sides;
};

/// Periods of which the first wrong value is one more or one less than one.
constexpr std::pair<Pattern, std::int64_t> shifts[] = {
    {Pattern::Multiples, 0}, {Pattern::OneMore, 1}, {Pattern::OneLess, -1}};

/// Sizes cannot be changed without changing how a tensor that is a view lies in memory.
bool keeps_layouts(const Case& before, const Case& after) {
  const auto is_kept = [&](auto role) {
    const auto& old = corpus::tensor(before, role);
    const auto& now = corpus::tensor(after, role);
    return !old || !now || old->strides.has_value() == now->strides.has_value();
  };
  return std::ranges::all_of(corpus::input_roles, is_kept) &&
         std::ranges::all_of(corpus::output_roles, is_kept);
}

class ThresholdSearch {
 public:
  ThresholdSearch(targets::Target& target, const Case& shrunk, const Case& original,
                  const cases::Convolution& sizes, const DiagnosisSettings& settings)
      : target_(target),
        shrunk_(shrunk),
        sizes_(sizes),
        settings_(settings),
        recipe_(recipe_of(original)),
        deadline_(Clock::now() + settings.time) {
    axes_.resize(sizes.axes.size());
    std::iota(axes_.begin(), axes_.end(), std::size_t{0});
    const auto is_wrong_by_default = is_wrong_at(sizes, std::nullopt);
    if (is_wrong_by_default == true) recipe_.reset();
  }

  bool shows() { return is_wrong_at(sizes_, recipe_) == true; }

  /// Finds the border between a quantity's least value and a wrong one, all else as in `from`.
  std::optional<Border> border_of(const Quantity& quantity, const cases::Convolution& from,
                                  std::int64_t wrong) {
    Border border{&quantity, wrong, Pattern::Beyond, {}};
    if (wrong <= quantity.least) return std::nullopt;
    if (look(border, from, wrong) != true || look(border, from, quantity.least) != false) {
      return std::nullopt;
    }
    std::int64_t right = quantity.least;
    while (border.first - right > 1) {
      const std::int64_t middle = right + (border.first - right) / 2;
      const auto is_wrong_there = look(border, from, middle);
      if (!is_wrong_there) return std::nullopt;
      (*is_wrong_there ? border.first : right) = middle;
    }
    if (!below_are_right(border, from)) return std::nullopt;
    const auto pattern = pattern_of(border, from);
    if (!pattern) return std::nullopt;
    border.pattern = *pattern;
    // That it takes more than the least is said elsewhere, and a small size is seen in the call.
    const bool says_more = border.pattern > Pattern::MostlyBeyond ||
                           (right > quantity.least && border.first >= smallest_limit);
    return says_more ? std::optional(std::move(border)) : std::nullopt;
  }

 private:
  bool below_are_right(Border& border, const cases::Convolution& from) {
    return std::ranges::all_of(
        std::array{border.first - 2, border.first / 2}, [&](std::int64_t below) {
          return below < border.quantity->least || look(border, from, below) == false;
        });
  }

  std::optional<Pattern> pattern_of(Border& border, const cases::Convolution& from) {
    const std::int64_t first = border.first;
    const auto all_are = [&](bool wrong, std::initializer_list<std::int64_t> values) {
      return std::ranges::all_of(
          values, [&](std::int64_t value) { return look(border, from, value) == wrong; });
    };
    if (all_are(true, {first + 1})) {
      if (!all_are(true, {first + 2, 2 * first - 1, 2 * first})) return std::nullopt;
      // Whole blocks may be right again.
      const auto block =
          static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(first)));
      const bool has_right = std::ranges::any_of(
          std::array{block, block + 1, 2 * block},
          [&](std::int64_t value) { return look(border, from, value) == false; });
      return has_right ? Pattern::MostlyBeyond : Pattern::Beyond;
    }
    if (!all_are(false, {first + 1})) return std::nullopt;
    if (all_are(true, {first + 2, first + 4}) && all_are(false, {first + 3, first + 5})) {
      return Pattern::EverySecond;
    }
    const auto repeats_every = [&](std::int64_t period) {
      return period > 2 && all_are(true, {first + period, first + 2 * period}) &&
             all_are(false, {first + 2, first + period - 1, first + period + 1});
    };
    for (const auto& [pattern, shift] : shifts) {
      if (!repeats_every(first - shift)) continue;
      if (const auto smaller = smaller_period(border, from, shift)) {
        border.first = *smaller + shift;
        return pattern_of(border, from);
      }
      return pattern;
    }
    const bool is_alone = all_are(false, {first + 2, 2 * first - 1, 2 * first, 3 * first});
    return is_alone ? std::optional(Pattern::Alone) : std::nullopt;
  }

  /// The bisection may have ended at a multiple of what it is that repeats.
  std::optional<std::int64_t> smaller_period(Border& border, const cases::Convolution& from,
                                             std::int64_t shift) {
    const std::int64_t period = border.first - shift;
    for (std::int64_t divisor = 2; divisor <= period / 2; ++divisor) {
      const std::int64_t value = divisor + shift;
      const bool is_tried = period % divisor == 0 && value > border.quantity->least;
      if (is_tried && look(border, from, value) == true) return divisor;
    }
    return std::nullopt;
  }

  std::optional<bool> look(Border& border, const cases::Convolution& from, std::int64_t value) {
    if (border.sides.right.contains(value)) return false;
    if (border.sides.wrong.contains(value)) return true;
    const cases::Convolution next = border.quantity->set(from, value);
    const auto wrong = is_wrong_at(next, recipe_);
    if (wrong) (*wrong ? border.sides.wrong : border.sides.right).insert(value);
    return wrong;
  }

  /// True if the values are wrong there; nullopt: the call is illegal or too large, or time is up.
  std::optional<bool> is_wrong_at(const cases::Convolution& next,
                                  const std::optional<corpus::Distribution>& recipe) {
    const Case test_case = cases::with_convolution(shrunk_, sizes_, next, axes_);
    const auto macs = oracle::mac_count(test_case);
    const bool is_too_large = !macs || *macs > settings_.most_macs;
    if (is_too_large || !keeps_layouts(shrunk_, test_case)) return std::nullopt;
    auto runs = fresh_runs(test_case, recipe, settings_.check);
    if (runs.size() > most_runs) runs.resize(most_runs);
    for (const Case& run : runs) {
      const bool is_over = Clock::now() >= deadline_ || (settings_.stop && settings_.stop->load());
      if (is_over || !run.data) return std::nullopt;
      const auto verdict = cases::check(target_, run, settings_.check);
      if (verdict.outcome == Outcome::Disagree) return true;
      if (verdict.outcome != Outcome::Agree) return std::nullopt;
    }
    return false;
  }

  targets::Target& target_;
  const Case& shrunk_;
  const cases::Convolution& sizes_;
  const DiagnosisSettings& settings_;
  std::optional<corpus::Distribution> recipe_;
  Clock::time_point deadline_;
  std::vector<std::size_t> axes_;
};

std::string place_words(const Border& border, const std::string& what) {
  const std::int64_t first = border.first;
  switch (border.pattern) {
    case Pattern::Beyond:
      return fmt::format("{} > {}", what, first - 1);
    case Pattern::MostlyBeyond:
      return fmt::format("{} > {}, but for whole blocks", what, first - 1);
    case Pattern::EverySecond: {
      const std::string_view parity = first % 2 == 0 ? "even" : "odd";
      return first > 3 ? fmt::format("{} > {} and {}", what, first - 1, parity)
                       : fmt::format("{} is {}{}", what, parity, first == 3 ? " and not 1" : "");
    }
    case Pattern::Multiples:
      return fmt::format("{} is a multiple of {}", what, first);
    case Pattern::OneMore:
      return fmt::format("{} is one more than a multiple of {}", what, first - 1);
    case Pattern::OneLess:
      return fmt::format("{} is one less than a multiple of {}", what, first + 1);
    case Pattern::Alone:
      return fmt::format("{} = {}", what, first);
  }
  return {};
}

std::string words_of(const Border& border, const std::string& what) {
  return fmt::format("wrong exactly where {}, all else as in this call (agrees: {}; wrong: {})",
                     place_words(border, what), fmt::join(border.sides.right, ", "),
                     fmt::join(border.sides.wrong, ", "));
}

/// A family whose factors have the same border each with the others of it at their least: its
/// product has it. The words of the product, or nullopt.
std::optional<Border> border_of_product(ThresholdSearch& search,
                                        const std::vector<Quantity>& quantities,
                                        std::string_view family, const cases::Convolution& sizes,
                                        std::string& words) {
  std::map<std::pair<std::int64_t, Pattern>, std::vector<Border>> alike;
  cases::Convolution least = sizes;
  std::int64_t product = 1;
  for (const Quantity& one : quantities) {
    if (one.family != family) continue;
    least = one.set(least, one.least);
    product *= std::max<std::int64_t>(1, one.value);
  }
  if (product > largest_factor) return std::nullopt;
  for (const Quantity& one : quantities) {
    if (one.family != family) continue;
    if (auto border = search.border_of(one, least, product)) {
      alike[{border->first, border->pattern}].push_back(std::move(*border));
    }
  }
  const auto most =
      std::ranges::max_element(alike, {}, [](const auto& entry) { return entry.second.size(); });
  if (most == alike.end() || most->second.size() < 2) return std::nullopt;
  std::vector<std::string_view> names;
  for (const Border& border : most->second) names.emplace_back(border.quantity->words);
  words = fmt::format("{}", fmt::join(names, " * "));
  return most->second.front();
}

}  // namespace

std::vector<std::string> thresholds_of(targets::Target& target, const Case& shrunk,
                                       const Case& original, const DiagnosisSettings& settings) {
  const auto sizes = cases::convolution_of(shrunk);
  if (!sizes) return {};
  ThresholdSearch search(target, shrunk, original, *sizes, settings);
  if (!search.shows()) return {};
  const auto quantities = quantities_of(shrunk, *sizes);
  std::vector<std::string> sentences;
  std::set<std::string_view> in_a_product;
  for (const std::string_view family : families) {
    std::string words;
    const auto border = border_of_product(search, quantities, family, *sizes, words);
    if (!border) continue;
    sentences.push_back(words_of(*border, words));
    in_a_product.insert(family);
  }
  for (const Quantity& one : quantities) {
    if (in_a_product.contains(one.family)) continue;
    if (const auto border = search.border_of(one, *sizes, one.value))
      sentences.push_back(words_of(*border, one.words));
  }
  return sentences;
}

}  // namespace gradproof::findings::diagnosis
