#include "properties/findings/diagnosis/old_contents.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstring>
#include <iterator>
#include <vector>

#include "oracle/sums/dyadic.h"
#include "properties/findings/diagnosis/fresh_runs.h"
#include "properties/findings/hypotheses/world.h"

namespace gradproof::findings::diagnosis {
namespace {

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

}  // namespace

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

}  // namespace gradproof::findings::diagnosis
