#include "properties/findings/diagnosis/fresh_runs.h"

#include <fmt/core.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <string_view>

#include "corpus/element_values.h"
#include "oracle/geometry/geometry.h"
#include "oracle/numbers/number_format.h"
#include "oracle/operands/operands.h"
#include "oracle/sums/dyadic.h"
#include "properties/findings/hypotheses/world.h"

namespace gradproof::findings::diagnosis {
namespace {

using corpus::Case;

/// Seeds that no other stage uses.
constexpr std::uint64_t first_seed_of_conditions = 0xC0'0D17'0155;

/// Largest number of seeds of a recipe that shows a fault now and then only.
constexpr std::uint64_t most_seeds = 16;

/// Takes one from each element of the observed result; false: an element is not finite.
bool take_one_from_each(Witness& witness) {
  const oracle::NumberFormat format = witness.arithmetics.front().output;
  auto& bytes = witness.observed.bits;
  const std::size_t size =
      corpus::size_bytes(corpus::tensor(witness.test_case, witness.role)->dtype);
  for (std::size_t at = 0; at < bytes.size(); at += size) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, bytes.data() + at, size);
    const oracle::Number number = oracle::decode(format, bits);
    if (!number.is_finite()) return false;
    const auto less = oracle::Dyadic(number) - oracle::Dyadic::power_of_two(0);
    bits = oracle::encode(
        format, oracle::round_to(format, less.truncated(), oracle::default_rounding(format)));
    std::memcpy(bytes.data() + at, &bits, size);
  }
  return true;
}

bool shows_added_old_contents(targets::Target& target, const corpus::Case& run,
                              corpus::OutputRole role, const cases::CheckSettings& settings) {
  cases::CheckSettings with_ones = settings;
  with_ones.run.outputs_hold_ones = true;
  auto witness = observe(target, run, role, with_ones);
  if (!witness || witness->observed.bits == witness->observed.before) return false;
  if (agrees(right_world(*witness), *witness)) return false;
  // A result that is one too large whatever was there has another cause.
  const auto usual = observe(target, run, role, settings);
  if (!usual || usual->observed.bits == witness->observed.bits) return false;
  return take_one_from_each(*witness) && agrees(right_world(*witness), *witness);
}

using oracle::Number;

/// Names a special value; empty for an ordinary number.
std::string_view special_name(oracle::NumberFormat format, const Number& number) {
  if (number.is_nan()) return "a NaN";
  if (number.is_infinite()) return number.negative ? "a negative infinity" : "an infinity";
  if (number.is_zero()) return number.negative ? "a negative zero" : "";
  const int leading = static_cast<int>(std::bit_width(number.significand)) - 1 + number.exponent;
  return leading < oracle::smallest_normal_exponent(format) ? "a subnormal number" : "";
}

/// "a NaN in input", each once.
std::vector<std::string> special_values_of(const Case& test_case) {
  std::vector<std::string> found;
  if (!test_case.data) return found;
  for (const auto role : corpus::input_roles) {
    const auto& tensor = corpus::tensor(test_case, role);
    const auto format = tensor ? oracle::format_of(tensor->dtype) : std::nullopt;
    if (!format) continue;
    const auto count = corpus::element_count(tensor->shape).value_or(0);
    const auto numbers =
        oracle::decoded(*format, corpus::element_values(test_case, role), {1, 1, 1, 1, count});
    for (const Number& number : numbers.elements()) {
      const std::string_view name = special_name(*format, number);
      if (name.empty()) continue;
      auto words = fmt::format("{} in {}", name, corpus::name_of(test_case, role));
      if (std::ranges::find(found, words) == found.end()) found.push_back(std::move(words));
    }
  }
  return found;
}

}  // namespace

std::optional<corpus::Distribution> recipe_of(const Case& original) {
  if (!original.data || !corpus::has_fills(original.data->distribution)) return std::nullopt;
  return original.data->distribution;
}

std::vector<Case> fresh_runs(Case test_case, const std::optional<corpus::Distribution>& recipe,
                             const cases::CheckSettings& settings) {
  test_case.data.reset();
  test_case.expect.reset();
  const oracle::RuledCase ruled(test_case, settings.judge.profile);
  std::vector<Case> runs = cases::runs_of(ruled, {}, first_seed_of_conditions);
  if (recipe) {
    for (std::uint64_t i = 1; i <= most_seeds; ++i) {
      auto more = cases::runs_of(ruled, {*recipe}, first_seed_of_conditions + i);
      runs.insert(runs.end(), more.begin(), more.end());
    }
  }
  return runs;
}

std::optional<std::string> added_to_old_contents(targets::Target& target,
                                                 const corpus::Case& shrunk,
                                                 corpus::OutputRole role,
                                                 const cases::CheckSettings& settings) {
  // Zeros that are added, as what is shrunk often has, look like nothing written.
  std::vector<corpus::Case> runs{shrunk};
  std::ranges::move(fresh_runs(shrunk, std::nullopt, settings), std::back_inserter(runs));
  const auto shows = [&](const corpus::Case& run) {
    return shows_added_old_contents(target, run, role, settings);
  };
  if (std::ranges::none_of(runs, shows)) return std::nullopt;
  return fmt::format(
      "{} is added to what was in it before the call (where that is 1, each element is 1 too "
      "large)",
      corpus::name_of(role));
}

std::optional<std::string> special_values_needed(targets::Target& target, const Case& shrunk,
                                                 const cases::CheckSettings& settings) {
  const auto values = special_values_of(shrunk);
  if (values.empty()) return std::nullopt;
  const auto runs = fresh_runs(shrunk, std::nullopt, settings);
  const bool agrees = std::ranges::all_of(runs, [&](const Case& run) {
    return run.data && cases::check(target, run, settings).outcome == corpus::Outcome::Agree;
  });
  if (!agrees) return std::nullopt;
  return fmt::format("needs {} (ordinary values agree)", fmt::join(values, " and "));
}

}  // namespace gradproof::findings::diagnosis
